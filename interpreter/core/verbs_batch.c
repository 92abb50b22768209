/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Batches: commands repeated without a round trip to the manager, for measurements and for races. specs/interpreter.md,
 * section 4.4.
 */
#include "verbs.h"

#include <string.h>

enum { LINES_MOST = 64, ROUNDS_MOST = 1000000000 };

/* number_lines writes `text` with the number of the round in place of %i and %I. */
static void number_lines(struct line *line, const char *text, unsigned long round)
{
    line_cut(line, 0);
    for (;;) {
        const char *percent = strchr(text, '%');
        size_t len = percent ? (size_t)(percent - text) : strlen(text);
        line_add_text(line, text, len);
        if (!percent)
            return;
        text = percent + 2;
        if (percent[1] == 'i')
            line_add(line, "%lu", round);
        else if (percent[1] == 'I')
            line_add(line, "0x%lx", round);
        else {
            line_add_text(line, percent, 1);
            text = percent + 1;
        }
    }
}

/* run_line executes one line as a command of its own. `inner` keeps what came out. */
static void run_line(const struct call *call, struct call *inner, struct line *text, const char *line,
                     unsigned long round)
{
    number_lines(text, line, round);
    line_cut(&inner->result, 0);
    inner->executor = call->executor;
    inner->in_batch = true;
    inner->stop = false;
    if (text->failed)
        failure_set(&inner->failure, "no-memory", "the line is too long");
    else
        verbs_run(inner, text->text);
    call_release(inner);
}

/* find_code gives the return code in a result, which stands first. */
static const char *find_code(struct line *result)
{
    static const char key[] = " rc=";

    if (!result->text || strncmp(result->text, key, sizeof key - 1) != 0)
        return "none";
    result->text[sizeof key - 1 + strcspn(result->text + sizeof key - 1, " ")] = '\0';
    return result->text + sizeof key - 1;
}

static void report_end(struct call *call, struct call *inner, unsigned long runs, size_t line)
{
    line_add(&call->result, " runs=%lu line=%u", runs, (unsigned)line);
    if (inner->failure.code) {
        line_add(&call->result, " error=%s reason=", inner->failure.code);
        line_add_encoded(&call->result, inner->failure.reason, strlen(inner->failure.reason));
    } else if (line > 0) {
        line_add(&call->result, " rc=%s", find_code(&inner->result));
    }
    call->stop = line > 0;
}

static void run_batch(struct call *call)
{
    size_t lines = (size_t)call_count(call, "lines", 1, LINES_MOST), stopped = 0;
    unsigned long repeat = (unsigned long)call_count(call, "repeat", 1, ROUNDS_MOST), round = 0;
    struct line text = {0};
    struct call inner;

    if (command_value(&call->command, "until") && !call_is(call, "until", "error"))
        failure_set(&call->failure, "bad-value", "until can only be error");
    if (!call_failed(call) && call->work->lines != lines + 1)
        failure_set(&call->failure, "syntax", "%u lines came, not %u", (unsigned)call->work->lines - 1,
                    (unsigned)lines);
    if (call_failed(call))
        return;
    memset(&inner, 0, sizeof inner);
    while (round < repeat && !stopped) {
        const char *line = call->work->text;
        for (size_t i = 1; i <= lines && !stopped; i++) {
            /* the first text is the batch command itself, which has been cut into words */
            line = i == 1 ? call->work->text + call->work->first_len : line + strlen(line) + 1;
            run_line(call, &inner, &text, line, round);
            if (inner.stop || call_failed(&inner))
                stopped = i;
        }
        round += !stopped;
    }
    report_end(call, &inner, round, stopped);
    line_release(&inner.result);
    line_release(&text);
}

const struct verb verbs_batch[] = {
    {"batch", "lines repeat [until]", run_batch, true},
    {NULL, NULL, NULL, false},
};
