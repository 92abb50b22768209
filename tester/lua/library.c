/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The state of a case (library.h).
 */
#include "tester/lua/library.h"

#include "tester/base/memory.h"
#include "tester/lua/core.h"
#include "tester/lua/forgery.h"
#include "tester/lua/impi.h"
#include "tester/lua/job.h"
#include "tester/lua/network.h"
#include "tester/lua/rank.h"
#include "tester/lua/stream.h"
#include "tester/lua/wire.h"
#include "tester/profile/sandbox.h"
#include "tester/profile/sandbox_library.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { CASE_INSTRUCTIONS = 50000000 };

static int prepare(lua_State *lua)
{
    struct case_run *self = lua_touserdata(lua, 1);

    lua_pushlightuserdata(lua, self);
    lua_setfield(lua, LUA_REGISTRYINDEX, "assay.case");
    lua_getglobal(lua, "core");
    lua_core_register(lua);
    lua_job_register(lua);
    lua_rank_register(lua);
    lua_stream_register(lua);
    lua_wire_register(lua);
    lua_network_register(lua);
    lua_impi_register(lua);
    lua_forgery_register(lua);
    return 0;
}

bool lua_library_load(struct case_run *self, const struct sandbox_library *library, char *message,
                      size_t message_octets)
{
    bool good = false;

    self->lua = sandbox_new();
    if (!self->lua) {
        snprintf(message, message_octets, "no memory for Lua");
    } else {
        sandbox_budget(self->lua, CASE_INSTRUCTIONS);
        lua_pushcfunction(self->lua, prepare);
        lua_pushlightuserdata(self->lua, self);
        lua_call(self->lua, 1, 0); /* a fresh state has the memory for that */
        good = sandbox_library_run(library, self->lua, message, message_octets);
    }
    return good;
}
