/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What arrives over a network of this process: for which of its interfaces, where the payload goes, how that is taken
 * back, and what becomes of messages whose interface is not open. The networks that move octets (tcp, shm) each have
 * one `struct arrivals`; what is received from one peer at a time has a `struct landing`.
 *
 * Locks. `lock` is the network's, lent; it guards what its group of members says. `sink_lock` guards every landing; it
 * is held while octets are stored, so that whoever has taken it once after revoking knows that no more will be. Neither
 * is held during an upcall. Order: lock before sink_lock.
 */
#ifndef REF_IMPL_NAL_PEER_ARRIVALS_H
#define REF_IMPL_NAL_PEER_ARRIVALS_H

#include "ref-impl/lock.h"
#include "ref-impl/nal/nal.h"
#include "wire/portals/messages.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ARRIVALS_INTERFACES = 16, /* interface numbers with a drop count; others are discarded uncounted */
    ARRIVALS_ROUNDS = 32,     /* of a barrier, at most */
    ARRIVALS_PIECE = 1 << 20, /* most octets stored in one go, so that a revocation waits for no more than that */
};

/* struct arrivals_port is an open interface, as far as messages arrive for it. */
struct arrivals_port {
    struct arrivals *arrivals;
    struct nal_upcalls upcalls;
    void *core;
};

enum landing_state {
    LANDING_NONE,    /* no message with a sink is arriving */
    LANDING_ACTIVE,  /* octets are being stored; in the list of landings */
    LANDING_REVOKED, /* none will be stored any more, `landed` is still to come */
};

/* struct landing is the sink of the message that is arriving from one peer. Guarded by sink_lock, except for what only
 * the progress thread uses. */
struct landing {
    struct landing *next, *prev;
    enum landing_state state;
    unsigned char *start;
    uint64_t remaining;
    void *token;
    struct arrivals_port *port;
};

/* struct arrivals_early is what came for an interface that is not open: how many messages were discarded, and the last
 * BARRIER of each round; NULL while there was none. */
struct arrivals_early {
    uint64_t drops;
    struct wire_portals_header *barriers;
};

/* struct arrivals_network is what the network lends. */
struct arrivals_network {
    void *net;
    struct lock *lock;
    pthread_cond_t *quiet;          /* is told when an arrive has ended */
    bool (*is_progress)(void *net); /* whether the caller is the network's progress thread */
    void (*wake_all)(void *net);    /* makes that thread look at every landing; called with `lock` held */
};

struct arrivals {
    struct arrivals_network network;

    /* Guarded by lock. */
    uint64_t count;                                             /* how many arrives have ended */
    _Atomic(struct arrivals_port *) ports[ARRIVALS_INTERFACES]; /* the progress thread also reads them without */
    struct arrivals_port *arriving;                             /* whose `arrive` is running */
    struct arrivals_early early[ARRIVALS_INTERFACES];

    pthread_mutex_t sink_lock;
    struct landing *landings;
};

/* arrivals_init - nothing is open.
 * arrivals_destroy - frees what was kept. */
void arrivals_init(struct arrivals *arrivals, const struct arrivals_network *network);
void arrivals_destroy(struct arrivals *arrivals);

/* arrivals_open - makes `port` the interface of that number, below ARRIVALS_INTERFACES, and gives what had been kept
 * for it; false when the number is taken. Messages arrive from here on.
 * arrivals_deliver - hands that over to the interface and frees it. No lock held.
 * arrivals_shut - nothing arrives for it any more; with `lock` held, by the progress thread. */
bool arrivals_open(struct arrivals *arrivals, uint32_t number, struct arrivals_port *port,
                   struct arrivals_early *early);
void arrivals_deliver(struct arrivals_port *port, struct arrivals_early *early);
void arrivals_shut(struct arrivals *arrivals, uint32_t number);

/* arrivals_count_drop - counts a discarded message for that interface, open or not.
 * arrivals_keep - counts, or keeps, a message for an interface that is not open; false when it has been opened
 * meanwhile. Progress thread, no lock held. */
void arrivals_count_drop(struct arrivals *arrivals, uint32_t number);
bool arrivals_keep(struct arrivals *arrivals, uint32_t number, const struct wire_portals_header *header);

/* landing_begin - gives a whole header to the interface and keeps its sink. False when the interface is not open
 * (nothing counted).
 * landing_whole - the same of a message whose payload is all here, ARRIVALS_PIECE octets at most: stores it and calls
 * `landed`, and no landing is needed.
 * landing_store - stores octets, returns how many it took (the rest is surplus).
 * landing_end - the message is over: calls `landed`.
 * landing_settle - calls the `landed` of a revoked landing and returns how many octets will not be stored. Progress
 * thread, no lock held. */
bool landing_begin(struct arrivals *arrivals, struct landing *landing, uint32_t number,
                   const struct wire_portals_header *header, uint64_t payload_octets);
bool landing_whole(struct arrivals *arrivals, uint32_t number, const struct wire_portals_header *header,
                   const void *payload, size_t payload_octets);
size_t landing_store(struct arrivals *arrivals, struct landing *landing, const void *octets, size_t len);
void landing_end(struct arrivals *arrivals, struct landing *landing, bool complete);
uint64_t landing_settle(struct arrivals *arrivals, struct landing *landing);

/* landing_revoke - takes back the sink of that token. Any thread. */
void landing_revoke(struct arrivals_port *port, void *token);

/* landing_room - where octets may be stored next, and how many of them at most in one go; 0 when none may.
 * landing_book - so many of them have been. Between the two sink_lock is held. */
size_t landing_room(const struct landing *landing, void **start);
void landing_book(struct landing *landing, size_t stored);

#endif
