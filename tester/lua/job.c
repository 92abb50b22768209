/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives for the jobs of the system under test (case.h), for profiles whose cases start them themselves: start,
 * interpreters, what a job prints, its end. Jobs are numbers to Lua; what still runs when the case ends is stopped.
 * tester/cases/lib/impi/job.lua is written on them.
 */
#include "tester/lua/job.h"

#include "tester/lua/binding.h"
#include "tester/lua/stream.h"
#include "tester/sut/conversation.h"
#include "tester/sut/own_server.h"
#include "tester/sut/partner.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_MAX = 700, FUNCTIONS_MAX = 64 };

static struct job *find_job(const struct case_run *self, lua_State *lua, int index)
{
    lua_Integer number = lua_tointeger(lua, index);

    return number > 0 && number <= UINT32_MAX ? job_find(self->sut, (unsigned)number) : NULL;
}

void lua_job_push_ranks(lua_State *lua, const struct job *job)
{
    lua_newtable(lua);
    for (unsigned i = 0; i < job->np; i++) {
        lua_newtable(lua);
        lua_getglobal(lua, "Rank");
        lua_setmetatable(lua, -2);
        lua_pushinteger(lua, (lua_Integer)job->number * LUA_JOB_RANKS + i);
        lua_setfield(lua, -2, "index");
        lua_pushstring(lua, job->ranks[i].label);
        lua_setfield(lua, -2, "label");
        lua_newtable(lua);
        lua_setfield(lua, -2, "regions");
        lua_rawseti(lua, -2, i);
    }
}

/* The agent of a partner; NULL, with the case ended, when it cannot take part. */
static struct dialogue *agent_of(struct case_run *self, enum partner which)
{
    char message[MESSAGE_MAX];
    struct dialogue *agent = partner_agent(self->partners, which, message, sizeof message);

    if (!agent) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "configuration", "%s", message);
    }
    return agent;
}

/* core.job_start(pairs, np or nil [, who]) -> job; nil starts one without interpreters. `who` is a partner, "client" or
 * "server" (partner.h), instead of the system under test, or "own-server": the server that the vendor brings beside a
 * client (own_server.h). */
static int core_job_start(struct case_run *self, lua_State *lua)
{
    struct job_order order = {.pairs = lua_tostring(lua, 1), .silent = lua_isnoneornil(lua, 2), .abrupt = true};
    lua_Integer np = binding_integer(lua, 2, 1);
    char message[MESSAGE_MAX];
    bool fatal;

    if (!(np >= 1 && np < LUA_JOB_RANKS)) {
        return binding_bad(lua, 2, "a job has 1 to 65535 processes");
    }
    order.np = (unsigned)np;
    order.own_server = strcmp(binding_text(lua, 3, ""), "own-server") == 0;
    if (!lua_isnoneornil(lua, 3) && !order.own_server) {
        enum partner which = partner_named(lua_tostring(lua, 3));

        if (which == PARTNER_COUNT) {
            return binding_bad(lua, 3, "a partner is client, server or own-server");
        }
        order.agent = agent_of(self, which);
        order.guest = partner_is_guest(self->partners, which);
        if (!order.agent) {
            return 0;
        }
    }
    struct job *job = job_begin(self->sut, &order, &fatal, message, sizeof message);
    if (!job) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "configuration", "%s", message);
        if (fatal && !order.agent) {
            sut_problem(self->sut, "%s", message);
        }
        return 0;
    }
    lua_pushinteger(lua, job->number);
    return 1;
}

/* core.job_await(job, ms) -> its ranks, when all interpreters are there; else nil and why */
static int core_job_await(struct case_run *self, lua_State *lua)
{
    struct job *job = find_job(self, lua, 1);
    if (!job) {
        return binding_bad(lua, 1, "there is no such job");
    }
    lua_Integer ms = lua_tointeger(lua, 2);
    char message[MESSAGE_MAX];

    (void)case_wait(self, job_is_decided, job, ms); /* ends the case when the run is over, or when any job is lost */
    if (self->judge.ended) {
        return 0;
    }
    if (!job_is_whole(job, ms, message, sizeof message)) {
        lua_pushnil(lua);
        lua_pushstring(lua, message);
        return 2;
    }
    lua_job_push_ranks(lua, job);
    return 1;
}

/* Which output is meant: true is standard error, false standard output, nil both. */
enum output { OUTPUT_ANY, OUTPUT_STANDARD, OUTPUT_ERROR };

