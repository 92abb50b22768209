/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives for driving the processes of the system under test.
 */
#ifndef TESTER_LUA_RANK_H
#define TESTER_LUA_RANK_H

#include <lua.h>

/* lua_rank_register adds the functions to the table on top of the stack. */
void lua_rank_register(lua_State *lua);

#endif
