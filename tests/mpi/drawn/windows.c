/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One-sided communication drawn by lot: windows of every kind, every operation, and every way to begin and end access.
 * A window has a share for each rank, which is the only one to access it, and one where all ranks accumulate alike:
 *
 *      | share of rank 0: place | place | .. | share of rank 1 | .. | common |
 *
 * In one epoch each operation has a place of its own, since the order of those at one place is open.
 */
#include "tests/mpi/drawn/drawn.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 64, PLACES = 4, SMALL = 512, LARGE = 40960, COMMON = 16, ROUNDS = 3, UNITS = 4 };
enum synchronisation { FENCE, STARTED, LOCKED, ALL_LOCKED, SYNCHRONISATIONS };
enum memory { PROGRAMS, ALLOCATED, OF_WINDOW, MEMORIES };
enum operation { PUT, GET, ACCUMULATE, GET_ACCUMULATE, FETCH_AND_OP, COMPARE_AND_SWAP, OPERATIONS };

/* A window, as one rank sees it. */
struct window {
    MPI_Win win;
    MPI_Comm comm;
    int rank, size;
    int place;          /* octets of one */
    int unit[RANKS];    /* of displacements, of each rank's */
    unsigned char *own; /* this rank's memory */
    size_t octets;      /* of it */
    enum memory memory;
};

/* An operation that is under way, with all that must stay until it is over. */
struct access {
    struct shaped out, in;
    MPI_Datatype target_type;
    int is_open;
};

static size_t octets_of(const struct window *window)
{
    return (size_t)window->size * PLACES * (size_t)window->place + COMMON * sizeof(int);
}

static struct window window_make(struct step *step)
{
    struct window made = {.comm = step->comm, .rank = step->rank, .size = step->size};
    uint64_t content = mix(step->lot, 1000 + (uint64_t)step->rank);

    made.place = below(&step->lot, 4) ? SMALL : LARGE;
    made.memory = (enum memory)below(&step->lot, MEMORIES);
    for (int rank = 0; rank < made.size; rank++) {
        made.unit[rank] = 1 << below(&step->lot, UNITS);
    }
    made.octets = octets_of(&made);
    if (made.memory == PROGRAMS) {
        made.own = malloc(made.octets);
    } else if (made.memory == ALLOCATED) {
        MPI_Alloc_mem((MPI_Aint)made.octets, MPI_INFO_NULL, &made.own);
    }
    if (made.memory != OF_WINDOW) {
        MPI_Win_create(made.own, (MPI_Aint)made.octets, made.unit[made.rank], MPI_INFO_NULL, made.comm, &made.win);
    } else {
        MPI_Win_allocate((MPI_Aint)made.octets, made.unit[made.rank], MPI_INFO_NULL, made.comm, &made.own, &made.win);
    }
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, made.rank, 0, made.win);
    for (size_t i = 0; i < made.octets; i++) {
        made.own[i] = (unsigned char)draw(&content) & 0x3f;
    }
    MPI_Win_unlock(made.rank, made.win);
    MPI_Barrier(made.comm);
    return made;
}

static void window_free(struct window *window)
{
    MPI_Win_free(&window->win);
    if (window->memory == ALLOCATED) {
        MPI_Free_mem(window->own);
    } else if (window->memory == PROGRAMS) {
        free(window->own);
    }
}

/* What this rank's memory holds, when nobody accesses it. */
static void window_note(struct window *window)
{
    MPI_Win_lock(MPI_LOCK_SHARED, window->rank, 0, window->win);
    note(window->own, window->octets);
    MPI_Win_unlock(window->rank, window->win);
    MPI_Barrier(window->comm);
}

static MPI_Datatype whole_number(uint64_t *lot)
{
    /* Of numbers without signs MPICH 4.0 takes the larger as if they had some. */
    const MPI_Datatype basics[] = {MPI_INT, MPI_SHORT, MPI_LONG};

    return basics[below(lot, (int)(sizeof basics / sizeof basics[0]))];
}