static enum output read_output(lua_State *lua, int index)
{
    if (lua_isnoneornil(lua, index)) {
        return OUTPUT_ANY;
    }
    return lua_toboolean(lua, index) ? OUTPUT_ERROR : OUTPUT_STANDARD;
}

static bool is_on(const struct job_line *line, enum output output)
{
    return output == OUTPUT_ANY || line->error == (output == OUTPUT_ERROR);
}

struct line_wait {
    const struct job *job;
    enum output output;
    lua_Integer number;
    const char *text;
};

static bool line_came(void *context)
{
    struct line_wait *wait = context;
    lua_Integer seen = 0;

    for (size_t i = 0; i < wait->job->line_count && !wait->text; i++) {
        seen += is_on(&wait->job->lines[i], wait->output);
        wait->text = seen == wait->number ? wait->job->lines[i].text : NULL;
    }
    return wait->text || job_is_over(wait->job);
}

/* core.job_line(job, number, output, ms) -> the so manieth line of that output; or nil and "timeout" or "ended" */
static int core_job_line(struct case_run *self, lua_State *lua)
{
    struct line_wait wait = {find_job(self, lua, 1), read_output(lua, 3), lua_tointeger(lua, 2), NULL};

    if (!wait.job) {
        return binding_bad(lua, 1, "there is no such job");
    }

    bool came = case_wait(self, line_came, &wait, lua_tointeger(lua, 4));
    if (!wait.text) {
        lua_pushnil(lua);
        lua_pushstring(lua, came ? "ended" : "timeout");
        return 2;
    }
    lua_pushstring(lua, wait.text);
    return 1;
}

/* core.job_lines(job, output) -> all lines so far */
static int core_job_lines(struct case_run *self, lua_State *lua)
{
    const struct job *job = find_job(self, lua, 1);
    if (!job) {
        return binding_bad(lua, 1, "there is no such job");
    }
    enum output output = read_output(lua, 2);
    lua_Integer count = 0;

    lua_newtable(lua);
    for (size_t i = 0; i < job->line_count; i++) {
        if (is_on(&job->lines[i], output)) {
            lua_pushstring(lua, job->lines[i].text);
            lua_rawseti(lua, -2, ++count);
        }
    }
    return 1;
}

struct end_wait {
    const struct job *job;
    const struct stream *stream; /* or NULL: octets on it end the wait too */
};

static bool job_gone(void *context)
{
    const struct end_wait *wait = context;

    return job_is_over(wait->job) || (wait->stream && wait->stream->in.len > 0);
}

/* core.job_ended(job, ms [, stream]) -> "status 0", and the most KiB of memory that its command has had where the agent
 * tells it; or nil when it still runs. With a stream the wait is over as soon as octets come there. That its processes
 * leave is no failure while this waits; a crash is one, and so is a job that a signal has ended, unless it is excused:
 * then "signal SIGTERM" is told. */
static int core_job_ended(struct case_run *self, lua_State *lua)
{
    struct job *job = find_job(self, lua, 1);
    if (!job) {
        return binding_bad(lua, 1, "there is no such job");
    }
    struct end_wait wait = {job, lua_isnoneornil(lua, 3) ? NULL : lua_stream_find(self, lua, 3)};
    bool before = job->awaited;

    job->awaited = true;
    (void)case_wait(self, job_gone, &wait, lua_tointeger(lua, 2));
    job->awaited = before || job_is_over(job);
    if (!job_is_over(job)) {
        return 0;
    }
    lua_pushstring(lua, job->ended_text);
    if (job->memory_kib == 0) {
        return 1;
    }
    lua_pushinteger(lua, job->memory_kib);
    return 2;
}

/* core.job_may_end(job, may): from here on the end of its processes is, or is not, no failure; a crash always is one */
static int core_job_may_end(struct case_run *self, lua_State *lua)
{
    struct job *job = find_job(self, lua, 1);

    if (!job) {
        return binding_bad(lua, 1, "there is no such job");
    }
    job->awaited = lua_toboolean(lua, 2);
    return 0;
}

/* core.job_excuse(job): from here on the end of the job and of its processes is no failure, whatever it is */
static int core_job_excuse(struct case_run *self, lua_State *lua)
{
    struct job *job = find_job(self, lua, 1);

    if (!job) {
        return binding_bad(lua, 1, "there is no such job");
    }
    job->excused = true;
    return 0;
}

