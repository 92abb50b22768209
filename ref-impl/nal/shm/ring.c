/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Octets into and out of a ring, around its end where need be; see ring.h.
 */
#include "ref-impl/nal/shm/ring.h"

#include <string.h>

void shm_ring_write(struct shm_ring *ring, size_t offset, const void *octets, size_t len)
{
    size_t place = shm_ring_place(atomic_load_explicit(&ring->written, memory_order_relaxed) + offset);
    size_t first = len < SHM_RING_OCTETS - place ? len : SHM_RING_OCTETS - place;

    memcpy(ring->octets + place, octets, first);
    if (first < len) {
        memcpy(ring->octets, (const unsigned char *)octets + first, len - first);
    }
}

void shm_ring_peek(struct shm_ring *ring, size_t offset, void *octets, size_t len)
{
    size_t place = shm_ring_place(atomic_load_explicit(&ring->read, memory_order_relaxed) + offset);
    size_t first = len < SHM_RING_OCTETS - place ? len : SHM_RING_OCTETS - place;

    memcpy(octets, ring->octets + place, first);
    if (first < len) {
        memcpy((unsigned char *)octets + first, ring->octets, len - first);
    }
}
