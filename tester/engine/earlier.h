/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What an earlier run has told, of which this one is the continuation: its results are this run's, what it has found
 * broken is known, and which readings are followed, and its cases are not executed again.
 */
#ifndef TESTER_ENGINE_EARLIER_H
#define TESTER_ENGINE_EARLIER_H

#include "tester/base/status.h"
#include "tester/engine/state.h"
#include "tester/judging/judge.h"
#include "tester/sut/build.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* earlier_record gives what engine_result.record is to hold of a case: its object of report.json, the readings that
 * it has found, the fault where it has found one, and what has been measured since the last one. The caller releases
 * it. */
json_t *earlier_record(json_t *object, const struct judge *judge, struct build *build);

/* earlier_take takes an array of such records over into a run that has not begun; NULL: there are none.
 * ENGINE_BAD_EARLIER: one is none, or its case is another one today; `message` names it. */
enum engine_status earlier_take(struct engine_run *run, const json_t *records, char *message, size_t message_octets);

/* earlier_has tells whether the case at that place of the selection has been executed. */
bool earlier_has(const struct engine_run *run, size_t place);

#endif
