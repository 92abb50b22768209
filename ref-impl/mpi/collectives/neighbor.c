/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations between neighbours: see neighbor.h. All blocks are under way at the same time.
 *
 * Where two processes are neighbours more than once, messages between them match in the order of their sending. In a
 * grid that order is turned round for each dimension: what is sent downwards comes from above, also in a ring of two or
 * of one, where both are the same process [MPI-4 8.6].
 */
#include "ref-impl/mpi/collectives/neighbor.h"

#include <stdlib.h>

#include "ref-impl/mpi/collectives/parts.h"
#include "ref-impl/mpi/communicators/topology.h"
#include "ref-impl/mpi/messages/p2p.h"

struct neighbor_plan *neighbor_plan_new(const struct mpi_comm *comm)
{
    struct neighbor_plan *plan;
    int in, out;

    topology_degrees(comm->topology, comm->rank, &in, &out);
    plan = calloc(1, sizeof(*plan) + ((size_t)in + (size_t)out) * sizeof(plan->block[0]));
    if (!plan) {
        return NULL;
    }
    plan->in_count = in;
    plan->out_count = out;
    plan->in = plan->block;
    plan->out = plan->block + in;
    for (int i = 0; i < in; i++) {
        plan->in[i].peer = topology_source(comm->topology, comm->rank, i);
    }
    for (int i = 0; i < out; i++) {
        plan->out[i].peer = topology_target(comm->topology, comm->rank, i);
    }
    return plan;
}

void neighbor_plan_release(void *plan)
{
    struct neighbor_plan *own = plan;

    for (int i = 0; i < own->in_count + own->out_count; i++) {
        if (own->block[i].data.type) {
            type_release(own->block[i].data.type);
        }
    }
    free(own);
}

/* Begins to send or receive a block. */
static int begin(struct mpi_comm *comm, struct neighbor_block *block, bool receive)
{
    struct p2p_message message = {
        .comm = comm,
        .collective = true,
        .peer = block->peer,
        .tag = COLL_NEIGHBOR,
        .buffer = block->data.buffer,
        .count = block->data.count,
        .type = block->data.type,
    };

    block->request = NULL;
    if (block->peer == MPI_PROC_NULL) {
        return MPI_SUCCESS;
    }
    return receive ? p2p_start_receive(&message, &block->request)
                   : p2p_start_send(&message, P2P_STANDARD, &block->request);
}

int neighbor_exchange(struct mpi_comm *comm, void *plan)
{
    struct neighbor_plan *own = plan;
    int turned = comm->topology->kind == MPI_CART, code = MPI_SUCCESS, begun;

    p2p_await_turn(comm);
    for (int i = 0; i < own->in_count; i++) {
        begun = begin(comm, &own->in[i ^ turned], true);
        code = code == MPI_SUCCESS ? begun : code;
    }
    for (int i = 0; i < own->out_count; i++) {
        begun = begin(comm, &own->out[i], false);
        code = code == MPI_SUCCESS ? begun : code;
    }
    for (int i = 0; i < own->in_count + own->out_count; i++) {
        int ended = own->block[i].request ? p2p_wait(own->block[i].request, NULL) : MPI_SUCCESS;

        code = code == MPI_SUCCESS ? ended : code;
    }
    return code;
}
