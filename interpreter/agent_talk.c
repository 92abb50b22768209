/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The agent's side of the conversation. It has one thread, so nothing is locked.
 */
#include "agent_talk.h"

#include <string.h>

#include "connection.h"
#include "report.h"

static int talk_fd = -1;
static bool talk_quiet, talk_broken;

void talk_open(int fd, bool quiet)
{
    talk_fd = fd;
    talk_quiet = quiet;
}

void talk_send(struct line *line)
{
    line_add(line, "\n");
    if (!talk_broken && (line->failed || !connection_send(talk_fd, line->text, line->len))) {
        talk_broken = true;
        report_say(line->failed ? "out of memory" : "the manager does not take what is sent");
    }
    line_release(line);
}

bool talk_is_broken(void)
{
    return talk_broken;
}

void talk_break(void)
{
    talk_broken = true;
}

bool talk_is_quiet(void)
{
    return talk_quiet;
}

void talk_ok(unsigned long id, const char *results)
{
    struct line line = {0};

    line_add(&line, "%lu ok%s", id, results);
    talk_send(&line);
}

void talk_error(unsigned long id, const struct failure *failure)
{
    struct line line = {0};

    line_add(&line, "%lu error %s reason=", id, failure->code);
    line_add_encoded(&line, failure->reason, strlen(failure->reason));
    talk_send(&line);
}
