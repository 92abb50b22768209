/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Several requests at once. Sections 3.7.5 and 3.9 of the MPI-1.1 standard.
 */
#include "several.h"

#include <stdio.h>

#include "verbs.h"

bool several_read(struct call *call, const char *length, struct several *several)
{
    call_objects(call, "array_of_requests", KIND_REQUEST, &several->requests);
    several->status_names.len = 0;
    if (command_value(&call->command, "array_of_statuses")) {
        several->status_names.names = call_words(call, "array_of_statuses", LIST_MOST, &several->status_names.len);
        if (several->status_names.len != several->requests.len)
            failure_set(&call->failure, "bad-value", "array_of_statuses has %u names, but there are %u requests",
                        (unsigned)several->status_names.len, (unsigned)several->requests.len);
        for (size_t i = 0; i < several->status_names.len && !call_failed(call); i++)
            names_check_settable(several->status_names.names[i], &call->failure);
    }
    several->count = call_length(call, length, several->requests.len);
    several->statuses = call_memory(call, several->requests.len * sizeof *several->statuses);
    several->indices = call_memory(call, several->requests.len * sizeof *several->indices);
    return !call_failed(call);
}

void several_give(struct call *call, const struct several *several)
{
    const MPI_Request *requests = several->requests.objects;

    for (size_t i = 0; i < several->requests.len; i++)
        call_give(call, several->requests.names[i], KIND_REQUEST, &requests[i]);
}

void several_add_statuses(struct call *call, const struct several *several, int count, bool with_errors)
{
    for (size_t i = 0; i < several->requests.len && (int)i < count; i++) {
        const MPI_Status *status = &several->statuses[i];
        char prefix[24];
        snprintf(prefix, sizeof prefix, "s%u.", (unsigned)i);
        result_add_status(&call->result, prefix, status);
        if (i < several->status_names.len)
            call_give(call, several->status_names.names[i], KIND_STATUS, status);
        if (!with_errors)
            continue;
        line_add(&call->result, " %serror=", prefix);
        result_add_class(&call->result, result_class(call, status->MPI_ERROR));
    }
}

/* has_statuses tells whether a code goes with statuses. */
static bool has_statuses(struct call *call, int code)
{
    return code == MPI_SUCCESS || result_class(call, code) == MPI_ERR_IN_STATUS;
}

static void run_startall(struct call *call)
{
    struct several s;

    if (!several_read(call, "count", &s))
        return;
    result_code(call, CALLED(call, MPI_Startall(s.count, s.requests.objects)));
    several_give(call, &s);
}

void several_finish(struct call *call, const struct several *several, int code, int flag)
{
    several_give(call, several);
    if (flag && has_statuses(call, code))
        several_add_statuses(call, several, several->count, code != MPI_SUCCESS);
}

static void run_waitall(struct call *call)
{
    struct several s;
    int code;

    if (!several_read(call, "count", &s))
        return;
    code = CALLED(call, MPI_Waitall(s.count, s.requests.objects, s.statuses));
    result_code(call, code);
    several_finish(call, &s, code, true);
}

static void run_testall(struct call *call)
{
    struct several s;
    int code, flag = 0;

    if (!several_read(call, "count", &s))
        return;
    code = CALLED(call, MPI_Testall(s.count, s.requests.objects, &flag, s.statuses));
    if (result_code(call, code))
        result_bool(call, "flag", flag != 0);
    several_finish(call, &s, code, flag || code != MPI_SUCCESS);
}

static void run_waitany(struct call *call)
{
    struct several s;
    int index = 0;

    call_new_status(call);
    if (!several_read(call, "count", &s))
        return;
    s.statuses = call_memory(call, sizeof *s.statuses); /* one, even when there are no requests */
    if (!s.statuses)
        return;
    if (result_code(call, CALLED(call, MPI_Waitany(s.count, s.requests.objects, &index, s.statuses)))) {
        result_number(call, "index", NUMBER_UNDEFINED, index);
        result_status(call, s.statuses);
    }
    several_give(call, &s);
}

static void run_testany(struct call *call)
{
    struct several s;
    int index = 0, flag = 0;

    call_new_status(call);
    if (!several_read(call, "count", &s))
        return;
    s.statuses = call_memory(call, sizeof *s.statuses);
    if (!s.statuses)
        return;
    if (result_code(call, CALLED(call, MPI_Testany(s.count, s.requests.objects, &index, &flag, s.statuses)))) {
        result_bool(call, "flag", flag != 0);
        result_number(call, "index", NUMBER_UNDEFINED, index);
        if (flag)
            result_status(call, s.statuses);
    }
    several_give(call, &s);
}

/* finish_some tells how Waitsome or Testsome went. */
static void finish_some(struct call *call, const struct several *several, int code, int outcount)
{
    result_code(call, code);
    several_give(call, several);
    if (!has_statuses(call, code))
        return;
    result_number(call, "outcount", NUMBER_UNDEFINED, outcount);
    line_add(&call->result, " array_of_indices=");
    for (size_t i = 0; i < several->requests.len && (int)i < outcount; i++)
        line_add(&call->result, "%s%d", i ? "," : "", several->indices[i]);
    several_add_statuses(call, several, outcount, code != MPI_SUCCESS);
}

static void run_waitsome(struct call *call)
{
    struct several s;
    int outcount = 0, code;

    if (!several_read(call, "incount", &s))
        return;
    code = CALLED(call, MPI_Waitsome(s.count, s.requests.objects, &outcount, s.indices, s.statuses));
    finish_some(call, &s, code, outcount);
}

static void run_testsome(struct call *call)
{
    struct several s;
    int outcount = 0, code;

    if (!several_read(call, "incount", &s))
        return;
    code = CALLED(call, MPI_Testsome(s.count, s.requests.objects, &outcount, s.indices, s.statuses));
    finish_some(call, &s, code, outcount);
}

const struct verb mpi_several[] = {
    {"MPI_Startall", "[count] array_of_requests", run_startall, false},
    {"MPI_Waitall", "[count] array_of_requests [array_of_statuses]", run_waitall, false},
    {"MPI_Testall", "[count] array_of_requests [array_of_statuses]", run_testall, false},
    {"MPI_Waitany", "[count] array_of_requests [status]", run_waitany, false},
    {"MPI_Testany", "[count] array_of_requests [status]", run_testany, false},
    {"MPI_Waitsome", "[incount] array_of_requests [array_of_statuses]", run_waitsome, false},
    {"MPI_Testsome", "[incount] array_of_requests [array_of_statuses]", run_testsome, false},
    {NULL, NULL, NULL, false},
};
