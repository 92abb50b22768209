/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory, text, queues of octets and the clock for the engine (memory.h).
 */
#include "tester/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *memory_checked(void *memory)
{
    if (!memory) {
        fputs("assay: out of memory\n", stderr);
        abort();
    }
    return memory;
}

void *memory_zero(size_t octets)
{
    return memory_checked(calloc(1, octets ? octets : 1));
}

void *memory_grow(void *old, size_t octets)
{
    return memory_checked(realloc(old, octets ? octets : 1));
}

char *memory_text(const char *text)
{
    return memory_checked(strdup(text ? text : ""));
}

char *memory_format(const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    va_start(arguments, format);
    int len = vasprintf(&text, format, arguments);
    va_end(arguments);
    return memory_checked(len < 0 ? NULL : text);
}

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

int64_t clock_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_now_ms(void)
{
    return clock_now_us() / 1000;
}
