/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives for the Intercept network that a case plays.
 */
#ifndef TESTER_LUA_NETWORK_H
#define TESTER_LUA_NETWORK_H

#include <lua.h>

/* lua_network_register adds the functions to the table on top of the stack. */
void lua_network_register(lua_State *lua);

#endif
