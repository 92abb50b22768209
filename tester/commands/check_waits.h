/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What came late or never in captures, for `assay check`.
 */
#ifndef TESTER_COMMANDS_CHECK_WAITS_H
#define TESTER_COMMANDS_CHECK_WAITS_H

#include "tester/capture/findings.h"

#include <jansson.h>

/* check_waits_print - a line for each.
 * check_waits_json - an array of objects of "packet", "answer" (null: never), "seconds", "what" and "wanted"; the
 * caller's. */
void check_waits_print(const struct findings *findings);
json_t *check_waits_json(const struct findings *findings);

#endif
