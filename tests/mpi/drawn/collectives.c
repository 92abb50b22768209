/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations drawn by lot: every one of them, with every operation, root, size and layout. Numbers are small
 * and whole, so that their order does not matter to what they give where it must not.
 */
#include "tests/mpi/drawn/drawn.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 64, LARGEST = 6000, PRIME = 10007, NUMBERS = 8 };

/* ---- moving ------------------------------------------------------------------------------------------------------ */

enum { BCAST, GATHER, SCATTER, ALLGATHER, ALLTOALL, MOVES };

/* Operations on blocks of equal size. */
static void move(struct step *step, int what)
{
    MPI_Datatype basic = shaped_basic(&step->lot);
    int elements = 1 + below(&step->lot, below(&step->lot, 6) ? 40 : 1500);
    int most = 1 + LARGEST / elements / (what == BCAST ? 1 : step->size);
    int count = below(&step->lot, below(&step->lot, 5) ? (most < 8 ? most : 8) : most);
    int root = below(&step->lot, step->size);
    int many_out = what == SCATTER || what == ALLTOALL ? step->size : 1;
    int many_in = what == GATHER || what == ALLGATHER || what == ALLTOALL ? step->size : 1;
    uint64_t numbers = draw(&step->lot), lot = mix(numbers, (uint64_t)step->rank), content = mix(lot, 7);
    struct shaped out, in;

    out = shaped_make(&lot, basic, elements, count * many_out, content);
    in = shaped_make(&lot, basic, elements, count * many_in, 0);
    switch (what) {
    case BCAST:
        MPI_Bcast(step->rank == root ? out.buffer : in.buffer, count, step->rank == root ? out.type : in.type, root,
                  step->comm);
        break;
    case GATHER:
        MPI_Gather(out.buffer, count, out.type, in.buffer, count, in.type, root, step->comm);
        break;
    case SCATTER:
        MPI_Scatter(out.buffer, count, out.type, in.buffer, count, in.type, root, step->comm);
        break;
    case ALLGATHER:
        MPI_Allgather(out.buffer, count, out.type, in.buffer, count, in.type, step->comm);
        break;
    default:
        MPI_Alltoall(out.buffer, count, out.type, in.buffer, count, in.type, step->comm);
        break;
    }
    note(out.buffer, out.octets);
    note(in.buffer, in.octets);
    shaped_free(&out);
    shaped_free(&in);
}

/* How many elements go from one rank to another. */
static int share(uint64_t numbers, int from, int to)
{
    uint64_t lot = mix(mix(numbers, (uint64_t)from), (uint64_t)to);

    return below(&lot, 3) ? below(&lot, 20) : 0;
}

/* Blocks of differing sizes, laid down with gaps between them, the last one first. */
static int lay(int size, const int *counts, int *places)
{
    int at = 0;

    for (int i = size; i-- > 0;) {
        places[i] = at;
        at += counts[i] + 1;
    }
    return at;
}

static void move_unequal(struct step *step, int what)
{
    int root = below(&step->lot, step->size), out_counts[RANKS], in_counts[RANKS], out_places[RANKS], in_places[RANKS];
    uint64_t numbers = draw(&step->lot), content = mix(numbers + 1, (uint64_t)step->rank);

    for (int i = 0; i < step->size; i++) {
        out_counts[i] = what == SCATTER ? share(numbers, root, i) : share(numbers, step->rank, i);
        in_counts[i] = what == ALLTOALL ? share(numbers, i, step->rank) : share(numbers, i, root);
    }
    int out_all = lay(step->size, out_counts, out_places), in_all = lay(step->size, in_counts, in_places);
    int mine = share(numbers, step->rank, root), room = (out_all > mine ? out_all : mine) + 1;
    int *out = malloc((size_t)room * sizeof *out);
    int most = in_all > 40 ? in_all : 40;
    int *in = calloc((size_t)most, sizeof *in);

    for (int i = 0; i < room; i++) {
        out[i] = (int)draw(&content);
    }
    switch (what) {
    case GATHER:
        MPI_Gatherv(out, mine, MPI_INT, in, in_counts, in_places, MPI_INT, root, step->comm);
        break;
    case SCATTER:
        MPI_Scatterv(out, out_counts, out_places, MPI_INT, in, out_counts[step->rank], MPI_INT, root, step->comm);
        break;
    case ALLGATHER:
        MPI_Allgatherv(out, mine, MPI_INT, in, in_counts, in_places, MPI_INT, step->comm);
        break;
    default:
        MPI_Alltoallv(out, out_counts, out_places, MPI_INT, in, in_counts, in_places, MPI_INT, step->comm);
        break;
    }
    note(in, (size_t)most * sizeof *in);
    free(out);
    free(in);
}

/* ---- reducing ---------------------------------------------------------------------------------------------------- */

/* Matrices of two by two, whose product is not the same the other way round. */
static void multiply(void *left, void *right, int *len, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *len; i++) {
        const int *a = (const int *)left + 4 * i;
        int *b = (int *)right + 4 * i;
        int made[4] = {(a[0] * b[0] + a[1] * b[2]) % PRIME, (a[0] * b[1] + a[1] * b[3]) % PRIME,
                       (a[2] * b[0] + a[3] * b[2]) % PRIME, (a[2] * b[1] + a[3] * b[3]) % PRIME};

        memcpy(b, made, sizeof made);
    }
}

/* Numbers of one type, and what is done with them. */
struct numbers {
    MPI_Datatype type;
    MPI_Op op;
    size_t unit; /* octets of one */
};

