/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * An MPI program drawn by lot: drawn SEED STEPS [windows] [told [STEP]]. See drawn.h. With `windows` it accesses the
 * memory of others too, which has to be in the same client. Prints a line for each rank, and with `told` what it has
 * seen after each step, so that the first one that differs can be found; of STEP, everything on stderr.
 */
#include "tests/mpi/drawn/drawn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POOL = 5 };

static uint64_t seen = 14695981039346656037u;
static int world_rank, wrong;
static int windows;
static int shown; /* this step is looked at closely */

uint64_t draw(uint64_t *lot)
{
    uint64_t z = (*lot += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int below(uint64_t *lot, int limit)
{
    return (int)(draw(lot) % (uint64_t)limit);
}

uint64_t mix(uint64_t one, uint64_t other)
{
    uint64_t lot = one ^ (other * 0xd6e8feb86659fd93u);

    return draw(&lot);
}

static uint64_t digest_on(uint64_t from, const void *octets, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        from = (from ^ ((const unsigned char *)octets)[i]) * 1099511628211u;
    }
    return from;
}

uint64_t digest(const void *octets, size_t len)
{
    return digest_on(14695981039346656037u, octets, len);
}

void note(const void *octets, size_t len)
{
    seen = digest_on(seen, octets, len);
    if (shown) {
        fprintf(stderr, "rank %d: %zu octets, %016llx:", world_rank, len, (unsigned long long)digest(octets, len));
        for (size_t i = 0; i < len && i < 64; i++) {
            fprintf(stderr, " %02x", ((const unsigned char *)octets)[i]);
        }
        fputc('\n', stderr);
    }
}

void note_number(int64_t number)
{
    note(&number, sizeof number);
}

void note_same(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "drawn: rank %d: %s\n", world_rank, what);
        wrong = 1;
    }
    note_number(holds);
}

/* The communicators of the program, of which a rank is in some. The first is the world. */
static MPI_Comm pool[POOL];

/* Puts a new communicator in the place of another one. */
static void renew(struct step *step)
{
    int place = 1 + below(&step->lot, POOL - 1);
    int parent = below(&step->lot, POOL);

    if (parent == place) {
        parent = 0;
    }
    if (pool[place] != MPI_COMM_NULL) {
        MPI_Comm_free(&pool[place]);
    }
    step->comm = pool[parent];
    if (step->comm == MPI_COMM_NULL) {
        return;
    }
    MPI_Comm_rank(step->comm, &step->rank);
    MPI_Comm_size(step->comm, &step->size);
    pool[place] = objects_communicator(step);
}

static void act(struct step *step)
{
    static void (*const kinds[])(struct step *) = {step_messages,   step_messages,   step_many,
                                                   step_many,       step_collective, step_collective,
                                                   step_collective, step_objects,    step_windows};
    int kind = below(&step->lot, windows ? 10 : 9);

    if (shown) {
        fprintf(stderr, "rank %d: kind %d\n", world_rank, kind);
    }
    if (kind == 8) {
        renew(step);
        return;
    }
    kind -= kind == 9;
    step->comm = pool[below(&step->lot, POOL)];
    if (step->comm == MPI_COMM_NULL) {
        return;
    }
    MPI_Comm_rank(step->comm, &step->rank);
    MPI_Comm_size(step->comm, &step->size);
    kinds[kind](step);
}

/* Rank by rank, from the first one. */
static void tell(int size)
{
    char line[80];

    for (int rank = 0; rank < size; rank++) {
        if (rank == world_rank && rank > 0) {
            snprintf(line, sizeof line, "%d %016llx", rank, (unsigned long long)seen);
            MPI_Send(line, sizeof line, MPI_CHAR, 0, 32000, MPI_COMM_WORLD);
        } else if (world_rank == 0 && rank > 0) {
            MPI_Recv(line, sizeof line, MPI_CHAR, rank, 32000, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            puts(line);
        } else if (world_rank == 0) {
            printf("0 %016llx\n", (unsigned long long)seen);
        }
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int steps = argc > 2 ? atoi(argv[2]) : 100, told, close, size;

    windows = argc > 3 && strcmp(argv[3], "windows") == 0;
    told = argc > 3 + windows;
    close = argc > 4 + windows ? atoi(argv[4 + windows]) : -1;
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ); /* each line in one piece */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pool[0] = MPI_COMM_WORLD;
    for (int i = 1; i < POOL; i++) {
        pool[i] = MPI_COMM_NULL;
    }
    for (int i = 0; i < steps; i++) {
        struct step step = {.number = i, .lot = mix(seed, (uint64_t)i)};

        shown = i == close;
        act(&step);
        shown = 0;
        if (told) {
            if (world_rank == 0) {
                printf("step %d\n", i);
            }
            tell(size);
        }
    }
    tell(size);
    for (int i = 1; i < POOL; i++) {
        if (pool[i] != MPI_COMM_NULL) {
            MPI_Comm_free(&pool[i]);
        }
    }
    MPI_Finalize();
    return wrong;
}
