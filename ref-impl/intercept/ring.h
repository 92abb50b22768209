/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A circular buffer in host memory (CB): whole entries one behind the other, none of them broken at the end. What is in
 * an entry is said in specs/intercept-wire.md, 6. An octet of zero, which is no kind of frame, marks what was left out
 * because the next entry would not have fit.
 *
 *      |  entry  | entry |          free          |   entry   | entry |0  left out  |
 *                        ^ put                    ^ taken from here
 */
#ifndef REF_IMPL_INTERCEPT_RING_H
#define REF_IMPL_INTERCEPT_RING_H

#include <stdbool.h>
#include <stddef.h>

/* struct intercept_ring - begin with intercept_ring_begin; the members are the ring's own. */
struct intercept_ring {
    unsigned char *octets; /* NULL: there is no buffer */
    size_t size;
    size_t put, taken; /* both count on: their difference is what is in the ring, left out octets included */
};

/* intercept_ring_begin - an empty ring of `size` octets, a multiple of 8. False: no memory.
 * intercept_ring_end - frees it. */
bool intercept_ring_begin(struct intercept_ring *ring, size_t size);
void intercept_ring_end(struct intercept_ring *ring);

/* intercept_ring_space - where an entry of `len` octets, a multiple of 8, may be written; NULL: there is no room now.
 * intercept_ring_commit - it has been written: len octets, the same. */
unsigned char *intercept_ring_space(struct intercept_ring *ring, size_t len);
void intercept_ring_commit(struct intercept_ring *ring, size_t len);

/* intercept_ring_first - the oldest entry, NULL: there is none.
 * intercept_ring_drop - takes it out; it has `len` octets. */
const unsigned char *intercept_ring_first(struct intercept_ring *ring);
void intercept_ring_drop(struct intercept_ring *ring, size_t len);

#endif
