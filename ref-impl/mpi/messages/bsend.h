/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The buffer that a program attaches for its buffered sends. Chapter 3.6 of MPI. The engine's lock is held throughout.
 */
#ifndef REF_IMPL_MPI_MESSAGES_BSEND_H
#define REF_IMPL_MPI_MESSAGES_BSEND_H

#include <stdbool.h>
#include <stddef.h>

/* bsend_attach - buffered messages go through `size` octets at `buffer` from now on; false when there is one already.
 */
bool bsend_attach(void *buffer, size_t size);

/* bsend_is_empty - whether all that went into the buffer has left it. True where there is none. */
bool bsend_is_empty(void);

/* bsend_detach - there is no buffer any more; gives what it was. It is empty. False where there is none. */
bool bsend_detach(void **buffer, size_t *size);

/* bsend_take - room for a message of `len` octets, until bsend_give_back; NULL where there is not enough, or no buffer.
 * Also a message of no octets gets room: who asks must have a buffer. */
void *bsend_take(size_t len);

/* bsend_give_back - the room is free again. NULL is allowed. */
void bsend_give_back(void *room);

#endif
