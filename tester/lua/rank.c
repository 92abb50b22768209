/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives for driving the ranks (case.h): send a command, wait for its reply, wait for the end of a process.
 * tester/cases/lib/interpreter.lua is written on them.
 */
#include "tester/lua/rank.h"

#include "tester/base/clock.h"
#include "tester/base/pairs.h"
#include "tester/lua/case.h"
#include "tester/lua/job.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DEADLINE_MAX_MS = 3600000, BATCH_MAX = 64 };

static struct rank *check_rank(lua_State *lua, int index)
{
    lua_Integer number = luaL_checkinteger(lua, index);
    struct job *job = job_find(case_self(lua)->sut, (unsigned)(number / LUA_JOB_RANKS));

    luaL_argcheck(lua, number >= 0 && job && number % LUA_JOB_RANKS < (lua_Integer)job->connected, index,
                  "no such rank");
    return &job->ranks[number % LUA_JOB_RANKS];
}

/* Ends the case when the interpreter does not know the verb: that is no fault of the library under test. */
static void check_verb(lua_State *lua, struct case_run *self, const char *text)
{
    char verb[64];

    snprintf(verb, sizeof verb, "%.*s", (int)strcspn(text, " "), text);
    if (!self->sut->facts.verbs || pairs_list_has(self->sut->facts.verbs, verb)) {
        return;
    }
    judge_end_format(&self->judge, VERDICT_SKIP, "configuration", "the interpreter does not know the command %s", verb);
    case_throw(lua);
}

static size_t read_lines(lua_State *lua, int index, const char **lines)
{
    size_t count = lua_istable(lua, index) ? (size_t)lua_rawlen(lua, index) : 0;

    luaL_argcheck(lua, count <= BATCH_MAX, index, "a batch has at most 64 commands");
    luaL_checkstack(lua, BATCH_MAX + 8, "batch");
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(lua, index, (lua_Integer)i + 1); /* stays on the stack, so that the text lives */
        lines[i] = luaL_checkstring(lua, -1);
    }
    return count;
}

/* core.send(rank, deadline, thread or nil, text, lines or nil) -> id */
static int core_send(lua_State *lua)
{
    struct case_run *self = case_self(lua);
    struct rank *rank = check_rank(lua, 1);
    lua_Integer deadline = luaL_checkinteger(lua, 2);
    const char *thread = luaL_optstring(lua, 3, NULL);
    const char *text = luaL_checkstring(lua, 4);
    const char *lines[BATCH_MAX];

    luaL_argcheck(lua, deadline >= 1 && deadline <= DEADLINE_MAX_MS, 2, "a deadline is 1 to 3600000 ms");
    case_throw(lua);
    check_verb(lua, self, text);
    size_t line_count = read_lines(lua, 5, lines);
    bool leaving = strncmp(text, "quit", 4) == 0 || strncmp(text, "abandon", 7) == 0;
    rank->leaving = rank->leaving || leaving;
    uint32_t id = dialogue_send(&rank->dialogue, (unsigned)deadline, thread, text, lines, line_count);
    if (!id) {
        case_wait(lua, NULL, NULL, 0); /* ends the case when the rank was lost unexpectedly */
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "tester", "%s: %s sent to a process that was told to end",
                         rank->label, text);
        case_throw(lua);
    }
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

static struct dialogue_command *check_command(lua_State *lua, struct rank *rank)
{
    struct dialogue_command *command = dialogue_find(&rank->dialogue, (uint32_t)luaL_checkinteger(lua, 2));

    if (!command) {
        luaL_error(lua, "%s has no such command pending", rank->label);
    }
    return command;
}

/* An `error` reply: the command was not executed; that is the case's or the interpreter's fault. What an interpreter
 * has listed it must not refuse to know: else it could pass over whatever it likes. */
static void reply_refused(lua_State *lua, const struct rank *rank, const struct dialogue_command *command)
{
    struct case_run *self = case_self(lua);
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
    } else {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "tester", "%s: %s was refused: %s: %s", rank->label,
                         command->verb, code, reason);
    }
    case_throw(lua);
}

/* core.wait(rank, id) -> the reply's pairs */
static int core_wait(lua_State *lua)
{
    struct case_run *self = case_self(lua);
    struct rank *rank = check_rank(lua, 1);
    struct reply_wait wait = {rank, check_command(lua, rank)};

    if (!wait.command) {
        return 0; /* not reached */
    }
    case_throw(lua);
    bool came = case_wait(lua, reply_here, &wait, wait.command->late_ms - clock_now_ms());
    if (!wait.command->reply && came && rank->leaving && rank->dialogue.end == DIALOGUE_CLOSED) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "tester", "%s: %s sent to a process that was told to end",
                         rank->label, wait.command->verb);
        case_throw(lua);
    }
    if (!wait.command->reply) {
        const char *why = came ? rank->dialogue.why : "no reply and no notice long after its deadline";
        dialogue_over(&rank->dialogue, DIALOGUE_HUNG, why);
        judge_end_format(&self->judge, VERDICT_FAIL, "sut", "%s: %s: %s", rank->label, wait.command->verb, why);
        case_throw(lua);
    }
    if (strncmp(wait.command->reply, "ok", 2) != 0) {
        reply_refused(lua, rank, wait.command);
    }
    lua_pushstring(lua, wait.command->reply + 2);
    dialogue_forget(&rank->dialogue, wait.command->id);
    return 1;
}

/* core.ready(rank, id) -> whether the reply is there, after looking */
static int core_ready(lua_State *lua)
{
    struct rank *rank = check_rank(lua, 1);
    struct reply_wait wait = {rank, check_command(lua, rank)};

    case_throw(lua);
    lua_pushboolean(lua, case_wait(lua, reply_here, &wait, 0) && wait.command->reply);
    return 1;
}

static bool rank_gone(void *context)
{
    struct rank *rank = context;

    return rank->dialogue.state == DIALOGUE_GONE || rank->dialogue.end != DIALOGUE_OPEN;
}

/* core.gone(rank, ms) -> the reason, or nil */
static int core_gone(lua_State *lua)
{
    struct rank *rank = check_rank(lua, 1);
    lua_Integer ms = luaL_checkinteger(lua, 2);

    case_throw(lua);
    rank->excused = true;
    if (!case_wait(lua, rank_gone, rank, ms)) {
        rank->excused = false;
        return 0;
    }
    lua_pushstring(lua, rank->dialogue.why);
    return 1;
}

/* core.label(rank, label, nid, pid): how transcript and ladder call it from now on, and by which ids it is known on the
 * wire */
static int core_label(lua_State *lua)
{
    struct rank *rank = check_rank(lua, 1);

    snprintf(rank->label, sizeof rank->label, "%s", luaL_checkstring(lua, 2));
    rank->nid = (uint32_t)luaL_checkinteger(lua, 3);
    rank->pid = (uint32_t)luaL_checkinteger(lua, 4);
    return 0;
}

void lua_rank_register(lua_State *lua)
{
    static const luaL_Reg functions[] = {{"send", core_send}, {"wait", core_wait},   {"ready", core_ready},
                                         {"gone", core_gone}, {"label", core_label}, {NULL, NULL}};

    luaL_setfuncs(lua, functions, 0);
}
