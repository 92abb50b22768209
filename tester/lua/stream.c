/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives for the TCP connections of scripted peers (case.h): listen, accept, connect, octets in both
 * directions, every way to end. Ports and streams are numbers to Lua; everything is closed when the case ends. What
 * the octets mean is known to tester/cases/lib (IMPI), or to wire.c (the Portals binding).
 */
#include "tester/lua/stream.h"

#include "tester/lua/case.h"

#include <arpa/inet.h>
#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SEND_MS = 10000 };

struct stream *lua_stream_check(lua_State *lua, int index)
{
    struct case_run *self = case_self(lua);
    lua_Integer number = luaL_checkinteger(lua, index);

    luaL_argcheck(lua, number >= 0 && number < (lua_Integer)self->streams.stream_count, index, "no such stream");
    return self->streams.streams[number];
}

static struct port *check_port(lua_State *lua, int index)
{
    struct case_run *self = case_self(lua);
    lua_Integer number = luaL_checkinteger(lua, index);

    luaL_argcheck(lua, number >= 0 && number < (lua_Integer)self->streams.port_count, index, "no such port");
    return self->streams.ports[number];
}

void lua_stream_say(struct stream *stream, const char *label, const char *text, bool sent)
{
    struct evidence *evidence = stream->all->evidence;
    char mark[64];

    snprintf(mark, sizeof mark, "wire %s %s", stream->label, sent ? "->" : "<-");
    evidence_say(evidence, mark, text);
    evidence_arrow(evidence, "wire", sent ? stream->label : stream->other, sent ? stream->other : stream->label, label,
                   text);
}

/* core.manager() -> the numeric address at which scripted peers listen */
static int core_manager(lua_State *lua)
{
    lua_pushstring(lua, case_self(lua)->sut->peer_address);
    return 1;
}

/* What the passive checker shall hear on a stream: nothing, or one of the two kinds of IMPI in a job of the case's own
 * number.
 */
struct hearing {
    bool wanted;
    enum passive_checker_kind kind;
    unsigned job;
};

static struct hearing check_hearing(lua_State *lua, int index)
{
    static const char *const kinds[] = {"link", "channel", NULL};

    if (lua_isnoneornil(lua, index)) {
        return (struct hearing){.wanted = false};
    }
    bool channel = luaL_checkoption(lua, index, NULL, kinds) == 1;
    return (struct hearing){true, channel ? PASSIVE_CHECKER_CHANNEL : PASSIVE_CHECKER_LINK,
                            (unsigned)luaL_checkinteger(lua, index + 1)};
}

static void hear(struct case_run *self, struct stream *stream, const struct hearing *hearing)
{
    if (hearing->wanted && self->checker_impi) {
        passive_checker_impi_listen(self->checker_impi, &stream->flow, hearing->kind, hearing->job);
    }
}

/* A port whose connections the passive checker hears. */
struct heard_port {
    struct case_run *self;
    struct hearing hearing;
};

static void on_opened(struct port *port, struct stream *stream)
{
    const struct heard_port *heard = port->owner;

    hear(heard->self, stream, &heard->hearing);
}

/* core.port(label [, address [, number [, kind, job]]]) -> port, its number; or nil and why. kind is "link" or
 * "channel": what the passive checker is to hear on its connections. */
static int core_port(lua_State *lua)
{
    struct case_run *self = case_self(lua);
    const char *label = luaL_checkstring(lua, 1);
    const char *address = luaL_optstring(lua, 2, self->sut->peer_address);
    lua_Integer number = luaL_optinteger(lua, 3, 0);
    char message[256];

    struct hearing hearing = check_hearing(lua, 4);
    luaL_argcheck(lua, number >= 0 && number <= UINT16_MAX, 3, "a port is 0 to 65535");
    case_throw(lua);
    struct port *port = port_new(&self->streams, address, (uint16_t)number, label, message, sizeof message);
    if (!port) {
        lua_pushnil(lua);
        lua_pushstring(lua, message);
        return 2;
    }
    if (hearing.wanted) {
        struct heard_port *heard = lua_newuserdatauv(lua, sizeof *heard, 0);
        *heard = (struct heard_port){self, hearing};
        luaL_ref(lua, LUA_REGISTRYINDEX); /* it lives as long as the case */
        port->owner = heard;
        port->opened = on_opened;
    }
    lua_pushinteger(lua, port->index);
    lua_pushinteger(lua, ntohs(port->address.sin_port));
    return 2;
}

/* core.port_close(port) */
static int core_port_close(lua_State *lua)
{
    port_close(check_port(lua, 1));
    return 0;
}

