/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The life of a run, on its own thread (run.h):
 *
 *   [waiting for the agent] -> [preflight] -> [one case after the other] -> [reports] -> [stored] -> [agent dismissed]
 *              |-------------------|---- a problem, or cancelled ------------------^
 */
#include "tester/engine/run.h"

#include "tester/engine/state.h"

#include "tester/base/clock.h"
#include "tester/base/memory.h"
#include "tester/base/pairs.h"
#include "tester/base/utf8.h"
#include "tester/engine/case_run.h"
#include "tester/profile/profile.h"
#include "tester/report/coverage.h"
#include "tester/report/report.h"
#include "tester/sut/job.h"
#include "tester/sut/own_server.h"
#include "tester/sut/partner.h"

#include <arpa/inet.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AGENT_WAIT_MS = 120000, AGENT_QUIT_MS = 3000 };

/* ---- connections that are handed over ---- */

static void on_agent_notice(void *context, const char *words)
{
    struct engine_run *run = context;
    char signal[16], why[64];

    if (strncmp(words, "leaving ", 8) != 0) {
        job_notice(&run->sut, &run->sut.agent, words);
        return;
    }
    pairs_value(words, "signal", signal, sizeof signal);
    snprintf(why, sizeof why, "somebody has ended it by %s", signal);
    dialogue_over(&run->sut.agent, DIALOGUE_EXITED, why);
}

static void run_attach_agent(struct engine_run *run, struct registry_link *link)
{
    struct dialogue_events events = {.context = run, .notice = on_agent_notice};
    struct sockaddr_in local, remote;

    dialogue_open(&run->sut.agent, run->sut.loop, link, "agent", &events);
    session_addresses(run->sut.agent.session, &local, &remote);
    if (run->manager_address) {
        snprintf(run->sut.peer_address, sizeof run->sut.peer_address, "%s", run->manager_address);
    } else {
        inet_ntop(AF_INET, &local.sin_addr, run->sut.peer_address, sizeof run->sut.peer_address);
    }
    run->sut.agent_connected = true;
    dialogue_feed(&run->sut.agent);
}

void run_take_links(void *context, short revents)
{
    struct engine_run *run = context;
    struct registry_link link;
    unsigned tag;

    (void)revents;
    while (registry_box_take(run->sut.box, &tag, &link)) {
        if (tag == 0) {
            run_attach_agent(run, &link);
        } else if (tag >= PARTNER_TAG) {
            partner_attach(run->partners, tag, &link);
        } else if (job_find(&run->sut, tag)) {
            job_attach(job_find(&run->sut, tag), &link);
        } else {
            registry_link_close(&link); /* its job ended meanwhile */
        }
    }
}

/* ---- the run's thread ---- */

static bool agent_ready(void *context)
{
    struct engine_run *run = context;

    return run->sut.agent_connected && run->sut.agent.state != DIALOGUE_GREETING;
}

/* Whether the case has a place for what this run has: its role, and, where it is a meeting at the client's own server,
 * such a server. */
static bool run_takes(const void *context, const struct case_info *about)
{
    const struct engine_run *run = context;

    return strcmp(about->role, run->sut.facts.role) == 0 && (!about->needs_own_server || run->sut.facts.own_server[0]);
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

static bool run_await_agent(struct engine_run *run)
{
    unsigned wait_ms = run->agent_wait_ms ? run->agent_wait_ms : AGENT_WAIT_MS;

    sut_note(&run->sut, "waiting-for-agent", "waiting for the launch agent");
    if (!sut_pump(&run->sut, agent_ready, run, clock_now_ms() + wait_ms)) {
        if (run->sut.cancelled) {
            sut_problem(&run->sut, "%s", run->sut.cancelled);
        }
        sut_problem(&run->sut, "no launch agent connected within %u s", wait_ms / 1000);
        return false;
    }
    if (run->sut.agent.state != DIALOGUE_READY) {
        sut_problem(&run->sut, "the launch agent: %s", run->sut.agent.why);
        return false;
    }
    size_t room = strlen(run->sut.agent.hello) + 1; /* no value is longer than all of them */
    char *template = memory_zero(room);
    pairs_value(run->sut.agent.hello, "template", template, room);
    sut_note(&run->sut, "agent-connected", "launch agent connected; template: %.500s", template);
    bool good = run_read_template(run, template);
    free(template);
    return good;
}

static void run_case(struct engine_run *run, const struct case_entry *entry, unsigned index)
{
    struct case_run execution;
    int64_t begin_ms = clock_now_ms();

    if (run->observer.started) {
        run->observer.started(run->observer.context, &entry->about, index, (unsigned)run->selection.count);
    }
    case_execute(&execution, run, entry);
    const struct judge *judge = &execution.judge;
    char symptom[SYMPTOM_TEXT];
    symptom_text(&judge->symptom, symptom);
    const struct evidence *evidence = execution.evidence;
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
        .duration_ms = (unsigned)(clock_now_ms() - begin_ms),
    };
    results_add(&run->results, entry, &result);
    if (run->observer.result) {
        run->observer.result(run->observer.context, &result);
    }
    case_release(&execution);
}

