/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a request handler may need for its reply, taken before a request is looked at, for a handler cannot wait: a
 * chunk, tickets for the two messages of a long reply, one for a temporary descriptor. Whoever fills the hand has the
 * turn of looking at requests until it empties it, so that one handler of requests runs at a time.
 */
#ifndef REF_IMPL_GASNET_BASE_HAND_H
#define REF_IMPL_GASNET_BASE_HAND_H

#include <stdbool.h>
#include <stdint.h>

/* hand_turn - takes the turn; false when another thread has it.
 * hand_fill - with the turn: whether all is in the hand.
 * hand_pass - gives back what is left, and the turn. */
bool hand_turn(void);
bool hand_fill(void);
void hand_pass(void);

/* hand_chunk, hand_message, hand_temporary - a reply takes these out of it; each is then given back as any other. */
uint32_t hand_chunk(void);
void hand_message(void);
void hand_temporary(void);

#endif
