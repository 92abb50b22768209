/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Calling primitives (binding.h). What is wrong with a call is told by the line of the case's own file, however deep in
 * the library the primitive stands.
 */
#include "tester/lua/binding.h"

#include "tester/base/files.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LEVELS_MAX = 100, WHERE_ROOM = 600 };

static const char ended_mark[] = "the case has ended";

/* What is wanted, in words, where the value at `index` is not of the kind; else NULL. */
static const char *mismatch(lua_State *lua, int index, char kind)
{
    int is_integer;

    switch (kind) {
    case 's':
        return lua_isstring(lua, index) ? NULL : "a text";
    case 'i':
        (void)lua_tointegerx(lua, index, &is_integer);
        return is_integer ? NULL : "an integer";
    case 't':
        return lua_istable(lua, index) ? NULL : "a table";
    case 'u':
        return lua_isuserdata(lua, index) ? NULL : "an object";
    default:
        return NULL;
    }
}

static const char *ordinal(int index)
{
    static const char *const words[] = {"first", "second", "third", "fourth", "fifth", "sixth", "seventh"};

    return index <= (int)(sizeof words / sizeof words[0]) ? words[index - 1] : "last";
}

/* Checks all arguments; false, and a message pushed, when one is of another kind. */
static bool check_arguments(lua_State *lua, const struct binding *binding)
{
    int index = 1;

    for (const char *at = binding->arguments; *at; at++, index++) {
        bool optional = at[1] == '?';
        const char *wanted = optional && lua_isnoneornil(lua, index) ? NULL : mismatch(lua, index, *at);

        if (wanted) {
            lua_pushfstring(lua, "wants %s as its %s argument, got %s", wanted, ordinal(index),
                            lua_isnone(lua, index) ? "nothing" : luaL_typename(lua, index));
            return false;
        }
        at += optional;
    }
    return true;
}

/* Whether the frame is one of the case's own file. */
static bool is_of_case(lua_State *lua, lua_Debug *frame, const char *file)
{
    return lua_getinfo(lua, "Sl", frame) && *frame->source && strcmp(frame->source + 1, file) == 0;
}

/* Finds the line of the case's own file from which the primitive was called in the end, and the name of the function
 * that was called there. Without such a line it is the one that called the primitive. */
static void find_caller(lua_State *lua, const struct case_run *self, const char *primitive, char *where, size_t room)
{
    const char *file = self->entry->path ? files_shown(self->entry->path) : NULL;
    char called[64], inner[64];
    lua_Debug frame;

    snprintf(called, sizeof called, "core.%s", primitive);
    for (int level = 1; file && level < LEVELS_MAX && lua_getstack(lua, level, &frame); level++) {
        if (is_of_case(lua, &frame, file)) {
            snprintf(where, room, "%.400s:%d: %s", file, frame.currentline, called);
            return;
        }
        snprintf(inner, sizeof inner, "%s", called);
        (void)lua_getinfo(lua, "n", &frame);
        snprintf(called, sizeof called, "%.60s", frame.name ? frame.name : inner);
    }
    luaL_where(lua, 1);
    snprintf(where, room, "%.400score.%s", lua_tostring(lua, -1), primitive);
    lua_pop(lua, 1);
}

/* Raises the message on top of the stack, with the place of the call before it. */
static int raise(lua_State *lua, const struct case_run *self, const struct binding *binding)
{
    char where[WHERE_ROOM];

    find_caller(lua, self, binding->name, where, sizeof where);
    lua_pushfstring(lua, "%s %s", where, lua_tostring(lua, -1));
    return lua_error(lua);
}

static int call(lua_State *lua)
{
    const struct binding *binding = lua_touserdata(lua, lua_upvalueindex(1));
    struct case_run *self = case_self(lua);
    int results = 0;

    if (!self->judge.ended) {
        results = check_arguments(lua, binding) ? binding->function(self, lua) : BINDING_ERROR;
    }
    if (self->judge.ended) {
        lua_pushstring(lua, ended_mark);
        return lua_error(lua);
    }
    return results == BINDING_ERROR ? raise(lua, self, binding) : results;
}

void binding_register(lua_State *lua, const struct binding *bindings)
{
    for (const struct binding *at = bindings; at->name; at++) {
        lua_pushlightuserdata(lua, (void *)(uintptr_t)at);
        lua_pushcclosure(lua, call, 1);
        lua_setfield(lua, -2, at->name);
    }
}

int binding_bad(lua_State *lua, int index, const char *message)
{
    if (index > 0) {
        lua_pushfstring(lua, "refuses its %s argument: %s", ordinal(index), message);
    } else {
        lua_pushfstring(lua, "fails: %s", message);
    }
    return BINDING_ERROR;
}

const char *binding_text(lua_State *lua, int index, const char *missing)
{
    return lua_isnoneornil(lua, index) ? missing : lua_tostring(lua, index);
}

lua_Integer binding_integer(lua_State *lua, int index, lua_Integer missing)
{
    return lua_isnoneornil(lua, index) ? missing : lua_tointeger(lua, index);
}

int binding_option(lua_State *lua, int index, const char *const *names)
{
    const char *text = lua_tostring(lua, index);
    int place = 0;

    while (names[place] && (!text || strcmp(names[place], text) != 0)) {
        place++;
    }
    return names[place] ? place : -1;
}
