/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sending tiny messages from copies of the library's own: see tiny.c. Engine's lock held throughout.
 */
#ifndef REF_IMPL_MPI_LOCAL_TINY_H
#define REF_IMPL_MPI_LOCAL_TINY_H

#include <portals.h>
#include <stdbool.h>
#include <stddef.h>

/* local_tiny_open - makes the rings, for so many processes; false when memory is used up.
 * local_tiny_close - frees them; the interface is closed. */
bool local_tiny_open(int size);
void local_tiny_close(void);

/* local_tiny_put - sends a short message whose octets may be used again when it returns. False, and nothing is done:
 * the message is not tiny, or there is no place for a copy. */
bool local_tiny_put(int rid, ptl_match_bits_t bits, const void *octets, size_t length);

/* local_tiny_is_full - whether there will be no place for a copy to that process until events are taken note of. */
bool local_tiny_is_full(int rid);

/* local_tiny_left - a message that began there in memory has left; false: it is none of these. */
bool local_tiny_left(const void *start);

#endif
