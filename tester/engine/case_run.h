/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The execution of one case, and the primitives (`core`) that the Lua library in tester/cases/lib is made of.
 */
#ifndef TESTER_ENGINE_CASE_RUN_H
#define TESTER_ENGINE_CASE_RUN_H

#include "tester/judging/forgery.h"
#include "tester/judging/judge.h"
#include "tester/judging/passive_checker.h"
#include "tester/judging/passive_checker_impi.h"
#include "tester/peers/peer.h"
#include "tester/profile/case_entry.h"
#include "tester/sut/job.h"

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct case_run {
    struct engine_run *run;
    const struct case_entry *entry;
    struct judge judge;
    struct evidence *evidence;
    struct streams streams;
    struct peers peers;
    struct forgeries *forgeries;
    struct passive_checker *checker;
    struct passive_checker_impi *checker_impi;
    int64_t late_ms; /* the case's own deadline */
    uint64_t chance; /* state of its random numbers */
    lua_State *lua;
};

/* A rank's number in Lua is that of its job times CASE_RANKS and its own. */
enum { CASE_RANKS = 65536 };

/* case_execute runs the case from its job's start to its end and leaves verdict and complete evidence. The caller
 * releases with case_release. */
void case_execute(struct case_run *self, struct engine_run *run, const struct case_entry *entry);
void case_release(struct case_run *self);

/* The steps of case_execute, for what is like a case (preflight_impi.c). case_begin opens judge and evidence;
 * case_library makes self->lua with the library, or false and a message; case_call calls the function on top of its
 * stack with `t`; case_close stops the jobs and completes the evidence. */
void case_begin(struct case_run *self, struct engine_run *run, const struct case_entry *entry);
bool case_library(struct case_run *self, char *message, size_t message_octets);
void case_call(struct case_run *self);
void case_close(struct case_run *self);

/* What a primitive may do. case_self is its case. case_throw ends the Lua function when the judge has ended the case;
 * it does not return then. case_wait turns the loop until until(context) holds: true; or `ms` have passed: false. It
 * ends the case when a rank is lost, the run is over or the case is too late. */
struct case_run *case_self(lua_State *lua);
void case_throw(lua_State *lua);
bool case_wait(lua_State *lua, bool (*until)(void *context), void *context, int64_t ms);

/* The primitives by subject; each adds its functions to the table on top of the stack. */
void lua_core_register(lua_State *lua);
void lua_job_register(lua_State *lua);
void lua_rank_register(lua_State *lua);
void lua_stream_register(lua_State *lua);
void lua_wire_register(lua_State *lua);
void lua_impi_register(lua_State *lua);
void lua_forgery_register(lua_State *lua);

/* lua_ranks_push pushes a table [0..np-1] of objects of class Rank, one for each process of the job. */
void lua_ranks_push(lua_State *lua, const struct job *job);

/* lua_stream_check gives the stream whose number is at `index`, else raises an error of Lua. lua_stream_say adds a
 * message to transcript and ladder. */
struct stream *lua_stream_check(lua_State *lua, int index);
void lua_stream_say(struct stream *stream, const char *label, const char *text, bool sent);

/* lua_stream_accept waits at most `ms` for the next stream that comes to a port; NULL when none does.
 * lua_stream_decided waits until a stream that is connecting is open or refused; false when it is neither by then. Both
 * may end the case.
 */
struct stream *lua_stream_accept(lua_State *lua, struct port *port, lua_Integer ms);
bool lua_stream_decided(lua_State *lua, struct stream *stream, lua_Integer ms);

/* lua_message_push pushes a decoded message as a table; lua_message_encode makes the octets of the message table at
 * `index` and pushes them. Both raise errors of Lua. */
void lua_message_push(lua_State *lua, const void *octets, size_t header_octets, size_t data_octets);
void lua_message_encode(lua_State *lua, int index);

#endif
