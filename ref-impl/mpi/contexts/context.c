/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Context ids: chapter 4.3 of IMPI. api/comm_make.c and api/comm_inter.c use them for new communicators.
 *
 *      highest so far    raised to odd    the highest of all    new pair      highest so far
 *            1                 1                  1              2, 3               3
 *            3                 3                101            102, 103           103
 */
#include "ref-impl/mpi/contexts/context.h"

#include "ref-impl/mpi/collectives/coll.h"
#include "ref-impl/mpi/contexts/slot.h"

static uint64_t highest_so_far = 1; //= IMPI-187

uint64_t comm_context_offer(void)
{
    if (highest_so_far % 2 == 0) {
        highest_so_far++; //= IMPI-188
    }
    return highest_so_far;
}

int comm_context_take(uint64_t highest, const struct mpi_group *local, const struct mpi_group *remote,
                      struct comm_context *context)
{
    if (highest >= COMM_CID_MAX - 1) {
        return MPI_ERR_OTHER; //= IMPI-191
    }
    context->cid = highest + 1;   //= IMPI-189
    highest_so_far = highest + 2; //= IMPI-190
    return comm_slot_find(context->cid, local, remote, &context->slot);
}

int comm_context_agree(struct mpi_comm *comm, struct comm_context *context)
{
    unsigned long long offer = comm_context_offer(), highest = offer;
    int code = coll_allreduce(comm, &(struct coll_reduction){&offer, &highest, 1, type_find(MPI_UNSIGNED_LONG_LONG),
                                                             op_find(MPI_MAX)}); //= IMPI-192

    return code == MPI_SUCCESS ? comm_context_take(highest, comm->local, NULL, context) : code;
}

void comm_context_close(void)
{
    highest_so_far = 1;
    comm_slot_close();
}
