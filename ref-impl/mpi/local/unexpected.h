/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The list of messages that came to the local device before their receives, in order of arrival. A receive that names
 * sender and tag finds its message by a hash, whatever else waits; one with a wildcard walks the list. Engine's lock
 * held throughout.
 */
#ifndef REF_IMPL_MPI_LOCAL_UNEXPECTED_H
#define REF_IMPL_MPI_LOCAL_UNEXPECTED_H

#include <portals.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "ref-impl/mpi/local/bits.h"

/* struct local_arrival is one of them, with its octets behind it. */
struct local_arrival {
    ptl_match_bits_t bits;
    ptl_size_t length;
    int rid;                          /* of the sender */
    uint32_t number;                  /* of a long one (local/offer.c) */
    bool owed;                        /* a short one: its sender has not got its credit back */
    bool pooled;                      /* its memory is of the usual size */
    TAILQ_ENTRY(local_arrival) link;  /* of all */
    TAILQ_ENTRY(local_arrival) chain; /* of those of one hash */
    unsigned char octets[];           /* of a short message */
};

/* local_unexpected_open - makes the list, empty; false without memory.
 * local_unexpected_close - frees it and what is in it. */
bool local_unexpected_open(void);
void local_unexpected_close(void);

/* local_unexpected_new - a message with so many octets behind it; only `pooled` is written. NULL: memory is used up.
 * local_unexpected_free - frees one that is in no list. */
struct local_arrival *local_unexpected_new(size_t octets);
void local_unexpected_free(struct local_arrival *arrival);

/* local_unexpected_add - puts a message behind all others.
 * local_unexpected_remove - takes one out, which is the caller's then. */
void local_unexpected_add(struct local_arrival *arrival);
void local_unexpected_remove(struct local_arrival *arrival);

/* local_unexpected_fits - whether a receive takes a message.
 * local_unexpected_find - the oldest message that fits, or NULL.
 * local_unexpected_long - the long message of that number from that process, or NULL.
 * local_unexpected_short - the newest short message with exactly these bits, but for its form, from that process, or
 * NULL. */
bool local_unexpected_fits(const struct local_arrival *arrival, const struct local_want *want);
struct local_arrival *local_unexpected_find(const struct local_want *want);
struct local_arrival *local_unexpected_long(int rid, uint32_t number);
struct local_arrival *local_unexpected_short(int rid, ptl_match_bits_t bits);

#endif
