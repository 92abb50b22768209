/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The inside of the Intercept network, shared by the files of this folder and by nobody else.
 *
 *      nal_send (interface.c)        the progress thread (progress.c): the thesis's kernel thread
 *           |                           |                    |                     |
 *      outgoing, self queue        intercept/node.h      sockets, timers       self.c, closing.c
 *                                       |
 *                                  library.c: lib_parse, cb_recv, lib_finalize --> ../peer/landing.c
 *
 * Locks. `lock` guards what its group of members says, and is lent to the arrivals. It is not held during an upcall.
 * All else is the progress thread's own, which alone touches card and driver.
 */
#ifndef REF_IMPL_NAL_INTERCEPT_NET_H
#define REF_IMPL_NAL_INTERCEPT_NET_H

#include "ref-impl/intercept/faults.h"
#include "ref-impl/intercept/node.h"
#include "ref-impl/lock.h"
#include "ref-impl/nal/network.h"
#include "ref-impl/nal/peer/arrivals.h"
#include "ref-impl/nal/peer/interface.h"
#include "ref-impl/nal/peer/queue.h"

#include <pthread.h>

enum { INTERCEPT_INTERFACES = WIRE_INTERCEPT_VNICS - 1 /* each has a VNIC of its own, from 1 on */ };

/* struct intercept_item is one message that waits to be sent, or is on its way. */
struct intercept_item {
    struct peer_item base;
    struct intercept_send send;
    struct intercept_item *next, *prev; /* those on their way */
};

/* struct intercept_landing is one message that arrives. */
struct intercept_landing {
    struct landing landing;
    unsigned char *memory;
    struct intercept_landing *next, *prev;
};

struct intercept_net {
    uint16_t iuca, pid;
    struct wire_portals_id self;
    struct wire_portals_id *members; /* of the job, `size` of them */
    uint32_t size;
    int fds[ICPT_PLANES], wake_fd;
    pthread_t thread;

    struct arrivals arrivals;
    struct peer_network interfaces; /* what it guards by `lock` included */

    struct lock lock;
    pthread_cond_t quiet;
    struct peer_queue outgoing, self_queue;
    bool woken, is_joined, is_stopping;

    /* The progress thread's own. */
    struct intercept_nic nic;
    struct intercept_node node;
    struct intercept_faults faults;
    struct intercept_item *items;
    struct intercept_landing *landings;
    struct landing self_landing;
    struct peer_queue finished; /* of whom `sent` is to be called */
    uint64_t stop_ns;
};

extern const struct intercept_library intercept_net_library;

/* intercept_net_new - a process on the network that `place` (ADDRESS:PORT) says, its card known to the switch, its
 * thread running; nothing is delivered before intercept_net_join. NULL, with a line on stderr: it cannot.
 * intercept_net_join - the process is that of the job.
 * intercept_net_stop - ends it, after its interfaces. What has been sent is given a bounded time to leave. */
struct intercept_net *intercept_net_new(const char *place);
bool intercept_net_join(struct intercept_net *net, const struct network_job *job);
void intercept_net_stop(struct intercept_net *net);

/* intercept_net_open - opens an interface; as nal_open. */
enum nal_status intercept_net_open(struct intercept_net *net, const struct nal_config *config,
                                   const struct nal_upcalls *upcalls, void *core, struct nal **nal);

/* intercept_net_wake - makes the progress thread look at what has changed. With `lock` held.
 * intercept_net_is_progress - whether the caller is that thread. */
void intercept_net_wake(struct intercept_net *net);
bool intercept_net_is_progress(void *net);

/* intercept_net_announce - makes the card known on all planes, and leaves those out on which nobody answers. False:
 * nobody does.
 * intercept_net_step - waits for the network, at most so long, and takes what comes.
 * intercept_net_run - the progress thread. */
bool intercept_net_announce(struct intercept_net *net);
void intercept_net_step(struct intercept_net *net, uint64_t wait_ns);
void *intercept_net_run(void *net);

/* intercept_net_self_deliver - delivers messages of the process to itself.
 * intercept_net_settle - ends the landings that were revoked.
 * intercept_net_closing_begin - fills in how interfaces end. */
void intercept_net_self_deliver(struct intercept_net *net);
void intercept_net_settle(struct intercept_net *net);
void intercept_net_closing_begin(struct intercept_net *net);

#endif
