/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The two stores of chunks, pieces of CHUNK_OCTETS of one region each: of requests, also bounce buffers, and of
 * replies. A chunk is named by its offset in the region.
 */
#ifndef REF_IMPL_GASNET_BASE_CHUNKS_H
#define REF_IMPL_GASNET_BASE_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum store { STORE_REQUESTS, STORE_REPLIES, STORES };

/* chunks_open - makes a store of so many chunks; false without memory. */
bool chunks_open(enum store store, uint32_t count);

/* chunks_region - where a store begins, and how long it is.
 * chunks_at - where a chunk is. */
void *chunks_region(enum store store, size_t *octets);
void *chunks_at(enum store store, uint32_t offset);

/* chunks_take - takes one; false when there is none.
 * chunks_give - gives one back. An offset that is not that of a chunk which was taken ends the process. */
bool chunks_take(enum store store, uint32_t *offset);
void chunks_give(enum store store, uint32_t offset);

/* chunks_note - remembers that `octets` octets go to `memory` when what is got has come into the chunk.
 * chunks_deliver - copies them there. */
void chunks_note(uint32_t offset, void *memory, size_t octets);
void chunks_deliver(uint32_t offset);

#endif
