/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The preflight of IMPI (preflight.h). Whether a server prints its address and accepts, or a client finds the manager's
 * server, takes part in an honest start-up and brings its interpreters along, is found out by the same scripted peers
 * that the cases have: tester/cases/lib/impi/preflight.lua, executed here like a case.
 */
#include "tester/engine/preflight.h"

#include "tester/base/clock.h"
#include "tester/engine/case_run.h"
#include "tester/sut/job_state.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { CRASH_MS = 1000 };

static bool has_crashed(void *context)
{
    const struct sut *sut = context;
    const struct job *job = sut->jobs;

    while (job && !job->signalled) {
        job = job->next;
    }
    return job != NULL;
}

/* Whether the command is one that may be judged: it has come to the manager's server, or has said where it listens. */
static bool has_begun(const struct case_run *self)
{
    const struct job *job = self->sut->jobs;

    return self->streams.stream_count > 0 || (strcmp(self->sut->facts.role, "server") == 0 && job->line_count > 0);
}

/* What a crash means from then on is for the cases to judge: that it comes before the look is over, or behind it, is
 * chance. A look that has failed for another reason may be about to hear of one. */
static bool leave_crash(struct case_run *self)
{
    struct sut *sut = self->sut;
    bool looks = self->judge.verdict != VERDICT_FAIL;

    if (self->judge.verdict == VERDICT_PASS || (looks && !sut_pump(sut, has_crashed, sut, clock_now_ms() + CRASH_MS)) ||
        !sut->jobs || !has_begun(self)) {
        return false;
    }
    sut->facts.incoming = true;
    return true;
}

bool preflight_impi(struct engine_run *run)
{
    static char *none[] = {NULL};
    static const char *const no_requirement[] = {NULL};
    static const struct case_entry entry = {
        .about = {.id = "preflight",
                  .title = "a look at the system under test",
                  .ranks = 1,
                  .role = "",
                  .requirements = no_requirement},
        .requirements = none,
        .features = none,
        .verbs = none,
        .deadline_s = 180,
    };
    struct case_run self;
    char message[700];

    case_begin(&self, run, &entry);
    if (!case_library(&self, run, message, sizeof message)) {
        judge_end_format(&self.judge, VERDICT_INCONCLUSIVE, "tester", "%s", message);
    } else {
        lua_getglobal(self.lua, "Preflight");
        lua_getfield(self.lua, -1, run->sut.facts.role);
        case_call(&self);
    }
    bool crashed = leave_crash(&self);
    case_close(&self, run);
    if (crashed) {
        sut_note(&run->sut, "warning", "%.400s, which cases will judge", self.judge.reason);
    }
    bool good = (crashed || self.judge.verdict == VERDICT_PASS) && !run->sut.problem[0];
    if (!good) {
        sut_problem(&run->sut, "preflight: %s", self.judge.reason);
    }
    case_release(&self);
    return good && !sut_ended(&run->sut);
}
