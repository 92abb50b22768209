/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Context ids: chapter 4.3 of IMPI. api/comm_make.c and api/comm_inter.c use them for new communicators.
 *
 *      highest so far    raised to odd    the highest of all    new pair      highest so far
 *            1                 1                  1              2, 3               3
 *            3                 3                101            102, 103           103
 *
 * So one agreement comes after the other: with two under way, both could give the same. Those that go on beside other
 * work (MPI_Comm_idup), which no packet shows, have slots of their own therefore, and ids by these: each process says
 * which pair it can take, and takes it from others for now, until all say the same.
 */
#include "ref-impl/mpi/contexts/context.h"

#include "ref-impl/mpi/collectives/between.h"
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

/* Raises the value to the highest of all processes. */
static int raise_to_highest(struct mpi_comm *comm, uint64_t *value)
{
    unsigned long long own = *value, highest = own;
    struct coll_reduction reduction = {&own, &highest, 1, type_find(MPI_UNSIGNED_LONG_LONG), op_find(MPI_MAX)};
    int code = MPI_SUCCESS;

    if (!comm->remote) {
        code = coll_allreduce(comm, &reduction);
    }
    /* Each group hears the other's, and then what the other has heard. */
    for (int turn = 0; comm->remote && code == MPI_SUCCESS && turn < 2; turn++) {
        code = between_allreduce(comm, &reduction);
        own = highest = highest > own ? highest : own;
    }
    *value = highest;
    return code;
}

/* How far to go on from a pair that is taken. Two communicators whose processes refuse each other's pairs must not do
 * so again and again: they jump to different places. */
static uint64_t jump(const struct mpi_comm *comm, uint32_t tries)
{
    return 1 + (uint32_t)((comm->context.slot + tries) * UINT32_C(2654435761)) / (1 << 20);
}

int comm_context_settle(struct mpi_comm *comm, struct mpi_comm *made)
{
    uint64_t before, agreed = jump(comm, 0);
    uint32_t tries = 0;
    int code;

    do {
        before = agreed;
        made->context.slot = COMM_SLOT_SELF; /* what it has kept from others so far */
        agreed = comm_slot_later_from(before);
        if (agreed != before && agreed != COMM_SLOT_NO_PAIR) {
            agreed = comm_slot_later_from(before + jump(comm, ++tries));
        }
        if (agreed != COMM_SLOT_NO_PAIR) {
            made->context.slot = comm_slot_later(agreed);
        }
        code = raise_to_highest(comm, &agreed);
    } while (code == MPI_SUCCESS && agreed != before && agreed != COMM_SLOT_NO_PAIR);
    if (code == MPI_SUCCESS && agreed != COMM_SLOT_NO_PAIR) {
        made->context.cid = COMM_CID_LATER + made->context.slot;
        return MPI_SUCCESS;
    }
    made->context.slot = COMM_SLOT_SELF;
    return code == MPI_SUCCESS ? MPI_ERR_OTHER : code;
}

void comm_context_close(void)
{
    highest_so_far = 1;
    comm_slot_close();
}
