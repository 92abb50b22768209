/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What comes for an interface that is not open. It is discarded and counted, and the count is handed over when the
 * interface opens (4.2, P30-306). Only a BARRIER is kept: a member of the group that is quicker may have entered its
 * first barrier before the interface is open here, and will not say so again. The last one of each round suffices, for
 * nobody can be further than one barrier ahead.
 */
#include "ref-impl/nal/shm_net.h"

#include <stdlib.h>

void shm_early_count(struct shm_net *net, uint32_t number)
{
    pthread_mutex_lock(&net->lock);
    struct shm_interface *interface = net->interfaces[number];
    if (!interface) {
        net->early[number].drops++; //= P30-306
    }
    pthread_mutex_unlock(&net->lock);
    if (interface) {
        interface->upcalls.dropped(interface->core); //= P30-321
    }
}

bool shm_early_keep(struct shm_net *net, uint32_t number, const struct wire_portals_header *header)
{
    bool opened = false;

    if (header->operation != WIRE_PORTALS_BARRIER || header->round >= SHM_ROUNDS) {
        shm_early_count(net, number);
        return true;
    }
    pthread_mutex_lock(&net->lock);
    struct shm_early *early = &net->early[number];
    opened = net->interfaces[number] != NULL;
    if (!opened && !early->barriers) {
        early->barriers = calloc(SHM_ROUNDS, sizeof *early->barriers);
    }
    if (!opened && early->barriers) {
        early->barriers[header->round] = *header;
    }
    pthread_mutex_unlock(&net->lock);
    return !opened;
}

void shm_early_deliver(struct shm_interface *interface, struct shm_early *early)
{
    for (uint32_t round = 0; early->barriers && round < SHM_ROUNDS; round++) {
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
