/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What came late or never (check_waits.h).
 */
#include "tester/commands/check_waits.h"

#include <inttypes.h>
#include <stdio.h>

static double seconds_of(const struct finding_wait *at)
{
    return (double)at->waited_ns / 1e9;
}

void check_waits_print(const struct findings *findings)
{
    for (size_t i = 0; i < findings->wait_count; i++) {
        const struct finding_wait *at = &findings->waits[i];

        printf("note: packet %" PRIu64 ": a %s waits for its %s", at->wait.asked, at->wait.what, at->wait.wanted);
        if (at->wait.came) {
            printf(", which comes in packet %" PRIu64 ", %.3f s later\n", at->wait.came, seconds_of(at));
        } else {
            printf(", which has not come when the capture ends, %.3f s later\n", seconds_of(at));
        }
    }
    if (findings->waits_left_out) {
        printf("note: %zu more have waited\n", findings->waits_left_out);
    }
}

json_t *check_waits_json(const struct findings *findings)
{
    json_t *made = json_array();

    for (size_t i = 0; i < findings->wait_count; i++) {
        const struct finding_wait *at = &findings->waits[i];
        json_t *came = at->wait.came ? json_integer((json_int_t)at->wait.came) : json_null();

        json_array_append_new(made,
                              json_pack("{s:I,s:o,s:f,s:s,s:s}", "packet", (json_int_t)at->wait.asked, "answer", came,
                                        "seconds", seconds_of(at), "what", at->wait.what, "wanted", at->wait.wanted));
    }
    return made;
}
