/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The list of receives that wait for their messages in the library, not in the match list: their place is LOCAL_LISTED.
 * The counterpart of local/unexpected.h: a message finds the oldest receive that takes it, by a hash among those that
 * name sender and tag, whatever else waits; among those with a wildcard by walking. Engine's lock held throughout.
 */
#ifndef REF_IMPL_MPI_LOCAL_EXPECTED_H
#define REF_IMPL_MPI_LOCAL_EXPECTED_H

#include <portals.h>
#include <stdbool.h>

#include "ref-impl/mpi/local/bits.h"

struct request;

/* local_expected_open - makes the list, empty; what was in it is forgotten. */
void local_expected_open(void);

/* local_expected_add - puts a receive behind all others; what it takes is noted in it.
 * local_expected_remove - takes one out, which is nowhere then. */
void local_expected_add(struct request *request);
void local_expected_remove(struct request *request);

/* local_expected_any - whether there is one.
 * local_expected_any_large - whether there is one that is here only because the match list had no room.
 * local_expected_oldest - the oldest one, or NULL.
 * local_expected_find - the oldest one that takes a message with these bits, from that process, or NULL.
 * local_expected_overlaps - whether there may be one that takes a message that `want` takes too. */
bool local_expected_any(void);
bool local_expected_any_large(void);
struct request *local_expected_oldest(void);
struct request *local_expected_find(ptl_match_bits_t bits, int rid);
bool local_expected_overlaps(const struct local_want *want);

#endif
