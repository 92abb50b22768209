/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives for the scripted peers of the Portals binding.
 */
#ifndef TESTER_LUA_WIRE_H
#define TESTER_LUA_WIRE_H

#include <lua.h>

/* lua_wire_register adds the functions to the table on top of the stack. */
void lua_wire_register(lua_State *lua);

#endif
