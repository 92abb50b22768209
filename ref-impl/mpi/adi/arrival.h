/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages of MPI on Puma that came before their receives, in the order in which they came. Engine's lock held.
 */
#ifndef REF_IMPL_MPI_ADI_ARRIVAL_H
#define REF_IMPL_MPI_ADI_ARRIVAL_H

#include "ref-impl/mpi/adi/bits.h"

#include <sys/queue.h>

struct adi_arrival {
    ptl_match_bits_t bits;
    size_t length;
    int rid;                        /* of the sender */
    ptl_match_bits_t number;        /* of a long message, at its sender */
    TAILQ_ENTRY(adi_arrival) link;  /* of all */
    TAILQ_ENTRY(adi_arrival) chain; /* of those that one receive with sender and tag may mean */
    unsigned char octets[];         /* of a short one */
};

/* adi_arrivals_open, adi_arrivals_close - begin with none; free all.
 * adi_arrivals_note - takes what has come out of the heap; true: something had.
 * adi_arrival_find - the oldest that fits, or NULL.
 * adi_arrival_remove - takes one out, which the caller frees. */
void adi_arrivals_open(void);
void adi_arrivals_close(void);
bool adi_arrivals_note(void);
struct adi_arrival *adi_arrival_find(const struct adi_want *want);
void adi_arrival_remove(struct adi_arrival *arrival);

#endif
