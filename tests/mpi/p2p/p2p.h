/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the programs of this folder have in common: ordinary MPI programs that look at themselves. A program that finds
 * something wrong says so on stderr and aborts the job; one that is content prints "good" on rank 0.
 */
#ifndef TESTS_MPI_P2P_P2P_H
#define TESTS_MPI_P2P_P2P_H

#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int p2p_rank, p2p_size;

/* MUST ends the job unless the condition holds. */
#define MUST(condition, ...) p2p_must((condition), __FILE__, __LINE__, #condition, __VA_ARGS__)

/* p2p_must - what MUST calls. Tells where and what, and ends the job, unless `good`. */
__attribute__((format(printf, 5, 6))) static inline void p2p_must(bool good, const char *file, int line,
                                                                  const char *condition, const char *format, ...)
{
    va_list args;

    if (!good) {
        fprintf(stderr, "%s:%d: rank %d: %s: ", file, line, p2p_rank, condition);
        va_start(args, format);
        vfprintf(stderr, format, args);
        va_end(args);
        fprintf(stderr, "\n");
        MPI_Abort(MPI_COMM_WORLD, 9);
    }
}

/* p2p_begin - MPI_Init; then p2p_rank and p2p_size are set. */
static inline void p2p_begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &p2p_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p2p_size);
}

/* p2p_end - rank 0 prints "good", for which test_p2p.py waits; MPI_Finalize. Returns the exit status. */
static inline int p2p_end(void)
{
    if (p2p_rank == 0) {
        printf("good\n");
    }
    MPI_Finalize();
    return 0;
}

/* p2p_octet - the octet at a place of message `seed`. */
static inline unsigned char p2p_octet(uint32_t seed, size_t place)
{
    uint64_t mixed = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) + place * UINT64_C(0xd1342543de82ef95);

    return (unsigned char)(mixed >> 41);
}

/* p2p_fill - writes the first `len` octets of message `seed`. */
static inline void p2p_fill(unsigned char *octets, size_t len, uint32_t seed)
{
    for (size_t i = 0; i < len; i++) {
        octets[i] = p2p_octet(seed, i);
    }
}

/* p2p_differs - the first place at which the octets are not those of message `seed`, or `len`. */
static inline size_t p2p_differs(const unsigned char *octets, size_t len, uint32_t seed)
{
    size_t i = 0;

    while (i < len && octets[i] == p2p_octet(seed, i)) {
        i++;
    }
    return i;
}

#endif
