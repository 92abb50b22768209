/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * From what an MPI library gave to the text of a reply. specs/interpreter.md, section 7.1.
 */
#include "call.h"

#include <string.h>

static bool results_can_ask;

void results_running(bool running)
{
    results_can_ask = running;
}

int called_left(struct call *call, int code)
{
    call_leave(call);
    return code;
}

int result_class(struct call *call, int code)
{
    int class_number = code;

    if (results_can_ask && code != MPI_SUCCESS)
        if (CALLED_AS(call, "MPI_Error_class", MPI_Error_class(code, &class_number)) != MPI_SUCCESS)
            class_number = code;
    return class_number;
}

void result_add_class(struct line *line, int class_number)
{
    const char *name = constant_number_name(NUMBER_CLASS, class_number);

    if (name)
        line_add(line, "%s", name);
    else
        line_add(line, "#%d", class_number);
}

bool result_code(struct call *call, int code)
{
    line_add(&call->result, " rc=");
    result_add_class(&call->result, result_class(call, code));
    call->stop = code != MPI_SUCCESS;
    if (call->stop)
        line_add(&call->result, " code=%d", code);
    return !call->stop;
}

void result_add_named(struct line *line, int group, int number)
{
    const char *name = constant_number_name(group, number);

    if (name)
        line_add(line, "%s", name);
    else
        line_add(line, "%d", number);
}

void result_number(struct call *call, const char *key, int group, int number)
{
    line_add(&call->result, " %s=", key);
    result_add_named(&call->result, group, number);
}

void result_add_status(struct line *line, const char *prefix, const MPI_Status *status)
{
    line_add(line, " %ssource=", prefix);
    result_add_named(line, NUMBER_RANK, status->MPI_SOURCE);
    line_add(line, " %stag=", prefix);
    result_add_named(line, NUMBER_TAG, status->MPI_TAG);
}

void result_status(struct call *call, const MPI_Status *status)
{
    if (command_value(&call->command, "status"))
        call_give(call, call_value(call, "status"), KIND_STATUS, status);
    result_add_status(&call->result, "status.", status);
}

/* is_null tells whether a constant is a null handle. */
static bool is_null(const char *name)
{
    const char *end = name ? strrchr(name, '_') : NULL;

    return end && (strcmp(end, "_NULL") == 0 || strcmp(end, "_INVALID") == 0);
}

void result_object(struct call *call, const char *key, int kind, const void *object)
{
    const char *name = constant_object_name(kind, object);

    call_give(call, call_value(call, key), kind, object);
    if (is_null(name))
        line_add(&call->result, " %s=%s", key, name);
}
