/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Events and event queues: the PtlEQ functions.
 */
#include "ref-impl/core/eq.h"

#include <revision.h>

#include "ref-impl/api3/handler.h"
#include "ref-impl/api3/later.h"
#include "ref-impl/core/ni.h"

API int PtlEQAlloc(ptl_handle_ni_t ni_handle, ptl_size_t count, ptl_eq_handler_t eq_handler, ptl_handle_eq_t *eq_handle)
{
    enum core_status status;
    int code = api3_ready(eq_handle, sizeof(*eq_handle));

    if (code != PTL_OK) {
        return code;
    }
    if (count == 0 && REVISION_POLICY.empty_queue_is_none) {
        code = api3_code(ni_is_open(ni_handle));
        *eq_handle = code == PTL_OK ? PTL_EQ_NONE : *eq_handle;
        return code;
    }
    status =
        eq_handler ? handler_alloc(ni_handle, count, eq_handler, eq_handle) : eq_alloc(ni_handle, count, eq_handle);
    return api3_code(status);
}

API int PtlEQFree(ptl_handle_eq_t eq_handle)
{
    int code = api3_ready(NULL, 0);

    return code == PTL_OK ? api3_code(handler_free(eq_handle)) : code;
}

API int PtlEQGet(ptl_handle_eq_t eq_handle, ptl_event_t *event)
{
    int code = api3_ready(event, sizeof(*event));
    struct core_event logged;

    return code == PTL_OK ? api3_event(eq_get(eq_handle, &logged), &logged, event) : code;
}

API int PtlEQWait(ptl_handle_eq_t eq_handle, ptl_event_t *event)
{
    int code = api3_ready(event, sizeof(*event));
    struct core_event logged;

    return code == PTL_OK ? api3_event(eq_wait(eq_handle, &logged), &logged, event) : code;
}