static MPI_Op whole_op(uint64_t *lot)
{
    const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN, MPI_BXOR, MPI_BAND, MPI_BOR, MPI_PROD, MPI_REPLACE, MPI_LAND};

    return ops[below(lot, (int)(sizeof ops / sizeof ops[0]))];
}

/* A type of so many elements in a place: one behind the other, or with gaps. */
static MPI_Datatype in_place(uint64_t *lot, const struct window *window, MPI_Datatype basic, int elements)
{
    MPI_Datatype made;
    MPI_Aint lb, extent;
    int most;

    MPI_Type_get_extent(basic, &lb, &extent);
    most = window->place / (int)extent / elements;
    MPI_Type_vector(elements, 1, 1 + below(lot, most < 3 ? most : 3), basic, &made);
    MPI_Type_commit(&made);
    return made;
}

/* Puts, gets or accumulates at a place. Waits for the operation, where it has a request. */
static void move(struct window *window, uint64_t *lot, enum operation what, int target, MPI_Aint at, int requested,
                 struct access *access)
{
    int counted = what == ACCUMULATE || what == GET_ACCUMULATE;
    MPI_Datatype basic = counted ? whole_number(lot) : shaped_basic(lot), type;
    int count = 1 + below(lot, 3), elements = 1 + below(lot, window->place == SMALL ? 20 : 1600);
    MPI_Op op = whole_op(lot);
    MPI_Request request = MPI_REQUEST_NULL;

    access->out = shaped_make(lot, basic, elements, count, draw(lot));
    access->in = shaped_make(lot, basic, elements, count, 0);
    access->is_open = 1;
    access->target_type = type = in_place(lot, window, basic, elements * count);
    if (what == PUT && requested) {
        MPI_Rput(access->out.buffer, count, access->out.type, target, at, 1, type, window->win, &request);
    } else if (what == PUT) {
        MPI_Put(access->out.buffer, count, access->out.type, target, at, 1, type, window->win);
    } else if (what == GET && requested) {
        MPI_Rget(access->in.buffer, count, access->in.type, target, at, 1, type, window->win, &request);
    } else if (what == GET) {
        MPI_Get(access->in.buffer, count, access->in.type, target, at, 1, type, window->win);
    } else if (what == ACCUMULATE && requested) {
        MPI_Raccumulate(access->out.buffer, count, access->out.type, target, at, 1, type, op, window->win, &request);
    } else if (what == ACCUMULATE) {
        MPI_Accumulate(access->out.buffer, count, access->out.type, target, at, 1, type, op, window->win);
    } else {
        op = below(lot, 4) ? op : MPI_NO_OP;
        MPI_Get_accumulate(access->out.buffer, count, access->out.type, access->in.buffer, count, access->in.type,
                           target, at, 1, type, op, window->win);
    }
    if (requested) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* Changes one number. */
static void change(struct window *window, uint64_t *lot, enum operation what, int target, MPI_Aint at,
                   struct access *access)
{
    MPI_Datatype basic = whole_number(lot);
    MPI_Op op = below(lot, 4) ? whole_op(lot) : MPI_NO_OP;

    access->out = shaped_make(lot, MPI_CHAR, 32, 1, draw(lot));
    access->in = shaped_make(lot, MPI_CHAR, 32, 1, 0);
    access->is_open = 1;
    MPI_Type_contiguous(1, basic, &access->target_type);
    if (what == FETCH_AND_OP) {
        MPI_Fetch_and_op(access->out.buffer, access->in.buffer, basic, target, at, op, window->win);
    } else {
        MPI_Compare_and_swap(access->out.buffer, access->out.buffer + 16, access->in.buffer, basic, target, at,
                             window->win);
    }
}

/* One operation on this rank's place at a target. */
static void access_begin(struct window *window, uint64_t *lot, int target, int place, int requests,
                         struct access *access)
{
    enum operation what = (enum operation)below(lot, OPERATIONS);
    MPI_Aint at = ((MPI_Aint)window->rank * PLACES + place) * window->place / window->unit[target];