struct accept_wait {
    struct port *port;
    struct stream *stream;
};

static bool stream_came(void *context)
{
    struct accept_wait *wait = context;

    if (!wait->stream) { /* a wait asks once more at its end; the stream must not be taken twice */
        wait->stream = port_accepted(wait->port);
    }
    return wait->stream != NULL;
}

struct stream *lua_stream_accept(lua_State *lua, struct port *port, lua_Integer ms)
{
    struct accept_wait wait = {port, NULL};

    return case_wait(lua, stream_came, &wait, ms) ? wait.stream : NULL;
}

/* core.port_accept(port, ms) -> stream, the other side's address and port, and the address to which it has connected;
 * or nil and "timeout" */
static int core_port_accept(lua_State *lua)
{
    struct port *port = check_port(lua, 1);
    char address[INET_ADDRSTRLEN];

    case_throw(lua);
    struct stream *stream = lua_stream_accept(lua, port, luaL_checkinteger(lua, 2));
    if (!stream) {
        lua_pushnil(lua);
        lua_pushstring(lua, "timeout");
        return 2;
    }
    const struct sockaddr_in *from = &stream->flow.ends[FLOW_SUT];
    inet_ntop(AF_INET, &from->sin_addr, address, sizeof address);
    evidence_arrow(stream->all->evidence, "wire", stream->other, stream->label, "connects", address);
    evidence_say(stream->all->evidence, "wire", lua_pushfstring(lua, "%s connects to %s", address, stream->label));
    lua_pushinteger(lua, stream->index);
    lua_pushstring(lua, address);
    lua_pushinteger(lua, ntohs(from->sin_port));
    inet_ntop(AF_INET, &stream->flow.ends[FLOW_MANAGER].sin_addr, address, sizeof address);
    lua_pushstring(lua, address);
    return 4;
}

static bool stream_decided(void *context)
{
    struct stream *stream = context;

    return !stream->connecting;
}

bool lua_stream_decided(lua_State *lua, struct stream *stream, lua_Integer ms)
{
    return case_wait(lua, stream_decided, stream, ms);
}

/* core.connect_to(label, from or nil, address, number, ms [, kind, job]) -> stream, own address; or nil and "refused"
 * or "timeout" */
static int core_connect_to(lua_State *lua)
{
    struct case_run *self = case_self(lua);
    const char *label = luaL_checkstring(lua, 1), *from = luaL_optstring(lua, 2, "0.0.0.0");
    const char *address = luaL_checkstring(lua, 3);
    lua_Integer number = luaL_checkinteger(lua, 4);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)number)};
    char own[INET_ADDRSTRLEN];
    struct in_addr here;

    luaL_argcheck(lua, inet_pton(AF_INET, from, &here) == 1, 2, "not an IPv4 address");
    luaL_argcheck(lua, inet_pton(AF_INET, address, &to.sin_addr) == 1, 3, "not an IPv4 address");
    luaL_argcheck(lua, number >= 0 && number <= UINT16_MAX, 4, "a port is 0 to 65535");
    case_throw(lua);
    struct hearing hearing = check_hearing(lua, 6);
    struct stream *stream = port_connect(&self->streams, here, &to, label);
    if (stream) {
        hear(self, stream, &hearing);
    }
    bool decided = stream && lua_stream_decided(lua, stream, luaL_checkinteger(lua, 5));
    if (!decided || stream->ended) {
        evidence_say(self->evidence, "wire",
                     lua_pushfstring(lua, "%s cannot connect to %s:%d", label, address, (int)number));
        lua_pushnil(lua);
        lua_pushstring(lua, stream && !decided ? "timeout" : "refused");
        return 2;
    }
    evidence_arrow(self->evidence, "wire", stream->label, stream->other, "connects", "");
    lua_pushinteger(lua, stream->index);
    inet_ntop(AF_INET, &stream->flow.ends[FLOW_MANAGER].sin_addr, own, sizeof own);
    lua_pushstring(lua, own);
    return 2;
}

/* core.stream_label(stream, label): whose it is, once that is known */
static int core_stream_label(lua_State *lua)
{
    struct stream *stream = lua_stream_check(lua, 1);

    snprintf(stream->label, sizeof stream->label, "%s", luaL_checkstring(lua, 2));
    return 0;
}

static bool stream_flushed(void *context)
{
    struct stream *stream = context;

    return stream->out.len == 0 || stream->ended;
}

