/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The execution of one case (case_run.h): may it run at all, its job, its function, its verdict. The functions of
 * `core` wait by turning the run's loop; so a case reads like a script, and notices, crashes and wire traffic are taken
 * meanwhile.
 */
#include "tester/engine/case_run.h"

#include "tester/base/clock.h"
#include "tester/base/memory.h"
#include "tester/profile/profile.h"
#include "tester/profile/sandbox.h"
#include "tester/sut/own_server.h"
#include "tester/sut/partner.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASE_INSTRUCTIONS = 50000000, SETTLE_MS = 1000 };

static const char ended_mark[] = "the case has ended";

struct case_run *case_self(lua_State *lua)
{
    lua_getfield(lua, LUA_REGISTRYINDEX, "assay.case");
    struct case_run *self = lua_touserdata(lua, -1);
    lua_pop(lua, 1);
    return self;
}

void case_throw(lua_State *lua)
{
    if (case_self(lua)->judge.ended) {
        lua_pushstring(lua, ended_mark);
        lua_error(lua);
    }
}

/* Whether the end of a conversation says what happened, and not only that it is over. */
static bool is_explained(const struct dialogue *dialogue)
{
    return dialogue->end != DIALOGUE_CLOSED && !dialogue->cut;
}

/* Whether nothing more can be learned about a loss: a rank said why, or the whole job is gone. */
static bool loss_explained(void *context)
{
    struct job *job = context;
    struct rank *lost = job_lost(job);
    bool all_gone = job->ended;

    for (unsigned i = 0; i < job->connected; i++) {
        all_gone = all_gone && job->ranks[i].dialogue.state == DIALOGUE_GONE;
    }
    return all_gone || (lost && is_explained(&lost->dialogue));
}

/* The case has said that a crash now is another reading of the requirement, not a failure. */
static void case_warn_of_crash(struct case_run *self, const struct rank *lost)
{
    char *reason = memory_format("%s: %s: %s", lost->label, self->judge.crash_reading, lost->dialogue.why);

    judge_end(&self->judge, VERDICT_WARN, "sut", judge_default(&self->judge), reason, "", "");
    free(reason);
}

/* Ends the case because the run is over: nobody knows how it would have gone on. */
static void case_judge_run(struct case_run *self)
{
    const struct engine_run *run = self->run;
    bool cancelled = run->cancelled;

    judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "configuration", "%s%s",
                     cancelled ? "" : "the launch agent is gone: ",
                     cancelled        ? run->cancelled
                     : run->agent.why ? run->agent.why
                                      : "its connection closed");
}

/* Ends the case by what happened to a rank. A connection that merely closed may be the echo of another rank's crash,
 * whose notice is still under way, and so may a reply that was cut off: wait a moment for it and for the agent's word.
 */
static void case_judge_lost(struct case_run *self, struct rank *lost)
{
    struct job *job = lost->job;

    if (!is_explained(&lost->dialogue)) {
        run_pump(self->run, loss_explained, job, clock_now_ms() + SETTLE_MS);
        lost = job_lost(job);
    }
    if (!lost) {
        return; /* not reached: what was lost stays lost */
    }
    if (!is_explained(&lost->dialogue) && run_ended(self->run)) {
        case_judge_run(self); /* whoever ended that has ended the process too */
    } else if (lost->dialogue.end == DIALOGUE_BROKEN) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "configuration",
                         "%s: the interpreter breaks the protocol: %s", lost->label, lost->dialogue.why);
    } else if (lost->dialogue.end == DIALOGUE_CLOSED) {
        judge_end_format(&self->judge, VERDICT_FAIL, "sut", "%s: lost process: %s%s%s", lost->label, lost->dialogue.why,
                         job->ended ? "; the job ended with " : "", job->ended_text);
    } else if (lost->dialogue.end == DIALOGUE_CRASHED && job->agent != &self->run->agent) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "tester", "%s, of the reference: %s", lost->label,
                         lost->dialogue.why);
    } else if ((lost->dialogue.end == DIALOGUE_CRASHED || lost->dialogue.end == DIALOGUE_EXITED) &&
               self->judge.crash_reading[0]) {
        case_warn_of_crash(self, lost);
    } else {
        judge_end_format(&self->judge, VERDICT_FAIL, "sut", "%s: %s", lost->label, lost->dialogue.why);
    }
}

/* The first rank that any job has lost. */
static struct rank *case_lost(const struct case_run *self)
{
    struct rank *lost = NULL;

    for (struct job *job = self->run->jobs; job && !lost; job = job->next) {
        lost = job_lost(job);
    }
    return lost;
}

/* A job whose first process was ended by a signal that nobody here has sent. */
static struct job *case_crashed(const struct case_run *self)
{
    struct job *job = self->run->jobs;

