/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a reply needs, in hand: see hand.h.
 */
#include "ref-impl/gasnet/base/hand.h"

#include <assert.h>
#include <pthread.h>

#include "ref-impl/gasnet/base/chunks.h"
#include "ref-impl/gasnet/base/tickets.h"

enum { MESSAGES = 2 };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/* Guarded by the turn. */
static struct {
    bool has_chunk, has_temporary;
    uint32_t chunk, messages;
} hand;

bool hand_turn(void)
{
    return pthread_mutex_trylock(&turn) == 0;
}

bool hand_fill(void) //= GASN-074 GASN-144
{
    while (hand.messages < MESSAGES && tickets_take(TICKET_MESSAGE, 1)) {
        hand.messages++;
    }
    hand.has_temporary = hand.has_temporary || tickets_take(TICKET_TEMPORARY, 1);
    hand.has_chunk = hand.has_chunk || chunks_take(STORE_REPLIES, &hand.chunk);
    return hand.messages == MESSAGES && hand.has_temporary && hand.has_chunk;
}

void hand_pass(void)
{
    tickets_give(TICKET_MESSAGE, hand.messages);
    hand.messages = 0;
    if (hand.has_temporary) {
        tickets_give(TICKET_TEMPORARY, 1);
        hand.has_temporary = false;
    }
    if (hand.has_chunk) {
        chunks_give(STORE_REPLIES, hand.chunk);
        hand.has_chunk = false;
    }
    pthread_mutex_unlock(&turn);
}

uint32_t hand_chunk(void)
{
    assert(hand.has_chunk);
    hand.has_chunk = false;
    return hand.chunk;
}

void hand_message(void)
{
    assert(hand.messages > 0);
    hand.messages--;
}

void hand_temporary(void)
{
    assert(hand.has_temporary);
    hand.has_temporary = false;
}
