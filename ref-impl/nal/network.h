/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What this library knows of a network: one row. Everything else follows from it: the values of portalsrun's --nal and
 * of ASSAY_NAL, the help texts, who gets a message (mixed.h), and how a process comes onto the network (presence.h).
 * The rows stand in networks.c; a network is a folder, or a file, and its row.
 *
 *      begin                   join                       open ... close            end
 *        |                       |                             |                     |
 *      the process's address   everybody's address is       interfaces, one       the process leaves,
 *      is made; nobody         known; what comes now for    `struct nal` each     after its interfaces
 *      knows it yet            closed interfaces counts                           have been closed
 *
 * Node id and process id are all that a job publishes of a process (specs/portals-wire.md, 8). A network that needs to
 * know more of a peer finds it out by these two.
 */
#ifndef REF_IMPL_NAL_NETWORK_H
#define REF_IMPL_NAL_NETWORK_H

#include "ref-impl/nal/nal.h"
#include "wire/portals/messages.h"

#include <stdbool.h>
#include <stdint.h>

/* nal_opener - opens a network: the same contract as nal_open. A wrapper calls it with its own upcalls. */
typedef enum nal_status nal_opener(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                   struct nal **nal);

/* Who is reached over a network. */
enum network_reach {
    NETWORK_REACHES_SELF, /* the process itself */
    NETWORK_REACHES_NODE, /* processes of the job on the same node */
    NETWORK_REACHES_ANY,  /* every process whose node and process id are known */
};

/* struct network_place is a process before others know of it. */
struct network_place {
    uint32_t nid;      /* the node: an IPv4 address of this machine, in the order of the host, or what a network sets */
    uint32_t pid;      /* the process; before, the wish, or 0: a network that listens grants it or sets its own */
    uint32_t job_size; /* how many processes the job has */
    const char *secret; /* what the processes of the job have in common and others do not know */
};

/* What is known of a peer of an interface. */
enum network_peer_state {
    NETWORK_PEER_PLAIN,    /* it is connected; it says version 1.0 */
    NETWORK_PEER_NUMBERED, /* it is connected, and says that it knows numbered messages (1.1) */
    NETWORK_PEER_LOST,     /* a connection to it has ended, or could not be opened */
    NETWORK_PEER_REFUSED,  /* nobody listens at its address */
};

/* struct network_watch is told about peers, by any thread with no lock held. Whoever watches also numbers: the process
 * then says version 1.1, and what arrives with a NUMBER has epoch and number in its header (specs/portals-wire.md,
 * 4.7). */
struct network_watch {
    void (*peer)(void *watcher, uint32_t interface, const struct wire_portals_id *peer, enum network_peer_state state);
    void *watcher;
};

/* struct network_job is the job whose member the process has become. `members` has `size` entries in the order of their
 * ranks. `watch` is copied; NULL: nobody wants to know of peers. Who is `alone`, for no launcher has started it, may
 * send to processes that are not there yet. */
struct network_job {
    struct wire_portals_id self;
    const struct wire_portals_id *members;
    uint32_t size;
    const struct network_watch *watch;
    bool alone;
};

enum network_status {
    NETWORK_READY,
    NETWORK_NOT_NEEDED, /* nobody could be reached over it: the process goes on without it */
    NETWORK_FAILED,     /* a line on stderr says why */
};

/* struct network is a row.
 *
 * with   the network that reaches everybody else when the user has asked for this one alone; NULL: they are not reached
 * mixes  it takes part when the user has named no network
 * cost   of a message, compared with that over other networks: a peer is reached over the cheapest one that reaches it
 * begin  the first step of a process onto the network; NULL: there is none. The network that sets the process id comes
 *        before those that need it
 * join   the second, when all members have begun. False, with a line on stderr: it cannot
 * end    leaves, after either; does nothing where there is nothing to leave
 * host   what the launcher runs for a job of that many processes before it starts them, and tells them by the
 *        environment. False, with a line on stderr: it cannot. NULL: nothing is needed
 * unhost ends it, after the last process; NULL where `host` is
 * greet  makes contact with a process for an interface; what comes of it is told to the watch, also from inside the
 *        call. NAL_NO_ROUTE, NAL_NO_MEMORY: nothing comes of it. NULL: the network does not carry numbered messages */
struct network {
    const char *name;
    const char *about; /* one line for the user, without a full stop */
    const char *with;
    enum network_reach reach;
    unsigned cost;
    bool mixes;
    enum network_status (*begin)(struct network_place *place);
    bool (*join)(const struct network_job *job);
    void (*end)(void);
    nal_opener *open;
    bool (*host)(uint32_t processes);
    void (*unhost)(void);
    enum nal_status (*greet)(uint32_t interface, const struct wire_portals_id *target);
};

#endif
