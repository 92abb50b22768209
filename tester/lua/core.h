/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives for judging, and small helpers.
 */
#ifndef TESTER_LUA_CORE_H
#define TESTER_LUA_CORE_H

#include <lua.h>

/* lua_core_register adds the functions to the table on top of the stack. */
void lua_core_register(lua_State *lua);

#endif
