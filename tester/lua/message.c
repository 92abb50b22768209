/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages as Lua tables (case.h), made and read by walking the rows of wire/: a row `initiator.nid` is the field
 * nid of the table initiator. Integers are 64 bits wide; all ones is -1.
 */
#include "tester/lua/message.h"

#include "wire/octets/row.h"
#include "wire/portals/messages.h"

#include <lauxlib.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Splits "initiator.nid" into the table's name, written to `table`, and the field, returned; without a dot `table` is
 * empty. */
static const char *split_name(const char *name, char table[32])
{
    const char *dot = strchr(name, '.');

    snprintf(table, 32, "%.*s", dot ? (int)(dot - name) : 0, name);
    return dot ? dot + 1 : name;
}

static void push_field(lua_State *lua, const char *name, uint64_t value)
{
    char table[32];
    const char *field = split_name(name, table);

    if (table[0] && lua_getfield(lua, -1, table) != LUA_TTABLE) {
        lua_pop(lua, 1);
        lua_newtable(lua);
        lua_pushvalue(lua, -1);
        lua_setfield(lua, -3, table);
    }
    lua_pushinteger(lua, (lua_Integer)value);
    lua_setfield(lua, -2, field);
    if (table[0]) {
        lua_pop(lua, 1);
    }
}

bool lua_message_push(lua_State *lua, const void *octets, size_t header_octets, size_t data_octets)
{
    struct wire_portals_header header;
    const struct wire_message *message = NULL;

    if (wire_portals_decode(octets, header_octets, &header, NULL, NULL) == WIRE_OK) {
        message = wire_portals_message_of(wire_portals_kind(&header));
    }
    if (!message) {
        return false;
    }
    lua_newtable(lua);
    for (unsigned i = 0; i < message->row_count; i++) {
        uint64_t value;
        if (wire_row_get(&message->rows[i], octets, header_octets, &value) == WIRE_OK) {
            push_field(lua, message->rows[i].name, value);
        }
    }
    /* a tagged message is the plain one with more to tell; one that has no plain form has its own name */
    const struct wire_message *plain = wire_portals_message_of(header.operation);
    lua_pushstring(lua, plain ? plain->name : message->name);
    lua_setfield(lua, -2, "operation");
    lua_pushlstring(lua, (const char *)octets + header_octets, data_octets);
    lua_setfield(lua, -2, "data");
    return true;
}

/* Reads a field, 0 when the table does not have it; false, and a message pushed, when it is no integer or too large. A
 * negative number in a narrow field means its lowest bits. */
static bool read_field(lua_State *lua, int index, const struct wire_row *row, uint64_t *value)
{
    char table[32];
    const char *field = split_name(row->name, table);
    int top = lua_gettop(lua);

    *value = 0;
    lua_pushvalue(lua, index);
    if (table[0]) {
        lua_getfield(lua, -1, table);
    }
    if (lua_istable(lua, -1) && lua_getfield(lua, -1, field) != LUA_TNIL) {
        if (!lua_isinteger(lua, -1)) {
            lua_pushfstring(lua, "wants a message whose field %s is an integer", row->name);
            return false;
        }
        lua_Integer given = lua_tointeger(lua, -1);
        *value = given < 0 ? (uint64_t)given & wire_row_max(row) : (uint64_t)given;
        if (*value > wire_row_max(row)) {
            lua_pushfstring(lua, "wants a message whose field %s fits into %d octets", row->name, (int)row->width);
            return false;
        }
    }
    lua_settop(lua, top);
    return true;
}

/* The layout that the table's operation asks for, or NULL and a message pushed, and the code to write: a number that is
 * none is laid out like a put. */
static const struct wire_message *read_operation(lua_State *lua, int index, uint64_t *code)
{
    const struct wire_message *message = NULL;

    if (lua_getfield(lua, index, "operation") == LUA_TSTRING) {
        message = wire_portals_message_named(lua_tostring(lua, -1));
        *code = message ? message->operation : 0;
    } else if (lua_isinteger(lua, -1)) {
        *code = (uint64_t)lua_tointeger(lua, -1) & UINT32_MAX;
        message = wire_portals_message_of((uint32_t)*code);
        message = message ? message : wire_portals_message_of(WIRE_PORTALS_PUT);
    }
    lua_pop(lua, 1);
    if (!message) {
        lua_pushstring(lua, "wants a message whose operation is put, ack, get, reply, barrier, hello or a number");
    }
    return message;
}

bool lua_message_encode(lua_State *lua, int index)
{
    unsigned char header[WIRE_PORTALS_HEADER_MAX];
    uint64_t code = 0;
    size_t data_octets = 0;
    luaL_Buffer buffer;

    const struct wire_message *message = read_operation(lua, index, &code);
    if (!message) {
        return false;
    }
    for (unsigned i = 0; i < message->row_count; i++) {
        const struct wire_row *row = &message->rows[i];
        uint64_t value = code;
        if (strcmp(row->name, "operation") != 0 && !read_field(lua, index, row, &value)) {
            return false;
        }
        if (wire_row_set(row, header, sizeof header, value) != WIRE_OK) {
            lua_pushfstring(lua, "cannot write the field %s", row->name);
            return false;
        }
    }
    lua_getfield(lua, index, "data");
    const char *data = lua_isnil(lua, -1) ? "" : lua_tolstring(lua, -1, &data_octets);
    if (!data) {
        lua_pushstring(lua, "wants a message whose data is a text");
        return false;
    }
    luaL_buffinit(lua, &buffer);
    luaL_addlstring(&buffer, (const char *)header, message->octets);
    luaL_addlstring(&buffer, data, data_octets);
    luaL_pushresult(&buffer);
    lua_remove(lua, -2);
    return true;
}
