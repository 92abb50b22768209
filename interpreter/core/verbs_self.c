/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Threads, and what the interpreter can say about itself. specs/interpreter.md, sections 4.5 and 4.6.
 */
#include "verbs.h"

#include <string.h>
#include <unistd.h>

#include "api.h"

static void run_thread(struct call *call)
{
    const char *name = call_value(call, "name");
    struct meaning meaning;

    memset(&meaning, 0, sizeof meaning);
    meaning.kind = KIND_THREAD;
    names_add(name, &meaning, &call->failure);
    if (call_failed(call))
        return;
    executor_start(name, &call->failure);
    if (call_failed(call))
        names_remove(name);
}

static void run_join(struct call *call)
{
    const char *name = call_value(call, "name");
    struct meaning meaning;

    if (!names_get(name, &meaning))
        failure_set(&call->failure, "unknown-name", "there is no thread %.40s", name);
    else if (meaning.kind != KIND_THREAD)
        failure_set(&call->failure, "wrong-kind", "%.40s is a %s, not a thread", name, kind_title(meaning.kind));
    if (call_failed(call))
        return;
    executor_join(name, &call->failure);
    if (!call_failed(call))
        names_remove(name);
}

static void run_describe(struct call *call)
{
    api.describe(&call->result);
    line_add(&call->result, " pagesize=%ld", sysconf(_SC_PAGESIZE));
}

static void run_commands(struct call *call)
{
    line_add(&call->result, " verbs=");
    verbs_add_names(&call->result);
}

static void run_quit(struct call *call)
{
    call->after = AFTER_QUIT;
}

static void run_abandon(struct call *call)
{
    if (command_value(&call->command, "status"))
        call->status = (int)call_count(call, "status", 0, 255);
    if (command_value(&call->command, "signal"))
        call->ended_by = (int)call_count(call, "signal", 1, 31);
    if (!call_failed(call))
        call->after = AFTER_ABANDON;
}

const struct verb verbs_self[] = {
    {"thread", "name", run_thread, true},
    {"join", "name", run_join, true},
    {"describe", "", run_describe, false},
    {"commands", "", run_commands, false},
    {"quit", "", run_quit, true},
    {"abandon", "[status] [signal]", run_abandon, true},
    {NULL, NULL, NULL, false},
};
