/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The table that a case file gives to `case`, checked and copied field by field.
 */
#ifndef TESTER_PROFILE_CASE_FIELDS_H
#define TESTER_PROFILE_CASE_FIELDS_H

#include "tester/profile/case_entry.h"

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* case_fields_read fills the entry from the table at `index`; false, and the first thing that is wrong, when it is not
 * as tester/cases/README.md demands. Raises no error of Lua. case_fields_release frees what it filled in, complete or
 * not. */
bool case_fields_read(lua_State *lua, int index, struct case_entry *entry, char *problem, size_t problem_octets);
void case_fields_release(struct case_entry *entry);

/* case_fields_check_defaults looks at the table on top of the stack, at `index`: what a file says once for its cases;
 * false, and what is wrong, when it has a field that is none, or one that each case says for itself.
 * case_fields_complete gives the case at `index` those of the defaults that it does not say itself. Both indexes are
 * positive; the first function raises no error of Lua, the second one for want of memory. */
bool case_fields_check_defaults(lua_State *lua, int index, char *problem, size_t problem_octets);
void case_fields_complete(lua_State *lua, int index, int defaults);

#endif
