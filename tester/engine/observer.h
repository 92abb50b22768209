/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a run tells while it happens, and at its end.
 */
#ifndef TESTER_ENGINE_OBSERVER_H
#define TESTER_ENGINE_OBSERVER_H

#include "tester/profile/case_info.h"
#include "tester/report/outcome.h"
#include "tester/report/results.h"

#include <stdbool.h>

/* struct engine_summary is what a run came to. */
struct engine_summary {
    const struct outcome *outcome; /* conforms, in part, does not conform, inconclusive, and why */
    const char *verdict;           /* the outcome's: "conforms", "does-not-conform", "inconclusive" */
    const char *role;              /* of a profile with roles: what was judged, "server" or "client"; else "" */
    const char *own_server;        /* command of the server that took part beside clients; else "" */
    unsigned pass, fail, warn, skip, inconclusive;
    unsigned requirements, judged; /* of the selected cases; those of them that a case has judged */
    bool suspended;                /* it has not ended: another run goes on with what this one has told (engine.h) */
};

/* struct engine_observer hears what happens, on the run's own thread, in order. Any member may be NULL. Texts are
 * UTF-8, whatever the system under test has printed.
 *
 * note      something to show: `text` is one line for a person, `kind` one of "waiting-for-agent", "agent-connected",
 *           "agent-joined", "preflight", "job-started", "interpreter-connected", "interpreter-gone", "job-ended",
 *           "output", "warning"
 * agent     the launch agent has come with this command template, and that of its server on a second line where it has
 *           one: false sends it away, and the run is suspended if there is no other. Where it is missing, any will do
 * started   a case begins; `index` counts from 0 to total - 1
 * step      the running case did something that is worth a line
 * result    a case has ended; its evidence files are complete
 * stored    the reports are written, and the launch agent waits to be told the verdict: true when the one who hears it
 *           has put all of the run where it outlives a crash. Otherwise the agent is told that nothing was settled
 * finished  the run is over and the agent dismissed; `problem` is "" or why the run could not judge. Of a run that is
 *           suspended this is all that comes, without `stored` */
struct engine_observer {
    void *context;
    void (*note)(void *context, const char *kind, const char *text);
    bool (*agent)(void *context, const char *templates);
    void (*started)(void *context, const struct case_info *about, unsigned index, unsigned total);
    void (*step)(void *context, const struct case_info *about, const char *text);
    void (*result)(void *context, const struct engine_result *result);
    bool (*stored)(void *context, const struct engine_summary *summary, const char *problem);
    void (*finished)(void *context, const struct engine_summary *summary, const char *problem);
};

#endif
