/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory and text for the engine. Small allocations do not fail: the program ends with a message when the system has no
 * memory left, since nothing sensible could be judged any more. Whatever is sized from outside goes through struct
 * buffer, which has a limit and does fail.
 */
#ifndef TESTER_MEMORY_H
#define TESTER_MEMORY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* memory_zero returns `octets` zeroed octets; memory_grow is realloc. Neither returns NULL. */
void *memory_zero(size_t octets);
void *memory_grow(void *old, size_t octets);

/* memory_text returns a copy of the text; NULL is taken as "". memory_format prints into a new text. The caller frees.
 */
char *memory_text(const char *text);
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* struct buffer is a queue of octets with a limit: appended at the end, taken from the front. All zero but `limit` is
 * empty. */
struct buffer {
    unsigned char *octets;
    size_t len, room, limit;
};

/* buffer_append adds octets; false, and nothing added, when the limit would be passed or there is no memory. */
bool buffer_append(struct buffer *buffer, const void *octets, size_t len);

/* buffer_take removes the first `len` octets, which must be there. */
void buffer_take(struct buffer *buffer, size_t len);

/* buffer_release frees the octets; the limit stays. */
void buffer_release(struct buffer *buffer);

/* clock_now_ms and clock_now_us: time since some moment, never going back. */
int64_t clock_now_ms(void);
int64_t clock_now_us(void);

#endif
