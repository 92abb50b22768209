/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How primitives are bound to Lua. A primitive is a row: its name, its arguments, its function. One C function calls
 * them all: it checks the arguments, and it alone raises errors of Lua, so that no primitive is left by a long jump
 * while it holds something.
 */
#ifndef TESTER_LUA_BINDING_H
#define TESTER_LUA_BINDING_H

#include "tester/lua/case.h"

#include <lua.h>

/* struct binding is one primitive. `arguments` has a letter for each: s text, i integer, t table, u userdata,
 * . anything; a ? behind it lets it be nil or missing.
 *
 * The function finds arguments of those kinds on the stack, pushes its results and returns how many, or BINDING_ERROR
 * with a message on top (binding_bad). When it has ended the case, or finds it ended behind case_wait, it just returns:
 * whoever called the primitive goes no further. */
struct binding {
    const char *name, *arguments;
    int (*function)(struct case_run *self, lua_State *lua);
};

enum { BINDING_ERROR = -1 };

/* binding_register adds the rows, the last of which has no name, to the table on top of the stack. */
void binding_register(lua_State *lua, const struct binding *bindings);

/* binding_bad pushes a message about the argument at `index`, or about none with 0; returns BINDING_ERROR. */
int binding_bad(lua_State *lua, int index, const char *message);

/* binding_text gives an argument that may be missing, else the value for that. binding_integer is the same. */
const char *binding_text(lua_State *lua, int index, const char *missing);
lua_Integer binding_integer(lua_State *lua, int index, lua_Integer missing);

/* binding_option gives the place of the text at `index` among the names, which end with NULL; -1 when it is none. */
int binding_option(lua_State *lua, int index, const char *const *names);

#endif
