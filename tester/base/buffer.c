/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Queues of octets (buffer.h).
 */
#include "tester/base/buffer.h"

#include <stdlib.h>
#include <string.h>

/* Moves what is in the queue to the front of this memory, which has so much room. */
static void buffer_move(struct buffer *buffer, unsigned char *memory, size_t room)
{
    if (buffer->len) {
        memmove(memory, buffer->octets, buffer->len);
    }
    if (memory != buffer->memory) {
        free(buffer->memory);
    }
    buffer->octets = buffer->memory = memory;
    buffer->room = room;
}

/* Makes room for that many octets in all. The place of what was taken is used again once that is as much as would have
 * to be moved for it, so that a long queue is not moved for every few octets; until then the memory grows, to four
 * times what is in it at the most. */
static bool buffer_reserve(struct buffer *buffer, size_t octets)
{
    size_t taken = (size_t)(buffer->octets - buffer->memory), room = buffer->room ? buffer->room : 1024;

    if (octets <= buffer->room - taken) {
        return true;
    }
    if (octets <= buffer->room && taken >= buffer->len) {
        buffer_move(buffer, buffer->memory, buffer->room);
        return true;
    }
    while (room < octets || room == buffer->room) {
        room *= 2;
    }
    unsigned char *memory = malloc(room);
    if (memory) {
        buffer_move(buffer, memory, room);
    }
    return memory;
}

bool buffer_append(struct buffer *buffer, const void *octets, size_t len)
{
    if (len == 0) {
        return true;
    }
    if (len > buffer->limit || buffer->len > buffer->limit - len || !buffer_reserve(buffer, buffer->len + len)) {
        return false;
    }
    memcpy(buffer->octets + buffer->len, octets, len);
    buffer->len += len;
    return true;
}

void buffer_take(struct buffer *buffer, size_t len)
{
    buffer->len -= len;
    buffer->octets = buffer->len ? buffer->octets + len : buffer->memory;
}

void buffer_release(struct buffer *buffer)
{
    free(buffer->memory);
    buffer->octets = buffer->memory = NULL;
    buffer->len = buffer->room = 0;
}
