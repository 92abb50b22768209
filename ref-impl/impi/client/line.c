/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Lines over a connection: see line.h.
 */
#include "ref-impl/impi/client/line.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RECEIVE_MAX = 65536 };

bool line_say_octets(int fd, const void *octets, size_t len)
{
    const unsigned char *at = octets;

    while (len > 0) {
        struct pollfd wait = {fd, POLLOUT, 0};
        ssize_t sent = send(fd, at, len, MSG_NOSIGNAL);

        if (sent > 0) {
            at += sent;
            len -= (size_t)sent;
        } else if (errno != EAGAIN && errno != EINTR) {
            return false;
        } else if (poll(&wait, 1, LINE_PATIENCE_MS) == 0) {
            return false;
        }
    }
    return true;
}

bool line_say(int fd, const char *fmt, ...)
{
    char text[LINE_OCTETS];
    va_list args;

    va_start(args, fmt);
    int len = vsnprintf(text, sizeof text - 1, fmt, args);
    va_end(args);
    if (len < 0 || (size_t)len >= sizeof text - 1) {
        return false;
    }
    text[len] = '\n';
    return line_say_octets(fd, text, (size_t)len + 1);
}

/* Takes a line from what has come. LINE_ENDED: there can be none. */
static enum line_outcome line_take(struct line_stream *stream, char text[LINE_OCTETS])
{
    size_t len = queue_len(&stream->in);
    const unsigned char *begin = queue_front(&stream->in);
    const unsigned char *end = len > 0 ? memchr(begin, '\n', len) : NULL;

    if (!end) {
        return len < LINE_OCTETS ? LINE_NOT_YET : LINE_ENDED;
    }
    if (end - begin >= LINE_OCTETS || memchr(begin, '\0', (size_t)(end - begin))) {
        return LINE_ENDED;
    }
    memcpy(text, begin, (size_t)(end - begin));
    text[end - begin] = '\0';
    queue_take(&stream->in, (size_t)(end - begin) + 1);
    return LINE_HEARD;
}

enum line_outcome line_next(struct line_stream *stream, char text[LINE_OCTETS])
{
    enum line_outcome outcome = line_take(stream, text);

    if (outcome != LINE_NOT_YET) {
        return outcome;
    }
    enum queue_moved moved = queue_receive(&stream->in, stream->fd, RECEIVE_MAX);
    outcome = line_take(stream, text);
    return outcome == LINE_NOT_YET && moved != QUEUE_MOVED ? LINE_ENDED : outcome;
}

/* Waits for more. False: nothing comes any more. */
static bool more_wait(struct line_stream *stream)
{
    struct pollfd wait = {stream->fd, POLLIN, 0};

    (void)poll(&wait, 1, -1);
    return queue_receive(&stream->in, stream->fd, RECEIVE_MAX) == QUEUE_MOVED;
}

bool line_wait(struct line_stream *stream, char text[LINE_OCTETS])
{
    enum line_outcome outcome = line_take(stream, text);

    while (outcome == LINE_NOT_YET && more_wait(stream)) {
        outcome = line_take(stream, text);
    }
    return outcome == LINE_HEARD;
}

bool line_wait_octets(struct line_stream *stream, size_t len, const unsigned char **octets)
{
    while (queue_len(&stream->in) < len) {
        if (!more_wait(stream)) {
            return false;
        }
    }
    *octets = queue_front(&stream->in);
    return true;
}

void line_close(struct line_stream *stream)
{
    if (stream->fd >= 0) {
        close(stream->fd);
    }
    stream->fd = -1;
    queue_free(&stream->in);
}
