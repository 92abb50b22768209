/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading one case's declaration (case_fields.h). One row a field; what the rows do not name is refused, so that a
 * misspelt field is found when the file is loaded.
 */
#include "tester/profile/case_fields.h"

#include "tester/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 256, DEADLINE_DEFAULT_S = 30, DEADLINE_MAX_S = 600, LIST_MAX = 64 };

enum kind { TEXT, LIST, NUMBER, FLAG, FUNCTION };

/* `own` is what a case says for itself: no default of a file stands for it. */
static const struct field {
    const char *name;
    enum kind kind;
    bool obligatory, own;
} fields[] = {
    {"id", TEXT, true, true},           {"title", TEXT, true, true},     {"purpose", TEXT, true, true},
    {"requirements", LIST, true, true}, {"negative", FLAG, false, true}, {"cell", LIST, false, true},
    {"run", FUNCTION, true, true},      {"suite", TEXT, true, false},    {"chapter", TEXT, true, false},
    {"role", TEXT, false, false},       {"ranks", NUMBER, false, false}, {"wire", FLAG, false, false},
    {"features", LIST, false, false},   {"verbs", LIST, false, false},   {"deadline", NUMBER, false, false},
    {"hosts", FLAG, false, false},      {"options", FLAG, false, false}, {"incoming", FLAG, false, false},
    {"network", FLAG, false, false},    {"only", FLAG, false, false},    {"still", LIST, false, false},
    {"limit", TEXT, false, false},
};

static const struct field *field_named(const char *name)
{
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            return &fields[i];
        }
    }
    return NULL;
}

static bool list_fits(lua_State *lua, int index)
{
    lua_Unsigned count = lua_type(lua, index) == LUA_TTABLE ? lua_rawlen(lua, index) : LIST_MAX + 1;
    bool good = count <= LIST_MAX;

    for (lua_Unsigned i = 1; good && i <= count; i++) {
        good = lua_rawgeti(lua, index, (lua_Integer)i) == LUA_TSTRING;
        lua_pop(lua, 1);
    }
    return good;
}

static bool kind_fits(lua_State *lua, int index, enum kind kind)
{
    switch (kind) {
    case TEXT:
        return lua_type(lua, index) == LUA_TSTRING && lua_rawlen(lua, index) > 0;
    case LIST:
        return list_fits(lua, index);
    case NUMBER:
        return lua_isinteger(lua, index);
    case FLAG:
        return lua_isboolean(lua, index);
    case FUNCTION:
        return lua_isfunction(lua, index);
    }
    return false;
}

static bool has_obligatory(lua_State *lua, int index, char *problem, size_t problem_octets)
{
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        int type = lua_getfield(lua, index, fields[i].name);
        lua_pop(lua, 1);
        if (fields[i].obligatory && type == LUA_TNIL) {
            snprintf(problem, problem_octets, "the case lacks its field %s", fields[i].name);
            return false;
        }
    }
    return true;
}

/* Whether each member of the table is a field of a case, and what such a field must be. */
static bool check_members(lua_State *lua, int index, char *problem, size_t problem_octets)
{
    static const char *const wanted[] = {"a text", "a list of texts", "a whole number", "true or false", "a function"};

    for (lua_pushnil(lua); lua_next(lua, index); lua_pop(lua, 1)) {
        const char *name = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "(not a name)";
        const struct field *field = field_named(name);
        if (!field || !kind_fits(lua, lua_gettop(lua), field->kind)) {
            snprintf(problem, problem_octets,
                     field ? "the field %s of a case must be %s" : "a case has no field %s%.0s", name,
                     field ? wanted[field->kind] : "");
            lua_pop(lua, 2);
            return false;
        }
    }
    return true;
}

bool case_fields_check_defaults(lua_State *lua, int index, char *problem, size_t problem_octets)
{
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        int type = fields[i].own ? lua_getfield(lua, index, fields[i].name) : LUA_TNIL;
        lua_settop(lua, index);
        if (type != LUA_TNIL) {
            snprintf(problem, problem_octets, "each case says its field %s for itself", fields[i].name);
            return false;
        }
    }
    return check_members(lua, index, problem, problem_octets);
}

void case_fields_complete(lua_State *lua, int index, int defaults)
{
    for (lua_pushnil(lua); lua_next(lua, defaults); lua_pop(lua, 1)) {
        const char *name = lua_tostring(lua, -2);
        bool missing = lua_getfield(lua, index, name) == LUA_TNIL;
        lua_pop(lua, 1);
        if (missing) {
            lua_pushvalue(lua, -1);
            lua_setfield(lua, index, name);
        }
    }
}

static const char *read_text(lua_State *lua, int index, const char *name)
{
    lua_getfield(lua, index, name);
    const char *given = lua_tostring(lua, -1);
    char *text = memory_text(given ? given : "");
    lua_pop(lua, 1);
    return text;
}

static char **read_list(lua_State *lua, int index, const char *name)
{
    char **list = memory_zero((LIST_MAX + 1) * sizeof(char *));

    if (lua_getfield(lua, index, name) == LUA_TTABLE) {
        for (lua_Unsigned i = 0; i < lua_rawlen(lua, -1); i++) {
            lua_rawgeti(lua, -1, (lua_Integer)i + 1);
            list[i] = memory_text(lua_tostring(lua, -1));
            lua_pop(lua, 1);
        }
    }
    lua_pop(lua, 1);
    return list;
}

