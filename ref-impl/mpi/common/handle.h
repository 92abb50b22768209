/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a program holds of an object of the library is a handle: a pointer type of its own for each kind of object, so
 * that compilers tell them apart, with a number in it, so that a wrong one can be told from a right one. The number is
 * a kind, a place in the kind's table and, above them, how often the place has been used before; a handle whose object
 * is gone names nothing until a place has been used 2^36 times.
 *
 * One thread uses the tables at a time, the one that calls MPI.
 */
#ifndef REF_IMPL_MPI_COMMON_HANDLE_H
#define REF_IMPL_MPI_COMMON_HANDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ref-impl/include/mpi.h"

/* The kinds of handles, with the numbers that mpi.h has in them. */
enum handle_kind {
    HANDLE_COMM = ASSAY_MPI_COMM,
    HANDLE_GROUP = ASSAY_MPI_GROUP,
    HANDLE_DATATYPE = ASSAY_MPI_DATATYPE,
    HANDLE_OP = ASSAY_MPI_OP,
    HANDLE_ERRHANDLER = ASSAY_MPI_ERRHANDLER,
    HANDLE_REQUEST = ASSAY_MPI_REQUEST,
    HANDLE_INFO = ASSAY_MPI_INFO,
    HANDLE_WIN = ASSAY_MPI_WIN,
    HANDLE_MESSAGE = ASSAY_MPI_MESSAGE,
    HANDLE_FILE = ASSAY_MPI_FILE,
};

/* handle_new - a handle for an object, which stays the caller's. NULL when memory is used up. */
void *handle_new(enum handle_kind kind, void *object);

/* handle_set - gives a predefined handle of mpi.h its object; handle_new never gives those away. False: memory is used
 * up. */
bool handle_set(enum handle_kind kind, const void *handle, void *object);

enum { HANDLE_KINDS = 11, HANDLE_KIND_BITS = 4, HANDLE_PLACE_BITS = 24 };

/* A place: the handle that names it now, and its object; NULL: it is free. */
struct handle_slot {
    const void *handle;
    void *object;
    size_t next_free; /* 0: the last one */
};

/* The places of each kind; for handle_find, and else for handle.c alone. */
struct handle_table {
    struct handle_slot *slot;
    size_t size;                  /* places that were ever used, and the predefined ones */
    size_t capacity;              /* ... and those behind them, which nobody has written to */
    size_t first_free, last_free; /* 0: none */
};

extern struct handle_table handle_tables[HANDLE_KINDS];

/* handle_find - the object of a handle, or NULL when the handle is null, of another kind, freed, or no handle at all.
 */
static inline void *handle_find(enum handle_kind kind, const void *handle)
{
    const struct handle_table *table = &handle_tables[kind];
    size_t place = (uintptr_t)handle >> HANDLE_KIND_BITS & (((size_t)1 << HANDLE_PLACE_BITS) - 1);

    return place < table->size && table->slot[place].handle == handle ? table->slot[place].object : NULL;
}

/* handle_short - a handle in 32 bits, as Fortran has it: the upper bits, which tell old handles from new ones, are left
 * out.
 * handle_long - the handle that is short so, or one that names nothing. */
int handle_short(const void *handle);
void *handle_long(enum handle_kind kind, int handle);

/* handle_free - the handle names nothing any more. */
void handle_free(enum handle_kind kind, const void *handle);

/* handle_next - the next object of a kind from a place on, which starts at 0 and is moved behind it; NULL: no more. */
void *handle_next(enum handle_kind kind, size_t *place);

/* handle_close - forgets all handles of a kind; the objects are the caller's. */
void handle_close(enum handle_kind kind);

#endif
