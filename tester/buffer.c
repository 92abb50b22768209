/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Queues of octets (buffer.h).
 */
#include "tester/buffer.h"

#include <stdlib.h>
#include <string.h>

bool buffer_append(struct buffer *buffer, const void *octets, size_t len)
{
    if (len == 0) {
        return true;
    }
    if (len > buffer->limit || buffer->len > buffer->limit - len) {
        return false;
    }
    if (buffer->len + len > buffer->room) {
        size_t room = buffer->room ? buffer->room : 1024;
        while (room < buffer->len + len) {
            room *= 2;
        }
        unsigned char *grown = realloc(buffer->octets, room);
        if (!grown) {
            return false;
        }
        buffer->octets = grown;
        buffer->room = room;
    }
    memcpy(buffer->octets + buffer->len, octets, len);
    buffer->len += len;
    return true;
}

void buffer_take(struct buffer *buffer, size_t len)
{
    buffer->len -= len;
    if (buffer->len) {
        memmove(buffer->octets, buffer->octets + len, buffer->len);
    }
}

void buffer_release(struct buffer *buffer)
{
    free(buffer->octets);
    buffer->octets = NULL;
    buffer->len = buffer->room = 0;
}
