/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The agent's side of the conversation. It has one thread, so nothing is locked.
 */
#include "conversation.h"

#include <string.h>

#include "../common/connection.h"
#include "../common/report.h"

static int conversation_fd = -1;
static bool conversation_quiet, conversation_broken;

void conversation_open(int fd, bool quiet)
{
    conversation_fd = fd;
    conversation_quiet = quiet;
    conversation_broken = false;
}

void conversation_send(struct line *line)
{
    line_add(line, "\n");
    if (!conversation_broken && (line->failed || !connection_send(conversation_fd, line->text, line->len))) {
        conversation_broken = true;
        report_say(line->failed ? "out of memory" : "the manager does not take what is sent");
    }
    line_release(line);
}

bool conversation_is_broken(void)
{
    return conversation_broken;
}

void conversation_break(void)
{
    conversation_broken = true;
}

bool conversation_is_quiet(void)
{
    return conversation_quiet;
}

void conversation_ok(unsigned long id, const char *results)
{
    struct line line = {0};

    line_add(&line, "%lu ok%s", id, results);
    conversation_send(&line);
}

void conversation_error(unsigned long id, const struct failure *failure)
{
    struct line line = {0};

    line_add(&line, "%lu error %s reason=", id, failure->code);
    line_add_encoded(&line, failure->reason, strlen(failure->reason));
    conversation_send(&line);
}