/* A number, or as many integers as fill it. */
static void number_put(const struct numbers *numbers, unsigned char *at, uint64_t *content)
{
    int number = below(content, NUMBERS), place = below(content, NUMBERS);

    if (numbers->type == MPI_FLOAT) {
        *(float *)(void *)at = (float)number;
    } else if (numbers->type == MPI_DOUBLE || numbers->type == MPI_DOUBLE_INT) {
        *(double *)(void *)at = number;
    } else if (numbers->type == MPI_LONG) {
        *(long *)(void *)at = number;
    } else if (numbers->unit < sizeof(int)) {
        *at = (unsigned char)number;
    } else {
        for (size_t i = 0; i < numbers->unit; i += sizeof(int)) {
            *(int *)(void *)(at + i) = below(content, NUMBERS);
        }
    }
    if (numbers->type == MPI_DOUBLE_INT) {
        *(int *)(void *)(at + sizeof(double)) = place;
    }
}

/* Draws a type and an operation that go together. */
static struct numbers numbers_draw(uint64_t *lot, MPI_Datatype matrix, MPI_Op product)
{
    const struct numbers all[] = {
        {MPI_INT, MPI_SUM, sizeof(int)},
        {MPI_INT, MPI_BXOR, sizeof(int)},
        {MPI_INT, MPI_LXOR, sizeof(int)},
        {MPI_INT, MPI_LAND, sizeof(int)},
        {MPI_INT, MPI_LOR, sizeof(int)},
        {MPI_UNSIGNED, MPI_PROD, sizeof(int)},
        {MPI_LONG, MPI_SUM, sizeof(long)},
        {MPI_LONG, MPI_BOR, sizeof(long)},
        {MPI_SHORT, MPI_MAX, sizeof(short)},
        {MPI_SHORT, MPI_BAND, sizeof(short)},
        {MPI_UNSIGNED_CHAR, MPI_BOR, 1},
        {MPI_BYTE, MPI_BXOR, 1},
        {MPI_FLOAT, MPI_MIN, sizeof(float)},
        {MPI_FLOAT, MPI_SUM, sizeof(float)},
        {MPI_DOUBLE, MPI_SUM, sizeof(double)},
        {MPI_DOUBLE, MPI_MAX, sizeof(double)},
        {MPI_2INT, MPI_MAXLOC, 2 * sizeof(int)},
        {MPI_2INT, MPI_MINLOC, 2 * sizeof(int)},
        {MPI_DOUBLE_INT, MPI_MINLOC, 2 * sizeof(double)},
        {MPI_DOUBLE_INT, MPI_MAXLOC, 2 * sizeof(double)},
        {matrix, product, 4 * sizeof(int)},
        {matrix, product, 4 * sizeof(int)},
        {matrix, product, 4 * sizeof(int)},
    };

    return all[below(lot, (int)(sizeof all / sizeof all[0]))];
}

enum { REDUCE, ALLREDUCE, SCAN, REDUCE_SCATTER };

static void reduce(struct step *step, int what)
{
    int root = below(&step->lot, step->size), in_place = below(&step->lot, 3) == 0, counts[RANKS], all = 0;
    int count = below(&step->lot, below(&step->lot, 5) ? 10 : LARGEST);
    uint64_t shares = draw(&step->lot), content = mix(shares + 1, (uint64_t)step->rank);
    MPI_Datatype matrix;
    MPI_Op product;

    MPI_Type_contiguous(4, MPI_INT, &matrix);
    MPI_Type_commit(&matrix);
    MPI_Op_create(multiply, 0, &product);
    struct numbers numbers = numbers_draw(&step->lot, matrix, product);
    for (int i = 0; i < step->size; i++) {
        counts[i] = share(shares, i, 0);
        all += counts[i];
    }
    count = what == REDUCE_SCATTER ? all : count;
    size_t octets = ((size_t)count + 1) * numbers.unit;
    unsigned char *out = calloc(1, octets), *in = calloc(1, octets);
    for (int i = 0; i < count; i++) {
        number_put(&numbers, out + (size_t)i * numbers.unit, &content);
    }
    if (in_place) {
        memcpy(in, out, octets);
    }
    switch (what) {
    case REDUCE:
        if (in_place && step->rank == root) {
            MPI_Reduce(MPI_IN_PLACE, in, count, numbers.type, numbers.op, root, step->comm);
        } else {
            MPI_Reduce(out, in, count, numbers.type, numbers.op, root, step->comm);
        }
        break;
    case ALLREDUCE:
        MPI_Allreduce(in_place ? MPI_IN_PLACE : out, in, count, numbers.type, numbers.op, step->comm);
        break;
    case SCAN:
        MPI_Scan(in_place ? MPI_IN_PLACE : out, in, count, numbers.type, numbers.op, step->comm);
        break;
    default:
        MPI_Reduce_scatter(out, in, counts, numbers.type, numbers.op, step->comm);
        break;
    }
    if (what != REDUCE || step->rank == root) {
        note(in, (size_t)(what == REDUCE_SCATTER ? counts[step->rank] : count) * numbers.unit);
    }
    free(out);
    free(in);
    MPI_Op_free(&product);
    MPI_Type_free(&matrix);
}

void step_collective(struct step *step)
{
    int kind = below(&step->lot, 14);

    if (step->size > RANKS) {
        return;
    }
    if (kind < MOVES) {
        move(step, kind);
    } else if (kind < 9) {
        move_unequal(step, kind - 5 + GATHER);
    } else if (kind < 13) {
        reduce(step, kind - 9);
    } else {
        MPI_Barrier(step->comm);
    }
}
