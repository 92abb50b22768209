/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Octets through a ring in shared memory: one process writes, one reads. See segment.h for the ring, and net.h
 * for what the octets mean.
 *
 * The writer's position is stored after the octets that it covers and loaded before they are read; the reader's the
 * other way round.
 *
 * A message mostly begins with a line of the cache, and then the reader need not look at the position: to fetch that
 * first, and the message after it, takes twice as long. The first word of a line that nobody has written to yet is 0,
 * and of a message it is not: the writer makes it 0 before it writes the message that stands in front of it.
 *
 *      ... | message    | message    | 0 ...      | what was there the last time round ...
 *                                    ^ written: the next message; the reader looks at the 0
 *
 * What begins elsewhere, and payload that comes in pieces, is seen by the position.
 */
#ifndef REF_IMPL_NAL_SHM_RING_H
#define REF_IMPL_NAL_SHM_RING_H

#include "ref-impl/nal/shm/segment.h"

/* shm_ring_place - where the octet with this position stands. */
static inline size_t shm_ring_place(uint64_t position)
{
    return (size_t)(position & (SHM_RING_OCTETS - 1));
}

/* shm_ring_head - where the first word of a message at this position stands, if it begins with a line; else NULL. */
static inline _Atomic uint64_t *shm_ring_head(struct shm_ring *ring, uint64_t position)
{
    return position % SHM_LINE == 0 ? (_Atomic uint64_t *)(void *)(ring->octets + shm_ring_place(position)) : NULL;
}

/* shm_ring_room - how many octets can be written now; a line more is free, for the word behind them. A reader that
 * claims to have read what was never written leaves none. */
static inline size_t shm_ring_room(struct shm_ring *ring)
{
    uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    uint64_t read = atomic_load_explicit(&ring->read, memory_order_acquire);

    return written - read > SHM_RING_MOST ? 0 : SHM_RING_MOST - (size_t)(written - read);
}

/* shm_ring_write - writes `len` octets, of which there is room, at `offset` behind the last published one. */
void shm_ring_write(struct shm_ring *ring, size_t offset, const void *octets, size_t len);

/* shm_ring_claim - has this processor fetch the line of the cache at `position`, to write to it. The reader has had it
 * since the last time round, and to fetch it takes longer than to make a message. */
static inline void shm_ring_claim(struct shm_ring *ring, uint64_t position)
{
#if defined(__x86_64__)
    __asm__ volatile("prefetchw %0" : : "m"(ring->octets[shm_ring_place(position)]));
#else
    __builtin_prefetch(&ring->octets[shm_ring_place(position)], 1);
#endif
}

/* shm_ring_end - says that nothing has been written yet to the line that begins so far behind what is published, if one
 * does. Before the reader can see what stands in front of it. */
static inline void shm_ring_end(struct shm_ring *ring, size_t offset)
{
    _Atomic uint64_t *head = shm_ring_head(ring, atomic_load_explicit(&ring->written, memory_order_relaxed) + offset);

    if (head) {
        atomic_store_explicit(head, 0, memory_order_relaxed);
    }
}

/* shm_ring_begin - writes the first word of a message; where it begins with a line the reader can see it from now on.
 */
static inline void shm_ring_begin(struct shm_ring *ring, uint64_t first)
{
    _Atomic uint64_t *head = shm_ring_head(ring, atomic_load_explicit(&ring->written, memory_order_relaxed));

    if (head) {
        atomic_store_explicit(head, first, memory_order_release);
    } else {
        shm_ring_write(ring, 0, &first, sizeof first);
    }
}

/* shm_ring_publish - lets the reader see `len` more octets, behind which shm_ring_end has been called. */
static inline void shm_ring_publish(struct shm_ring *ring, size_t len)
{
    uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed) + len;

    atomic_store(&ring->written, written); /* and then looks whether the ring is watched: watch.c */
    for (uint64_t ahead = 0; ahead < SHM_CLAIMED; ahead += SHM_LINE) {
        shm_ring_claim(ring, written + ahead);
    }
}

/* shm_ring_filled - how many octets can be read now; SIZE_MAX when the writer claims more than fits: the ring cannot be
 * trusted any more. */
static inline size_t shm_ring_filled(struct shm_ring *ring)
{
    uint64_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
    uint64_t written = atomic_load(&ring->written);

    return written - read > SHM_RING_OCTETS ? SIZE_MAX : (size_t)(written - read);
}

/* shm_ring_due - whether there may be something to read. Any thread of the reader. */
static inline bool shm_ring_due(struct shm_ring *ring)
{
    uint64_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
    _Atomic uint64_t *head = shm_ring_head(ring, read);

    if (!head || atomic_load_explicit(&ring->within, memory_order_relaxed)) {
        return shm_ring_filled(ring) > 0;
    }
    return atomic_load_explicit(head, memory_order_acquire) != 0;
}

/* shm_ring_peek - copies `len` of them, which are there, from `offset` on; nothing is consumed. */
void shm_ring_peek(struct shm_ring *ring, size_t offset, void *octets, size_t len);

/* shm_ring_span - where the next octets stand and how many of the first `len` stand there in one piece. */
static inline const unsigned char *shm_ring_span(struct shm_ring *ring, size_t len, size_t *span)
{
    size_t place = shm_ring_place(atomic_load_explicit(&ring->read, memory_order_relaxed));

    *span = len < SHM_RING_OCTETS - place ? len : SHM_RING_OCTETS - place;
    return ring->octets + place;
}

/* shm_ring_consume - gives the room of `len` octets back. */
static inline void shm_ring_consume(struct shm_ring *ring, size_t len)
{
    uint64_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);

    atomic_store_explicit(&ring->read, read + len, memory_order_release);
}

#endif