    while (job && (!job->signalled || job->excused)) {
        job = job->next;
    }
    return job;
}

static void case_judge_crashed(struct case_run *self, const struct job *job)
{
    bool ours = job->agent != &self->run->agent;

    judge_end_format(&self->judge, ours ? VERDICT_INCONCLUSIVE : VERDICT_FAIL, ours ? "tester" : "sut",
                     "the command %s ended with %s", ours ? "of the reference" : "under test", job->ended_text);
}

/* Looks whether something ended the case from outside. */
static void case_watch(struct case_run *self)
{
    struct rank *lost = case_lost(self);
    struct job *crashed = case_crashed(self);

    if (self->judge.ended) {
        return;
    }
    if (run_ended(self->run)) {
        case_judge_run(self);
    } else if (lost) {
        case_judge_lost(self, lost);
    } else if (crashed) {
        case_judge_crashed(self, crashed);
    } else if (clock_now_ms() >= self->late_ms) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "tester", "the case took longer than its deadline of %u s",
                         self->entry->deadline_s);
    }
}

struct watched {
    struct case_run *self;
    bool (*until)(void *context);
    void *context;
};

static bool watched_until(void *context)
{
    struct watched *watched = context;

    return (watched->until && watched->until(watched->context)) || run_ended(watched->self->run) ||
           case_lost(watched->self) || case_crashed(watched->self);
}

bool case_wait(lua_State *lua, bool (*until)(void *context), void *context, int64_t ms)
{
    struct case_run *self = case_self(lua);
    struct watched watched = {self, until, context};
    int64_t late = clock_now_ms() + (ms > 0 ? ms : 0);

    loop_turn(self->run->loop, 0);
    run_pump(self->run, watched_until, &watched, late < self->late_ms ? late : self->late_ms);
    bool good = until && until(context);
    case_watch(self);
    case_throw(lua);
    return good;
}

