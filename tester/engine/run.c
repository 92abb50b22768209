/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The life of a run, on its own thread (run.h):
 *
 *   [waiting for the agent] -> [preflight] -> [one case after the other] -> [reports] -> [stored] -> [agent dismissed]
 *              |-------------------|---- a problem, or cancelled ------------------^
 *              \-------------------\---- suspended, or its agent is lost --> [left to a run that goes on with it]
 */
#include "tester/engine/run.h"

#include "tester/engine/again.h"
#include "tester/engine/agent.h"
#include "tester/engine/earlier.h"
#include "tester/engine/lanes.h"
#include "tester/engine/state.h"
#include "tester/engine/turn.h"

#include "tester/base/clock.h"
#include "tester/base/host_load.h"
#include "tester/base/memory.h"
#include "tester/base/pairs.h"
#include "tester/base/utf8.h"
#include "tester/profile/profile.h"
#include "tester/report/coverage.h"
#include "tester/report/report.h"
#include "tester/sut/build.h"
#include "tester/sut/own_server.h"
#include "tester/sut/partner.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_MS = 10000, GUEST_MS = 15 * 60 * 1000 };

/* ---- the run's thread ---- */

/* Whether the case has a place for what this run has: its role, and, where it is a meeting at the client's own server,
 * such a server. Who has a guest wants meetings and nothing else. */
static bool run_takes(const void *context, const struct case_info *about)
{
    const struct engine_run *run = context;

    return strcmp(about->role, run->sut.facts.role) == 0 && (about->cell || !run->guest) &&
           (!about->needs_own_server || run->sut.facts.own_server[0]);
}

/* Says in which way a command template belongs to the role: "has {client}", or "has no {client}" for the role of all
 * other templates. */
static void say_template(const struct profile *profile, const struct profile_role *role, char *text, size_t octets)
{
    size_t len = (size_t)snprintf(text, octets, "has %s", role->placeholder ? role->placeholder : "no");

    for (size_t i = 0; !role->placeholder && i < profile->role_count && len < octets; i++) {
        if (profile->roles[i].placeholder) {
            len += (size_t)snprintf(text + len, octets - len, " %s", profile->roles[i].placeholder);
        }
    }
}

/* Leaves only the cases of the role that the template gives to the system under test; false when that is none. */
static bool run_choose_role(struct engine_run *run, const struct profile_role *role)
{
    size_t kept;
    char how[160];

    run->sut.facts.role = role->name;
    if (!own_server_take(&run->sut, run->own_server)) {
        return false;
    }
    kept = selection_keep(&run->selection, run_takes, run);
    say_template(run->profile, role, how, sizeof how);
    sut_note(&run->sut, "preflight", "the command template %s: what it starts is judged as %s", how, role->title);
    if (kept == 0) {
        sut_problem(&run->sut,
                    "no selected case judges the role %s, but the command template %s: it starts what is judged as %s",
                    role->name, how, role->title);
    }
    return kept > 0;
}

static bool has_word(const char *const *words, const char *word)
{
    while (*words && !strstr(*words, word)) {
        words++;
    }
    return *words != NULL;
}

/* What the command template says about the system under test. */
static bool run_read_template(struct engine_run *run, const char *template)
{
    const struct profile_role *role = profile_role_of(run->profile, template);

    run->sut.facts.role = "";
    run->sut.facts.hosts = strstr(template, "{hosts}") != NULL;
    run->sut.facts.options = strstr(template, "{options}") != NULL;
    if (profile_has_roles(run->profile) && !run_choose_role(run, role)) {
        return false;
    }
    run->sut.facts.single = !strstr(template, "{np}") && has_word(role->reference, "{np}");
    if (run->sut.facts.single) {
        sut_note(&run->sut, "warning",
                 "the command template has no {np}: cases that need several processes are skipped");
    }
    return true;
}

/* Where the agent offers to execute several cases at once, it is asked to: each lane gets an agent of its own, whose
 * token is known before anybody is told. Who cancels the run meanwhile sees the lanes, or is seen here. */
