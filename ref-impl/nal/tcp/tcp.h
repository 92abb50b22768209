/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The TCP network (specs/portals-wire.md): one listening socket and one progress thread a process, and one `struct nal`
 * for each initialised interface on top of them.
 *
 * The process is on the network from tcp_start to tcp_stop, also while no interface is initialised: peers are answered,
 * and what they send is discarded and counted for the interface that it was sent to (chapter 4.2). The count is handed
 * to the core when the interface opens.
 */
#ifndef REF_IMPL_NAL_TCP_TCP_H
#define REF_IMPL_NAL_TCP_TCP_H

#include "ref-impl/nal/nal.h"

#include <stdbool.h>
#include <stdint.h>

struct tcp_net;

/* What is known about a peer of an interface. */
enum tcp_peer_state {
    TCP_PEER_PLAIN,    /* a stream to it is up; it says version 1.0 */
    TCP_PEER_NUMBERED, /* a stream to it is up, and it says that it knows numbered messages (1.1) */
    TCP_PEER_LOST,     /* a stream to it has ended, or could not be opened */
    TCP_PEER_REFUSED,  /* nobody listens at its address */
};

/* struct tcp_watch is told about peers, by any thread with no lock held. Whoever watches also numbers: the process then
 * says version 1.1, and what arrives with a NUMBER has epoch and number in its header (specs/portals-wire.md, 4.7). */
struct tcp_watch {
    void (*peer)(void *watcher, uint32_t interface, const struct wire_portals_id *peer, enum tcp_peer_state state);
    void *watcher;
};

/* tcp_net_start - starts a process's presence on the network: takes connections from `listen_fd` (non-blocking, stays
 * the caller's) for the process `self`. NULL, with a line on stderr, when threads, descriptors or memory are lacking.
 * `watch`, copied, is told about peers; NULL: nobody is.
 * tcp_net_stop - ends it, after its interfaces have been closed. What had been sent is given a bounded time to arrive.
 */
struct tcp_net *tcp_net_start(int listen_fd, const struct wire_portals_id *self, uint32_t group_size,
                              const struct tcp_watch *watch);
void tcp_net_stop(struct tcp_net *net);

/* tcp_net_open - opens an interface of this presence; as nal_open. config->self must be the presence's own. */
enum nal_status tcp_net_open(struct tcp_net *net, const struct nal_config *config, const struct nal_upcalls *upcalls,
                             void *core, struct nal **nal);

/* tcp_net_greet - opens a stream to a process for an interface unless there is one. What comes of it the watch is told,
 * also at once. NAL_NO_ROUTE, NAL_NO_MEMORY: nothing will come of it. Any thread, no lock held. */
enum nal_status tcp_net_greet(struct tcp_net *net, uint32_t interface, const struct wire_portals_id *target);

/* tcp_start, tcp_stop - the presence of this whole process, which job_open starts and job_close stops. False, with a
 * line on stderr, when it cannot. */
bool tcp_start(int listen_fd, const struct wire_portals_id *self, uint32_t group_size, const struct tcp_watch *watch);
void tcp_stop(void);

/* tcp_greet - tcp_net_greet on the process's presence. */
enum nal_status tcp_greet(uint32_t interface, const struct wire_portals_id *target);

/* tcp_open - opens an interface on the process's presence: what nal_open calls for ASSAY_NAL=tcp. NAL_NO_DEVICE, with a
 * line on stderr, before tcp_start. */
enum nal_status tcp_open(const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                         struct nal **nal);

#endif
