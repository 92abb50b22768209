/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The interfaces for which messages arrive, and what comes for one that is not open. It is discarded and counted, and
 * the count is handed over when the interface opens (4.2, P30-306). Only a BARRIER is kept: a member of the group that
 * is quicker may have entered its first barrier before the interface is open here, and will not say so again. The last
 * one of each round suffices, for nobody can be further than one barrier ahead.
 */
#include "ref-impl/nal/peer/arrivals.h"

#include <stdlib.h>

void arrivals_init(struct arrivals *arrivals, const struct arrivals_network *network)
{
    *arrivals = (struct arrivals){.network = *network};
    pthread_mutex_init(&arrivals->sink_lock, NULL);
}

void arrivals_destroy(struct arrivals *arrivals)
{
    for (int number = 0; number < ARRIVALS_INTERFACES; number++) {
        free(arrivals->early[number].barriers);
    }
    pthread_mutex_destroy(&arrivals->sink_lock);
}

void arrivals_deliver(struct arrivals_port *port, struct arrivals_early *early)
{
    for (uint32_t round = 0; early->barriers && round < ARRIVALS_ROUNDS; round++) {
        struct nal_sink sink = {NULL, 0, NULL};

        if (early->barriers[round].operation == WIRE_PORTALS_BARRIER) {
            port->upcalls.arrive(port->core, &early->barriers[round], &sink);
        }
    }
    for (; early->drops > 0; early->drops--) {
        port->upcalls.dropped(port->core);
    }
    free(early->barriers);
}

bool arrivals_open(struct arrivals *arrivals, uint32_t number, struct arrivals_port *port, struct arrivals_early *early)
{
    port->arrivals = arrivals;
    lock_take(arrivals->network.lock);
    bool taken = arrivals->ports[number] != NULL;
    if (!taken) {
        *early = arrivals->early[number];
        arrivals->early[number] = (struct arrivals_early){0, NULL};
        arrivals->ports[number] = port;
    }
    lock_give(arrivals->network.lock);
    return !taken;
}

void arrivals_shut(struct arrivals *arrivals, uint32_t number)
{
    arrivals->ports[number] = NULL;
}

void arrivals_count_drop(struct arrivals *arrivals, uint32_t number)
{
    if (number >= ARRIVALS_INTERFACES) {
        return; /* no process can ever open it and ask */
    }
    lock_take(arrivals->network.lock);
    struct arrivals_port *port = arrivals->ports[number];
    if (!port) {
        arrivals->early[number].drops++; //= P30-306
    }
    lock_give(arrivals->network.lock);
    if (port) {
        port->upcalls.dropped(port->core); //= P30-321
    }
}

bool arrivals_keep(struct arrivals *arrivals, uint32_t number, const struct wire_portals_header *header)
{
    bool opened = false;

    if (header->number != 0 || header->operation == WIRE_PORTALS_ACKNOWLEDGE) {
        return true; /* it has not been acknowledged, so it will come again */
    }
    if (header->operation != WIRE_PORTALS_BARRIER || number >= ARRIVALS_INTERFACES ||
        header->round >= ARRIVALS_ROUNDS) {
        arrivals_count_drop(arrivals, number);
        return true;
    }
    lock_take(arrivals->network.lock);
    struct arrivals_early *early = &arrivals->early[number];
    opened = arrivals->ports[number] != NULL;
    if (!opened && !early->barriers) {
        early->barriers = calloc(ARRIVALS_ROUNDS, sizeof *early->barriers);
    }
    if (!opened && early->barriers) {
        early->barriers[header->round] = *header;
    }
    lock_give(arrivals->network.lock);
    return !opened;
}
