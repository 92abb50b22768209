/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives for the jobs of the system under test.
 */
#ifndef TESTER_LUA_JOB_H
#define TESTER_LUA_JOB_H

#include "tester/sut/job.h"

#include <lua.h>

/* A rank's number in Lua is that of its job times LUA_JOB_RANKS and its own. */
enum { LUA_JOB_RANKS = 65536 };

/* lua_job_push_ranks pushes a table [0..np-1] of objects of class Rank, one for each process of the job. */
void lua_job_push_ranks(lua_State *lua, const struct job *job);

/* lua_job_register adds the functions to the table on top of the stack. */
void lua_job_register(lua_State *lua);

#endif
