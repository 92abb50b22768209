/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Loading case files (case_list.h, tester/cases/README.md). Every file runs once to collect what it declares; to
 * execute a case its file runs again in a state of its own, so that no case sees what another one left.
 */
#include "tester/profile/case_list.h"

#include "tester/base/files.h"
#include "tester/base/memory.h"
#include "tester/profile/case_directory.h"
#include "tester/profile/case_entry.h"
#include "tester/profile/case_fields.h"
#include "tester/profile/profile_table.h"
#include "tester/profile/revision.h"
#include "tester/profile/sandbox.h"
#include "tester/profile/sandbox_library.h"
#include "tester/profile/sections.h"

#include <lauxlib.h>
#include <sodium/crypto_hash_sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOAD_INSTRUCTIONS = 10000000 };

/* Where a file\'s defaults stand in the registry of its Lua state. */
#define DEFAULTS "assay.defaults"

struct case_list {
    char *directory;
    struct profile_table *table;
    const struct profile *profile; /* of the table */
    struct revision *revision;
    struct case_entry **entries;
    size_t count;
    json_t *sections; /* titles by numbers */
    struct sandbox_library *library;
    char **sources; /* one a file, shared by its cases */
    size_t source_count;
    crypto_hash_sha256_state read; /* library and cases */
    struct case_list_digests digests;
};

/* What the global functions `case` and `defaults` need while a file runs. */
struct visit {
    struct case_list *cases;                   /* collecting; else NULL */
    size_t revision;                           /* whose case it is */
    const char *file, *path, *source, *sha256; /* file: the path below the folder of all cases */
    const char *wanted;                        /* id of the case whose function is wanted; else NULL */
};

static void entry_free(struct case_entry *entry)
{
    case_fields_release(entry);
    free(entry->path);
    free(entry);
}

