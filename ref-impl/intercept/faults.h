/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Faults of a network: lost frames, flipped bits, planes that are cut or whose cables are longer, computers that are
 * slow. Seeded: the same seed makes the same faults.
 */
#ifndef REF_IMPL_INTERCEPT_FAULTS_H
#define REF_IMPL_INTERCEPT_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* struct intercept_faults - all zero: no faults. */
struct intercept_faults {
    uint64_t seed;     /* advances with every frame */
    double lost;       /* of all frames, 0 to 1 */
    double bit_errors; /* of all bits, 0 to 1 */
    unsigned cut;      /* planes over which nothing comes, one bit each */
    uint32_t skew_ns;  /* a cable's way is longer by so much for each plane before its own; in virtual time */
    uint64_t slow_ns;  /* a driver has its turn so long after its card's interrupt */
};

/* intercept_faults_read - reads "lost=0.01,bit-errors=1e-5,cut=4,skew=300,slow=20000,seed=7", any part left out; `cut`
 * is a mask of planes. False: the text is something else; *wrong then points at what. */
bool intercept_faults_read(const char *text, struct intercept_faults *faults, const char **wrong);

/* intercept_faults_pass - whether a frame on that plane arrives; flips a bit of it where it arrives damaged. */
bool intercept_faults_pass(struct intercept_faults *faults, unsigned plane, unsigned char *octets, size_t len);

/* intercept_faults_random - the next number of a seed. */
uint64_t intercept_faults_random(uint64_t *seed);

#endif
