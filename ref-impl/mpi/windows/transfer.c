/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Put, get and accumulate: see windows/transfer.h. The elements at the target are runs of octets, and each run is a
 * message (or, accumulated, as many as it takes), so that the target's program has no part in it; shared memory needs
 * no message. Chapters 4.1 and 5 of the paper on MPI for Puma.
 */
#include "ref-impl/mpi/windows/transfer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ref-impl/include/mpi.h"
#include "ref-impl/mpi/collectives/op.h"
#include "ref-impl/mpi/types/runs.h"
#include "ref-impl/mpi/types/type.h"
#include "ref-impl/mpi/windows/direct.h"
#include "ref-impl/mpi/windows/piece.h"
#include "ref-impl/mpi/windows/state.h"
#include "ref-impl/mpi/windows/transfer_end.h"
#include "ref-impl/mpi/windows/window.h"

/* The octets that are moved next. */
struct moving {
    struct window_transfer *transfer;
    const struct transfer_target *target;
    const struct op_row *operation;
    unsigned char *operands; /* what is put, or of an operation; NULL: nothing */
    unsigned char *result;   /* where what is there, or was there before, goes; NULL: nowhere */
    size_t done;
};

/* The octets of the origin's elements, packed, or room for them. NULL: memory is used up. */
static struct window_transfer *begin(const struct transfer_origin *origin, struct request *request, bool to_target)
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
    transfer->request = request;
    transfer->type = origin->type;
    type_hold(transfer->type);
    return transfer;
}

/* Ends the beginning of a transfer. What has not all been begun has no request. */
static int begun(struct window_transfer *transfer, bool good)
{
    if (transfer && !good) {
        transfer->request = NULL;
    }
    transfer_part_done(transfer);
    return good ? MPI_SUCCESS : MPI_ERR_OTHER;
}

/* Visits the runs of the target. */
static int move(struct moving moving, run_visit *visit)
{
    const struct transfer_target *target = moving.target;
    //= PUMA-125
    bool good = moving.transfer && runs_visit(target->type, (size_t)target->count, visit, &moving);

    return begun(moving.transfer, good);
}

static struct direct_place place_at(const struct transfer_target *target, ptrdiff_t offset, size_t octets)
{
    return (struct direct_place){&target->win->part[target->rank], (size_t)(target->offset + offset), octets};
}

static bool put_run(void *context, ptrdiff_t offset, size_t octets)
{
    struct moving *moving = context;
    const struct transfer_target *target = moving->target;
    struct piece_octets piece = {moving->operands + moving->done, octets, (uint64_t)(target->offset + offset)};

    moving->done += octets;
    if (direct_can(target->win, target->rank)) {
        direct_put(place_at(target, offset, octets), piece.octets);
        return true;
    }
    return piece_put(moving->transfer, target->win, target->rank, &piece);
}

static bool get_run(void *context, ptrdiff_t offset, size_t octets)
{
    struct moving *moving = context;
    const struct transfer_target *target = moving->target;
    struct piece_octets piece = {moving->result + moving->done, octets, (uint64_t)(target->offset + offset)};

    moving->done += octets;
    if (direct_can(target->win, target->rank)) {
        direct_get(place_at(target, offset, octets), piece.octets);
        return true;
    }
    return piece_get(moving->transfer, target->win, target->rank, &piece);
}

/* ---- what the target's thread does, or this process -------------------------------------------------------------- */

static void operate_directly(const struct moving *moving, ptrdiff_t offset, size_t octets)
{
    direct_operate(place_at(moving->target, offset, octets), moving->operation,
                   moving->operands ? moving->operands + moving->done : NULL,
                   moving->result ? moving->result + moving->done : NULL);
}

static bool ask_part(const struct moving *moving, ptrdiff_t offset, size_t octets)
{
    size_t operands = moving->operands ? octets : 0;
    struct window_ask *ask = malloc(window_ask_octets(operands)); /* all that a slot gets of it */

    if (!ask) {
        return false;
    }
    *ask = (struct window_ask){
        .offset = (uint64_t)(moving->target->offset + offset),
        .octets = (uint32_t)operands,
        .wish = WINDOW_ACCUMULATE,
        .op = moving->operation->op,
        .row = moving->operation->row,
        .fetched = moving->result ? (uint32_t)octets : 0,
    };
    if (operands > 0) {
        memcpy(ask->operands, moving->operands + moving->done, operands);
    }
    /* Nobody waits for operands that have been copied, but with a request. */
    return piece_ask(moving->result || moving->target->request ? moving->transfer : NULL, moving->target->win,
                     moving->target->rank, ask, moving->result ? moving->result + moving->done : NULL);
}

