/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The primitives by subject, and a state that has them all.
 */
#ifndef TESTER_LUA_LIBRARY_H
#define TESTER_LUA_LIBRARY_H

#include "tester/lua/case.h"

#include <stdbool.h>
#include <stddef.h>

struct sandbox_library;

/* lua_library_load makes self->lua: a state with the primitives and the Lua library, within the instructions that a
 * case may use; false and a message when that fails. The caller frees it with sandbox_free, also then. */
bool lua_library_load(struct case_run *self, const struct sandbox_library *library, char *message,
                      size_t message_octets);

#endif
