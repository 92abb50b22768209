/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages of the Portals binding as Lua tables.
 */
#ifndef TESTER_LUA_MESSAGE_H
#define TESTER_LUA_MESSAGE_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* lua_message_push pushes a decoded message as a table; false, and nothing pushed, when the octets are none.
 * lua_message_encode makes the octets of the message table at `index` and pushes them; false, and a message for
 * BINDING_ERROR pushed, when it cannot. */
bool lua_message_push(lua_State *lua, const void *octets, size_t header_octets, size_t data_octets);
bool lua_message_encode(lua_State *lua, int index);

#endif
