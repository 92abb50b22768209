/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What comes for an interface that is not open. It is discarded and counted, and the count is handed over when the
 * interface opens (4.2, P30-306). Only a BARRIER is kept: a member of the group that is quicker may have entered its
 * first barrier before the interface is open here, and will not say so again. The last one of each round suffices, for
 * nobody can be further than one barrier ahead.
 */
#include "ref-impl/nal/tcp_net.h"

#include <stdlib.h>
#include <string.h>

void tcp_net_count_drop(struct tcp_net *net, uint32_t number)
{
    if (number >= TCP_INTERFACES) {
        return; /* no process can ever open it and ask */
    }
    pthread_mutex_lock(&net->lock);
    struct tcp_interface *interface = net->interfaces[number];
    if (!interface) {
        net->early[number].drops++; //= P30-306
    }
    pthread_mutex_unlock(&net->lock);
    if (interface) {
        interface->upcalls.dropped(interface->core); //= P30-321
    }
}

bool tcp_early_keep(struct tcp_net *net, uint32_t number, const struct wire_portals_header *header)
{
    bool opened = false;

    if (header->number != 0 || header->operation == WIRE_PORTALS_ACKNOWLEDGE) {
        return true; /* it has not been acknowledged, so it will come again */
    }
    if (header->operation != WIRE_PORTALS_BARRIER || number >= TCP_INTERFACES || header->round >= TCP_ROUNDS) {
        tcp_net_count_drop(net, number);
        return true;
    }
    pthread_mutex_lock(&net->lock);
    struct tcp_early *early = &net->early[number];
    opened = net->interfaces[number] != NULL;
    if (!opened && !early->barriers) {
        early->barriers = calloc(TCP_ROUNDS, sizeof *early->barriers);
    }
    if (!opened && early->barriers) {
        early->barriers[header->round] = *header;
    }
    pthread_mutex_unlock(&net->lock);
    return !opened;
}

void tcp_early_deliver(struct tcp_interface *interface, struct tcp_early *early)
{
    for (uint32_t round = 0; early->barriers && round < TCP_ROUNDS; round++) {
        struct nal_sink sink = {NULL, 0, NULL};

        if (early->barriers[round].operation == WIRE_PORTALS_BARRIER) {
            interface->upcalls.arrive(interface->core, &early->barriers[round], &sink);
        }
    }
    for (; early->drops > 0; early->drops--) {
        interface->upcalls.dropped(interface->core);
    }
    free(early->barriers);
}
