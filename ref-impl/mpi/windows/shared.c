/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Windows of shared memory: see shared.h. Rank 0 makes all of it and offers it to the others.
 *
 *      +--------+-----------------------+-----+----------------+----------------+- - -
 *      | secret | a lock for each part  |     | part of rank 0 | part of rank 1 |
 *      +--------+-----------------------+-----+----------------+----------------+- - -
 *      |<-------------- head ---------------->|
 */
#include "ref-impl/mpi/windows/shared.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "ref-impl/mpi/collectives/coll.h"
#include "ref-impl/mpi/common/shared_memory.h"
#include "ref-impl/mpi/windows/window.h"

enum {
    PAGE = 4096, /* so large a head is a multiple of, so that the first part is aligned */
    LINE = 64,   /* octets of the secret of the memory, and of each lock: processors fetch them together */
};

static size_t head_octets(const struct mpi_comm *comm)
{
    return (LINE + (size_t)comm->local->count * LINE + PAGE - 1) / PAGE * PAGE;
}

/* Tells all processes the size of this one's part; stores where that begins, and where all end. An error class. */
static int add_up(struct mpi_comm *comm, MPI_Aint size, size_t *begin, size_t *end)
{
    MPI_Aint *sizes = malloc((size_t)comm->local->count * sizeof(*sizes));
    struct mpi_type *octet = type_find(MPI_BYTE);
    size_t sum = head_octets(comm);
    int code = MPI_ERR_OTHER;

    if (sizes) {
        code = coll_allgather(comm, &(struct coll_data){&size, (int)sizeof(size), octet},
                              &(struct coll_blocks){.buffer = sizes, .count = (int)sizeof(size), .type = octet});
    }
    for (int rank = 0; code == MPI_SUCCESS && rank < comm->local->count; rank++) {
        *begin = rank == comm->rank ? sum : *begin;
        if (__builtin_add_overflow(sum, (size_t)sizes[rank], &sum) || sum > PTRDIFF_MAX) {
            code = MPI_ERR_NO_MEM;
        }
    }
    *end = sum;
    free(sizes);
    return code;
}

int shared_parts_make(struct mpi_comm *comm, MPI_Aint size, struct shared_parts *parts)
{
    struct shared_memory_offer offer = {0, -1, 0};
    size_t begin = 0, end;
    int have, all = 0, code = add_up(comm, size, &begin, &end);
    void *memory = NULL;

    if (code != MPI_SUCCESS) {
        return code;
    }
    if (comm->rank == 0) {
        memory = shared_memory_make("assay-mpi-window", end, &offer);
    }
    code = coll_bcast(comm, &(struct coll_data){&offer, (int)sizeof(offer), type_find(MPI_BYTE)}, 0);
    if (comm->rank > 0 && code == MPI_SUCCESS) {
        memory = shared_memory_find(&offer, end);
    }
    have = memory ? 2 : offer.file >= 0 ? 1 : 0; /* 1: there is some, and it cannot be reached; 0: there is none */
    if (code == MPI_SUCCESS) {
        code = coll_allreduce(comm, &(struct coll_reduction){&have, &all, 1, type_find(MPI_INT), op_find(MPI_MIN)});
    }
    if (comm->rank == 0) {
        shared_memory_withdraw(&offer);
    }
    if (code == MPI_SUCCESS && all < 2) {
        code = all == 1 ? MPI_ERR_RMA_SHARED : MPI_ERR_NO_MEM;
    }
    if (code != MPI_SUCCESS) {
        if (memory) {
            (void)munmap(memory, end);
        }
        return code;
    }
    *parts = (struct shared_parts){memory, end, (unsigned char *)memory + begin};
    return MPI_SUCCESS;
}

void shared_parts_give(const struct shared_parts *parts, struct mpi_win *win)
{
    unsigned char *place = (unsigned char *)parts->memory + head_octets(win->comm);
    unsigned char *lock = (unsigned char *)parts->memory + LINE;

    for (int rank = 0; rank < win->comm->local->count; rank++) {
        size_t octets = (size_t)win->part[rank].size;

        win->part[rank].shared = place;
        win->part[rank].lock = (void *)(lock + (size_t)rank * LINE);
        place += win->flavor == MPI_WIN_FLAVOR_SHARED ? octets : shared_alone(octets);
    }
    win->owned = parts->memory;
    win->mapped = parts->octets;
}

bool shared_parts_can(struct mpi_comm *comm)
{
    struct shared_parts none;
    int code = shared_parts_make(comm, 0, &none);

    if (code == MPI_SUCCESS) {
        (void)munmap(none.memory, none.octets);
    }
    return code == MPI_SUCCESS;
}
