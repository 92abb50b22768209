/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The execution of one case (case_run.h): may it run at all, its job, its function, its verdict.  */
#include "tester/engine/case_run.h"

#include "tester/base/clock.h"
#include "tester/base/host_load.h"
#include "tester/base/loop.h"
#include "tester/base/memory.h"
#include "tester/base/pairs.h"
#include "tester/judging/attribution.h"
#include "tester/lua/job.h"
#include "tester/lua/library.h"
#include "tester/peers/port.h"
#include "tester/profile/profile.h"
#include "tester/profile/sandbox.h"
#include "tester/profile/statement.h"
#include "tester/sut/own_server.h"
#include "tester/sut/partner.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A failure is excused when it took at least so long, and so much of that was lost. */
enum { BUSY_MS = 1000, BUSY_PERCENT = 83 };

/* What the case needs of the command template or of the network and does not get; NULL when it has all. */
static const char *case_lacks(const struct case_info *about, const struct sut_facts *facts)
{
    if (about->needs_wire && !facts->wire) {
        return facts->no_wire;
    }
    if (about->needs_network && !facts->network) {
        return facts->no_network;
    }
    if (about->needs_hosts && !facts->hosts) {
        return "the case needs clients of several hosts, but the command template has no {hosts}";
    }
    if (about->needs_options && !facts->options) {
        return "the case needs options of the server, but the command template has no {options}";
    }
    if (about->needs_incoming && !facts->incoming) {
        return facts->no_incoming;
    }
    return own_server_lacks(about, facts);
}

/* A job of more processes than the system under test can have is not started, nor is a limit used up that it does not
 * declare. */
static void case_check_limits(struct case_run *self)
{
    const char *limit = self->entry->about.limit;
    const json_t *most = statement_member(self->statement, "limits", "processes");
    unsigned ranks = self->entry->about.ranks;

    if (limit[0] && !statement_member(self->statement, "limits", limit)) {
        judge_end_format(&self->judge, VERDICT_SKIP, "configuration", "no statement declares the limit %s", limit);
    }
    if (ranks > 1 && self->sut->facts.single) {
        judge_end_format(&self->judge, VERDICT_SKIP, "configuration",
                         "the case needs %u processes, but the command template has no {np}: it starts one", ranks);
    }
    if (most && (json_int_t)ranks > json_integer_value(most)) {
        judge_end_format(&self->judge, VERDICT_SKIP, "configuration",
                         "the system's limit of processes: %u asked for, %lld declared", ranks,
                         (long long)json_integer_value(most));
    }
}

/* What the case needs and the system under test does not have. */
static void case_check_needs(struct case_run *self)
{
    const struct sut_facts *facts = &self->sut->facts;
    const char *lacks = case_lacks(&self->entry->about, facts);

    case_check_limits(self);
    if (!lacks && self->entry->about.cell) {
        lacks = partner_lacks(self->partners);
    }
    if (lacks) {
        judge_end_format(&self->judge, VERDICT_SKIP, "configuration", "%s", lacks);
    }
    for (char **at = self->entry->features; *at; at++) {
        if (!pairs_list_has(facts->features, *at)) {
            judge_end_format(&self->judge, VERDICT_SKIP, "configuration", "the interpreter lacks the feature %s", *at);
        }
    }
    for (char **at = self->entry->verbs; *at; at++) {
        if (facts->verbs && !pairs_list_has(facts->verbs, *at)) {
            judge_end_format(&self->judge, VERDICT_SKIP, "configuration",
                             "the interpreter does not know the command %s", *at);
        }
    }
}

/* Pushes `t`: an object of class Test; when the job is there already, with ranks[0..n-1] and count. */
static int case_push_test(lua_State *lua)
{
    struct job *job = case_self(lua)->sut->jobs;

    lua_newtable(lua);
    lua_getglobal(lua, "Test");
    lua_setmetatable(lua, -2);
    if (job) {
        lua_pushinteger(lua, job->np);
        lua_setfield(lua, -2, "count");
        lua_job_push_ranks(lua, job);
        lua_setfield(lua, -2, "ranks");
    }
    return 1;
}

bool case_library(struct case_run *self, const struct engine_run *run, char *message, size_t message_octets)
{
    return lua_library_load(self, case_list_library(run->cases), message, message_octets);
}

