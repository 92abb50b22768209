/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * An interface on the shared memory network: sending, opening; the rest of nal.h is in ../peer/interface.h.
 */
#include "ref-impl/nal/shm/net.h"
#include "ref-impl/nal/shm/shm.h"
#include "ref-impl/short_path.h"

#include <stdlib.h>

/* The peer with this address; NULL: not on this network. Its rank, where that is known, saves the search. */
static struct shm_peer *peer_find(const struct shm_net *net, const struct wire_portals_id *target)
{
    if (target->nid != net->self.nid || net->count == 0) {
        return NULL;
    }
    struct shm_peer *named = target->rid < net->size ? net->by_rank[target->rid] : NULL;
    if (named && named->id.pid == target->pid) {
        return named;
    }
    struct shm_peer wanted = {.id = *target};
    return bsearch(&wanted, net->peers, net->count, sizeof wanted, shm_peer_compare);
}

/* Sends a short message for which there is room. False: it takes the long way. */
static bool peer_send_short(struct peer_interface *interface, struct shm_peer *peer,
                            const struct wire_portals_header *header, const void *payload, uint64_t length)
{
    struct shm_net *net = interface->network->net;
    struct shm_endpoint *endpoint = &peer->endpoints[interface->config.interface];

    if (length > SHM_PIECE_OCTETS) {
        return false;
    }

    lock_take(&net->lock);
    bool sent = interface->state != PEER_INTERFACE_CLOSED && shm_endpoint_usable(endpoint) &&
                shm_endpoint_put(endpoint, header, payload, length);
    interface->moved = interface->moved || sent;
    lock_give(&net->lock);
    return sent;
}

SHORT_PATH static enum nal_status interface_send_now(struct nal *nal, const struct wire_portals_header *header,
                                                     const void *payload, uint64_t length)
{
    struct peer_interface *interface = (struct peer_interface *)nal;
    struct shm_peer *peer = peer_find(interface->network->net, &header->target);

    if (!peer) {
        return NAL_NO_ROUTE;
    }
    return peer_send_short(interface, peer, header, payload, length) ? NAL_OK : NAL_NOT_NOW;
}

/* Sends to a peer on this network. NAL_NO_ROUTE: it cannot be reached over it, nothing has been done. */
static enum nal_status peer_send(struct peer_interface *interface, struct shm_peer *peer, struct peer_item *item)
{
    struct shm_net *net = interface->network->net;
    struct shm_endpoint *endpoint = &peer->endpoints[interface->config.interface];
    struct peer_queue finished = {NULL, NULL};

    lock_take(&net->lock);
    bool usable = interface->state != PEER_INTERFACE_CLOSED && shm_endpoint_usable(endpoint);
    if (usable) {
        shm_endpoint_push(endpoint, item, &finished);
    }
    lock_give(&net->lock);
    peer_items_finish(&finished);
    return usable ? NAL_OK : NAL_NO_ROUTE;
}

static enum nal_status interface_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                      uint64_t length, void *cookie)
{
    struct peer_interface *interface = (struct peer_interface *)nal;
    struct shm_peer *peer = peer_find(interface->network->net, &header->target);

    if (peer && peer_send_short(interface, peer, header, payload, length)) {
        if (cookie) {
            interface->port.upcalls.sent(interface->port.core, cookie, true);
        }
        return NAL_OK;
    }
    if (peer) {
        struct shm_item *item = shm_item_new(header, payload, length);

        if (!item) {
            return NAL_NO_MEMORY;
        }
        item->base.interface = interface;
        item->base.port = &interface->port;
        item->base.cookie = cookie;
        if (peer_send(interface, peer, &item->base) == NAL_OK) {
            return NAL_OK;
        }
        free(item);
    }
    return NAL_NO_ROUTE;
}

static const struct nal_ops shm_ops = {
    .name = "shm",
    .send = interface_send,
    .send_now = interface_send_now,
    .revoke = peer_interface_revoke,
    .distance = peer_interface_distance,
    .close = peer_interface_close,
    .end = peer_interface_end,
    .driving = &shm_driving,
};

/* Where there is nobody else, nothing comes that a caller could wait for. */
static const struct nal_ops shm_ops_alone = {
    .name = "shm",
    .send = interface_send,
    .send_now = interface_send_now,
    .revoke = peer_interface_revoke,
    .distance = peer_interface_distance,
    .close = peer_interface_close,
    .end = peer_interface_end,
};

enum nal_status shm_net_open(struct shm_net *net, const struct nal_config *config, const struct nal_upcalls *upcalls,
                             void *core, struct nal **nal)
{
    const struct nal_ops *ops = net->count > 0 ? &shm_ops : &shm_ops_alone;

    return peer_interface_open(&net->interfaces, ops, config, upcalls, core, nal);
}