static void run_cases(struct engine_run *run)
{
    for (size_t i = 0; i < run->selection.count && !sut_ended(&run->sut) && !run->sut.problem[0]; i++) {
        run_case(run, case_list_entry(run->cases, run->selection.indexes[i]), (unsigned)i);
    }
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

static bool agent_left(void *context)
{
    struct engine_run *run = context;

    return run->sut.agent.state == DIALOGUE_GONE;
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

/* The agent's last command; older agents refuse one that tells the outcome beside the verdict. */
static void run_word_quit(const struct engine_run *run, const struct outcome *outcome, char *text, size_t room)
{
    char features[64];

    pairs_value(run->sut.agent.hello, "features", features, sizeof features);
    if (pairs_list_has(features, "outcome")) {
        snprintf(text, room, "quit verdict=%s outcome=%s", outcome->verdict, outcome->name);
    } else {
        snprintf(text, room, "quit verdict=%s", outcome->verdict);
    }
}

/* Lets the agent end by itself, with the verdict as its exit status. */
static void run_dismiss_agent(struct engine_run *run, const struct outcome *outcome)
{
    char text[128];

    if (!run->sut.agent_connected) {
        return;
    }
    if (run->sut.agent.end == DIALOGUE_OPEN) {
        run_word_quit(run, outcome, text, sizeof text);
        dialogue_send(&run->sut.agent, AGENT_QUIT_MS, NULL, text, NULL, 0);
        for (int64_t late = clock_now_ms() + AGENT_QUIT_MS; !agent_left(run) && clock_now_ms() < late;) {
            loop_turn(run->sut.loop, 100);
        }
    }
    dialogue_close(&run->sut.agent);
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

/* Writes the reports, has them stored, and only then lets the agent go: what it is told has been kept. */
static void run_end(struct engine_run *run)
{
    static const struct outcome_facts not_kept = {.problem = "the run could not be stored"};
    struct report_subject subject = run_subject(run);
    struct outcome outcome, told;
    char message[600];

    if (!report_write(&subject, message, sizeof message)) {
        sut_note(&run->sut, "warning", "%s", message);
        sut_problem(&run->sut, "%s", message);
    }
    report_outcome(&subject, &outcome);
    struct engine_summary summary = run_summary(run, &outcome);

    told = outcome;
    if (run->observer.stored && !run->observer.stored(run->observer.context, &summary, run->sut.problem)) {
        outcome_decide(&not_kept, &told);
    }
    run_dismiss_agent(run, &told);
    if (run->observer.finished) {
        run->observer.finished(run->observer.context, &summary, run->sut.problem);
    }
}

void *run_thread(void *context)
{
    struct engine_run *run = context;

    if (run_await_agent(run)) {
        sut_note(&run->sut, "preflight", "looking at the system under test");
        if (run->preflight(run)) {
            run_learn_launcher(run);
            run_cases(run);
        } else {
            sut_problem(&run->sut, "%s", run->sut.cancelled ? run->sut.cancelled : "the launch agent is gone");
        }
    }
    registry_retire(run->run_token);
    partner_close_all(run->partners);
    run->partners = NULL;
    run_end(run);
    return NULL;
}