static bool ask_run(void *context, ptrdiff_t offset, size_t octets)
{
    struct moving *moving = context;
    size_t most = WINDOW_OPERAND_OCTETS / moving->operation->element * moving->operation->element;

    for (size_t done = 0; done < octets; done += most) {
        size_t part = octets - done < most ? octets - done : most;

        if (direct_can(moving->target->win, moving->target->rank)) {
            operate_directly(moving, offset + (ptrdiff_t)done, part);
        } else if (!ask_part(moving, offset + (ptrdiff_t)done, part)) {
            return false;
        }
        moving->done += part;
    }
    return true;
}

/* ---- pairs with gaps --------------------------------------------------------------------------------------------- */

/* The operation knows such pairs as they are in memory, gaps and all. Origin or result may be NULL: there are none. */
struct pairs {
    const struct transfer_origin *origin, *result;
    ptrdiff_t *from, *to, *at; /* where they are, each from its buffer, `at` from the target's offset */
    size_t count;
};

static bool is_gapped(const struct transfer_target *target, const struct op_row *operation)
{
    return type_octets(type_leaf(target->type), 1, TYPE_NATIVE) < operation->element;
}

static bool find_pairs(struct pairs *pairs, const struct transfer_target *target)
{
    const struct transfer_origin *origin = pairs->origin, *result = pairs->result;

    pairs->at = runs_pairs(target->type, (size_t)target->count, &pairs->count);
    pairs->from = origin ? runs_pairs(origin->type, (size_t)origin->count, &pairs->count) : NULL;
    pairs->to = result ? runs_pairs(result->type, (size_t)result->count, &pairs->count) : NULL;
    return pairs->at && (!origin || pairs->from) && (!result || pairs->to);
}

static bool ask_pairs(const struct pairs *pairs, struct moving moving)
{
    for (size_t i = 0; i < pairs->count; i++) {
        moving.operands = pairs->origin ? (unsigned char *)pairs->origin->buffer + pairs->from[i] : NULL;
        moving.result = pairs->result ? (unsigned char *)pairs->result->buffer + pairs->to[i] : NULL;
        if (direct_can(moving.target->win, moving.target->rank)) {
            operate_directly(&moving, pairs->at[i], moving.operation->element);
        } else if (!ask_part(&moving, pairs->at[i], moving.operation->element)) {
            return false;
        }
    }
    return true;
}

/* One behind the other on all sides, so that a question has many. */
static bool is_row(const struct pairs *pairs, const struct transfer_target *target)
{
    const struct mpi_type *leaf = type_leaf(target->type);

    return target->type == leaf && (!pairs->origin || pairs->origin->type == leaf) &&
           (!pairs->result || pairs->result->type == leaf);
}

static int move_pairs(const struct transfer_origin *origin, const struct transfer_origin *result,
                      const struct transfer_target *target, const struct op_row *operation)
{
    struct window_transfer *transfer = calloc(1, sizeof(*transfer));
    struct moving moving = {transfer, target, operation, origin ? origin->buffer : NULL, result ? result->buffer : NULL,
                            0};
    struct pairs pairs = {.origin = origin, .result = result};
    bool good = transfer;

    if (good) {
        *transfer = (struct window_transfer){.parts = 1, .type = target->type, .request = target->request};
        type_hold(transfer->type);
        good = is_row(&pairs, target) ? ask_run(&moving, 0, (size_t)target->count * operation->element)
                                      : find_pairs(&pairs, target) && ask_pairs(&pairs, moving);
    }
    free(pairs.from);
    free(pairs.to);
    free(pairs.at);
    return begun(transfer, good);
}

/* ---- the accesses ------------------------------------------------------------------------------------------------ */

/* The operation that puts, or only fetches, octets: a dynamic window is accessed by its thread alone, who knows what is
 * attached. */
static const struct op_row *window_octets(MPI_Op handle)
{
    static struct op_row row;
    bool good = op_row(op_find(handle), type_find(MPI_BYTE), &row);

    assert(good);
    (void)good;
    return &row;
}

/* Where the octets of the elements are, if they need not be packed; else NULL. */
static unsigned char *as_they_are(const struct transfer_origin *origin)
{
    ptrdiff_t offset;

    return type_as_is(origin->type, (size_t)origin->count, TYPE_NATIVE, &offset)
               ? (unsigned char *)origin->buffer + offset
               : NULL;
}

