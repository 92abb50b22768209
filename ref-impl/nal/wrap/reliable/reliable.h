/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The reliability layer (specs/portals-wire.md, 4.7): a network above another one that loses, doubles or reorders
 * messages, or whose connections break. It numbers what is sent to each peer, keeps it until it is acknowledged, sends
 * it again where it is not, and gives what arrives to the core once and in order. Only peers that say version 1.1 are
 * served so; for all others it lets everything through as it is.
 *
 * Numbers and acknowledgements belong to the process, not to an opening of an interface: one `struct reliable_net`
 * lives as long as the process is on the network, answers also for interfaces that are closed, and keeps what came for
 * them (PW-17, PW-36).
 *
 * What is known of a peer that has sent a numbered message is kept until then too, or it could be taken twice. So that
 * nobody who connects under ever new names makes the process grow, an interface keeps that of at most 4096 processes of
 * other groups, and 4096 more than the size of its own; numbered messages of further ones are not taken, and their
 * senders find this process dead. Of a peer that has sent none, nothing is kept when it is gone.
 *
 * A payload stays in the user's memory until it has been acknowledged: `sent` means that the peer's process has it.
 */
#ifndef REF_IMPL_NAL_WRAP_RELIABLE_RELIABLE_H
#define REF_IMPL_NAL_WRAP_RELIABLE_RELIABLE_H

#include "ref-impl/nal/network.h"
#include "ref-impl/nal/wrap/reliable/below.h"

#include <stdint.h>

struct reliable_net;

/* reliable_net_new - the layer of the process `self`; NULL without memory or threads.
 * reliable_net_stop - ends its traffic, after its interfaces have been closed; peers that have not heard yet that their
 * messages came get a short time to ask.
 * reliable_net_free - frees it, when nobody will call reliable_net_peer any more. */
struct reliable_net *reliable_net_new(const struct reliable_below *below, const struct wire_portals_id *self,
                                      uint32_t group_size);
void reliable_net_stop(struct reliable_net *net);
void reliable_net_free(struct reliable_net *net);

/* reliable_net_peer - takes note of what has become of a peer: a network_watch's `peer`, for a reliable_net. */
void reliable_net_peer(void *net, uint32_t interface, const struct wire_portals_id *peer,
                       enum network_peer_state state);

/* reliable_net_open - opens an interface above; as nal_open. */
enum nal_status reliable_net_open(struct reliable_net *net, const struct nal_config *config,
                                  const struct nal_upcalls *upcalls, void *core, struct nal **nal);

#endif
