/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Frames of the Intercept network as Lua tables (frame.h), made and read by walking the rows of wire/. Integers are 64
 * bits wide; all ones is -1.
 */
#include "tester/lua/frame.h"

#include "wire/intercept/crc32.h"
#include "wire/intercept/frame.h"
#include "wire/octets/cursor.h"
#include "wire/octets/row.h"

#include <lauxlib.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FORGED_MAX = 2048 };

/* ---- from octets ---- */

static const char *condition_of(const unsigned char *octets, size_t len, struct wire_intercept_frame *frame)
{
    size_t used = 0;

    if (wire_intercept_decode(octets, len, frame, &used) == WIRE_OK && used == len) {
        return "sound";
    }
    if (len < WIRE_INTERCEPT_CRC_OCTETS) {
        return "corrupt";
    }
    struct wire_reader reader = wire_reader_over(octets + len - WIRE_INTERCEPT_CRC_OCTETS, WIRE_INTERCEPT_CRC_OCTETS);
    uint32_t said = wire_read_u32(&reader);
    return said == ~wire_intercept_crc32(0, octets, len - WIRE_INTERCEPT_CRC_OCTETS) ? "withdrawn" : "corrupt";
}

void lua_frame_push(lua_State *lua, const void *octets, size_t len)
{
    struct wire_intercept_frame frame;
    const char *condition = condition_of(octets, len, &frame);

    lua_newtable(lua);
    lua_pushlstring(lua, octets, len);
    lua_setfield(lua, -2, "octets");
    lua_pushstring(lua, condition);
    lua_setfield(lua, -2, "condition");
    if (strcmp(condition, "sound") != 0) {
        return;
    }
    const struct wire_message *message = &wire_intercept_messages[frame.message];
    lua_pushstring(lua, message->name);
    lua_setfield(lua, -2, "message");
    for (unsigned i = 0; i < message->row_count; i++) {
        const struct wire_row *row = &message->rows[i];
        uint64_t value;

        if (wire_row_get(row, octets, len, &value) == WIRE_OK) {
            lua_pushinteger(lua, row->base == WIRE_INT ? wire_row_signed(row, value) : (lua_Integer)value);
            lua_setfield(lua, -2, row->name);
        }
    }
    if (message->payload_row >= 0) {
        lua_pushlstring(lua, frame.data_len ? (const char *)frame.data : "", frame.data_len);
        lua_setfield(lua, -2, "data");
    }
}

void lua_frame_describe(const void *octets, size_t len, char *text, size_t room)
{
    struct wire_intercept_frame frame;
    const char *condition = condition_of(octets, len, &frame);
    size_t used;

    if (strcmp(condition, "sound") != 0) {
        snprintf(text, room, "%zu octets: %s", len, condition);
        return;
    }
    const struct wire_message *message = &wire_intercept_messages[frame.message];
    used = (size_t)snprintf(text, room, "%s", message->name);
    for (unsigned i = 1; i < message->row_count && used + 1 < room; i++) {
        const struct wire_row *row = &message->rows[i];
        uint64_t value;

        if (wire_row_get(row, octets, len, &value) == WIRE_OK && value != 0) {
            int put = row->base == WIRE_HEX
                          ? snprintf(text + used, room - used, " %s=0x%llx", row->name, (unsigned long long)value)
                          : snprintf(text + used, room - used, " %s=%lld", row->name,
                                     (long long)(row->base == WIRE_INT ? wire_row_signed(row, value) : (int64_t)value));
            used += put < 0 ? 0 : (size_t)put;
        }
    }
}

/* ---- to octets ---- */

static bool ends_with(const char *name, const char *end)
{
    size_t len = strlen(name);

    return len >= strlen(end) && strcmp(name + len - strlen(end), end) == 0;
}