static unsigned read_number(lua_State *lua, int index, const char *name, unsigned otherwise, unsigned most)
{
    int type = lua_getfield(lua, index, name);
    lua_Integer value = type == LUA_TNIL ? (lua_Integer)otherwise : lua_tointeger(lua, -1);

    lua_pop(lua, 1);
    return value >= 1 && value <= most ? (unsigned)value : 0;
}

static bool read_flag(lua_State *lua, int index, const char *name)
{
    lua_getfield(lua, index, name);
    bool value = lua_toboolean(lua, -1);
    lua_pop(lua, 1);
    return value;
}

static bool requirement_form(const char *text)
{
    size_t letters = strcspn(text, "-"), digits = text[letters] ? strspn(text + letters + 1, "0123456789") : 0;

    return letters > 0 && letters < 8 && digits > 0 && digits < 8 && text[letters + 1 + digits] == 0;
}

static bool cell_form(char *const *cell)
{
    size_t count = 0;

    for (; cell[count]; count++) {
        if (count < CELL_PROGRAM && strcmp(cell[count], "sut") != 0 && strcmp(cell[count], "reference") != 0) {
            return false;
        }
    }
    return count == 0 || count == CELL_TEXTS;
}

static bool requirements_form(char *const *list)
{
    for (; *list; list++) {
        if (!requirement_form(*list)) {
            return false;
        }
    }
    return true;
}

static const char *entry_problem(const struct case_entry *entry)
{
    const char *id = entry->about.id;

    if (strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(id) || strlen(id) > 64) {
        return "a case's id is 1 to 64 of a-z, 0-9 and -";
    }
    if (strcmp(id, "preflight") == 0) {
        return "the preflight has this id"; /* and its files */
    }
    if (!entry->requirements[0]) {
        return "a case needs at least one requirement";
    }
    if (!requirements_form(entry->requirements) || !requirements_form(entry->still)) {
        return "a requirement is written like P30-001";
    }
    if (!cell_form(entry->cell)) {
        return "cell is empty, or has four texts: server, client, client (\"sut\" or \"reference\"), program";
    }
    if (entry->about.ranks == 0) {
        return "ranks must be 1 to 256";
    }
    return entry->deadline_s ? NULL : "deadline must be 1 to 600 seconds";
}

/* What a meeting needs, once its cell is known to be whole. */
static void know_meeting(struct case_info *about)
{
    const char *const *cell = about->cell;

    about->needs_own_server = cell && strcmp(cell[CELL_SERVER], "sut") == 0 && strcmp(about->role, "client") == 0;
    about->joins_own_server = about->needs_own_server && (strcmp(cell[CELL_CLIENT_A], "reference") == 0 ||
                                                          strcmp(cell[CELL_CLIENT_B], "reference") == 0);
}

bool case_fields_read(lua_State *lua, int index, struct case_entry *entry, char *problem, size_t problem_octets)
{
    if (!check_members(lua, index, problem, problem_octets) || !has_obligatory(lua, index, problem, problem_octets)) {
        return false;
    }
    entry->about.id = read_text(lua, index, "id");
    entry->about.title = read_text(lua, index, "title");
    entry->about.purpose = read_text(lua, index, "purpose");
    entry->about.suite = read_text(lua, index, "suite");
    entry->about.chapter = read_text(lua, index, "chapter");
    entry->requirements = read_list(lua, index, "requirements");
    entry->features = read_list(lua, index, "features");
    entry->verbs = read_list(lua, index, "verbs");
    entry->cell = read_list(lua, index, "cell");
    entry->about.cell = entry->cell[0] ? (const char *const *)entry->cell : NULL;
    entry->about.requirements = (const char *const *)entry->requirements;
    entry->about.ranks = read_number(lua, index, "ranks", 1, RANKS_MAX);
    entry->about.needs_wire = read_flag(lua, index, "wire");
    entry->about.needs_network = read_flag(lua, index, "network");
    entry->about.negative = read_flag(lua, index, "negative");
    entry->about.role = read_text(lua, index, "role");
    entry->about.limit = read_text(lua, index, "limit");
    entry->about.needs_hosts = read_flag(lua, index, "hosts");
    entry->about.needs_options = read_flag(lua, index, "options");
    entry->about.needs_incoming = read_flag(lua, index, "incoming");
    entry->only = read_flag(lua, index, "only");
    entry->still = read_list(lua, index, "still");
    entry->deadline_s = read_number(lua, index, "deadline", DEADLINE_DEFAULT_S, DEADLINE_MAX_S);
    const char *found = entry_problem(entry);
    if (found) {
        snprintf(problem, problem_octets, "case \"%.64s\": %s", entry->about.id, found);
    } else {
        know_meeting(&entry->about);
    }
    return !found;
}

static void list_free(char **list)
{
    for (char **at = list; at && *at; at++) {
        free(*at);
    }
    free(list);
}

void case_fields_release(struct case_entry *entry)
{
    struct case_info *about = &entry->about;
    const char *const texts[] = {about->id,      about->title, about->purpose, about->suite,
                                 about->chapter, about->file,  about->role,    about->limit};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        free((void *)(uintptr_t)texts[i]);
    }
    list_free(entry->requirements);
    list_free(entry->features);
    list_free(entry->verbs);
    list_free(entry->cell);
    list_free(entry->still);
}
