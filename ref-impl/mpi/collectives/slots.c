/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Short operations on one node: see slots.h.
 */
#include "ref-impl/mpi/collectives/slots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/collectives/parts.h"
#include "ref-impl/mpi/collectives/slots_memory.h"
#include "ref-impl/mpi/messages/fiber.h"

enum {
    SHARED_FROM = 8, /* the operation */
    PROCESSES = 64,  /* at most */
};

/* Whether the variable is set, to anything but `usual`. */
static bool is_set(const char *name, const char *usual)
{
    const char *value = getenv(name);

    return value && *value && strcmp(value, usual) != 0;
}

bool slots_configured(void)
{
    const bool good = !is_set("ASSAY_COLLECTIVES", "memory") || !is_set("ASSAY_COLLECTIVES", "messages");

    if (!good) {
        fprintf(stderr, "mpi: ASSAY_COLLECTIVES is \"%.40s\"; it can be memory or messages\n",
                getenv("ASSAY_COLLECTIVES"));
    }
    return good;
}

static bool wants_messages(void)
{
    return is_set("ASSAY_COLLECTIVES", "memory") || is_set("ASSAY_NAL", "shm") || is_set("ASSAY_TRACE", "") ||
           is_set("ASSAY_MPI", "assay");
}

bool slots_take(struct mpi_comm *comm, size_t octets)
{
    struct comm_slots *slots = &comm->slots;

    if (octets > SLOTS_OCTETS || slots->refused || fiber_is_running()) {
        return false;
    }
    if (!slots->shared && ++slots->calls >= SHARED_FROM) {
        slots->refused = true; /* what shares it goes by messages */
        slots->refused = comm->local->count > PROCESSES || !slots_share(comm, !wants_messages());
    }
    return slots->shared;
}

/* A row of elements without octets may be more than one can count. */
bool slots_take_row(struct mpi_comm *comm, size_t octets)
{
    return octets > 0 && octets <= SLOTS_OCTETS && slots_take(comm, octets * (size_t)comm->local->count);
}

/* Elements without octets may be more than `combine` has room for. */
bool slots_take_reduction(struct mpi_comm *comm, const struct coll_reduction *reduction)
{
    return reduction->count <= SLOTS_OCTETS &&
           slots_take(comm, type_octets(reduction->type, (size_t)reduction->count, TYPE_NATIVE));
}

/* ---- writing and reading ---------------------------------------------------------------------------------------- */

static struct slots_slot *slot_of(const struct mpi_comm *comm, int rank)
{
    return &comm->slots.shared->slot[rank];
}

static struct slots_cell *cell_of(const struct mpi_comm *comm, int rank)
{
    return &slot_of(comm, rank)->cell[comm->slots.operation % SLOTS_CELLS];
}

/* The next operation: this process is through with the one before. */
static void begin(struct mpi_comm *comm)
{
    atomic_store_explicit(&slot_of(comm, comm->rank)->through, comm->slots.operation++, memory_order_release);
}

/* Waits until nobody needs what this process's cell still has. */
static int await_room(struct mpi_comm *comm)
{
    struct comm_slots *slots = &comm->slots;
    uint32_t before = slots->operation - SLOTS_CELLS, least = slots->operation - 1;
    int code = MPI_SUCCESS;

    if ((int32_t)(slots->through - before) >= 0) {
        return MPI_SUCCESS;
    }
    for (int rank = 0; rank < comm->local->count && code == MPI_SUCCESS; rank++) {
        _Atomic uint32_t *place = &slot_of(comm, rank)->through;
        uint32_t through;

        code = slots_await(comm, rank, place, before);
        through = atomic_load_explicit(place, memory_order_acquire);
        least = (int32_t)(through - least) < 0 ? through : least;
    }
    slots->through = code == MPI_SUCCESS ? least : slots->through;
    return code;
}

/* Contributes elements. */
static int put(struct mpi_comm *comm, const void *buffer, int count, const struct mpi_type *type)
{
    struct slots_cell *cell = cell_of(comm, comm->rank);
    int code = await_room(comm);

    if (code == MPI_SUCCESS) {
        cell->length = (uint32_t)type_octets(type, (size_t)count, TYPE_NATIVE);
        code = type_pack(type, (size_t)count, TYPE_NATIVE, buffer, cell->octets, sizeof(cell->octets));
    }
    if (code == MPI_SUCCESS) {
        atomic_store_explicit(&cell->operation, comm->slots.operation, memory_order_release);
        code = slots_tell(comm);
    }
    return code;
}

/* Waits for what a process contributes, and takes it: all from `from` on, `most` octets at most. */
static int take_part(struct mpi_comm *comm, int rank, size_t from, size_t most, const struct coll_data *data)
{
    struct slots_cell *cell = cell_of(comm, rank);
    int code = slots_await(comm, rank, &cell->operation, comm->slots.operation);
    uint32_t length = *(volatile uint32_t *)&cell->length; /* read once: it is another process's */

    if (code != MPI_SUCCESS) {
        return code;
    }
    if (length > sizeof(cell->octets) || from > length) {
        return MPI_ERR_OTHER;
    }
    return type_unpack(data->type, (size_t)data->count, TYPE_NATIVE, cell->octets + from,
                       length - from < most ? length - from : most, data->buffer);
}

