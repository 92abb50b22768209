/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives for driving the ranks (case.h): send a command, wait for its reply, wait for the end of a process.
 * tester/cases/lib/interpreter.lua is written on them.
 */
#include "tester/lua/rank.h"

#include "tester/base/clock.h"
#include "tester/base/host_load.h"
#include "tester/base/pairs.h"
#include "tester/judging/attribution.h"
#include "tester/lua/binding.h"
#include "tester/lua/job.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DEADLINE_MAX_MS = 3600000, BATCH_MAX = 64 };

static struct rank *find_rank(const struct case_run *self, lua_State *lua, int index)
{
    lua_Integer number = lua_tointeger(lua, index);
    struct job *job = number >= 0 ? job_find(self->sut, (unsigned)(number / LUA_JOB_RANKS)) : NULL;

    return job && number % LUA_JOB_RANKS < (lua_Integer)job->connected ? &job->ranks[number % LUA_JOB_RANKS] : NULL;
}

/* Ends the case when the interpreter does not know the verb: that is no fault of the library under test. */
static void judge_verb(struct case_run *self, const char *text)
{
    char verb[64];

    snprintf(verb, sizeof verb, "%.*s", (int)strcspn(text, " "), text);
    if (!self->sut->facts.verbs || pairs_list_has(self->sut->facts.verbs, verb)) {
        return;
    }
    judge_end_format(&self->judge, VERDICT_SKIP, "configuration", "the interpreter does not know the command %s", verb);
}

/* The lines of a batch, whose texts stay on the stack so that they live; false when they are none, or too many. */
static bool read_lines(lua_State *lua, int index, const char **lines, size_t *count)
{
    *count = lua_istable(lua, index) ? (size_t)lua_rawlen(lua, index) : 0;
    if (*count > BATCH_MAX || !lua_checkstack(lua, BATCH_MAX + 8)) {
        return false;
    }
    for (size_t i = 0; i < *count; i++) {
        lua_rawgeti(lua, index, (lua_Integer)i + 1);
        lines[i] = lua_tostring(lua, -1);
        if (!lines[i]) {
            return false;
        }
    }
    return true;
}

/* What is told to a process that has ended inside MPI_Finalize: nothing, where it was to end now; else the case cannot
 * go on. */
static int send_to_nobody(struct case_run *self, lua_State *lua, struct rank *rank, const char *text)
{
    if (strcmp(text, "quit") != 0) {
        judge_end_format(&self->judge, VERDICT_SKIP, "sut", "%s has ended inside MPI_Finalize, as it may", rank->label);
        return 0;
    }
    lua_pushinteger(lua, 0);
    return 1;
}

/* core.send(rank, deadline, thread or nil, text, lines or nil, function or nil) -> id; `function` is what the command
 * calls, where that is not its verb. A function that is known to hang is not called. */
static int core_send(struct case_run *self, lua_State *lua)
{
    struct rank *rank = find_rank(self, lua, 1);
    if (!rank) {
        return binding_bad(lua, 1, "there is no such rank");
    }
    lua_Integer deadline = lua_tointeger(lua, 2);
    const char *thread = binding_text(lua, 3, NULL);
    const char *text = lua_tostring(lua, 4);
    const char *lines[BATCH_MAX];
    size_t line_count;

    if (!(deadline >= 1 && deadline <= DEADLINE_MAX_MS)) {
        return binding_bad(lua, 2, "a deadline is 1 to 3600000 ms");
    }
    judge_verb(self, text);
    if (self->judge.ended) {
        return 0;
    }
    if (!read_lines(lua, 5, lines, &line_count)) {
        return binding_bad(lua, 5, "a batch has at most 64 commands, each a text");
    }
    if (!lua_isnoneornil(lua, 6)) {
        attribution_stop(&self->judge, self->faults, lua_tostring(lua, 6));
    }
    if (self->judge.ended) {
        return 0;
    }
    if (job_ended_in_finalize(rank)) {
        return send_to_nobody(self, lua, rank, text);
    }
    bool leaving = strncmp(text, "quit", 4) == 0 || strncmp(text, "abandon", 7) == 0;
    rank->leaving = rank->leaving || leaving;
    deadline *= host_load_slows(self->load);
    deadline = deadline < DEADLINE_MAX_MS ? deadline : DEADLINE_MAX_MS;
    uint32_t id = dialogue_send(&rank->dialogue, (unsigned)deadline, thread, text, lines, line_count);
    if (!id) {
        case_wait(self, NULL, NULL, 0); /* ends the case when the rank was lost unexpectedly */
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "tester", "%s: %s sent to a process that was told to end",
                         rank->label, text);
        return 0;
    }
    rank->finalize = strcmp(text, "MPI_Finalize") == 0 ? id : rank->finalize;
    lua_pushinteger(lua, id);
    return 1;
}

