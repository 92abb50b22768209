/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Octets and numbers of a capture file (read_file.h).
 */
#include "tester/capture/read_file.h"

#include "tester/base/memory.h"

#include <errno.h>
#include <string.h>

size_t capture_read(struct capture *capture, void *octets, size_t len)
{
    size_t got = fread(octets, 1, len, capture->file);

    capture->offset += got;
    return got;
}

void capture_room(struct capture *capture, size_t len)
{
    if (len > capture->room) {
        capture->block = memory_grow(capture->block, len);
        capture->room = len;
    }
}

unsigned capture_u16(const struct capture *capture, const unsigned char *at)
{
    return capture->swapped ? (unsigned)at[0] << 8 | at[1] : (unsigned)at[1] << 8 | at[0];
}

uint32_t capture_u32(const struct capture *capture, const unsigned char *at)
{
    uint32_t first = capture_u16(capture, at), second = capture_u16(capture, at + 2);

    return capture->swapped ? first << 16 | second : second << 16 | first;
}

enum capture_result capture_fail(const struct capture *capture, char *message, size_t message_octets, const char *what)
{
    const char *reason = ferror(capture->file) ? strerror(errno) : what;

    snprintf(message, message_octets, "offset %llu, behind packet %llu: %s", (unsigned long long)capture->offset,
             (unsigned long long)capture->packets, reason);
    return CAPTURE_BROKEN;
}