static bool run_open_lanes(struct engine_run *run)
{
    char offered[16], text[32], answer[200];

    pairs_value(run->sut.agent.hello, "jobs", offered, sizeof offered);
    unsigned long more = strtoul(offered, NULL, 10);
    more = more < 2 || run->guest ? 0 : more - 1; /* a guest has one agent */
    more = more < LANES_MAX ? more : LANES_MAX;
    run->lanes = lanes_open(run, (unsigned)more);
    registry_narrow(run->run_token, (unsigned)more);
    if (run->sut.cancelled) {
        lanes_cancel(run->lanes, run->sut.cancelled);
    }
    snprintf(text, sizeof text, "agents count=%lu", more);
    bool good = more == 0 || agent_ask(run, text, ANSWER_MS, answer, sizeof answer);
    if (!good) {
        sut_problem(&run->sut, "the launch agent offers %s jobs at once, but starts no other agents: %s", offered,
                    answer);
    }
    return good;
}

static bool run_await_agent(struct engine_run *run)
{
    sut_note(&run->sut, "waiting-for-agent", "waiting for the launch agent");
    if (!agent_await(run)) {
        return false;
    }
    size_t room = strlen(run->sut.agent.hello) + 1; /* no value is longer than all of them */
    char *template = memory_zero(room);
    pairs_value(run->sut.agent.hello, "template", template, room);
    bool good = agent_accept(run);
    run->suspended |= !good; /* the run waits for the right one */
    if (good) {
        sut_note(&run->sut, "agent-connected", "launch agent connected; template: %.500s", template);
        good = run_read_template(run, template) && run_open_lanes(run);
    }
    free(template);
    return good;
}

/* Waits for the guest, whose agent may come before or after this system's. */
static bool run_await_guest(struct engine_run *run)
{
    char message[400];

    if (run->guest) {
        sut_note(&run->sut, "waiting-for-guest", "waiting for the launch agent of %s", run->guest);
    }
    if (!partner_await_guest(run->partners, GUEST_MS, message, sizeof message)) {
        sut_problem(&run->sut, "%s", run->sut.cancelled ? run->sut.cancelled : message);
        return false;
    }
    return true;
}

static void run_case(struct engine_run *run, size_t place, unsigned attempt)
{
    struct turn turn;

    turn_take(run, place, attempt, &turn);
    if (turn_is_void(run)) {
        turn_drop(&turn);
    } else {
        turn_tell(run, &turn);
    }
}

static bool run_goes_on(const struct engine_run *run)
{
    return !sut_ended(&run->sut) && !run->sut.problem[0];
}

/* What is to be judged once more; whether there was something. */
static bool run_again(struct engine_run *run)
{
    unsigned attempt;
    size_t place;
    bool found = false;

    while (run_goes_on(run) && again_take(run, &place, &attempt)) {
        run_case(run, place, attempt);
        found = true;
    }
    return found;
}

static bool is_not_awaited(void *context)
{
    return !again_awaits(context);
}

/* Where something went wrong the agent stays for a while, for whoever looks at it and wants to see it again. */
static void run_linger(struct engine_run *run)
{
    unsigned wrong = run->results.counts[VERDICT_FAIL] + run->results.counts[VERDICT_INCONCLUSIVE];
    bool asked = wrong > 0 && run->linger_ms > 0;

    if (asked && run_goes_on(run)) {
        sut_note(&run->sut, "lingering",
                 "all cases are judged; the launch agent stays for %u minutes, so that any of them can be run again",
                 run->linger_ms / 60000);
    }
    while (asked && run_goes_on(run)) {
        asked = sut_pump(&run->sut, is_not_awaited, run, clock_now_ms() + run->linger_ms);
        asked = run_again(run) && asked;
    }
}

static void run_cases(struct engine_run *run)
{
    lanes_run(run->lanes);
    run_again(run);
    run_linger(run);
    do {
        run_again(run);
    } while (run_goes_on(run) && !again_end(run));
    if (run->sut.cancelled) {
        sut_problem(&run->sut, "%s", run->sut.cancelled);
    } else if (sut_ended(&run->sut)) {
        sut_problem(&run->sut, "the launch agent is gone: %s",
                    run->sut.agent.why ? run->sut.agent.why : "its connection closed");
    }
}

