/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Octets through a ring; see ring.h. The writer's position is stored after the octets that it covers and loaded
 * before they are read; the reader's the other way round. That is all the synchronisation there is.
 */
#include "ref-impl/nal/shm/ring.h"

#include <string.h>

static size_t place_of(uint64_t position)
{
    return (size_t)(position & (SHM_RING_OCTETS - 1));
}

size_t shm_ring_room(struct shm_ring *ring)
{
    uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    uint64_t read = atomic_load_explicit(&ring->read, memory_order_acquire);

    return written - read > SHM_RING_OCTETS ? 0 : SHM_RING_OCTETS - (size_t)(written - read);
}

void shm_ring_write(struct shm_ring *ring, size_t offset, const void *octets, size_t len)
{
    size_t place = place_of(atomic_load_explicit(&ring->written, memory_order_relaxed) + offset);
    size_t first = len < SHM_RING_OCTETS - place ? len : SHM_RING_OCTETS - place;

    memcpy(ring->octets + place, octets, first);
    if (first < len) {
        memcpy(ring->octets, (const unsigned char *)octets + first, len - first);
    }
}

void shm_ring_publish(struct shm_ring *ring, size_t len)
{
    uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);

    atomic_store(&ring->written, written + len); /* and then looks whether the ring is watched: watch.c */
}

size_t shm_ring_filled(struct shm_ring *ring)
{
    uint64_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
    uint64_t written = atomic_load(&ring->written);

    return written - read > SHM_RING_OCTETS ? SIZE_MAX : (size_t)(written - read);
}

void shm_ring_peek(struct shm_ring *ring, size_t offset, void *octets, size_t len)
{
    size_t place = place_of(atomic_load_explicit(&ring->read, memory_order_relaxed) + offset);
    size_t first = len < SHM_RING_OCTETS - place ? len : SHM_RING_OCTETS - place;

    memcpy(octets, ring->octets + place, first);
    if (first < len) {
        memcpy((unsigned char *)octets + first, ring->octets, len - first);
    }
}

const unsigned char *shm_ring_span(struct shm_ring *ring, size_t len, size_t *span)
{
    size_t place = place_of(atomic_load_explicit(&ring->read, memory_order_relaxed));

    *span = len < SHM_RING_OCTETS - place ? len : SHM_RING_OCTETS - place;
    return ring->octets + place;
}

void shm_ring_consume(struct shm_ring *ring, size_t len)
{
    uint64_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);

    atomic_store_explicit(&ring->read, read + len, memory_order_release);
}
