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

#include "ref-impl/nal/network.h"

#include <stdbool.h>
#include <stdint.h>

struct tcp_net;

/* tcp_net_start - starts a process's presence on the network: takes connections from `listen_fd` (non-blocking, stays
 * the caller's) for the process `self`. False, with a line on stderr, when threads, descriptors or memory are lacking.
 * `watch`, copied, is told about peers; NULL: nobody is. *net is set before the watch is told anything.
 * tcp_net_stop - ends it, after its interfaces have been closed. What had been sent is given a bounded time to arrive.
 * / */
bool tcp_net_start(int listen_fd, const struct wire_portals_id *self, uint32_t group_size,
                   const struct network_watch *watch, struct tcp_net **net);
void tcp_net_stop(struct tcp_net *net);

/* tcp_net_expect - what is sent to a peer at whose address nobody listens waits for it so long, from the first message
 * on, before it counts as not taken. Without it such a peer is gone. Before any interface is opened. */
void tcp_net_expect(struct tcp_net *net, uint32_t patience_ms);

/* tcp_net_open - opens an interface of this presence; as nal_open. config->self must be the presence's own. */
enum nal_status tcp_net_open(struct tcp_net *net, const struct nal_config *config, const struct nal_upcalls *upcalls,
                             void *core, struct nal **nal);

/* tcp_net_greet - opens a connection to a process for an interface unless there is one. What comes of it the watch is
 * told, also at once. NAL_NO_ROUTE, NAL_NO_MEMORY: nothing will come of it. Any thread, no lock held. */
enum nal_status tcp_net_greet(struct tcp_net *net, uint32_t interface, const struct wire_portals_id *target);

/* tcp_network - the row. The process's listening socket is opened when it begins, its presence starts when it joins. */
extern const struct network tcp_network;

#endif