struct reply_wait {
    struct rank *rank;
    struct dialogue_command *command;
};

static bool reply_here(void *context)
{
    struct reply_wait *wait = context;

    return wait->command->reply || wait->rank->dialogue.end != DIALOGUE_OPEN;
}

/* An `error` reply: the command was not executed; that is the case's or the interpreter's fault. What an interpreter
 * has listed it must not refuse to know: else it could pass over whatever it likes. */
static void reply_refused(struct case_run *self, const struct rank *rank, const struct dialogue_command *command)
{
    char code[32] = "", reason[256];

    sscanf(command->reply, "error %31s", code);
    pairs_value(command->reply, "reason", reason, sizeof reason);
    if (strcmp(code, "unknown-command") == 0 && pairs_list_has(self->sut->facts.verbs, command->verb)) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "configuration",
                         "%s: the interpreter does not know the command %s, which it has listed", rank->label,
                         command->verb);
    } else if (strcmp(code, "unknown-command") == 0) {
        judge_end_format(&self->judge, VERDICT_SKIP, "configuration",
                         "%s: the interpreter does not know the command %s", rank->label, command->verb);
    } else if (strcmp(code, "too-wide") == 0) {
        judge_end_format(&self->judge, VERDICT_SKIP, "sut", "the system's type: %s: %s: %s", rank->label, command->verb,
                         reason);
    } else {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "tester", "%s: %s was refused: %s: %s", rank->label,
                         command->verb, code, reason);
    }
}

/* Waits for a reply as long as the command may take, also where the case's own time ends before: a call that hangs is
 * told as such. */
static bool await_reply(struct case_run *self, struct reply_wait *wait)
{
    int64_t begin = self->begin_ms, late = wait->command->late_ms;
    int64_t own_late = begin + (int64_t)self->entry->deadline_s * 1000;

    self->begin_ms += late > own_late ? late - own_late : 0;
    bool came = case_wait(self, reply_here, wait, late - clock_now_ms());
    self->begin_ms = begin;
    return came;
}

/* Notes for the whole run that a function has returned, and whether it has done well. */
static void note_reply(struct case_run *self, const char *function, const char *reply)
{
    char rc[64];

    faults_returned(self->faults, function);
    pairs_value(reply, "rc", rc, sizeof rc);
    if (strcmp(rc, "PTL_OK") == 0 || strcmp(rc, "MPI_SUCCESS") == 0) {
        faults_worked(self->faults, function);
    }
}

/* core.wait(rank, id, function or nil) -> the reply's pairs */
static int core_wait(struct case_run *self, lua_State *lua)
{
    struct rank *rank = find_rank(self, lua, 1);
    if (!rank) {
        return binding_bad(lua, 1, "there is no such rank");
    }
    lua_Integer id = lua_tointeger(lua, 2);
    if (id == 0 && job_ended_in_finalize(rank)) {
        lua_pushliteral(lua, ""); /* `quit` */
        return 1;
    }
    struct reply_wait wait = {rank, dialogue_find(&rank->dialogue, (uint32_t)id)};
    if (!wait.command) {
        return binding_bad(lua, 2, "no such command is pending");
    }
    bool came = await_reply(self, &wait);
    if (self->judge.ended) {
        return 0;
    }
    if (id == rank->finalize && job_ended_in_finalize(rank)) {
        lua_pushliteral(lua, " rc=MPI_SUCCESS");
        return 1;
    }
    if (!wait.command->reply && came && rank->leaving && rank->dialogue.end == DIALOGUE_CLOSED) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "tester", "%s: %s sent to a process that was told to end",
                         rank->label, wait.command->verb);
        return 0;
    }
    if (!wait.command->reply) {
        const char *why = came ? rank->dialogue.why : "no reply and no notice long after its deadline";
        dialogue_over(&rank->dialogue, DIALOGUE_HUNG, why);
        symptom_set(&self->judge.symptom, SYMPTOM_HANGS, binding_text(lua, 3, wait.command->verb), "", true);
        judge_end_format(&self->judge, VERDICT_FAIL, "sut", "%s: %s: %s", rank->label, wait.command->verb, why);
        return 0;
    }
    if (strncmp(wait.command->reply, "ok", 2) != 0) {
        reply_refused(self, rank, wait.command);
        return 0;
    }
    note_reply(self, binding_text(lua, 3, wait.command->verb), wait.command->reply);
    lua_pushstring(lua, wait.command->reply + 2);
    dialogue_forget(&rank->dialogue, wait.command->id);
    return 1;
}