/* core.job_kill(job): has the agent stop it (SIGTERM, later SIGKILL) */
static int core_job_kill(struct case_run *self, lua_State *lua)
{
    struct job *job = find_job(self, lua, 1);
    if (!job) {
        return binding_bad(lua, 1, "there is no such job");
    }

    job_kill(job);
    return 0;
}

/* core.facts() -> {role=, guest=, hosts=, options=, incoming=, own_server=, first_portal=}: what the system under test
 * and its template can do; guest: the name of who stands in place of the reference's client, or ""; own_server: a case
 * meets under the server that a vendor of clients brings; first_portal: see sut_facts */
static int core_facts(struct case_run *self, lua_State *lua)
{
    const struct sut_facts *facts = &self->sut->facts;

    lua_newtable(lua);
    lua_pushstring(lua, facts->role);
    lua_setfield(lua, -2, "role");
    lua_pushstring(lua, facts->guest);
    lua_setfield(lua, -2, "guest");
    lua_pushboolean(lua, facts->hosts);
    lua_setfield(lua, -2, "hosts");
    lua_pushboolean(lua, facts->options);
    lua_setfield(lua, -2, "options");
    lua_pushboolean(lua, facts->incoming);
    lua_setfield(lua, -2, "incoming");
    lua_pushboolean(lua, self->own_server_wanted);
    lua_setfield(lua, -2, "own_server");
    lua_pushinteger(lua, facts->first_portal);
    lua_setfield(lua, -2, "first_portal");
    return 1;
}

/* core.found(incoming, why): what the preflight found out about connections to the system under test */
static int core_found(struct case_run *self, lua_State *lua)
{
    struct sut_facts *facts = &self->sut->facts;

    facts->incoming = lua_toboolean(lua, 1);
    snprintf(facts->no_incoming, sizeof facts->no_incoming, "%s", binding_text(lua, 2, ""));
    sut_note(self->sut, facts->incoming ? "preflight" : "warning", "%s",
             facts->incoming ? "the system under test takes connections" : facts->no_incoming);
    return 0;
}

/* core.found_server(incoming, why): the same about the own server beside a client */
static int core_found_server(struct case_run *self, lua_State *lua)
{
    struct sut_facts *facts = &self->sut->facts;

    facts->server_incoming = lua_toboolean(lua, 1);
    snprintf(facts->no_server_incoming, sizeof facts->no_server_incoming, "%s", binding_text(lua, 2, ""));
    sut_note(self->sut, facts->server_incoming ? "preflight" : "warning", "%s",
             facts->server_incoming ? "the own server takes connections" : facts->no_server_incoming);
    return 0;
}

/* core.look(job, functions): the preflight's questions to the interpreter of the job's first process. An answer that
 * makes judging impossible ends the preflight. */
static int core_look(struct case_run *self, lua_State *lua)
{
    struct job *job = find_job(self, lua, 1);
    struct conversation conversation = {.sut = self->sut, .rank = job ? &job->ranks[0] : NULL, .api = self->api};
    const char *functions[FUNCTIONS_MAX];
    size_t count = 0;

    if (!job || !lua_checkstack(lua, FUNCTIONS_MAX + 16)) {
        return binding_bad(lua, 1, "there is no such job");
    }
    for (; count < FUNCTIONS_MAX && lua_rawgeti(lua, 2, (lua_Integer)count + 1) == LUA_TSTRING; count++) {
        functions[count] = lua_tostring(lua, -1);
    }
    bool good = conversation_check_hello(&conversation) &&
                conversation_check_commands(&conversation, functions, count) &&
                conversation_ask_ok(&conversation, "describe");
    if (good) {
        sut_note(self->sut, "preflight", "%.400s", conversation.reply + strcspn(conversation.reply, " "));
    } else {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "configuration", "%s", self->sut->problem);
    }
    free(conversation.reply);
    return 0;
}

void lua_job_register(lua_State *lua)
{
    static const struct binding bindings[] = {
        {"job_start", "si?s?", core_job_start},
        {"job_await", "ii", core_job_await},
        {"job_line", "ii.i", core_job_line},
        {"job_lines", "i.", core_job_lines},
        {"job_ended", "iii?", core_job_ended},
        {"job_may_end", "i.", core_job_may_end},
        {"job_excuse", "i", core_job_excuse},
        {"job_kill", "i", core_job_kill},
        {"facts", "", core_facts},
        {"found", ".s?", core_found},
        {"look", "it", core_look},
        {"found_server", ".s?", core_found_server},
        {NULL, NULL, NULL},
    };

    binding_register(lua, bindings);
}