/* What a field must be by the message's name and its data; 0 where that does not say it. */
static uint64_t implied(const struct wire_message *message, const struct wire_row *row, size_t own)
{
    if (row == &message->rows[0]) {
        return message->operation;
    }
    if (strcmp(row->name, "length") == 0) {
        return wire_intercept_padded(own);
    }
    if (strcmp(row->name, "rmpp_length") == 0 || strcmp(row->name, "control_length") == 0) {
        return own;
    }
    if (strcmp(row->name, "version") == 0) {
        return WIRE_INTERCEPT_CONTROL_VERSION;
    }
    for (const struct wire_value *at = ends_with(row->name, "_type") ? row->values : NULL; at && at->name; at++) {
        if (strcmp(at->name, message->name) == 0) {
            return at->value;
        }
    }
    return 0;
}

/* Writes the rows; false, and a message pushed, when a field is no integer or too large. A negative number in a narrow
 * field means its lowest bits. */
static bool write_rows(lua_State *lua, int index, const struct wire_message *message, size_t own, unsigned char *octets)
{
    for (unsigned i = 0; i < message->row_count; i++) {
        const struct wire_row *row = &message->rows[i];
        uint64_t value = implied(message, row, own);

        if (lua_getfield(lua, index, row->name) != LUA_TNIL) {
            if (!lua_isinteger(lua, -1)) {
                lua_pushfstring(lua, "wants a frame whose field %s is an integer", row->name);
                return false;
            }
            lua_Integer given = lua_tointeger(lua, -1);
            value = given < 0 ? (uint64_t)given & wire_row_max(row) : (uint64_t)given;
        }
        lua_pop(lua, 1);
        if (wire_row_set(row, octets, FORGED_MAX, value) != WIRE_OK) {
            lua_pushfstring(lua, "wants a frame whose field %s fits into %d octets", row->name, (int)row->width);
            return false;
        }
    }
    return true;
}

/* The text in that field, "" without. */
static const char *text_of(lua_State *lua, int index, const char *name, size_t *len)
{
    const char *text = "";

    *len = 0;
    if (lua_getfield(lua, index, name) == LUA_TSTRING) {
        text = lua_tolstring(lua, -1, len);
    }
    lua_pop(lua, 1); /* the table keeps it */
    return text;
}

static void write_crc(unsigned char *octets, size_t len, const char *how)
{
    struct wire_writer writer = wire_writer_over(octets + len, WIRE_INTERCEPT_CRC_OCTETS);
    uint32_t crc = wire_intercept_crc32(0, octets, len);

    if (strcmp(how, "wrong") == 0) {
        crc ^= 1;
    } else if (strcmp(how, "complement") == 0) {
        crc = ~crc;
    }
    wire_write_u32(&writer, crc);
}

bool lua_frame_encode(lua_State *lua, int index)
{
    unsigned char octets[FORGED_MAX] = {0};
    size_t data_len, padding_len, name_len, crc_len;
    const char *name = text_of(lua, index, "message", &name_len);
    const char *data = text_of(lua, index, "data", &data_len);
    const char *padding = text_of(lua, index, "padding", &padding_len);
    const char *crc = text_of(lua, index, "crc", &crc_len);
    const struct wire_message *message = wire_intercept_message_named(name);

    if (!message) {
        lua_pushfstring(lua, "wants a frame whose message is one of the Intercept network's, not \"%s\"", name);
        return false;
    }
    size_t own = message->counted + data_len;
    size_t behind = padding_len ? padding_len : wire_intercept_padded(own) - own;
    size_t len = message->octets + data_len + behind;
    if (len > FORGED_MAX - WIRE_INTERCEPT_CRC_OCTETS) {
        lua_pushstring(lua, "wants a frame that fits into 2044 octets");
        return false;
    }
    if (!write_rows(lua, index, message, own, octets)) {
        return false;
    }
    memcpy(octets + message->octets, data, data_len);
    memcpy(octets + message->octets + data_len, padding, padding_len);
    write_crc(octets, len, crc);
    lua_pushlstring(lua, (const char *)octets, len + WIRE_INTERCEPT_CRC_OCTETS);
    return true;
}
