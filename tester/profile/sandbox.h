/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where case files run: a Lua state with base, string, table, math and utf8 and nothing that reaches the outside, with
 * limits of memory (64 MiB) and of instructions.
 */
#ifndef TESTER_PROFILE_SANDBOX_H
#define TESTER_PROFILE_SANDBOX_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* sandbox_new makes a state with the empty tables `core`, Test, Rank, Pending, Peer and Stream as globals; the five
 * classes are their own metatables' __index. NULL when there is no memory. sandbox_free ends it; NULL is allowed. */
lua_State *sandbox_new(void);
void sandbox_free(lua_State *lua);

/* sandbox_budget sets how many instructions may run from now on. When they are used up every further step raises an
 * error, so that no pcall in a case can go on. sandbox_exhausted tells whether that happened. */
void sandbox_budget(lua_State *lua, long instructions);
bool sandbox_exhausted(lua_State *lua);

/* sandbox_run executes Lua source under the name that its error messages show; false and a message when it fails.
 * sandbox_run_apart does so with global variables of the source's own: it reads those of the state, and what it
 * assigns ends with it. */
bool sandbox_run(lua_State *lua, const char *source, size_t len, const char *name, char *message,
                 size_t message_octets);
bool sandbox_run_apart(lua_State *lua, const char *source, size_t len, const char *name, char *message,
                       size_t message_octets);

/* sandbox_compile leaves the source as a function on the stack instead, or fails likewise; sandbox_run_compiled
 * executes what lua_dump has made of such a function, and must be given nothing else. */
bool sandbox_compile(lua_State *lua, const char *source, size_t len, const char *name, char *message,
                     size_t message_octets);
bool sandbox_run_compiled(lua_State *lua, const void *octets, size_t len, char *message, size_t message_octets);

#endif
