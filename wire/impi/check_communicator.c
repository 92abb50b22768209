/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations on other communicators (wire/impi/check_communicator.h).
 */
#include "wire/impi/check_communicator.h"

#include <stddef.h>

/* The edge's counter; NULL where it is not kept. */
static struct wire_impi_counted *counted(struct wire_impi_collectives *all, uint64_t cid, int32_t tag, int64_t src,
                                         int64_t dest)
{
    for (uint32_t i = 0; i < all->counted_count; i++) {
        struct wire_impi_counted *at = &all->counted[i];

        if (at->cid == cid && at->tag == tag && at->src == src && at->dest == dest) {
            return at;
        }
    }
    return NULL;
}

static struct wire_impi_counted *count(struct wire_impi_collectives *all, const struct wire_impi_packet *packet,
                                       const struct wire_impi_edge *edge)
{
    struct wire_impi_counted *at = counted(all, packet->cid, packet->tag, edge->src, edge->dest);

    if (!at && all->counted_count < WIRE_IMPI_COUNTED) {
        at = &all->counted[all->counted_count++];
        *at = (struct wire_impi_counted){.cid = packet->cid, .tag = packet->tag, .src = edge->src, .dest = edge->dest};
    }
    if (at) {
        at->lsrank = packet->lsrank;
        at->times++;
    }
    return at;
}

/* Of two masters the one of the higher rank in the communicator enters, and the other one answers; of two whose second
 * has not spoken yet, the first enters. */
static const char *phase_of_barrier(struct wire_impi_collectives *all, const struct wire_impi_packet *packet,
                                    const struct wire_impi_edge *edge)
{
    const struct wire_impi_counted *back = counted(all, packet->cid, packet->tag, edge->dest, edge->src);

    return !back || packet->lsrank > back->lsrank ? "enters" : "is answered";
}

void wire_impi_communicator_message(struct wire_impi_collectives *all, const struct wire_impi_packet *packet,
                                    const struct wire_impi_edge *edge)
{
    const struct wire_impi_counted *at;

    switch (packet->tag) {
    case WIRE_IMPI_TAG_BARRIER:
    case WIRE_IMPI_TAG_SCAN:
        at = count(all, packet, edge);
        all->step.number = at ? at->times : 0;
        all->step.phase = packet->tag == WIRE_IMPI_TAG_SCAN ? "on" : phase_of_barrier(all, packet, edge);
        break;
    case WIRE_IMPI_TAG_BCAST:
        all->step.phase = "down";
        break;
    case WIRE_IMPI_TAG_REDUCE:
        all->step.phase = "up";
        break;
    default:
        break;
    }
}
