/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * MPI programs drawn by lot. All ranks draw the same steps from the same seed, and each keeps a digest of all that it
 * got to see: octets received, gaps of types that must stay as they were, statuses, ranks, error classes. What a
 * program prints is thus the same with every MPI that is right, on every layout of its processes.
 */
#ifndef TESTS_MPI_DRAWN_DRAWN_H
#define TESTS_MPI_DRAWN_DRAWN_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* One step, as one rank sees it. */
struct step {
    MPI_Comm comm;
    int rank, size; /* in it */
    int number;     /* of the step */
    uint64_t lot;   /* equal on all ranks, and so is what is drawn from it in the same order */
};

/* draw gives the next number of a lot; below, one less than `limit`, which is not 0. */
uint64_t draw(uint64_t *lot);
int below(uint64_t *lot, int limit);

/* mix gives a number that depends on both, in their order: a lot of its own for each rank or message. */
uint64_t mix(uint64_t one, uint64_t other);

/* note adds octets to what this rank has seen; note_number, a number; note_same, whether something is so that is so
 * with every MPI; otherwise the program fails. */
void note(const void *octets, size_t len);
void note_number(int64_t number);
void note_same(int holds, const char *what);

/* digest of octets alone. */
uint64_t digest(const void *octets, size_t len);

/* ---- types.c: data types ----------------------------------------------------------------------------------------- */

/* A data type of so many elements of one basic type, with a buffer for `count` of them. */
struct shaped {
    MPI_Datatype type;
    int count;
    unsigned char *buffer;
    size_t octets; /* of the buffer */
};

/* shaped_basic draws a basic type.
 * shaped_make draws a layout for count * elements of it; from the same numbers and another lot comes another layout
 * with the same signature. The buffer is filled from `content`; 0: as untouched.
 * shaped_free frees type and buffer. */
MPI_Datatype shaped_basic(uint64_t *lot);
struct shaped shaped_make(uint64_t *lot, MPI_Datatype basic, int elements, int count, uint64_t content);
void shaped_free(struct shaped *shaped);

/* ---- kinds of steps ---------------------------------------------------------------------------------------------- */

/* step_messages exchanges messages between two, in one of all modes: messages.c.
 * step_many completes several requests at a time, in one of all ways: many.c.
 * step_collective calls a collective operation: collectives.c.
 * step_objects looks at groups, attributes, topologies or errors: objects.c.
 * step_windows accesses the memory of others: windows.c. */
void step_messages(struct step *step);
void step_many(struct step *step);
void step_collective(struct step *step);
void step_objects(struct step *step);
void step_windows(struct step *step);

/* objects_communicator makes a communicator of some ranks, the caller's; MPI_COMM_NULL for the others. */
MPI_Comm objects_communicator(struct step *step);

#endif
