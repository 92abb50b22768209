/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Frames of the Intercept network as Lua tables.
 */
#ifndef TESTER_LUA_FRAME_H
#define TESTER_LUA_FRAME_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* lua_frame_push pushes a datagram as a table: `octets`, `condition` ("sound", "withdrawn", "corrupt"), and of a sound
 * one `message` (its name), its fields by their names, and `data` where it may have some. What is in a short-message
 * packet that is none is `data` of a short_message.
 * lua_frame_encode makes the octets of the frame table at `index` and pushes them; false, and a message for
 * BINDING_ERROR pushed, when it cannot. A field that is not given is what it must be by the message's name and data;
 * `padding` replaces the zeros behind the data, `crc` = "wrong" or "complement" the right CRC.
 * lua_frame_describe writes a datagram's message and fields on one line. */
void lua_frame_push(lua_State *lua, const void *octets, size_t len);
bool lua_frame_encode(lua_State *lua, int index);
void lua_frame_describe(const void *octets, size_t len, char *text, size_t room);

#endif