    if (what < FETCH_AND_OP) {
        move(window, lot, what, target, at, requests && what != GET_ACCUMULATE && below(lot, 2), access);
    } else {
        change(window, lot, what, target, at, access);
    }
}

static void access_end(struct access *access)
{
    if (!access->is_open) {
        return;
    }
    note(access->out.buffer, access->out.octets);
    note(access->in.buffer, access->in.octets);
    shaped_free(&access->out);
    shaped_free(&access->in);
    MPI_Type_free(&access->target_type);
    access->is_open = 0;
}

/* Adds to what all ranks add to; the numbers must stay until the epoch is over. */
static void add_to_common(struct window *window, uint64_t *lot, int target, int numbers[COMMON])
{
    MPI_Aint at = (MPI_Aint)(octets_of(window) - COMMON * sizeof(int)) / window->unit[target];

    for (int i = 0; i < COMMON; i++) {
        numbers[i] = below(lot, 100);
    }
    MPI_Accumulate(numbers, COMMON, MPI_INT, target, at, COMMON, MPI_INT, MPI_SUM, window->win);
}

/* The operations of one rank in an epoch with one target. */
static void operate(struct window *window, uint64_t *lot, int target, int requests, struct access accesses[PLACES],
                    int numbers[COMMON])
{
    for (int place = 0; place < PLACES; place++) {
        if (below(lot, 3)) {
            access_begin(window, lot, target, place, requests, &accesses[place]);
        }
    }
    if (below(lot, 2)) {
        add_to_common(window, lot, target, numbers);
    }
}

static void begin(struct window *window, enum synchronisation how, MPI_Group group)
{
    if (how == FENCE) {
        MPI_Win_fence(0, window->win);
    } else if (how == STARTED) {
        MPI_Win_post(group, 0, window->win);
        MPI_Win_start(group, 0, window->win);
    } else if (how == ALL_LOCKED) {
        MPI_Win_lock_all(0, window->win);
    }
}

static void end(struct window *window, enum synchronisation how)
{
    if (how == FENCE) {
        MPI_Win_fence(0, window->win);
    } else if (how == STARTED) {
        MPI_Win_complete(window->win);
        MPI_Win_wait(window->win);
    } else if (how == ALL_LOCKED) {
        MPI_Win_unlock_all(window->win);
    }
    MPI_Barrier(window->comm);
}

/* Each rank accesses one to all others, each once. */
static void epoch(struct window *window, uint64_t common_lot, enum synchronisation how, MPI_Group group)
{
    static struct access accesses[RANKS][PLACES];
    static int numbers[RANKS][COMMON];
    uint64_t lot = mix(common_lot, (uint64_t)window->rank);
    int first = below(&lot, window->size), count = 1 + below(&lot, window->size < 4 ? window->size : 4);

    begin(window, how, group);
    for (int i = 0; i < count; i++) {
        int target = (first + i) % window->size;

        if (how == LOCKED) {
            MPI_Win_lock(below(&lot, 2) ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, target, 0, window->win);
        }
        operate(window, &lot, target, how >= LOCKED, accesses[i], numbers[i]);
        if (how >= LOCKED && below(&lot, 2)) {
            MPI_Win_flush(target, window->win);
        }
        if (how == LOCKED) {
            MPI_Win_unlock(target, window->win);
        }
    }
    end(window, how);
    for (int i = 0; i < count; i++) {
        for (int place = 0; place < PLACES; place++) {
            access_end(&accesses[i][place]);
        }
    }
}

void step_windows(struct step *step)
{
    struct window window = window_make(step);
    MPI_Group group;

    MPI_Comm_group(step->comm, &group);
    for (int round = 0; round < ROUNDS; round++) {
        enum synchronisation how = (enum synchronisation)below(&step->lot, SYNCHRONISATIONS);

        epoch(&window, draw(&step->lot), how, group);
        window_note(&window);
    }
    MPI_Group_free(&group);
    window_free(&window);
}
