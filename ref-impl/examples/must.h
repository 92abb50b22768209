/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How the examples treat calls that have no reason to fail: they say which one failed, and end. The launcher then ends
 * the rest of the job.
 */
#ifndef REF_IMPL_EXAMPLES_MUST_H
#define REF_IMPL_EXAMPLES_MUST_H

#include <portals.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* must_hold ends the program with status 1 and a line on stderr unless `good`. */
static inline void must_hold(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "%s\n", what);
        exit(1);
    }
}

/* must_succeed is must_hold for the return code of the Portals function `call`. */
static inline void must_succeed(int code, const char *call)
{
    if (code != PTL_OK) {
        fprintf(stderr, "%s returned %d; portals.h says what that is\n", call, code);
        exit(1);
    }
}

/* MUST(call) is must_succeed with the call's own text. */
#define MUST(call) must_succeed((call), #call)

/* must_anybody is the criterion that every process fits. */
static inline ptl_process_id_t must_anybody(void)
{
    ptl_process_id_t id = {.addr_kind = PTL_ADDR_GID, .gid = PTL_ID_ANY, .rid = PTL_ID_ANY};

    return id;
}

/* must_event waits for the next event of a queue that is large enough for all that can come. */
static inline ptl_event_t must_event(ptl_handle_eq_t queue)
{
    ptl_event_t event;

    MUST(PtlEQWait(queue, &event));
    return event;
}

#endif