/* core.stream_send(stream, octets, label, text) -> true, or nil and "closed", "reset", "timeout" */
static int core_stream_send(lua_State *lua)
{
    struct stream *stream = lua_stream_check(lua, 1);
    size_t len;
    const char *octets = luaL_checklstring(lua, 2, &len);
    const char *why = NULL;

    case_throw(lua);
    lua_stream_say(stream, luaL_checkstring(lua, 3), luaL_checkstring(lua, 4), true);
    bool taken = stream_send(stream, octets, len);
    if (taken && !case_wait(lua, stream_flushed, stream, SEND_MS)) {
        why = "timeout";
    } else if (!taken || stream->out.len) {
        why = stream->reset ? "reset" : "closed";
    }
    if (why) {
        evidence_say(stream->all->evidence, "wire", lua_pushfstring(lua, "could not be sent: %s", why));
        lua_pushnil(lua);
        lua_pushstring(lua, why);
        return 2;
    }
    lua_pushboolean(lua, true);
    return 1;
}

/* core.stream_said(stream, label, text): tells what had been taken from the stream. */
static int core_stream_said(lua_State *lua)
{
    lua_stream_say(lua_stream_check(lua, 1), luaL_checkstring(lua, 2), luaL_checkstring(lua, 3), false);
    return 0;
}

struct octets_wait {
    struct stream *stream;
    size_t count;
};

static bool octets_came(void *context)
{
    struct octets_wait *wait = context;

    return wait->stream->in.len >= wait->count || wait->stream->ended || wait->stream->fd < 0;
}

/* Why there are not as many octets as were asked for. */
static const char *why_short(const struct stream *stream)
{
    if (stream->reset) {
        return "reset";
    }
    if (!stream->ended && stream->fd >= 0) {
        return "timeout";
    }
    return stream->in.len ? "cut" : "closed";
}

/* core.stream_take(stream, count, ms) -> the next octets; or nil and why: "timeout", "closed", "reset", "cut" (closed
 * with fewer octets than that). What is too short stays where it is. */
static int core_stream_take(lua_State *lua)
{
    struct stream *stream = lua_stream_check(lua, 1);
    lua_Integer count = luaL_checkinteger(lua, 2);
    struct octets_wait wait = {stream, (size_t)count};

    luaL_argcheck(lua, count >= 0 && count <= (lua_Integer)stream->in.limit, 2, "so many octets do not fit");
    case_throw(lua);
    case_wait(lua, octets_came, &wait, luaL_checkinteger(lua, 3));
    if (stream->in.len >= wait.count) {
        lua_pushlstring(lua, (const char *)stream->in.octets, wait.count);
        stream_take(stream, wait.count);
        return 1;
    }
    lua_pushnil(lua);
    lua_pushstring(lua, why_short(stream));
    return 2;
}

/* core.stream_waiting(stream) -> how many octets have come and were not taken */
static int core_stream_waiting(lua_State *lua)
{
    lua_pushinteger(lua, (lua_Integer)lua_stream_check(lua, 1)->in.len);
    return 1;
}

/* core.stream_hold(stream, held) */
static int core_stream_hold(lua_State *lua)
{
    struct stream *stream = lua_stream_check(lua, 1);
    bool held = lua_toboolean(lua, 2);

    case_throw(lua);
    evidence_say(stream->all->evidence, "wire", held ? "the peer stops reading" : "the peer reads again");
    stream_hold(stream, held);
    return 0;
}

/* core.stream_close(stream, reset) */
static int core_stream_close(lua_State *lua)
{
    struct stream *stream = lua_stream_check(lua, 1);
    bool reset = lua_toboolean(lua, 2);
    const char *what = reset ? "resets" : "finishes";

    case_throw(lua);
    evidence_say(stream->all->evidence, "wire", lua_pushfstring(lua, "%s %s the stream", stream->label, what));
    evidence_arrow(stream->all->evidence, "wire", stream->label, stream->other, what, "");
    if (reset) {
        stream_close(stream, true);
    } else {
        stream_finish(stream);
    }
    return 0;
}

void lua_stream_register(lua_State *lua)
{
    static const luaL_Reg functions[] = {{"manager", core_manager},
                                         {"port", core_port},
                                         {"port_accept", core_port_accept},
                                         {"port_close", core_port_close},
                                         {"connect_to", core_connect_to},
                                         {"stream_label", core_stream_label},
                                         {"stream_send", core_stream_send},
                                         {"stream_said", core_stream_said},
                                         {"stream_take", core_stream_take},
                                         {"stream_waiting", core_stream_waiting},
                                         {"stream_hold", core_stream_hold},
                                         {"stream_close", core_stream_close},
                                         {NULL, NULL}};

    luaL_setfuncs(lua, functions, 0);
}
