/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Waiting with a limit, which MPI lacks: the library's own tests, again and again. specs/interpreter.md, section 7.4.
 */
#include <string.h>

#include "../common/times.h"
#include "several.h"
#include "verbs.h"

enum { PAUSE_LEAST_US = 20, PAUSE_MOST_US = 1000 };

/* struct patience is the time until the next look. Each pause is longer, so that a slow peer costs no processor. */
struct patience {
    long long until_ms;
    long pause_us;
};

static struct patience patience_begin(struct call *call)
{
    struct patience patience = {call_until(call), PAUSE_LEAST_US};

    return patience;
}

/* patience_again waits for a moment; false when the time is over. */
static bool patience_again(struct patience *patience)
{
    if (times_now_ms() >= patience->until_ms)
        return false;
    times_sleep_us(patience->pause_us);
    if (patience->pause_us < PAUSE_MOST_US)
        patience->pause_us *= 2;
    return true;
}

static void run_complete(struct call *call)
{
    struct patience patience = patience_begin(call);
    MPI_Request request;
    MPI_Status status;
    int flag = 0, code;

    call_unwritten(&status, sizeof status);
    call_object(call, "request", KIND_REQUEST, &request);
    call_new_status(call);
    if (call_failed(call))
        return;
    do
        code = CALLED_AS(call, "MPI_Test", MPI_Test(&request, &flag, &status));
    while (code == MPI_SUCCESS && !flag && patience_again(&patience));
    if (!result_code(call, code)) {
        call_give(call, call_value(call, "request"), KIND_REQUEST, &request);
        return;
    }
    result_bool(call, "flag", flag != 0);
    result_object(call, "request", KIND_REQUEST, &request);
    if (flag)
        result_status(call, &status);
}

static void run_complete_all(struct call *call)
{
    struct patience patience = patience_begin(call);
    struct several s;
    int code, flag = 0;

    if (!several_read(call, "count", &s))
        return;
    do
        code = CALLED_AS(call, "MPI_Testall", MPI_Testall(s.count, s.requests.objects, &flag, s.statuses));
    while (code == MPI_SUCCESS && !flag && patience_again(&patience));
    if (result_code(call, code))
        result_bool(call, "flag", flag != 0);
    several_finish(call, &s, code, flag || code != MPI_SUCCESS);
}

static void run_arrived(struct call *call)
{
    struct patience patience = patience_begin(call);
    int source = call_number(call, "source"), tag = call_number(call, "tag"), flag = 0, code;
    MPI_Comm comm = call_comm(call, "comm");
    MPI_Status status;

    call_unwritten(&status, sizeof status);
    call_new_status(call);
    if (call_failed(call))
        return;
    do
        code = CALLED_AS(call, "MPI_Iprobe", MPI_Iprobe(source, tag, comm, &flag, &status));
    while (code == MPI_SUCCESS && !flag && patience_again(&patience));
    if (!result_code(call, code))
        return;
    result_bool(call, "flag", flag != 0);
    if (flag)
        result_status(call, &status);
}

static void run_progress(struct call *call)
{
    struct patience patience = patience_begin(call);
    MPI_Comm comm = call_comm(call, "comm");
    MPI_Status status;
    int flag, code;

    if (call_failed(call))
        return;
    do
        code = CALLED_AS(call, "MPI_Iprobe", MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status));
    while (code == MPI_SUCCESS && patience_again(&patience));
    result_code(call, code);
}

const struct verb mpi_waiting[] = {
    {"complete", "request ms [status]", run_complete, false},
    {"complete-all", "array_of_requests ms [array_of_statuses]", run_complete_all, false},
    {"arrived", "source tag comm ms [status]", run_arrived, false},
    {"progress", "comm ms", run_progress, false},
    {NULL, NULL, NULL, false},
};
