/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives by which a case shows that what it sends is invalid.
 */
#ifndef TESTER_LUA_FORGERY_H
#define TESTER_LUA_FORGERY_H

#include <lua.h>

/* lua_forgery_register adds the functions to the table on top of the stack. */
void lua_forgery_register(lua_State *lua);

#endif
