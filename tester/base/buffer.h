/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A queue of octets with a limit, for whatever is sized from outside.
 */
#ifndef TESTER_BASE_BUFFER_H
#define TESTER_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/* struct buffer is a queue of octets with a limit: appended at the end, taken from the front, each octet at a constant
 * cost. All zero but `limit` is empty. */
struct buffer {
    unsigned char *octets; /* the first one that is in it */
    size_t len, limit;
    unsigned char *memory; /* buffer.c's: `room` octets, `octets` points into them */
    size_t room;
};

/* buffer_append adds octets; false, and nothing added, when the limit would be passed or there is no memory. */
bool buffer_append(struct buffer *buffer, const void *octets, size_t len);

/* buffer_take removes the first `len` octets, which must be there. */
void buffer_take(struct buffer *buffer, size_t len);

/* buffer_release frees the octets; the limit stays. */
void buffer_release(struct buffer *buffer);

#endif
