/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One case's turn (turn.h).
 */
#include "tester/engine/turn.h"

#include "tester/base/clock.h"
#include "tester/engine/case_run.h"

#include <stdint.h>

void turn_take(struct engine_run *run, size_t place, struct turn *turn)
{
    const struct case_entry *entry = case_list_entry(run->cases, run->selection.indexes[place]);
    int64_t begin_ms = clock_now_ms();

    if (run->observer.started) {
        run->observer.started(run->observer.context, &entry->about, (unsigned)place, (unsigned)run->selection.count);
    }
    case_execute(&turn->execution, run, entry);
    turn->duration_ms = (unsigned)(clock_now_ms() - begin_ms);
}

void turn_tell(struct engine_run *run, struct turn *turn)
{
    const struct case_entry *entry = turn->execution.entry;
    const struct judge *judge = &turn->execution.judge;
    const struct evidence *evidence = turn->execution.evidence;
    char symptom[SYMPTOM_TEXT];

    symptom_text(&judge->symptom, symptom);
    struct engine_result result = {
        .about = &entry->about,
        .verdict = judge->verdict,
        .axis = judge->axis,
        .reason = judge->reason,
        .expected = judge->expected,
        .observed = judge->observed,
        .requirement = judge->requirement,
        .symptom = symptom,
        .blocked_by_requirement = judge->blocked_by ? judge->blocked_by->requirement : "",
        .blocked_by_case = judge->blocked_by ? judge->blocked_by->case_id : "",
        .evidence = evidence->files,
        .evidence_count = evidence->file_count,
        .duration_ms = turn->duration_ms,
    };
    results_add(&run->results, entry, &result);
    if (run->observer.result) {
        run->observer.result(run->observer.context, &result);
    }
    case_release(&turn->execution);
}
