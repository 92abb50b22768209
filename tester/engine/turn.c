/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One case's turn (turn.h).
 */
#include "tester/engine/turn.h"

#include "tester/base/clock.h"
#include "tester/engine/again.h"
#include "tester/engine/agent.h"
#include "tester/engine/case_run.h"
#include "tester/engine/earlier.h"

#include <stdint.h>

enum { LOSS_MS = 45000 }; /* by then session.c has noticed */

/* When a network breaks, the interpreters' connections may break before the agent's: what looks like their doing is
 * none of it. Where the run would wait for a lost agent, the agent must be there still when a case has not gone well.
 */
static void await_loss(struct engine_run *run, enum verdict verdict)
{
    char answer[64];

    if (run->resumable && (verdict == VERDICT_FAIL || verdict == VERDICT_INCONCLUSIVE)) {
        agent_ask(run, "jobs", LOSS_MS, answer, sizeof answer);
    }
}

void turn_take(struct engine_run *run, size_t place, unsigned attempt, struct turn *turn)
{
    const struct case_entry *entry = case_list_entry(run->cases, run->selection.indexes[place]);
    int64_t begin_ms = clock_now_ms();

    if (run->observer.started) {
        run->observer.started(run->observer.context, &entry->about, (unsigned)place, (unsigned)run->selection.count);
    }
    run->attempt = turn->attempt = attempt;
    if (attempt > 0) {
        sut_note(&run->sut, "again", "%s is run again, attempt %u", entry->about.id, attempt);
    }
    case_execute(&turn->execution, run, entry);
    run->attempt = 0;
    turn->duration_ms = (unsigned)(clock_now_ms() - begin_ms);
    await_loss(run, turn->execution.judge.verdict);
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
        .attempt = turn->attempt,
    };
    json_t *object = results_add(&run->results, entry, &result);
    json_t *record = earlier_record(object, judge, run->sut.build);

    result.record = record;
    if (turn->attempt > 0) { /* who hears the result may ask at once for another one */
        again_told(run);
    }
    if (run->observer.result) {
        run->observer.result(run->observer.context, &result);
    }
    json_decref(record);
    json_decref(object);
    case_release(&turn->execution);
}

bool turn_is_void(struct engine_run *run)
{
    const struct sut *sut = &run->sut;

    if (run->resumable && !sut->cancelled && sut->agent_connected && sut->agent.end == DIALOGUE_CLOSED) {
        run->whole->suspended = true;
    }
    return run->whole->suspended;
}

void turn_drop(struct turn *turn)
{
    case_release(&turn->execution);
}
