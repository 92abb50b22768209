/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * PtlEQWait_timeout, the only wait of Portals 3.2 with a limit of time. The document does not have it; file systems of
 * the time call it. The queue is looked into, and between two looks the caller sleeps a little: each look drives the
 * network, and its own thread goes on meanwhile.
 */
#include <time.h>

#include "ref-impl/api3/later.h"
#include "ref-impl/clock.h"
#include "ref-impl/core/eq.h"

enum { SLEEP_NS = 50000 };

API int PtlEQWait_timeout(ptl_handle_eq_t eq_handle, ptl_event_t *event, int timeout)
{
    int code = api3_ready(event, sizeof(*event));
    uint64_t deadline = clock_now_ms() + (timeout > 0 ? (uint64_t)timeout : 0) * 1000;
    struct core_event logged;
    enum core_status status;

    if (code != PTL_OK) {
        return code;
    }
    while ((status = eq_get(eq_handle, &logged)) == CORE_EMPTY && clock_now_ms() < deadline) {
        nanosleep(&(struct timespec){0, SLEEP_NS}, NULL);
    }
    return api3_event(status, &logged, event);
}