static int take(struct mpi_comm *comm, int rank, const struct coll_data *data)
{
    return take_part(comm, rank, 0, SLOTS_OCTETS, data);
}

/* Takes this process's block of a row of them, one for each. */
static int take_own(struct mpi_comm *comm, int rank, const struct coll_data *data)
{
    size_t octets = type_octets(data->type, (size_t)data->count, TYPE_NATIVE);

    return take_part(comm, rank, octets * (size_t)comm->rank, octets, data);
}

static int take_all(struct mpi_comm *comm, const struct coll_blocks *in)
{
    int code = MPI_SUCCESS;

    for (int rank = 0; rank < comm->local->count && code == MPI_SUCCESS; rank++) {
        struct coll_data block = coll_block(in, rank);

        code = take(comm, rank, &block);
    }
    return code;
}

/* ---- operations ------------------------------------------------------------------------------------------------- */

int slots_barrier(struct mpi_comm *comm)
{
    int code;

    begin(comm);
    code = put(comm, NULL, 0, type_find(MPI_BYTE));
    for (int rank = 0; rank < comm->local->count && code == MPI_SUCCESS; rank++) {
        code = slots_await(comm, rank, &cell_of(comm, rank)->operation, comm->slots.operation);
    }
    return code;
}

int slots_bcast(struct mpi_comm *comm, const struct coll_data *data, int root)
{
    int code;

    begin(comm);
    if (comm->rank == root) {
        return put(comm, data->buffer, data->count, data->type);
    }
    code = slots_tell(comm);
    return code == MPI_SUCCESS ? take(comm, root, data) : code;
}

int slots_gather(struct mpi_comm *comm, const struct coll_data *out, const struct coll_blocks *in, int root)
{
    int code;

    begin(comm);
    code = put(comm, out->buffer, out->count, out->type);
    return code == MPI_SUCCESS && comm->rank == root ? take_all(comm, in) : code;
}

int slots_allgather(struct mpi_comm *comm, const struct coll_data *out, const struct coll_blocks *in)
{
    return slots_gather(comm, out, in, comm->rank);
}

static int put_row(struct mpi_comm *comm, const struct coll_blocks *out)
{
    return put(comm, out->buffer, out->count * comm->local->count, out->type);
}

int slots_scatter(struct mpi_comm *comm, const struct coll_blocks *out, const struct coll_data *in, int root)
{
    int code;

    begin(comm);
    code = comm->rank == root ? put_row(comm, out) : slots_tell(comm);
    return code == MPI_SUCCESS ? take_own(comm, root, in) : code;
}

int slots_alltoall(struct mpi_comm *comm, const struct coll_blocks *out, const struct coll_blocks *in)
{
    int code;

    begin(comm);
    code = put_row(comm, out);
    for (int rank = 0; rank < comm->local->count && code == MPI_SUCCESS; rank++) {
        const struct coll_data block = coll_block(in, rank);

        code = take_own(comm, rank, &block);
    }
    return code;
}

/* Combines what all contribute, in the order of ranks, along the tree of within_tree_reduce: the result is the same to
 * the last bit. */
static int combine(struct mpi_comm *comm, const struct coll_reduction *reduction)
{
    int size = comm->local->count, code = MPI_SUCCESS;
    struct coll_blocks all = {.count = reduction->count, .type = reduction->type};
    void *so_far[PROCESSES];
    struct coll_room room;

    if (!coll_room_new(&room, reduction->count * size, reduction->type)) {
        return MPI_ERR_OTHER;
    }
    all.buffer = room.data.buffer;
    code = take_all(comm, &all);
    for (int rank = 0; rank < size; rank++) {
        so_far[rank] = coll_block(&all, rank).buffer;
    }
    for (int distance = 1; distance < size && code == MPI_SUCCESS; distance *= 2) {
        for (int rank = 0; rank + distance < size; rank += 2 * distance) {
            op_apply(reduction->op, reduction->type, reduction->count, so_far[rank], so_far[rank + distance]);
            so_far[rank] = so_far[rank + distance];
        }
    }
    if (code == MPI_SUCCESS) {
        type_copy(reduction->type, (size_t)reduction->count, so_far[0], reduction->out);
    }
    coll_room_free(&room);
    return code;
}

int slots_reduce(struct mpi_comm *comm, const struct coll_reduction *reduction, int root)
{
    int code;

    begin(comm);
    code = put(comm, reduction->in, reduction->count, reduction->type);
    return code == MPI_SUCCESS && comm->rank == root ? combine(comm, reduction) : code;
}

int slots_allreduce(struct mpi_comm *comm, const struct coll_reduction *reduction)
{
    return slots_reduce(comm, reduction, comm->rank);
}