/* Moves octets at once where the target's memory is shared and nothing has to be kept. False: something has. */
static bool move_now(const struct transfer_origin *origin, const struct transfer_target *target, run_visit *visit)
{
    unsigned char *octets = as_they_are(origin);
    struct moving moving = {NULL, target, NULL, octets, octets, 0};

    return direct_can(target->win, target->rank) && !target->request && octets &&
           runs_visit(target->type, (size_t)target->count, visit, &moving);
}

int transfer_put(const struct transfer_origin *origin, const struct transfer_target *target)
{
    struct moving moving = {.target = target};

    if (move_now(origin, target, put_run)) {
        return MPI_SUCCESS;
    }
    moving.transfer = begin(origin, target->request, true);
    moving.operands = moving.transfer ? moving.transfer->octets : NULL;
    moving.operation = window_octets(MPI_REPLACE);
    return move(moving, target->win->flavor == MPI_WIN_FLAVOR_DYNAMIC ? ask_run : put_run);
}

int transfer_get(const struct transfer_origin *origin, const struct transfer_target *target)
{
    struct moving moving = {.target = target};

    if (move_now(origin, target, get_run)) {
        return MPI_SUCCESS;
    }
    moving.transfer = begin(origin, target->request, false);
    moving.result = moving.transfer ? moving.transfer->octets : NULL;
    moving.operation = window_octets(MPI_NO_OP);
    return move(moving, target->win->flavor == MPI_WIN_FLAVOR_DYNAMIC ? ask_run : get_run);
}

int transfer_accumulate(const struct transfer_origin *origin, const struct transfer_target *target,
                        const struct op_row *operation)
{
    struct window_transfer *transfer;
    unsigned char *octets;

    if (is_gapped(target, operation)) {
        return move_pairs(origin, NULL, target, operation);
    }
    if (!target->request && (octets = as_they_are(origin))) {
        /* The questions have copies, and nobody hears of their end: there is nothing to keep until then. */
        struct moving moving = {NULL, target, operation, octets, NULL, 0};
        bool good = runs_visit(target->type, (size_t)target->count, ask_run, &moving);

        return good ? MPI_SUCCESS : MPI_ERR_OTHER;
    }
    transfer = begin(origin, target->request, true);
    return move((struct moving){transfer, target, operation, transfer ? transfer->octets : NULL, NULL, 0}, ask_run);
}

/* Fetches at once, where nothing has to be kept. False: something has. */
static bool fetch_now(const struct transfer_origin *origin, const struct transfer_origin *result,
                      const struct transfer_target *target, const struct op_row *operation)
{
    struct moving moving = {NULL, target, operation, origin ? as_they_are(origin) : NULL, as_they_are(result), 0};

    return direct_can(target->win, target->rank) && !target->request && moving.result && (!origin || moving.operands) &&
           runs_visit(target->type, (size_t)target->count, ask_run, &moving);
}

int transfer_fetch(const struct transfer_origin *origin, const struct transfer_origin *result,
                   const struct transfer_target *target, const struct op_row *operation)
{
    struct window_transfer *operands = NULL, *transfer;
    int code;

    if (is_gapped(target, operation)) {
        return move_pairs(origin, result, target, operation);
    }
    if (fetch_now(origin, result, target, operation)) {
        return MPI_SUCCESS;
    }
    if (origin && !(operands = begin(origin, NULL, true))) {
        return MPI_ERR_OTHER;
    }
    transfer = begin(result, target->request, false);
    code = move((struct moving){transfer, target, operation, operands ? operands->octets : NULL,
                                transfer ? transfer->octets : NULL, 0},
                ask_run);
    transfer_part_done(operands); /* the questions have copies */
    return code;
}

int transfer_swap(const struct transfer_origin *origin, const void *compare, const struct transfer_origin *result,
                  const struct transfer_target *target)
{
    size_t octets = type_octets(origin->type, 1, TYPE_NATIVE);
    struct window_ask *ask;

    if (direct_can(target->win, target->rank)) {
        direct_swap(place_at(target, 0, octets), compare, origin->buffer, result->buffer);
        return MPI_SUCCESS;
    }
    ask = malloc(window_ask_octets(2 * octets));
    if (!ask) {
        return MPI_ERR_OTHER;
    }
    *ask = (struct window_ask){
        .offset = (uint64_t)target->offset,
        .octets = (uint32_t)(2 * octets),
        .wish = WINDOW_SWAP,
        .fetched = (uint32_t)octets,
    };
    memcpy(ask->operands, compare, octets);
    memcpy(ask->operands + octets, origin->buffer, octets);
    return piece_ask(NULL, target->win, target->rank, ask, result->buffer) ? MPI_SUCCESS : MPI_ERR_OTHER;
}
