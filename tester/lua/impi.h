/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives for checking packets of IMPI before they are sent.
 */
#ifndef TESTER_LUA_IMPI_H
#define TESTER_LUA_IMPI_H

#include <lua.h>

/* lua_impi_register adds the functions to the table on top of the stack. */
void lua_impi_register(lua_State *lua);

#endif
