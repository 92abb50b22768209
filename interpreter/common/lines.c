/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * From a stream of octets to lines. Every octet is looked at once: control characters, NUL and what is not ASCII are
 * refused as soon as they come, not only when a line is complete. specs/interpreter.md, section 2.
 */
#include "lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "line.h"

bool lines_open(struct lines *lines, int fd)
{
    memset(lines, 0, sizeof *lines);
    lines->fd = fd;
    lines->buffer = malloc(LINE_OCTETS);
    return lines->buffer != NULL;
}

void lines_close(struct lines *lines)
{
    free(lines->buffer);
    lines->buffer = NULL;
    if (lines->fd >= 0)
        close(lines->fd);
    lines->fd = -1;
}

enum lines_status lines_fill(struct lines *lines)
{
    ssize_t got;

    if (lines->start > 0) {
        memmove(lines->buffer, lines->buffer + lines->start, lines->end - lines->start);
        lines->end -= lines->start;
        lines->checked -= lines->start;
        lines->start = 0;
    }
    do
        got = recv(lines->fd, lines->buffer + lines->end, LINE_OCTETS - lines->end, 0);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        return LINES_CLOSED;
    lines->end += (size_t)got;
    return LINES_OK;
}

enum lines_status lines_take(struct lines *lines, char **line, const char **why)
{
    for (; lines->checked < lines->end; lines->checked++) {
        unsigned char octet = (unsigned char)lines->buffer[lines->checked];
        if (octet == '\n') {
            lines->buffer[lines->checked] = '\0';
            *line = lines->buffer + lines->start;
            lines->start = ++lines->checked;
            return LINES_OK;
        }
        if (octet < 0x20 || octet > 0x7e) {
            *why = octet == 0                      ? "NUL in a line"
                   : octet < 0x20 || octet == 0x7f ? "control character in a line"
                                                   : "line is not ASCII";
            return LINES_BAD;
        }
    }
    if (lines->end - lines->start >= LINE_OCTETS) {
        *why = "line longer than 262144 octets";
        return LINES_BAD;
    }
    return LINES_NONE;
}

enum lines_status lines_next(struct lines *lines, char **line, const char **why)
{
    enum lines_status status;

    while ((status = lines_take(lines, line, why)) == LINES_NONE)
        if (lines_fill(lines) != LINES_OK)
            return LINES_CLOSED;
    return status;
}