/* What the case needs of the command template or of the network and does not get; NULL when it has all. */
static const char *case_lacks(const struct case_info *about, const struct run_facts *facts)
{
    if (about->needs_wire && !facts->wire) {
        return facts->no_wire;
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

/* What the case needs and the system under test does not have. */
static void case_check_needs(struct case_run *self)
{
    const struct run_facts *facts = &self->run->facts;
    const char *lacks = case_lacks(&self->entry->about, facts);

    if (self->entry->about.ranks > 1 && facts->single) {
        judge_end_format(&self->judge, VERDICT_SKIP, "configuration",
                         "the case needs %u processes, but the command template has no {np}: it starts one",
                         self->entry->about.ranks);
    }
    if (!lacks && self->entry->about.cell) {
        lacks = partner_lacks(self->run);
    }
    if (lacks) {
        judge_end_format(&self->judge, VERDICT_SKIP, "configuration", "%s", lacks);
    }
    for (char **at = self->entry->features; *at; at++) {
        if (!dialogue_list_has(facts->features, *at)) {
            judge_end_format(&self->judge, VERDICT_SKIP, "configuration", "the interpreter lacks the feature %s", *at);
        }
    }
    for (char **at = self->entry->verbs; *at; at++) {
        if (facts->verbs && !dialogue_list_has(facts->verbs, *at)) {
            judge_end_format(&self->judge, VERDICT_SKIP, "configuration",
                             "the interpreter does not know the command %s", *at);
        }
    }
}

static int case_prepare(lua_State *lua)
{
    struct case_run *self = lua_touserdata(lua, 1);

    lua_pushlightuserdata(lua, self);
    lua_setfield(lua, LUA_REGISTRYINDEX, "assay.case");
    lua_getglobal(lua, "core");
    lua_core_register(lua);
    lua_job_register(lua);
    lua_rank_register(lua);
    lua_stream_register(lua);
    lua_wire_register(lua);
    lua_impi_register(lua);
    lua_forgery_register(lua);
    return 0;
}

/* Pushes `t`: an object of class Test; when the job is there already, with ranks[0..n-1] and count. */
static int case_push_test(lua_State *lua)
{
    struct job *job = case_self(lua)->run->jobs;

    lua_newtable(lua);
    lua_getglobal(lua, "Test");
    lua_setmetatable(lua, -2);
    if (job) {
        lua_pushinteger(lua, job->np);
        lua_setfield(lua, -2, "count");
        lua_ranks_push(lua, job);
        lua_setfield(lua, -2, "ranks");
    }
    return 1;
}

bool case_library(struct case_run *self, char *message, size_t message_octets)
{
    char *library = memory_format("%s/lib", case_list_folder(self->run->cases));
    bool good = false;

    self->lua = sandbox_new();
    if (!self->lua) {
        snprintf(message, message_octets, "no memory for Lua");
    } else {
        sandbox_budget(self->lua, CASE_INSTRUCTIONS);
        lua_pushcfunction(self->lua, case_prepare);
        lua_pushlightuserdata(self->lua, self);
        lua_call(self->lua, 1, 0); /* a fresh state has the memory for that */
        good = sandbox_run_library(self->lua, library, message, message_octets);
    }
    free(library);
    return good;
}

/* Whether a process has ended, wanted or not. */
static bool case_has_loss(const struct case_run *self)
{
    for (const struct job *job = self->run->jobs; job; job = job->next) {
        for (unsigned i = 0; i < job->connected; i++) {
            if (job->ranks[i].dialogue.end != DIALOGUE_OPEN) {
                return true;
            }
        }
        if (job->ended) {
            return true;
        }
    }
    return false;
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
        loop_turn(self->run->loop, 0);
        case_watch(self);
    }
    bool is_case = self->judge.about->requirements[0]; /* a preflight leaves to the cases what the witnesses heard */
    if (is_case) {
        passive_checker_judge(self->checker, &self->judge, case_has_loss(self));
        passive_checker_impi_judge(self->checker_impi, &self->judge, case_has_loss(self));
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

    if (!job_start(self->run, self->entry->about.ranks, &fatal, message, sizeof message)) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "configuration", "%s", message);
        if (fatal) {
            run_problem(self->run, "%s", message);
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

/* Where the system under test takes no part, what goes wrong is not its fault: such a meeting shows that the program
 * and the reference are right. */
static void case_excuse_absent(struct case_run *self)
{
    const char *const *cell = self->entry->about.cell;

    if (cell && strcmp(cell[CELL_SERVER], "sut") != 0 && strcmp(cell[CELL_CLIENT_A], "sut") != 0 &&
        strcmp(cell[CELL_CLIENT_B], "sut") != 0 && self->judge.verdict == VERDICT_FAIL) {
        self->judge.verdict = VERDICT_INCONCLUSIVE;
        snprintf(self->judge.axis, sizeof self->judge.axis, "tester");
    }
}

void case_close(struct case_run *self)
{
    const struct judge *judge = &self->judge;

    case_excuse_absent(self);
    stream_close_all(&self->streams);
    peer_close_all(&self->peers);
    job_stop_all(self->run);
    char *verdict =
        memory_format("%s%s%s%s%s%s%s", verdict_name(judge->verdict), *judge->axis ? ", axis " : "", judge->axis,
                      *judge->requirement ? ", " : "", judge->requirement, *judge->reason ? ": " : "", judge->reason);
    evidence_say(self->evidence, "verdict", verdict);
    free(verdict);
    if (*judge->expected || *judge->observed) {
        evidence_say(self->evidence, "expected", judge->expected);
        evidence_say(self->evidence, "observed", judge->observed);
    }
    run_evidence_close(self->run, self->evidence);
    passive_checker_close(self->checker);
    passive_checker_impi_close(self->checker_impi);
    forgery_close(self->forgeries);
    self->run->evidence = NULL;
    sandbox_free(self->lua);
    self->lua = NULL;
}

void case_begin(struct case_run *self, struct engine_run *run, const struct case_entry *entry)
{
    char *heading = case_heading(run, entry);

    *self = (struct case_run){.run = run, .entry = entry, .chance = chance_seed(run->seed, entry->about.id)};
    run_evidence_open(run, entry->about.id, heading);
    self->evidence = run->evidence;
    free(heading);
    judge_open(&self->judge, &entry->about);
    stream_open_all(&self->streams, run->loop, self->evidence);
    peer_open_all(&self->peers, &self->streams);
    self->forgeries = forgery_open();
    self->checker = self->peers.checker =
        passive_checker_open(self->evidence, self->forgeries, stream_all_read, &self->streams);
    self->checker_impi = passive_checker_impi_open(self->evidence, self->forgeries);
    self->late_ms = clock_now_ms() + (int64_t)entry->deadline_s * 1000;
}

void case_execute(struct case_run *self, struct engine_run *run, const struct case_entry *entry)
{
    char message[700];

    case_begin(self, run, entry);
    case_check_needs(self);
    if (!self->judge.ended && (!case_library(self, message, sizeof message) ||
                               !case_list_open_run(self->lua, entry, message, sizeof message))) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "tester", "%s", message);
    }
    if (!self->judge.ended && !run->profile->own_jobs) {
        case_start_job(self);
    }
    if (!self->judge.ended) {
        self->late_ms = clock_now_ms() + (int64_t)entry->deadline_s * 1000; /* the start does not count */
        case_call(self);
    }
    case_close(self);
}

void case_release(struct case_run *self)
{
    judge_release(&self->judge);
    evidence_free(self->evidence);
}
