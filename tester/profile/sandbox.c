/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The Lua states in which cases live (sandbox.h). Source is accepted as text only: a precompiled chunk could break the
 * virtual machine.
 */
#include "tester/profile/sandbox.h"

#include "tester/base/memory.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_MAX = 64 << 20, HOOK_EVERY = 10000 };

struct sandbox {
    size_t used;
    long left; /* instructions */
    bool limited;
};

static struct sandbox *sandbox_of(lua_State *lua)
{
    return *(struct sandbox **)lua_getextraspace(lua);
}

static void *sandbox_allocate(void *context, void *old, size_t old_octets, size_t octets)
{
    struct sandbox *sandbox = context;
    size_t before = old ? old_octets : 0; /* without a block Lua passes a kind of object there */

    if (octets == 0) {
        sandbox->used -= before;
        free(old);
        return NULL;
    }
    if (octets > before && sandbox->used + (octets - before) > MEMORY_MAX) {
        return NULL;
    }
    void *grown = realloc(old, octets);
    if (grown) {
        sandbox->used = sandbox->used - before + octets;
    }
    return grown;
}

static void sandbox_hook(lua_State *lua, lua_Debug *debug)
{
    struct sandbox *sandbox = sandbox_of(lua);

    (void)debug;
    sandbox->left -= HOOK_EVERY;
    if (sandbox->limited && sandbox->left <= 0) {
        lua_sethook(lua, sandbox_hook, LUA_MASKCOUNT, 1);
        luaL_error(lua, "the case runs too many instructions");
    }
}

void sandbox_budget(lua_State *lua, long instructions)
{
    struct sandbox *sandbox = sandbox_of(lua);

    sandbox->left = instructions;
    sandbox->limited = true;
    lua_sethook(lua, sandbox_hook, LUA_MASKCOUNT, HOOK_EVERY);
}

bool sandbox_exhausted(lua_State *lua)
{
    return sandbox_of(lua)->limited && sandbox_of(lua)->left <= 0;
}

static int sandbox_fill(lua_State *lua)
{
    static const luaL_Reg libraries[] = {{LUA_GNAME, luaopen_base},
                                         {LUA_STRLIBNAME, luaopen_string},
                                         {LUA_TABLIBNAME, luaopen_table},
                                         {LUA_MATHLIBNAME, luaopen_math},
                                         {LUA_UTF8LIBNAME, luaopen_utf8}};
    static const char *const removed[] = {"load", "loadfile", "dofile", "collectgarbage", "print", "warn"};
    static const char *const classes[] = {"Test", "Rank", "Pending", "Peer", "Stream"};

    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        luaL_requiref(lua, libraries[i].name, libraries[i].func, 1);
        lua_pop(lua, 1);
    }
    for (size_t i = 0; i < sizeof removed / sizeof removed[0]; i++) {
        lua_pushnil(lua);
        lua_setglobal(lua, removed[i]);
    }
    lua_getglobal(lua, "string");
    lua_pushnil(lua);
    lua_setfield(lua, -2, "dump");
    lua_getglobal(lua, "math"); /* chance comes from the run's seed alone */
    lua_pushnil(lua);
    lua_setfield(lua, -2, "random");
    lua_pushnil(lua);
    lua_setfield(lua, -2, "randomseed");
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        lua_newtable(lua);
        lua_pushvalue(lua, -1);
        lua_setfield(lua, -2, "__index");
        lua_setglobal(lua, classes[i]);
    }
    lua_newtable(lua);
    lua_setglobal(lua, "core");
    return 0;
}

lua_State *sandbox_new(void)
{
    struct sandbox *sandbox = memory_zero(sizeof *sandbox);
    lua_State *lua = lua_newstate(sandbox_allocate, sandbox);

    if (!lua) {
        free(sandbox);
        return NULL;
    }
    *(struct sandbox **)lua_getextraspace(lua) = sandbox;
    lua_pushcfunction(lua, sandbox_fill);
    if (lua_pcall(lua, 0, 0, 0) != LUA_OK) {
        sandbox_free(lua);
        return NULL;
    }
    return lua;
}

void sandbox_free(lua_State *lua)
{
    if (lua) {
        struct sandbox *sandbox = sandbox_of(lua);
        lua_close(lua);
        free(sandbox);
    }
}

/* Says what the error on the stack is, and takes it away. */
static void take_error(lua_State *lua, char *message, size_t message_octets)
{
    const char *text = lua_tostring(lua, -1);

    snprintf(message, message_octets, "%s", text ? text : "the file raised an error that is not a text");
    lua_pop(lua, 1);
}

/* Calls the chunk on the stack, when it was loaded. */
static bool call(lua_State *lua, int loaded, char *message, size_t message_octets)
{
    bool good = loaded == LUA_OK && lua_pcall(lua, 0, 0, 0) == LUA_OK;

    if (!good) {
        take_error(lua, message, message_octets);
    }
    return good;
}

static int load_text(lua_State *lua, const char *source, size_t len, const char *name)
{
    char *chunk = memory_format("@%s", name);
    int status = luaL_loadbufferx(lua, source, len, chunk, "t");

    free(chunk);
    return status;
}

bool sandbox_compile(lua_State *lua, const char *source, size_t len, const char *name, char *message,
                     size_t message_octets)
{
    bool good = load_text(lua, source, len, name) == LUA_OK;

    if (!good) {
        take_error(lua, message, message_octets);
    }
    return good;
}

bool sandbox_run(lua_State *lua, const char *source, size_t len, const char *name, char *message, size_t message_octets)
{
    return call(lua, load_text(lua, source, len, name), message, message_octets);
}

bool sandbox_run_apart(lua_State *lua, const char *source, size_t len, const char *name, char *message,
                       size_t message_octets)
{
    int loaded = load_text(lua, source, len, name);

    if (loaded == LUA_OK) { /* _ENV is a text's first upvalue: a table that falls back on the state's globals */
        lua_newtable(lua);
        lua_createtable(lua, 0, 1);
        lua_pushglobaltable(lua);
        lua_setfield(lua, -2, "__index");
        lua_setmetatable(lua, -2);
        lua_setupvalue(lua, -2, 1);
    }
    return call(lua, loaded, message, message_octets);
}

bool sandbox_run_compiled(lua_State *lua, const void *octets, size_t len, char *message, size_t message_octets)
{
    return call(lua, luaL_loadbufferx(lua, octets, len, "library", "b"), message, message_octets);
}
