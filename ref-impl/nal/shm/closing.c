/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the end of an interface means on this network (../peer/interface.h): its traffic is that of one endpoint of each
 * peer.
 */
#include "ref-impl/nal/shm/net.h"

/* Ends the landings of the interface: nothing is stored any more, and the core is told. */
//= P30-089
static void landings_end(struct peer_interface *interface)
{
    struct shm_net *net = interface->network->net;

    for (uint32_t i = 0; i < net->count; i++) {
        shm_endpoint_interrupt(&net->peers[i].endpoints[interface->config.interface]);
    }
}

/* Whether messages of the interface still wait, in any endpoint. Called with `lock` held. */
static bool interface_pending(const struct peer_interface *interface)
{
    const struct shm_net *net = interface->network->net;

    for (uint32_t i = 0; i < net->count; i++) {
        const struct shm_endpoint *endpoint = &net->peers[i].endpoints[interface->config.interface];

        if (endpoint->queue.first || endpoint->lent.first) {
            return true;
        }
    }
    return false;
}

/* Called with `lock` held. */
static void interface_give_up(struct peer_interface *interface, struct peer_queue *finished)
{
    struct shm_net *net = interface->network->net;

    for (uint32_t i = 0; i < net->count; i++) {
        shm_endpoint_fail(&net->peers[i].endpoints[interface->config.interface], finished);
    }
}

void shm_closing_begin(struct shm_net *net)
{
    net->interfaces = (struct peer_network){
        .name = "shm",
        .numbers = SHM_INTERFACES,
        .arrivals = &net->arrivals,
        .net = net,
        .drive = &net->drive,
        .land = landings_end,
        .pending = interface_pending,
        .give_up = interface_give_up,
    };
}