void case_call(struct case_run *self)
{
    lua_State *lua = self->lua;

    lua_pushcfunction(lua, case_push_test);
    bool good = lua_pcall(lua, 0, 1, 0) == LUA_OK && lua_pcall(lua, 1, 0, 0) == LUA_OK;
    if (!good && !self->judge.ended) {
        const char *text = lua_tostring(lua, -1);
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "tester", "%s",
                         text ? text : "the case raised an error that is not a text");
    }
    if (good) { /* a crash that nobody waited for counts too */
        loop_turn(self->sut->loop, 0);
        case_watch(self);
    }
    bool is_case =
        self->judge.about->requirements[0]; /* a preflight leaves to the cases what the passive checkers heard */
    if (is_case) {
        if (self->checker) {
            passive_checker_judge(self->checker, &self->judge, case_has_loss(self));
        }
        if (self->checker_intercept) {
            passive_checker_intercept_judge(self->checker_intercept, &self->judge);
        }
        if (self->checker_impi) {
            passive_checker_impi_judge(self->checker_impi, &self->judge, case_has_loss(self));
        }
    }
    if (good && is_case) { /* what comes after a wrong word of the other side can be wrong itself */
        forgery_judge(self->forgeries, &self->judge);
    }
    if (good) {
        judge_complete(&self->judge);
    }
}

/* Starts the one job of a case whose profile knows no others. */
static void case_start_job(struct case_run *self)
{
    char message[700];
    bool fatal;

    if (!job_start(self->sut, self->entry->about.ranks, &fatal, message, sizeof message)) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "configuration", "%s", message);
        if (fatal) {
            sut_problem(self->sut, "%s", message);
        }
    }
}

static uint64_t chance_seed(uint64_t seed, const char *id)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a: every case has its own sequence, whichever cases run */

    for (; *id; id++) {
        hash = (hash ^ (unsigned char)*id) * 0x100000001b3u;
    }
    return seed ^ hash;
}

static char *case_heading(const struct engine_run *run, const struct case_entry *entry)
{
    char *requirements = memory_text("");

    for (char **at = entry->requirements; *at; at++) {
        char *longer = memory_format("%s %s", requirements, *at);
        free(requirements);
        requirements = longer;
    }
    char *heading = memory_format("case %s: %s\nprofile %s, requirements%s\ntester assay %s, seed %llu",
                                  entry->about.id, entry->about.title, run->profile->name, requirements, ASSAY_VERSION,
                                  (unsigned long long)run->seed);
    free(requirements);
    return heading;
}

static bool cell_has(const char *const *cell, const char *who)
{
    return strcmp(cell[CELL_CLIENT_A], who) == 0 || strcmp(cell[CELL_CLIENT_B], who) == 0;
}

/* Makes of a failure what shows nothing of the system under test, for a reason that stands before what was seen. */
static void case_excuse(struct judge *judge, const char *axis, const char *why)
{
    char *reason = memory_format("%s%s", why, judge->reason);

    judge->verdict = VERDICT_INCONCLUSIVE;
    judge->requirement[0] = 0;
    snprintf(judge->axis, sizeof judge->axis, "%s", axis);
    free(judge->reason);
    judge->reason = reason;
}

/* Where the system under test takes no part, what goes wrong is not its fault: such a meeting shows that the program
 * and the reference are right. With a guest it may be the fault of either, or of the guest alone. */
static void case_excuse_others(struct case_run *self)
{
    const char *const *cell = self->entry->about.cell;

    if (!cell || self->judge.verdict != VERDICT_FAIL) {
        return;
    }
    bool takes_part = strcmp(cell[CELL_SERVER], "sut") == 0 || cell_has(cell, "sut");
    bool guest = *self->sut->facts.guest && cell_has(cell, "reference");
    if (guest && takes_part) {
        case_excuse(&self->judge, "guest", "either side may be at fault when two implementations meet; seen was: ");
    } else if (guest) {
        case_excuse(&self->judge, "guest", "the guest's clients are alone in this job; seen was: ");
    } else if (!takes_part) {
        self->judge.verdict = VERDICT_INCONCLUSIVE;
        snprintf(self->judge.axis, sizeof self->judge.axis, "tester");
    }
}

/* What a case sees of a machine that has no time for the system under test is nobody's fault: where something was
 * waited for in vain meanwhile, a failure shows nothing. */
