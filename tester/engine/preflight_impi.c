/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The preflight of IMPI (preflight.h). Whether a server prints its address and accepts, or a client finds the manager's
 * server, takes part in an honest start-up and brings its interpreters along, is found out by the same scripted peers
 * that the cases have: tester/cases/lib/impi/preflight.lua, executed here like a case.
 */
#include "tester/engine/preflight.h"

#include "tester/engine/case_run.h"

#include <stdbool.h>
#include <stdio.h>

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
    case_close(&self, run);
    bool good = self.judge.verdict == VERDICT_PASS && !run->sut.problem[0];
    if (!good) {
        sut_problem(&run->sut, "preflight: %s", self.judge.reason);
    }
    case_release(&self);
    return good && !sut_ended(&run->sut);
}