/* core.ready(rank, id [, ms]) -> whether the reply is there, after looking, or waiting so long at most */
static int core_ready(struct case_run *self, lua_State *lua)
{
    struct rank *rank = find_rank(self, lua, 1);
    if (!rank) {
        return binding_bad(lua, 1, "there is no such rank");
    }
    struct reply_wait wait = {rank, dialogue_find(&rank->dialogue, (uint32_t)lua_tointeger(lua, 2))};
    if (!wait.command) {
        return binding_bad(lua, 2, "no such command is pending");
    }

    lua_pushboolean(lua, case_wait(self, reply_here, &wait, lua_tointeger(lua, 3)) &&
                             (wait.command->reply || job_ended_in_finalize(rank)));
    return 1;
}

static bool rank_gone(void *context)
{
    struct rank *rank = context;

    return rank->dialogue.state == DIALOGUE_GONE || rank->dialogue.end != DIALOGUE_OPEN;
}

/* core.gone(rank, ms) -> the reason, or nil */
static int core_gone(struct case_run *self, lua_State *lua)
{
    struct rank *rank = find_rank(self, lua, 1);
    if (!rank) {
        return binding_bad(lua, 1, "there is no such rank");
    }
    lua_Integer ms = lua_tointeger(lua, 2);

    rank->excused = true;
    if (!case_wait(self, rank_gone, rank, ms)) {
        rank->excused = false;
        return 0;
    }
    lua_pushstring(lua, rank->dialogue.why);
    return 1;
}

/* The other process of the job that has the same node and process number, or NULL. */
static const struct rank *find_same_address(const struct rank *rank)
{
    const struct job *job = rank->job;

    for (unsigned i = 0; i < job->connected && (rank->nid || rank->pid); i++) {
        const struct rank *other = &job->ranks[i];

        if (other != rank && other->nid == rank->nid && other->pid == rank->pid) {
            return other;
        }
    }
    return NULL;
}

/* core.label(rank, label, nid, pid): how transcript and ladder call it from now on, and by which ids it is known on the
 * wire. Where another process of the job has the same, nothing can be said of what they send each other. */
static int core_label(struct case_run *self, lua_State *lua)
{
    struct rank *rank = find_rank(self, lua, 1);
    if (!rank) {
        return binding_bad(lua, 1, "there is no such rank");
    }

    snprintf(rank->label, sizeof rank->label, "%s", lua_tostring(lua, 2));
    rank->nid = (uint32_t)lua_tointeger(lua, 3);
    rank->pid = (uint32_t)lua_tointeger(lua, 4);
    const struct rank *other = find_same_address(rank);
    if (other) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "sut",
                         "addresses collide: %s and %s of one job both have node %u, process %u", other->label,
                         rank->label, rank->nid, rank->pid);
    }
    return 0;
}

void lua_rank_register(lua_State *lua)
{
    static const struct binding bindings[] = {
        {"send", "iis?s.s?", core_send}, {"wait", "iis?", core_wait},   {"ready", "iii?", core_ready},
        {"gone", "ii", core_gone},       {"label", "isii", core_label}, {NULL, NULL, NULL},
    };

    binding_register(lua, bindings);
}
