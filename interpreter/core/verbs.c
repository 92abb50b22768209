/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * From a command to its reply: find the verb, check the pairs, run it under its deadline, answer. specs/interpreter.md,
 * section 2.2.
 */
#include "verbs.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/report.h"
#include "api.h"
#include "output.h"
#include "watch.h"

static const struct verb *const common[] = {verbs_memory, verbs_time, verbs_batch, verbs_self};

enum { COMMON = sizeof common / sizeof *common };

/* chapter_at gives one chapter after the other, the library's first, and NULL behind the last. */
static const struct verb *chapter_at(size_t index)
{
    size_t own = 0;

    while (api.chapters[own])
        own++;
    if (index < own)
        return api.chapters[index];
    return index - own < COMMON ? common[index - own] : NULL;
}

static const struct verb *find(const char *name)
{
    const struct verb *chapter;

    for (size_t i = 0; (chapter = chapter_at(i)) != NULL; i++)
        for (const struct verb *verb = chapter; verb->name; verb++)
            if (strcmp(verb->name, name) == 0)
                return verb;
    return NULL;
}

void verbs_add_names(struct line *line)
{
    const struct verb *chapter;
    const char *between = "";

    for (size_t i = 0; (chapter = chapter_at(i)) != NULL; i++) {
        for (const struct verb *verb = chapter; verb->name; verb++) {
            line_add(line, "%s%s", between, verb->name);
            between = ",";
        }
    }
}

size_t verbs_lines_behind(const char *body)
{
    static const char verb[] = "batch ", key[] = " lines=";
    char number[8] = "";
    unsigned long long lines;
    const char *at;

    if (strncmp(body, verb, sizeof verb - 1) != 0 || (at = strstr(body, key)) == NULL)
        return 0;
    at += sizeof key - 1;
    if (strcspn(at, " ") >= sizeof number)
        return 0;
    memcpy(number, at, strcspn(at, " "));
    return text_read_count(number, 1, 64, &lines) ? (size_t)lines : 0;
}

void verbs_run(struct call *call, char *body)
{
    const struct verb *verb;

    command_read_body(body, &call->command, &call->failure);
    if (call_failed(call))
        return;
    verb = find(call->command.verb);
    if (!verb)
        failure_set(&call->failure, "unknown-command", "no verb is called '%.40s'", call->command.verb);
    else if (verb->alone && call->in_batch)
        failure_set(&call->failure, "syntax", "%s cannot stand in a batch", verb->name);
    else
        command_check(&call->command, verb->pairs, &call->failure);
    if (!call_failed(call))
        verb->run(call);
}

static void reply(const struct call *call, unsigned long id)
{
    struct line line = {0};

    line_add(&line, "%lu ", id);
    if (call->failure.code) {
        line_add(&line, "error %s reason=", call->failure.code);
        line_add_encoded(&line, call->failure.reason, strlen(call->failure.reason));
    } else {
        line_add(&line, "ok");
        line_add_text(&line, call->result.text ? call->result.text : "", call->result.len);
        line.failed |= call->result.failed;
    }
    output_line(&line, id);
    line_release(&line);
}

/* leave ends the process. The library's exit handlers run under the deadline of `quit`. */
static void leave(struct call *call, unsigned long id)
{
    output_quit();
    reply(call, id);
    if (call->after == AFTER_ABANDON) {
        if (call->ended_by)
            kill(getpid(), call->ended_by);
        _exit(call->status);
    }
    call_enter(call, "exit");
    exit(EXIT_DONE);
}

void verbs_execute(struct executor *executor, struct work *work)
{
    struct call call;

    memset(&call, 0, sizeof call);
    call.executor = executor;
    call.work = work;
    watch_begin(executor, work->id, work->deadline_ms);
    verbs_run(&call, work->text);
    if (call.after != AFTER_NOTHING)
        leave(&call, work->id);
    watch_end(executor);
    call_release(&call);
    reply(&call, work->id);
    line_release(&call.result);
}
