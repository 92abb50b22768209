/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Primitives for the TCP connections of scripted peers (case.h): listen, accept, connect, octets in both
 * directions, every way to end. Ports and streams are numbers to Lua; everything is closed when the case ends. What
 * the octets mean is known to tester/cases/lib (IMPI), or to wire.c (the Portals binding).
 */
#include "tester/lua/stream.h"

#include "tester/lua/binding.h"

#include <arpa/inet.h>
#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SEND_MS = 10000 };

struct stream *lua_stream_find(const struct case_run *self, lua_State *lua, int index)
{
    lua_Integer number = lua_tointeger(lua, index);

    return number >= 0 && number < (lua_Integer)self->streams.stream_count ? self->streams.streams[number] : NULL;
}

static struct port *find_port(const struct case_run *self, lua_State *lua, int index)
{
    lua_Integer number = lua_tointeger(lua, index);

    return number >= 0 && number < (lua_Integer)self->streams.port_count ? self->streams.ports[number] : NULL;
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
static int core_manager(struct case_run *self, lua_State *lua)
{
    lua_pushstring(lua, self->sut->peer_address);
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

/* Reads the kind at `index`, which may be missing, and the job behind it; false when they are none. */
static bool read_hearing(lua_State *lua, int index, struct hearing *hearing)
{
    static const char *const kinds[] = {"link", "channel", NULL};

    *hearing = (struct hearing){.wanted = !lua_isnoneornil(lua, index)};
    if (!hearing->wanted) {
        return true;
    }
    int kind = binding_option(lua, index, kinds);
    hearing->kind = kind == 1 ? PASSIVE_CHECKER_CHANNEL : PASSIVE_CHECKER_LINK;
    hearing->job = (unsigned)lua_tointeger(lua, index + 1);
    return kind >= 0 && lua_isinteger(lua, index + 1);
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
static int core_port(struct case_run *self, lua_State *lua)
{
    const char *label = lua_tostring(lua, 1);
    const char *address = binding_text(lua, 2, self->sut->peer_address);
    lua_Integer number = binding_integer(lua, 3, 0);
    char message[256];

    struct hearing hearing;
    if (!read_hearing(lua, 4, &hearing)) {
        return binding_bad(lua, 4, "it is link or channel, with a job behind it");
    }
    if (!(number >= 0 && number <= UINT16_MAX)) {
        return binding_bad(lua, 3, "a port is 0 to 65535");
    }
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
static int core_port_close(struct case_run *self, lua_State *lua)
{
    struct port *port = find_port(self, lua, 1);

    if (!port) {
        return binding_bad(lua, 1, "there is no such port");
    }
    port_close(port);
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

struct stream *lua_stream_accept(struct case_run *self, struct port *port, lua_Integer ms)
{
    struct accept_wait wait = {port, NULL};

    return case_wait(self, stream_came, &wait, ms) ? wait.stream : NULL;
}

/* core.port_accept(port, ms) -> stream, the other side's address and port, and the address to which it has connected;
 * or nil and "timeout" */
static int core_port_accept(struct case_run *self, lua_State *lua)
{
    struct port *port = find_port(self, lua, 1);
    if (!port) {
        return binding_bad(lua, 1, "there is no such port");
    }
    char address[INET_ADDRSTRLEN];

    struct stream *stream = lua_stream_accept(self, port, lua_tointeger(lua, 2));
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

bool lua_stream_decided(struct case_run *self, struct stream *stream, lua_Integer ms)
{
    return case_wait(self, stream_decided, stream, ms);
}

/* core.connect_to(label, from or nil, address, number, ms [, kind, job]) -> stream, own address; or nil and "refused"
 * or "timeout" */
static int core_connect_to(struct case_run *self, lua_State *lua)
{
    const char *label = lua_tostring(lua, 1), *from = binding_text(lua, 2, "0.0.0.0");
    const char *address = lua_tostring(lua, 3);
    lua_Integer number = lua_tointeger(lua, 4);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)number)};
    char own[INET_ADDRSTRLEN];
    struct in_addr here;

    if (!(inet_pton(AF_INET, from, &here) == 1)) {
        return binding_bad(lua, 2, "not an IPv4 address");
    }
    if (!(inet_pton(AF_INET, address, &to.sin_addr) == 1)) {
        return binding_bad(lua, 3, "not an IPv4 address");
    }
    if (!(number >= 0 && number <= UINT16_MAX)) {
        return binding_bad(lua, 4, "a port is 0 to 65535");
    }
    struct hearing hearing;
    if (!read_hearing(lua, 6, &hearing)) {
        return binding_bad(lua, 6, "it is link or channel, with a job behind it");
    }
    struct stream *stream = port_connect(&self->streams, here, &to, label);
    if (stream) {
        hear(self, stream, &hearing);
    }
    bool decided = stream && lua_stream_decided(self, stream, lua_tointeger(lua, 5));
    if (self->judge.ended) {
        return 0;
    }
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
static int core_stream_label(struct case_run *self, lua_State *lua)
{
    struct stream *stream = lua_stream_find(self, lua, 1);
    if (!stream) {
        return binding_bad(lua, 1, "there is no such stream");
    }

    snprintf(stream->label, sizeof stream->label, "%s", lua_tostring(lua, 2));
    return 0;
}

static bool stream_flushed(void *context)
{
    struct stream *stream = context;

    return stream->out.len == 0 || stream->ended;
}

/* core.stream_send(stream, octets, label, text) -> true, or nil and "closed", "reset", "timeout" */
static int core_stream_send(struct case_run *self, lua_State *lua)
{
    struct stream *stream = lua_stream_find(self, lua, 1);
    if (!stream) {
        return binding_bad(lua, 1, "there is no such stream");
    }
    size_t len;
    const char *octets = lua_tolstring(lua, 2, &len);
    const char *why = NULL;

    lua_stream_say(stream, lua_tostring(lua, 3), lua_tostring(lua, 4), true);
    bool taken = stream_send(stream, octets, len);
    if (taken && !case_wait(self, stream_flushed, stream, SEND_MS)) {
        why = "timeout";
    } else if (!taken || stream->out.len) {
        why = stream->reset ? "reset" : "closed";
    }
    if (self->judge.ended) {
        return 0;
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
static int core_stream_said(struct case_run *self, lua_State *lua)
{
    struct stream *stream = lua_stream_find(self, lua, 1);

    if (!stream) {
        return binding_bad(lua, 1, "there is no such stream");
    }
    lua_stream_say(stream, lua_tostring(lua, 2), lua_tostring(lua, 3), false);
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
static int core_stream_take(struct case_run *self, lua_State *lua)
{
    struct stream *stream = lua_stream_find(self, lua, 1);
    if (!stream) {
        return binding_bad(lua, 1, "there is no such stream");
    }
    lua_Integer count = lua_tointeger(lua, 2);
    struct octets_wait wait = {stream, (size_t)count};

    if (!(count >= 0 && count <= (lua_Integer)stream->in.limit)) {
        return binding_bad(lua, 2, "so many octets do not fit");
    }
    case_wait(self, octets_came, &wait, lua_tointeger(lua, 3));
    if (self->judge.ended) {
        return 0;
    }
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
static int core_stream_waiting(struct case_run *self, lua_State *lua)
{
    const struct stream *stream = lua_stream_find(self, lua, 1);

    if (!stream) {
        return binding_bad(lua, 1, "there is no such stream");
    }
    lua_pushinteger(lua, (lua_Integer)stream->in.len);
    return 1;
}

/* core.stream_hold(stream, held) */
static int core_stream_hold(struct case_run *self, lua_State *lua)
{
    struct stream *stream = lua_stream_find(self, lua, 1);
    if (!stream) {
        return binding_bad(lua, 1, "there is no such stream");
    }
    bool held = lua_toboolean(lua, 2);

    evidence_say(stream->all->evidence, "wire", held ? "the peer stops reading" : "the peer reads again");
    stream_hold(stream, held);
    return 0;
}

/* core.stream_close(stream, reset) */
static int core_stream_close(struct case_run *self, lua_State *lua)
{
    struct stream *stream = lua_stream_find(self, lua, 1);
    if (!stream) {
        return binding_bad(lua, 1, "there is no such stream");
    }
    bool reset = lua_toboolean(lua, 2);
    const char *what = reset ? "resets" : "finishes";

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
    static const struct binding bindings[] = {
        {"manager", "", core_manager},
        {"port", "ss?i?s?i?", core_port},
        {"port_accept", "ii", core_port_accept},
        {"port_close", "i", core_port_close},
        {"connect_to", "ss?siis?i?", core_connect_to},
        {"stream_label", "is", core_stream_label},
        {"stream_send", "isss", core_stream_send},
        {"stream_said", "iss", core_stream_said},
        {"stream_take", "iii", core_stream_take},
        {"stream_waiting", "i", core_stream_waiting},
        {"stream_hold", "i.", core_stream_hold},
        {"stream_close", "i.", core_stream_close},
        {NULL, NULL, NULL},
    };

    binding_register(lua, bindings);
}
