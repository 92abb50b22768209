/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives for the scripted peers of the Portals binding (case.h). tester/cases/lib/portals/peer.lua is written
 * on them. Peers are numbers to Lua like streams (stream.c).
 */
#include "tester/lua/wire.h"

#include "tester/lua/binding.h"
#include "tester/lua/job.h"
#include "tester/lua/message.h"
#include "tester/lua/stream.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 1024 };

static struct peer *find_peer(const struct case_run *self, lua_State *lua, int index)
{
    lua_Integer number = lua_tointeger(lua, index);

    return number >= 0 && number < (lua_Integer)self->peers.peer_count ? self->peers.peers[number] : NULL;
}

/* core.peer(gid or nil, rid or nil) -> number, {nid=, pid=, gid=, rid=} */
static int core_peer(struct case_run *self, lua_State *lua)
{
    char message[256];

    struct peer *peer = peer_new(&self->peers, self->sut->peer_address, message, sizeof message);
    if (!peer) {
        judge_end_format(&self->judge, VERDICT_INCONCLUSIVE, "configuration", "%s", message);
        return 0;
    }
    /* alone in a group that no job has: jobs of the binding derive theirs otherwise, and it differs for every peer */
    peer->id.gid = (uint32_t)binding_integer(lua, 1, 0x7e000000 + (lua_Integer)peer->id.pid);
    peer->id.rid = (uint32_t)binding_integer(lua, 2, 0);
    const struct wire_portals_id *id = &peer->id;
    const uint32_t values[] = {id->nid, id->pid, id->gid, id->rid};
    static const char *const names[] = {"nid", "pid", "gid", "rid"};
    lua_pushinteger(lua, peer->index);
    lua_newtable(lua);
    for (size_t i = 0; i < 4; i++) {
        lua_pushinteger(lua, values[i]);
        lua_setfield(lua, -2, names[i]);
    }
    return 2;
}

/* core.accept(peer, ms) -> stream, or nil and "timeout" */
static int core_accept(struct case_run *self, lua_State *lua)
{
    struct peer *peer = find_peer(self, lua, 1);
    if (!peer) {
        return binding_bad(lua, 1, "there is no such peer");
    }

    struct stream *stream = lua_stream_accept(self, peer->port, lua_tointeger(lua, 2));
    if (!stream) {
        lua_pushnil(lua);
        lua_pushstring(lua, "timeout");
        return 2;
    }
    lua_pushinteger(lua, stream->index);
    return 1;
}

/* Finds out which rank is at the other end, for the ladder. */
static void name_stream(const struct case_run *self, struct stream *stream, uint32_t nid, uint32_t pid)
{
    const struct job *job = self->sut->jobs;

    for (unsigned i = 0; job && i < job->connected; i++) {
        const struct rank *rank = &job->ranks[i];
        if (pid && rank->nid == nid && rank->pid == pid) {
            snprintf(stream->other, sizeof stream->other, "%s", rank->label);
        }
    }
}

/* core.connect(peer, nid, pid, ms) -> stream, or nil and "refused" or "timeout" */
static int core_connect(struct case_run *self, lua_State *lua)
{
    struct peer *peer = find_peer(self, lua, 1);
    if (!peer) {
        return binding_bad(lua, 1, "there is no such peer");
    }
    lua_Integer nid = lua_tointeger(lua, 2), pid = lua_tointeger(lua, 3);

    struct stream *stream = peer_connect(peer, (uint32_t)nid, (uint32_t)pid);
    bool decided = stream && lua_stream_decided(self, stream, lua_tointeger(lua, 4));
    if (!decided || stream->ended) {
        lua_pushnil(lua);
        lua_pushstring(lua, stream && !decided ? "timeout" : "refused");
        return 2;
    }
    name_stream(self, stream, (uint32_t)nid, (uint32_t)pid);
    evidence_arrow(stream->all->evidence, "wire", stream->label, stream->other, "opens a stream", "");
    lua_pushinteger(lua, stream->index);
    return 1;
}

struct receive_wait {
    struct stream *stream;
    struct wire_portals_header header;
    size_t header_octets, data_octets;
    enum stream_result result;
};

static bool message_came(void *context)
{
    struct receive_wait *wait = context;

    wait->result = peer_next(wait->stream, &wait->header, &wait->header_octets, &wait->data_octets);
    return wait->result != STREAM_NOTHING;
}

/* core.receive(stream, ms) -> message, or nil and "timeout", "closed", "reset", "malformed" */
static int core_receive(struct case_run *self, lua_State *lua)
{
    static const char *const names[] = {"", "timeout", "closed", "reset", "malformed"};
    struct receive_wait wait = {.stream = lua_stream_find(self, lua, 1)};
    char text[TEXT_MAX];

    if (!wait.stream) {
        return binding_bad(lua, 1, "there is no such stream");
    }
    case_wait(self, message_came, &wait, lua_tointeger(lua, 2));
    if (self->judge.ended) {
        return 0;
    }
    if (wait.result != STREAM_MESSAGE) {
        lua_pushnil(lua);
        lua_pushstring(lua, names[wait.result]);
        return 2;
    }
    const unsigned char *octets = wait.stream->in.octets;
    if (wait.header.operation == WIRE_PORTALS_HELLO) {
        name_stream(self, wait.stream, wait.header.initiator.nid, wait.header.initiator.pid);
    }
    peer_describe(octets, wait.header_octets, text, sizeof text);
    lua_stream_say(wait.stream, wire_portals_message_of(wire_portals_kind(&wait.header))->name, text, false);
    if (!lua_message_push(lua, octets, wait.header_octets, wait.data_octets)) {
        return binding_bad(lua, 0, "the octets are no message");
    }
    stream_take(wait.stream, wait.header_octets + wait.data_octets);
    return 1;
}

/* core.describe(octets) -> the message's fields on one line */
static int core_describe(struct case_run *self, lua_State *lua)
{
    (void)self;
    size_t len;
    const char *octets = lua_tolstring(lua, 1, &len);
    char text[TEXT_MAX];

    peer_describe(octets, len, text, sizeof text);
    lua_pushstring(lua, text);
    return 1;
}

/* core.encode(message) -> octets */
static int core_encode(struct case_run *self, lua_State *lua)
{
    (void)self;
    return lua_message_encode(lua, 1) ? 1 : BINDING_ERROR;
}

/* core.decode(octets) -> the message whose header they begin with, and its data; nil when they are none */
static int core_decode(struct case_run *self, lua_State *lua)
{
    (void)self;
    size_t len, header_octets;
    const char *octets = lua_tolstring(lua, 1, &len);
    struct wire_portals_header header;

    if (wire_portals_decode(octets, len, &header, &header_octets, NULL) != WIRE_OK) {
        return 0;
    }
    return lua_message_push(lua, octets, header_octets, len - header_octets) ? 1 : 0;
}

void lua_wire_register(lua_State *lua)
{
    static const struct binding bindings[] = {
        {"peer", "i?i?", core_peer},       {"accept", "ii", core_accept},
        {"connect", "iiii", core_connect}, {"receive", "ii", core_receive},
        {"describe", "s", core_describe},  {"encode", "t", core_encode},
        {"decode", "s", core_decode},      {NULL, NULL, NULL},
    };

    binding_register(lua, bindings);
}
