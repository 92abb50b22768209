/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The circular buffer; see ring.h.
 */
#include "ref-impl/intercept/ring.h"

#include <stdlib.h>

bool intercept_ring_begin(struct intercept_ring *ring, size_t size)
{
    *ring = (struct intercept_ring){.octets = calloc(1, size), .size = size};
    return ring->octets != NULL;
}

void intercept_ring_end(struct intercept_ring *ring)
{
    free(ring->octets);
    *ring = (struct intercept_ring){.octets = NULL};
}

/* How many octets are left out so that an entry of `len` does not break at the end. */
static size_t left_out(const struct intercept_ring *ring, size_t len)
{
    size_t behind = ring->size - ring->put % ring->size;

    return len <= behind ? 0 : behind;
}

unsigned char *intercept_ring_space(struct intercept_ring *ring, size_t len)
{
    size_t skipped = left_out(ring, len);

    if (len > ring->size || ring->put - ring->taken + skipped + len > ring->size) {
        return NULL;
    }
    return ring->octets + (ring->put + skipped) % ring->size;
}

void intercept_ring_commit(struct intercept_ring *ring, size_t len)
{
    size_t skipped = left_out(ring, len);

    if (skipped > 0) {
        ring->octets[ring->put % ring->size] = 0;
    }
    ring->put += skipped + len;
}

const unsigned char *intercept_ring_first(struct intercept_ring *ring)
{
    if (ring->taken == ring->put) {
        return NULL;
    }
    if (ring->octets[ring->taken % ring->size] == 0) {
        ring->taken += ring->size - ring->taken % ring->size;
    }
    return ring->octets + ring->taken % ring->size;
}

void intercept_ring_drop(struct intercept_ring *ring, size_t len)
{
    ring->taken += len;
}
