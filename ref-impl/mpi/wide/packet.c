/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Packets and who they name: see packet.h. Chapters 3.2 and 3.5 of the IMPI document.
 */
#include "ref-impl/mpi/wide/packet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/common/world.h"

enum { COMPLAINTS_MAX = 20 };

static int *by_id; /* world ranks, in the order of their process identifiers */
static int complaints;

//= IMPI-101
static int compare_ids(const struct wire_impi_process *a, const struct wire_impi_process *b)
{
    int hosts = memcmp(a->host, b->host, sizeof(a->host));

    return hosts ? hosts : (a->pid > b->pid) - (a->pid < b->pid);
}

static int compare_ranks(const void *a, const void *b)
{
    const struct world_process *process = world_now()->process;

    return compare_ids(&process[*(const int *)a].id, &process[*(const int *)b].id);
}

static int compare_id_with_rank(const void *id, const void *rank)
{
    return compare_ids(id, &world_now()->process[*(const int *)rank].id);
}

int wide_packet_sender(const struct wire_impi_packet *packet)
{
    const int *rank = bsearch(&packet->src, by_id, (size_t)world_now()->size, sizeof(*by_id), compare_id_with_rank);

    return rank && !world_is_native(*rank) ? *rank : -1;
}

bool wide_packet_is_ours(const struct wire_impi_packet *packet)
{
    const struct world *world = world_now();

    return compare_ids(&packet->dest, &world->process[world->rank].id) == 0;
}

struct wire_impi_packet wide_packet_to(int rank, enum wire_impi_type type)
{
    const struct world *world = world_now();

    //= IMPI-112 IMPI-118
    //= IMPI-125
    return (struct wire_impi_packet){
        .type = type,
        .src = world->process[world->rank].id,
        .dest = world->process[rank].id,
    };
}

void wide_complain(const struct wire_impi_packet *packet, const char *why)
{
    if (complaints < COMPLAINTS_MAX) {
        complaints++;
        fprintf(stderr, "mpi: rank %d: a packet of type %u with pk_srqid %llu and pk_drqid %llu is ignored: %s\n",
                world_now()->rank, packet->type, (unsigned long long)packet->srqid, (unsigned long long)packet->drqid,
                why);
    }
}

bool wide_packet_open(void)
{
    size_t size = (size_t)world_now()->size;

    by_id = calloc(size, sizeof(*by_id));
    if (!by_id) {
        return false;
    }
    for (size_t rank = 0; rank < size; rank++) {
        by_id[rank] = (int)rank;
    }
    qsort(by_id, size, sizeof(*by_id), compare_ranks);
    complaints = 0;
    return true;
}

void wide_packet_close(void)
{
    free(by_id);
    by_id = NULL;
}