/* What the jobs of the preflight have shown about the command. */
static void run_learn_launcher(struct engine_run *run)
{
    struct sut_facts *facts = &run->sut.facts;

    if (facts->returns == SUT_RETURNS_UNKNOWN) {
        facts->returns = SUT_RETURNS_LAST;
    } else {
        sut_note(&run->sut, "preflight",
                 "the command returns before its processes leave: a job is over when they have");
    }
}

static struct report_subject run_subject(const struct engine_run *run)
{
    return (struct report_subject){
        .folder = run->report_directory,
        .profile = run->profile,
        .sut_name = run->sut_name,
        .problem = run->sut.problem,
        .started = run->started,
        .begin_ms = run->begin_ms,
        .seed = run->seed,
        .facts = &run->sut.facts,
        .selection = &run->selection,
        .results = &run->results,
    };
}

/* What the run came to; `outcome` and the texts of the run must outlive it. */
static struct engine_summary run_summary(const struct engine_run *run, const struct outcome *outcome)
{
    struct engine_summary summary = {
        .outcome = outcome,
        .verdict = outcome->verdict,
        .role = run->sut.facts.role ? run->sut.facts.role : "",
        .own_server = run->sut.facts.own_server,
        .pass = run->results.counts[VERDICT_PASS],
        .fail = run->results.counts[VERDICT_FAIL],
        .warn = run->results.counts[VERDICT_WARN],
        .skip = run->results.counts[VERDICT_SKIP],
        .inconclusive = run->results.counts[VERDICT_INCONCLUSIVE],
    };
    json_t *coverage = coverage_of(&run->selection, run->results.cases);

    coverage_count(coverage, &summary.requirements, &summary.judged);
    json_decref(coverage);
    return summary;
}

/* Leaves the run to another one that goes on with it. */
static void run_suspend(struct engine_run *run)
{
    struct report_subject subject = run_subject(run);
    struct outcome outcome;

    report_outcome(&subject, &outcome);
    struct engine_summary summary = run_summary(run, &outcome);
    summary.suspended = true;
    lanes_dismiss(run->lanes, NULL);
    agent_dismiss(run, NULL);
    if (run->observer.finished) {
        run->observer.finished(run->observer.context, &summary, "");
    }
}

/* Writes the reports, has them stored, and only then lets the agent go: what it is told has been kept. */
static void run_end(struct engine_run *run)
{
    static const struct outcome_facts not_kept = {.problem = "the run could not be stored"};
    struct report_subject subject = run_subject(run);
    struct outcome outcome, told;
    json_t *build = build_json(run->sut.build);
    char message[600];

    subject.build = build;
    if (!report_write(&subject, message, sizeof message)) {
        sut_note(&run->sut, "warning", "%s", message);
        sut_problem(&run->sut, "%s", message);
    }
    json_decref(build);
    subject.build = NULL;
    report_outcome(&subject, &outcome);
    struct engine_summary summary = run_summary(run, &outcome);

    told = outcome;
    if (run->observer.stored && !run->observer.stored(run->observer.context, &summary, run->sut.problem)) {
        outcome_decide(&not_kept, &told);
    }
    lanes_dismiss(run->lanes, &told);
    agent_dismiss(run, &told);
    if (run->observer.finished) {
        run->observer.finished(run->observer.context, &summary, run->sut.problem);
    }
}

void *run_thread(void *context)
{
    struct engine_run *run = context;

    if (run_await_agent(run)) {
        run->load = host_load_open();
        sut_note(&run->sut, "preflight", "looking at the system under test");
        if (run->preflight(run)) {
            run_learn_launcher(run);
            if (run_await_guest(run)) {
                run_cases(run);
            }
        } else {
            sut_problem(&run->sut, "%s", run->sut.cancelled ? run->sut.cancelled : "the launch agent is gone");
        }
    }
    registry_retire(run->run_token);
    partner_close_all(run->partners, !turn_is_void(run));
    run->partners = NULL;
    if (turn_is_void(run)) {
        run_suspend(run);
    } else {
        run_end(run);
    }
    return NULL;
}
