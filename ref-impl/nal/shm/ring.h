/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Octets through a ring in shared memory: one process writes, one reads. See segment.h for the ring, and net.h
 * for what the octets mean.
 */
#ifndef REF_IMPL_NAL_SHM_RING_H
#define REF_IMPL_NAL_SHM_RING_H

#include "ref-impl/nal/shm/segment.h"

/* shm_ring_room - how many octets can be written now. A reader that claims to have read what was never written leaves
 * none.
 * shm_ring_write - writes `len` octets, of which there is room, at `offset` behind the last published one.
 * shm_ring_publish - lets the reader see `len` more octets. */
size_t shm_ring_room(struct shm_ring *ring);
void shm_ring_write(struct shm_ring *ring, size_t offset, const void *octets, size_t len);
void shm_ring_publish(struct shm_ring *ring, size_t len);

/* shm_ring_filled - how many octets can be read now; SIZE_MAX when the writer claims more than fits: the ring cannot be
 * trusted any more.
 * shm_ring_peek - copies `len` of them, which are there, from `offset` on; nothing is consumed.
 * shm_ring_span - where the next octets stand and how many of the first `len` stand there in one piece.
 * shm_ring_consume - gives the room of `len` octets back. */
size_t shm_ring_filled(struct shm_ring *ring);
void shm_ring_peek(struct shm_ring *ring, size_t offset, void *octets, size_t len);
const unsigned char *shm_ring_span(struct shm_ring *ring, size_t len, size_t *span);
void shm_ring_consume(struct shm_ring *ring, size_t len);

#endif
