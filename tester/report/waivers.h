/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Waivers (specs/waivers.md): failures that are known, and for a time and by somebody's word do not keep a system under
 * test from its certificate. A waiver changes no verdict: it says what a failure counts for.
 */
#ifndef TESTER_REPORT_WAIVERS_H
#define TESTER_REPORT_WAIVERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* waivers_load reads the array of waivers of a file {"waivers":[..]}; a new reference, NULL and a message that says
 * what is wrong where. */
json_t *waivers_load(const char *path, char *message, size_t message_octets);

/* waivers_check tells whether the value is an array of waivers; false and a message when it is not. */
bool waivers_check(const json_t *waivers, char *message, size_t message_octets);

/* waivers_open gives what a run keeps of them: each with its `state`, "unused" or, on a later day than `today`
 * (YYYY-MM-DD) allows, "expired", and the cases that have come to something under it, as yet none. NULL stands for
 * none. A new reference. */
json_t *waivers_open(const json_t *waivers, const char *today);

/* What a result is under the waivers of its run. */
enum waiver_effect {
    WAIVER_NONE,
    WAIVER_WAIVED,     /* it has failed by what is waived */
    WAIVER_BEHIND,     /* it was blocked by a case that has */
    WAIVER_NOT_NEEDED, /* it has passed, although a waiver names it */
};

/* waivers_take looks at a result as report.json has it, notes it with its waiver, and adds the member `waiver`, {"id",
 * "effect"}, to it. */
enum waiver_effect waivers_take(json_t *waivers, json_t *result);

#endif
