/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of a channel between IMPI hosts (wire/impi/check_channel.h) as a primitive for cases (case.h): a case
 * that forges a packet shows by it that the packet really breaks a rule. tester/cases/lib/impi/forge.lua is written on
 * it. A checker is a userdata of Lua's and is gone with it.
 */
#include "tester/lua/impi.h"

#include "tester/lua/binding.h"
#include "wire/follow/follow_impi.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PROCESSES_MAX = 512, HOSTS_MAX = 512, PAIRS = 128, REQUESTS = 1024, TEXT_MAX = 512 };

static const char *const CLASS = "assay.impi-checker";

struct checker {
    struct wire_impi_channel channel;
    struct wire_impi_job job;
    struct wire_impi_job_host hosts[HOSTS_MAX];
    struct wire_impi_job_process processes[PROCESSES_MAX];
    struct wire_impi_pair pairs[PAIRS];
    struct wire_impi_request requests[REQUESTS];
    uint64_t mark;
};

static lua_Integer field(lua_State *lua, int index, const char *name)
{
    lua_getfield(lua, index, name);
    lua_Integer value = lua_tointeger(lua, -1);
    lua_pop(lua, 1);
    return value;
}

/* The process {id=, pid=, host=} on top of the stack; false when its id is none. */
static bool take_process(lua_State *lua, struct wire_impi_job_process *process)
{
    size_t len = 0;

    lua_getfield(lua, -1, "id");
    const char *id = lua_tolstring(lua, -1, &len);
    if (!id || len != WIRE_IMPI_HOST_OCTETS) {
        return false;
    }
    memcpy(process->id.host, id, len);
    lua_pop(lua, 1);
    process->id.pid = field(lua, -1, "pid");
    process->host = (uint32_t)field(lua, -1, "host");
    return true;
}

/* core.impi_checker({datalen=, tagub=, ackmark=, hiwater=, hosts=, connector=, acceptor=}, {{id=, pid=, host=}, ..})
 * -> checker; the processes by their world ranks, connector and acceptor are the ranks of the two hosts */
static int core_impi_checker(struct case_run *run, lua_State *lua)
{
    (void)run;
    struct checker *self = lua_newuserdatauv(lua, sizeof *self, 0);
    struct wire_impi_job_tables job = {self->hosts, HOSTS_MAX, self->processes, PROCESSES_MAX};
    struct wire_impi_channel_tables tables = {self->pairs, PAIRS, self->requests, REQUESTS};
    size_t count = lua_rawlen(lua, 2);

    if (!(count <= PROCESSES_MAX)) {
        return binding_bad(lua, 2, "too many processes");
    }
    memset(self, 0, sizeof *self);
    wire_impi_job_begin(&self->job, &job);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(lua, 2, (lua_Integer)i + 1);
        if (!lua_istable(lua, -1) || !take_process(lua, &self->processes[i])) {
            return binding_bad(lua, 2, "the host identifier of a process has 16 octets");
        }
        lua_pop(lua, 1);
    }
    self->job.processes = (uint32_t)count;
    self->job.hosts = (uint32_t)field(lua, 1, "hosts");
    self->job.whole = true;
    self->job.limits = (struct wire_impi_limits){(uint32_t)field(lua, 1, "datalen"), (uint32_t)field(lua, 1, "ackmark"),
                                                 (uint32_t)field(lua, 1, "hiwater"), (int32_t)field(lua, 1, "tagub")};
    wire_impi_channel_begin(&self->channel, &tables, &self->job.limits);
    self->channel.job = &self->job;
    self->channel.hosts[WIRE_IMPI_CONNECTOR] = field(lua, 1, "connector");
    self->channel.hosts[WIRE_IMPI_ACCEPTOR] = field(lua, 1, "acceptor");
    luaL_setmetatable(lua, CLASS);
    return 1;
}

/* core.impi_judge(checker, connector, header) -> requirements and rules that the packet breaks, or nil; `connector`
 * tells that the side that connected has sent it */
static int core_impi_judge(struct case_run *run, lua_State *lua)
{
    struct checker *self = luaL_testudata(lua, 1, CLASS);
    enum wire_impi_side side = lua_toboolean(lua, 2) ? WIRE_IMPI_CONNECTOR : WIRE_IMPI_ACCEPTOR;
    struct wire_impi_packet packet;
    char text[TEXT_MAX];
    size_t len;
    const char *octets = lua_tolstring(lua, 3, &len);

    (void)run;
    if (!self) {
        return binding_bad(lua, 1, "it is no checker");
    }
    switch (wire_impi_packet_decode(octets, len, &packet)) {
    case WIRE_OK:
        if (wire_impi_channel_packet(&self->channel, side, &packet, ++self->mark) == 0) {
            return 0;
        }
        break;
    case WIRE_UNKNOWN:
        (void)wire_impi_channel_broken(&self->channel, side);
        break;
    default:
        lua_pushstring(lua, "the octets end before the header does");
        return 1;
    }
    wire_follow_impi_finding_text(&self->channel.findings.at[0], NULL, text, sizeof text);
    lua_pushstring(lua, text);
    return 1;
}

void lua_impi_register(lua_State *lua)
{
    static const struct binding bindings[] = {
        {"impi_checker", "tt", core_impi_checker},
        {"impi_judge", "u.s", core_impi_judge},
        {NULL, NULL, NULL},
    };

    if (luaL_newmetatable(lua, CLASS)) {
        lua_pushstring(lua, "hidden"); /* a case cannot take it apart */
        lua_setfield(lua, -2, "__metatable");
    }
    lua_pop(lua, 1);
    binding_register(lua, bindings);
}
