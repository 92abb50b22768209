/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives for the TCP connections of scripted peers.
 */
#ifndef TESTER_LUA_STREAM_H
#define TESTER_LUA_STREAM_H

#include "tester/lua/case.h"
#include "tester/peers/port.h"
#include "tester/peers/stream.h"

#include <lua.h>
#include <stdbool.h>

/* lua_stream_find gives the stream whose number is at `index`, or NULL. lua_stream_say adds a message to transcript and
 * ladder. */
struct stream *lua_stream_find(const struct case_run *self, lua_State *lua, int index);
void lua_stream_say(struct stream *stream, const char *label, const char *text, bool sent);

/* lua_stream_accept waits at most `ms` for the next stream that comes to a port; NULL when none does.
 * lua_stream_decided waits until a stream that is connecting is open or refused; false when it is neither by then. Both
 * may end the case.
 */
struct stream *lua_stream_accept(struct case_run *self, struct port *port, lua_Integer ms);
bool lua_stream_decided(struct case_run *self, struct stream *stream, lua_Integer ms);

/* lua_stream_register adds the functions to the table on top of the stack. */
void lua_stream_register(lua_State *lua);

#endif