static bool id_taken(const struct case_list *cases, const char *id)
{
    for (size_t i = 0; i < cases->count; i++) {
        if (strcmp(cases->entries[i]->about.id, id) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether the case judges one of the profile's roles. */
static bool check_role(const struct profile *profile, const struct case_info *about, char *problem, size_t octets)
{
    if (profile_role_find(profile, about->role)) {
        return true;
    }
    size_t len = (size_t)snprintf(problem, octets, "case \"%.60s\": ", about->id);
    len += (size_t)snprintf(problem + len, octets - len,
                            profile_has_roles(profile) ? "the profile %.40s wants a role, one of:"
                                                       : "the profile %.40s has no roles",
                            profile->name);
    for (size_t i = 0; profile_has_roles(profile) && i < profile->role_count && len < octets; i++) {
        len += (size_t)snprintf(problem + len, octets - len, "%s \"%.30s\"", i ? "," : "", profile->roles[i].name);
    }
    return false;
}

/* Whether a case of the revision at `index` holds for the profile, by what it judges and by what it says itself. */
static bool case_holds(const struct revision *revision, size_t index, struct case_entry *entry)
{
    bool own = index + 1 == revision_count(revision);

    return (own || !entry->only) && revision_take(revision, index, entry->requirements, entry->still);
}

/* The line on which the file calls `case`. */
static unsigned line_of_call(lua_State *lua)
{
    lua_Debug frame;

    return lua_getstack(lua, 1, &frame) && lua_getinfo(lua, "l", &frame) && frame.currentline > 0
               ? (unsigned)frame.currentline
               : 1;
}

static int visit_collect(lua_State *lua, struct visit *visit)
{
    struct case_list *cases = visit->cases;
    struct case_entry *entry = memory_zero(sizeof *entry);
    char problem[256];

    bool good = case_fields_read(lua, 1, entry, problem, sizeof problem);
    if (good && !case_holds(cases->revision, visit->revision, entry)) {
        entry_free(entry);
        return 0;
    }
    if (good && id_taken(cases, entry->about.id)) {
        snprintf(problem, sizeof problem, "there is another case \"%s\"", entry->about.id);
        good = false;
    }
    good = good && check_role(cases->profile, &entry->about, problem, sizeof problem);
    if (!good) { /* the file may catch the error and go on: nothing of the entry must stay */
        entry_free(entry);
        return luaL_error(lua, "%s", problem);
    }
    cases->entries = memory_grow(cases->entries, (cases->count + 1) * sizeof(struct case_entry *));
    cases->entries[cases->count++] = entry;
    entry->about.profile = cases->profile->name;
    entry->about.revision = revision_name(cases->revision, visit->revision);
    entry->about.source = visit->source;
    entry->about.chapter_title = sections_title(cases->sections, entry->about.chapter);
    entry->about.file = memory_text(visit->file);
    entry->about.line = line_of_call(lua);
    entry->about.foundation = strstr(visit->file, "-foundations/");
    entry->path = memory_text(visit->path);
    snprintf(entry->source_sha256, sizeof entry->source_sha256, "%s", visit->sha256);
    return 0;
}

/* defaults { .. }: what this file's cases have in common; a later call takes the place of the one before. */
static int visit_defaults(lua_State *lua)
{
    char problem[256];

    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    if (!case_fields_check_defaults(lua, 1, problem, sizeof problem)) {
        return luaL_error(lua, "%s", problem);
    }
    lua_setfield(lua, LUA_REGISTRYINDEX, DEFAULTS);
    return 0;
}

static int visit_case(lua_State *lua)
{
    struct visit *visit = lua_touserdata(lua, lua_upvalueindex(1));

    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    if (lua_getfield(lua, LUA_REGISTRYINDEX, DEFAULTS) == LUA_TTABLE) {
        case_fields_complete(lua, 1, 2);
    }
    lua_settop(lua, 1);
    if (visit->cases) {
        return visit_collect(lua, visit);
    }
    lua_getfield(lua, 1, "id");
    if (lua_type(lua, -1) == LUA_TSTRING && strcmp(lua_tostring(lua, -1), visit->wanted) == 0) {
        lua_getfield(lua, 1, "run");
        lua_setfield(lua, LUA_REGISTRYINDEX, "assay.run");
    }
    return 0;
}

static void visit_register(lua_State *lua, struct visit *visit)
{
    lua_pushlightuserdata(lua, visit);
    lua_pushcclosure(lua, visit_case, 1);
    lua_setglobal(lua, "case");
    lua_pushcfunction(lua, visit_defaults);
    lua_setglobal(lua, "defaults");
}

static void write_digest(crypto_hash_sha256_state *state, char hex[static CASE_LIST_DIGEST])
{
    unsigned char digest[crypto_hash_sha256_BYTES];

    crypto_hash_sha256_final(state, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    }
}

static void sha256_text(const char *text, size_t len, char hex[static CASE_LIST_DIGEST])
{
    crypto_hash_sha256_state state;

    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)text, len);
    write_digest(&state, hex);
}

/* Tells a file, and the library that it calls, for which revision it was written. */
static void tell_revision(lua_State *lua, const char *name)
{
    if (lua_getglobal(lua, "Revision") == LUA_TTABLE) {
        lua_pushstring(lua, name);
        lua_setfield(lua, -2, "source");
    }
    lua_pop(lua, 1);
}

/* What is there while the files of a revision run, one after the other: the state with the library, and the file. */
struct loading {
    lua_State *lua;
    struct visit visit;
};

static bool loading_begin(struct loading *loading, struct case_list *cases, size_t revision, char *message,
                          size_t message_octets)
{
    lua_State *lua = sandbox_new();

    *loading = (struct loading){lua, {.cases = cases, .revision = revision}};
    if (!lua) {
        snprintf(message, message_octets, "no memory for Lua");
        return false;
    }
    sandbox_budget(lua, LOAD_INSTRUCTIONS);
    bool good = sandbox_library_run(cases->library, lua, message, message_octets);
    tell_revision(lua, revision_name(cases->revision, revision));
    visit_register(lua, &loading->visit);
    return good;
}

static bool load_file(struct loading *loading, const char *path, char *message, size_t message_octets)
{
    struct case_list *cases = loading->visit.cases;
    size_t len;
    char sha256[CASE_LIST_DIGEST];
    char *source = files_read(path, &len, message, message_octets);
    if (!source) {
        return false;
    }
    cases->sources = memory_grow(cases->sources, (cases->source_count + 1) * sizeof(char *));
    cases->sources[cases->source_count++] = source;
    sha256_text(source, len, sha256);
    crypto_hash_sha256_update(&cases->read, (const unsigned char *)source, len);
    loading->visit.file = path + strlen(cases->directory) + 1;
    loading->visit.path = path;
    loading->visit.source = source;
    loading->visit.sha256 = sha256;
    lua_pushnil(loading->lua);
    lua_setfield(loading->lua, LUA_REGISTRYINDEX, DEFAULTS);
    sandbox_budget(loading->lua, LOAD_INSTRUCTIONS);
    return sandbox_run_apart(loading->lua, source, len, files_shown(path), message, message_octets);
}

/* Finds the profile in the table that goes with the cases. */
static enum engine_status find_profile(struct case_list *cases, const char *name, char *message, size_t message_octets)
{
    enum engine_status status = profile_table_load(cases->directory, &cases->table, message, message_octets);

    if (status == ENGINE_OK) {
        cases->profile = profile_table_find(cases->table, name, message, message_octets);
        status = cases->profile ? ENGINE_OK : ENGINE_NO_PROFILE;
    }
    return status;
}

static enum engine_status load_library(struct case_list *cases, char *message, size_t message_octets)
{
    char *folder = memory_format("%s/lib", cases->directory);

    cases->revision = revision_load(profile_table_folder(cases->table), cases->profile->name, cases->profile->prefix);
    char *first = revision_lua(cases->revision);
    cases->library = sandbox_library_load(folder, first, &cases->read, message, message_octets);
    free(first);
    free(folder);
    return cases->library ? ENGINE_OK : ENGINE_BAD_CASE;
}

/* Loads the cases of one revision; where there are several, some of them may have no folder. */
static bool load_folder(struct case_list *cases, size_t revision, char *message, size_t message_octets)
{
    char *folder = memory_format("%s/%s", cases->directory, revision_name(cases->revision, revision));
    struct files files = {0};
    bool there = revision_count(cases->revision) == 1 || access(folder, F_OK) == 0;
    bool last = revision + 1 == revision_count(cases->revision);
    bool good = !there || files_list(folder, ".lua", &files, message, message_octets);

    struct loading loading = {0};
    good = good && (files.count == 0 || loading_begin(&loading, cases, revision, message, message_octets));
    for (size_t i = 0; good && i < files.count; i++) {
        good = load_file(&loading, files.paths[i], message, message_octets);
    }
    sandbox_free(loading.lua);
    if (good && last && cases->count == 0) {
        snprintf(message, message_octets, "%s holds no case", files_shown(folder));
        good = false;
    }
    files_free(&files);
    free(folder);
    return good;
}

static enum engine_status load_files(struct case_list *cases, char *message, size_t message_octets)
{
    bool good = true;

    cases->sections = sections_load(profile_table_folder(cases->table), cases->profile->name);
    for (size_t i = 0; good && i < revision_count(cases->revision); i++) {
        good = load_folder(cases, i, message, message_octets);
    }
    write_digest(&cases->read, cases->digests.cases);
    return good ? ENGINE_OK : ENGINE_BAD_CASE;
}

/* Files that cannot be read are reported by who needs what is in them. */
static void digest_catalogue(struct case_list *cases)
{
    crypto_hash_sha256_state state;
    char message[300];

    crypto_hash_sha256_init(&state);
    for (size_t i = 0; i < revision_count(cases->revision); i++) {
        char *path = memory_format("%s/%s.json", profile_table_folder(cases->table), revision_name(cases->revision, i));
        size_t len;
        char *text = files_read(path, &len, message, sizeof message);

        if (text) {
            crypto_hash_sha256_update(&state, (const unsigned char *)text, len);
        }
        free(text);
        free(path);
    }
    write_digest(&state, cases->digests.catalogue);
}

enum engine_status case_list_load(const char *directory, const char *profile, struct case_list **result, char *message,
                                  size_t message_octets)
{
    struct case_list *cases = memory_zero(sizeof *cases);

    crypto_hash_sha256_init(&cases->read);
    cases->directory = memory_text(directory ? directory : case_directory());
    enum engine_status status = find_profile(cases, profile, message, message_octets);
    if (status == ENGINE_OK) {
        status = load_library(cases, message, message_octets);
    }
    if (status == ENGINE_OK) {
        digest_catalogue(cases);
        status = load_files(cases, message, message_octets);
    }
    if (status != ENGINE_OK) {
        case_list_free(cases);
        return status;
    }
    *result = cases;
    return ENGINE_OK;
}

size_t case_list_count(const struct case_list *cases)
{
    return cases->count;
}

const struct case_entry *case_list_entry(const struct case_list *cases, size_t index)
{
    return cases->entries[index];
}

const struct case_info *case_list_at(const struct case_list *cases, size_t index)
{
    return &cases->entries[index]->about;
}

const struct profile *case_list_profile(const struct case_list *cases)
{
    return cases->profile;
}

bool case_list_is_later(const struct case_list *cases)
{
    return revision_count(cases->revision) > 1;
}

void case_list_digests(const struct case_list *cases, struct case_list_digests *digests)
{
    *digests = cases->digests;
}

const struct sandbox_library *case_list_library(const struct case_list *cases)
{
    return cases->library;
}

void case_list_free(struct case_list *cases)
{
    if (!cases) {
        return;
    }
    for (size_t i = 0; i < cases->count; i++) {
        entry_free(cases->entries[i]);
    }
    for (size_t i = 0; i < cases->source_count; i++) {
        free(cases->sources[i]);
    }
    json_decref(cases->sections);
    sandbox_library_free(cases->library);
    revision_free(cases->revision);
    profile_table_free(cases->table);
    free(cases->entries);
    free(cases->sources);
    free(cases->directory);
    free(cases);
}

bool case_list_open_run(lua_State *lua, const struct case_entry *entry, char *message, size_t message_octets)
{
    struct visit visit = {.wanted = entry->about.id};
    const char *source = entry->about.source;

    visit_register(lua, &visit);
    tell_revision(lua, entry->about.revision);
    if (!sandbox_run(lua, source, strlen(source), files_shown(entry->path), message, message_octets)) {
        return false;
    }
    lua_pushnil(lua); /* the visit is over: the function must not outlive it */
    lua_setglobal(lua, "case");
    lua_pushnil(lua);
    lua_setglobal(lua, "defaults");
    if (lua_getfield(lua, LUA_REGISTRYINDEX, "assay.run") != LUA_TFUNCTION) {
        snprintf(message, message_octets, "%s no longer declares the case", files_shown(entry->path));
        return false;
    }
    return true;
}
