/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What impirun and its members on the nodes of a cluster say to each other: lines of text over TCP, and octets where a
 * line announces some. See nodes.h for the conversation.
 */
#ifndef REF_IMPL_IMPI_CLIENT_LINE_H
#define REF_IMPL_IMPI_CLIENT_LINE_H

#include "ref-impl/impi/common/queue.h"

#include <stdbool.h>
#include <stddef.h>

enum { LINE_OCTETS = 512, LINE_PATIENCE_MS = 30000 };

/* struct line_stream is one end of a connection; all zeros but for `fd` is one on which nothing has been said. */
struct line_stream {
    int fd; /* does not block; -1: closed */
    struct queue in;
};

enum line_outcome { LINE_HEARD, LINE_NOT_YET, LINE_ENDED };

/* line_say - sends one line, whose end does not stand in `fmt`.
 * line_say_octets - sends octets. Both wait up to LINE_PATIENCE_MS for a peer that does not read. False: it is gone, or
 * does not read. */
__attribute__((format(printf, 2, 3))) bool line_say(int fd, const char *fmt, ...);
bool line_say_octets(int fd, const void *octets, size_t len);

/* line_next - the next line, without its end, of what has come. Does not block. LINE_ENDED: the other side is gone, or
 * what it says is no line of fewer than LINE_OCTETS octets. */
enum line_outcome line_next(struct line_stream *stream, char text[LINE_OCTETS]);

/* line_wait, line_wait_octets - block until a line, or `len` octets, are there. False: the other side is gone; octets
 * come in memory that grows with them, and belong to the stream until the next call. */
bool line_wait(struct line_stream *stream, char text[LINE_OCTETS]);
bool line_wait_octets(struct line_stream *stream, size_t len, const unsigned char **octets);

/* line_close - closes the connection and forgets what came. */
void line_close(struct line_stream *stream);

#endif
