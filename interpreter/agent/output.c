/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Cutting what a job prints into lines, within limits: 4,096 octets a line, 1,000 lines a job. What is beyond is read
 * and thrown away, so that the job does not stand still.
 */
#include "output.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../common/line.h"
#include "conversation.h"

enum { READ_OCTETS = 16384, DRAIN_READS = 64 };

void output_open(struct job_output *output, int fd, unsigned long job, const char *name, unsigned *lines)
{
    memset(output, 0, sizeof *output);
    output->fd = fd;
    output->job = job;
    output->name = name;
    output->lines = lines;
}

/* say sends one notice and shows it to the person. */
static void say(const struct job_output *output, const char *text, size_t len)
{
    struct line line = {0};
    FILE *terminal = strcmp(output->name, "stdout") == 0 ? stdout : stderr;

    line_add(&line, "! output job=%lu stream=%s text=", output->job, output->name);
    line_add_encoded(&line, text, len);
    conversation_send(&line);
    if (conversation_is_quiet())
        return;
    fprintf(terminal, "[job %lu] %.*s\n", output->job, (int)len, text);
    fflush(terminal);
}

/* end_line tells of the line that has been gathered. */
static void end_line(struct job_output *output)
{
    static const char enough[] = "(this job has printed 1000 lines; what follows is left out)";

    if (*output->lines < OUTPUT_LINES)
        say(output, output->text, output->len);
    else if (*output->lines == OUTPUT_LINES)
        say(output, enough, sizeof enough - 1);
    if (*output->lines <= OUTPUT_LINES)
        ++*output->lines;
    output->len = 0;
}

static void take(struct job_output *output, const char *octets, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (octets[i] == '\n')
            end_line(output);
        else if (output->len < OUTPUT_LINE_OCTETS)
            output->text[output->len++] = octets[i];
    }
}

void output_read(struct job_output *output)
{
    char octets[READ_OCTETS];
    ssize_t got = read(output->fd, octets, sizeof octets);

    if (got > 0)
        take(output, octets, (size_t)got);
    else if (got == 0 || (errno != EAGAIN && errno != EINTR))
        output_close(output);
}

void output_drain(struct job_output *output)
{
    struct pollfd ready = {.fd = output->fd, .events = POLLIN};

    for (int i = 0; i < DRAIN_READS && output->fd >= 0 && poll(&ready, 1, 0) > 0; i++)
        output_read(output);
}

void output_close(struct job_output *output)
{
    if (output->fd < 0)
        return;
    if (output->len > 0)
        end_line(output);
    close(output->fd);
    output->fd = -1;
}
