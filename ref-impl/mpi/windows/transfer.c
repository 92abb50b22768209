/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Put, get and accumulate: see windows/transfer.h. The elements at the target are runs of octets, and each run is a
 * message (or, accumulated, as many as it takes), so that the target's program has no part in it. Chapters 4.1 and 5
 * of the paper on MPI for Puma.
 */
#include "ref-impl/mpi/windows/transfer.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/include/mpi.h"
#include "ref-impl/mpi/collectives/op.h"
#include "ref-impl/mpi/types/type.h"
#include "ref-impl/mpi/windows/piece.h"
#include "ref-impl/mpi/windows/runs.h"
#include "ref-impl/mpi/windows/state.h"
#include "ref-impl/mpi/windows/transfer_end.h"

/* The octets that are moved next. */
struct moving {
    struct window_transfer *transfer;
    const struct transfer_target *target;
    const struct op_row *operation;
    size_t done;
};

/* The octets of the origin's elements, packed, or room for them. NULL: memory is used up. */
static struct window_transfer *begin(const struct transfer_origin *origin, bool to_target)
{
    struct window_transfer *transfer = calloc(1, sizeof(*transfer));
    size_t count = (size_t)origin->count;
    ptrdiff_t offset;

    if (!transfer) {
        return NULL;
    }
    transfer->parts = 1;
    transfer->len = type_octets(origin->type, count, TYPE_NATIVE);
    if (type_as_is(origin->type, count, TYPE_NATIVE, &offset)) {
        transfer->octets = (unsigned char *)origin->buffer + offset;
    } else {
        transfer->staging = transfer->octets = malloc(transfer->len + 1);
        if (!transfer->staging) {
            free(transfer);
            return NULL;
        }
        if (to_target) {
            (void)type_pack(origin->type, count, TYPE_NATIVE, origin->buffer, transfer->octets, transfer->len);
        } else {
            transfer->buffer = origin->buffer;
            transfer->count = origin->count;
        }
    }
    transfer->type = origin->type;
    type_hold(transfer->type);
    return transfer;
}

/* Visits the runs of the target. */
static int move(struct window_transfer *transfer, const struct transfer_target *target, run_visit *visit,
                const struct op_row *operation)
{
    struct moving moving = {transfer, target, operation, 0};
    //= PUMA-125
    bool good = transfer && runs_visit(target->type, (size_t)target->count, visit, &moving);

    transfer_part_done(transfer);
    return good ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static struct piece_octets next(struct moving *moving, ptrdiff_t offset, size_t octets)
{
    struct piece_octets piece = {moving->transfer->octets + moving->done, octets,
                                 (uint64_t)(moving->target->offset + offset)};

    moving->done += octets;
    return piece;
}

static bool put_run(void *context, ptrdiff_t offset, size_t octets)
{
    struct moving *moving = context;
    struct piece_octets piece = next(moving, offset, octets);

    return piece_put(moving->transfer, moving->target->win, moving->target->rank, &piece);
}

static bool get_run(void *context, ptrdiff_t offset, size_t octets)
{
    struct moving *moving = context;
    struct piece_octets piece = next(moving, offset, octets);

    return piece_get(moving->transfer, moving->target->win, moving->target->rank, &piece);
}

int transfer_put(const struct transfer_origin *origin, const struct transfer_target *target)
{
    return move(begin(origin, true), target, put_run, NULL);
}

int transfer_get(const struct transfer_origin *origin, const struct transfer_target *target)
{
    return move(begin(origin, false), target, get_run, NULL);
}

static bool ask_part(const struct moving *moving, const struct piece_octets *part)
{
    struct window_ask *ask = malloc(sizeof(*ask) + part->len);

    if (!ask) {
        return false;
    }
    *ask = (struct window_ask){
        .offset = part->offset,
        .octets = (uint32_t)part->len,
        .wish = WINDOW_ACCUMULATE,
        .op = moving->operation->op,
        .row = moving->operation->row,
    };
    memcpy(ask->operands, part->octets, part->len);
    return piece_ask(moving->transfer, moving->target->win, moving->target->rank, ask);
}

static bool accumulate_run(void *context, ptrdiff_t offset, size_t octets)
{
    struct moving *moving = context;
    size_t most = WINDOW_OPERAND_OCTETS / moving->operation->element * moving->operation->element;

    for (size_t done = 0; done < octets; done += most) {
        struct piece_octets part = next(moving, offset + (ptrdiff_t)done, octets - done < most ? octets - done : most);

        if (!ask_part(moving, &part)) {
            return false;
        }
    }
    return true;
}

/* Elements with gaps that the operation knows: their memory, gaps and all. */
static int accumulate_as_is(const struct transfer_origin *origin, const struct transfer_target *target,
                            const struct op_row *operation)
{
    struct window_transfer *transfer = calloc(1, sizeof(*transfer));
    struct moving moving = {transfer, target, operation, 0};
    bool good;

    if (!transfer) {
        return MPI_ERR_OTHER;
    }
    *transfer = (struct window_transfer){.parts = 1, .octets = origin->buffer, .type = origin->type};
    type_hold(transfer->type);
    good = accumulate_run(&moving, 0, (size_t)target->count * operation->element);
    transfer_part_done(transfer);
    return good ? MPI_SUCCESS : MPI_ERR_OTHER;
}

int transfer_accumulate(const struct transfer_origin *origin, const struct transfer_target *target,
                        const struct op_row *operation)
{
    if (type_octets(target->type, 1, TYPE_NATIVE) < operation->element) {
        return accumulate_as_is(origin, target, operation);
    }
    return move(begin(origin, true), target, accumulate_run, operation);
}
