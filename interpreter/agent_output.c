/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Cutting what a job prints into lines, within limits: 4,096 octets a line, 1,000 lines a job. What is beyond is read
 * and thrown away, so that the job does not stand still.
 */
#include "agent_output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent_talk.h"
#include "line.h"

enum { READ_OCTETS = 16384 };

void output_open(struct stream *stream, int fd, unsigned long job, const char *name, unsigned *lines)
{
    memset(stream, 0, sizeof *stream);
    stream->fd = fd;
    stream->job = job;
    stream->name = name;
    stream->lines = lines;
}

/* say sends one notice and shows it to the person. */
static void say(const struct stream *stream, const char *text, size_t len)
{
    struct line line = {0};
    FILE *terminal = strcmp(stream->name, "stdout") == 0 ? stdout : stderr;

    line_add(&line, "! output job=%lu stream=%s text=", stream->job, stream->name);
    line_add_encoded(&line, text, len);
    talk_send(&line);
    if (talk_is_quiet())
        return;
    fprintf(terminal, "[job %lu] %.*s\n", stream->job, (int)len, text);
    fflush(terminal);
}

/* end_line tells of the line that has been gathered. */
static void end_line(struct stream *stream)
{
    static const char enough[] = "(this job has printed 1000 lines; what follows is left out)";

    if (*stream->lines < OUTPUT_LINES)
        say(stream, stream->text, stream->len);
    else if (*stream->lines == OUTPUT_LINES)
        say(stream, enough, sizeof enough - 1);
    if (*stream->lines <= OUTPUT_LINES)
        ++*stream->lines;
    stream->len = 0;
}

static void take(struct stream *stream, const char *octets, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (octets[i] == '\n')
            end_line(stream);
        else if (stream->len < OUTPUT_LINE_OCTETS)
            stream->text[stream->len++] = octets[i];
    }
}

void output_read(struct stream *stream)
{
    char octets[READ_OCTETS];
    ssize_t got = read(stream->fd, octets, sizeof octets);

    if (got > 0)
        take(stream, octets, (size_t)got);
    else if (got == 0 || (errno != EAGAIN && errno != EINTR))
        output_close(stream);
}

void output_close(struct stream *stream)
{
    if (stream->fd < 0)
        return;
    if (stream->len > 0)
        end_line(stream);
    close(stream->fd);
    stream->fd = -1;
}
