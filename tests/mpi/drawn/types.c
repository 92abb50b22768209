/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Data types drawn by lot: see drawn.h.
 */
#include "tests/mpi/drawn/drawn.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 3, PIECES = 4, SLACK = 32, UNTOUCHED = 0xee };

MPI_Datatype shaped_basic(uint64_t *lot)
{
    /* Not MPI_LONG: only half of its octets goes from one client of IMPI to another. */
    const MPI_Datatype basics[] = {MPI_CHAR,   MPI_SHORT,          MPI_INT,     MPI_UNSIGNED_CHAR, MPI_BYTE, MPI_FLOAT,
                                   MPI_DOUBLE, MPI_UNSIGNED_SHORT, MPI_UNSIGNED};

    return basics[below(lot, (int)(sizeof basics / sizeof basics[0]))];
}

/* Splits so many elements in pieces; says in how many. */
static int split(uint64_t *lot, int elements, int pieces[PIECES])
{
    int count = 0;

    while (elements > 0 && count < PIECES - 1) {
        pieces[count] = 1 + below(lot, elements);
        elements -= pieces[count++];
    }
    if (elements > 0) {
        pieces[count++] = elements;
    }
    return count;
}

static MPI_Datatype indexed(uint64_t *lot, MPI_Datatype basic, int elements)
{
    int lengths[PIECES], places[PIECES], at = 0;
    int count = split(lot, elements, lengths);
    MPI_Datatype made;

    for (int i = 0; i < count; i++) {
        at += below(lot, 3);
        places[i] = at;
        at += lengths[i];
    }
    if (count > 1 && below(lot, 2)) { /* the last one first */
        int length = lengths[0], place = places[0];

        lengths[0] = lengths[count - 1];
        places[0] = places[count - 1];
        lengths[count - 1] = length;
        places[count - 1] = place;
    }
    MPI_Type_indexed(count, lengths, places, basic, &made);
    return made;
}

static MPI_Datatype layout(uint64_t *lot, MPI_Datatype basic, int elements, int depth);

/* Types of types one behind the other, each with a gap before it. */
static MPI_Datatype structure(uint64_t *lot, MPI_Datatype basic, int elements, int depth)
{
    int sizes[PIECES], ones[PIECES];
    int count = split(lot, elements, sizes);
    MPI_Datatype parts[PIECES], made;
    MPI_Aint places[PIECES], lb, extent, unit, at = 0;

    MPI_Type_get_extent(basic, &lb, &unit);
    for (int i = 0; i < count; i++) {
        parts[i] = layout(lot, basic, sizes[i], depth - 1);
        MPI_Type_get_extent(parts[i], &lb, &extent);
        at += unit * below(lot, 3);
        places[i] = at;
        ones[i] = 1;
        at += lb + extent;
    }
    MPI_Type_create_struct(count, ones, places, parts, &made);
    for (int i = 0; i < count; i++) {
        MPI_Type_free(&parts[i]);
    }
    return made;
}

static MPI_Datatype vector(uint64_t *lot, MPI_Datatype basic, int elements)
{
    MPI_Aint lb, extent;
    MPI_Datatype made;
    int block = 1 + below(lot, elements);

    while (elements % block != 0) {
        block--;
    }
    if (below(lot, 2)) {
        MPI_Type_vector(elements / block, block, block + below(lot, 3), basic, &made);
    } else {
        MPI_Type_get_extent(basic, &lb, &extent);
        MPI_Type_create_hvector(elements / block, block, extent * (block + below(lot, 3)), basic, &made);
    }
    return made;
}

/* Not within another type: its bound would be that of the whole, and elements would overlap. */
static MPI_Datatype resized(uint64_t *lot, MPI_Datatype basic, int elements, int depth)
{
    MPI_Datatype inner = layout(lot, basic, elements, depth - 1), made;
    MPI_Aint lb, extent, unit;

    MPI_Type_get_extent(inner, &lb, &extent);
    MPI_Type_get_extent(basic, &lb, &unit);
    MPI_Type_create_resized(inner, 0, extent + unit * (1 + below(lot, 4)), &made);
    MPI_Type_free(&inner);
    return made;
}

static MPI_Datatype layout(uint64_t *lot, MPI_Datatype basic, int elements, int depth)
{
    MPI_Datatype made;

    switch (depth > 0 ? below(lot, depth == DEPTH ? 6 : 5) : 0) {
    case 1:
        return vector(lot, basic, elements);
    case 2:
        return indexed(lot, basic, elements);
    case 3:
    case 4:
        return structure(lot, basic, elements, depth);
    case 5:
        return resized(lot, basic, elements, depth);
    default:
        MPI_Type_contiguous(elements, basic, &made);
        return made;
    }
}

struct shaped shaped_make(uint64_t *lot, MPI_Datatype basic, int elements, int count, uint64_t content)
{
    struct shaped made = {.count = count};
    MPI_Aint lb, extent, true_lb, true_extent;

    made.type = layout(lot, basic, elements, DEPTH);
    MPI_Type_commit(&made.type);
    MPI_Type_get_extent(made.type, &lb, &extent);
    MPI_Type_get_true_extent(made.type, &true_lb, &true_extent);
    made.octets = (size_t)(extent * count + true_lb + true_extent) + SLACK;
    made.buffer = malloc(made.octets);
    if (!made.buffer) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    memset(made.buffer, UNTOUCHED, made.octets);
    for (size_t i = 0; content && i < made.octets; i++) {
        made.buffer[i] = (unsigned char)draw(&content) & 0x3f; /* no number that is none, whatever it is taken for */
    }
    note_number(extent);
    note_number(true_extent);
    return made;
}

void shaped_free(struct shaped *shaped)
{
    MPI_Type_free(&shaped->type);
    free(shaped->buffer);
}