static void case_excuse_busy(struct case_run *self)
{
    struct judge *judge = &self->judge;
    int64_t passed = clock_now_ms() - self->begin_ms, lost = host_load_lost(self->load) - self->lost_ms;

    if (judge->verdict != VERDICT_FAIL || !self->vain || passed < BUSY_MS || lost * 100 < passed * BUSY_PERCENT) {
        return;
    }
    char *why = memory_format("host busy: for %u %% of the time this machine had no processor for what wanted to run, "
                              "so that a late answer shows nothing; seen was: ",
                              (unsigned)(lost < passed ? lost * 100 / passed : 100));
    case_excuse(judge, "tester", why);
    free(why);
}

void case_close(struct case_run *self, struct engine_run *run)
{
    const struct judge *judge = &self->judge;

    case_excuse_busy(self);
    case_excuse_others(self);
    attribution_settle(&self->judge, self->faults);
    stream_close_all(&self->streams);
    port_close_all(&self->streams);
    peer_close_all(&self->peers);
    job_stop_all(self->sut);
    network_free(self->network);
    char *verdict =
        memory_format("%s%s%s%s%s%s%s", verdict_name(judge->verdict), *judge->axis ? ", axis " : "", judge->axis,
                      *judge->requirement ? ", " : "", judge->requirement, *judge->reason ? ": " : "", judge->reason);
    evidence_say(self->evidence, "verdict", verdict);
    free(verdict);
    if (judge->verdict != VERDICT_PASS && judge->verdict != VERDICT_WARN) { /* the others stand there already */
        evidence_judged(self->evidence, judge->at_us, judge->requirement, verdict_name(judge->verdict), judge->reason);
    }
    if (*judge->expected || *judge->observed) {
        evidence_say(self->evidence, "expected", judge->expected);
        evidence_say(self->evidence, "observed", judge->observed);
    }
    evidence_room_close(&run->room, self->sut);
    if (self->checker) {
        passive_checker_close(self->checker);
    }
    if (self->checker_impi) {
        passive_checker_impi_close(self->checker_impi);
    }
    passive_checker_intercept_close(self->checker_intercept);
    forgery_close(self->forgeries);
    sandbox_free(self->lua);
    self->lua = NULL;
}

/* Opens the passive checker that the profile's row names. */
static void open_checker(struct case_run *self, enum profile_checker checker)
{
    switch (checker) {
    case PROFILE_CHECKER_PORTALS:
        self->checker = self->peers.checker =
            passive_checker_open(self->evidence, self->forgeries, stream_all_read, &self->streams);
        return;
    case PROFILE_CHECKER_IMPI:
        self->checker_impi = passive_checker_impi_open(self->evidence, self->forgeries);
        return;
    case PROFILE_CHECKER_INTERCEPT:
        self->checker_intercept = passive_checker_intercept_open(self->evidence, self->forgeries);
        return;
    }
}

void case_begin(struct case_run *self, struct engine_run *run, const struct case_entry *entry)
{
    char *heading = case_heading(run, entry);

    *self = (struct case_run){
        .sut = &run->sut,
        .partners = run->partners,
        .faults = run->faults,
        .readings = run->readings,
        .load = run->load,
        .api = run->profile->api,
        .statement = run->statement,
        .own_server_wanted = selection_wants_own_server(&run->selection),
        .step = run->observer.step,
        .step_context = run->observer.context,
        .entry = entry,
        .chance = chance_seed(run->seed, entry->about.id),
    };
    char *name =
        run->attempt > 0 ? memory_format("%s~%u", entry->about.id, run->attempt) : memory_text(entry->about.id);
    evidence_room_open(&run->room, &run->sut, name, heading);
    self->evidence = run->sut.evidence;
    free(name);
    free(heading);
    judge_open(&self->judge, &entry->about);
    stream_open_all(&self->streams, run->sut.loop, self->evidence);
    peer_open_all(&self->peers, &self->streams);
    self->forgeries = forgery_open();
    open_checker(self, run->profile->checker);
    case_clock(self);
}

void case_execute(struct case_run *self, struct engine_run *run, const struct case_entry *entry)
{
    char message[700];

    case_begin(self, run, entry);
    case_check_needs(self);
    if (!self->judge.ended && (!case_library(self, run, message, sizeof message) ||
                               !case_list_open_run(self->lua, entry, message, sizeof message))) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "tester", "%s", message);
    }
    if (!self->judge.ended && !run->profile->own_jobs && !entry->about.needs_network) {
        case_start_job(self);
    }
    if (!self->judge.ended) {
        case_clock(self); /* the start does not count */
        case_call(self);
    }
    case_close(self, run);
}

void case_release(struct case_run *self)
{
    judge_release(&self->judge);
    evidence_free(self->evidence);
}
