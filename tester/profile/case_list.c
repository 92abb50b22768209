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
#include "tester/profile/profile.h"
#include "tester/profile/sandbox.h"
#include "tester/profile/sections.h"

#include <lauxlib.h>
#include <sodium/crypto_hash_sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOAD_INSTRUCTIONS = 10000000 };

struct case_list {
    char *directory, *profile;
    struct case_entry **entries;
    size_t count;
    json_t *sections; /* titles by numbers */
    char **sources;   /* one a file, shared by its cases */
    size_t source_count;
};

/* What the global function `case` needs while a file runs. */
struct visit {
    struct case_list *cases;                   /* collecting; else NULL */
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

static int visit_collect(lua_State *lua, struct visit *visit)
{
    struct case_list *cases = visit->cases;
    struct case_entry *entry = memory_zero(sizeof *entry);
    char problem[256];

    bool good = case_fields_read(lua, 1, entry, problem, sizeof problem);
    if (good && id_taken(cases, entry->about.id)) {
        snprintf(problem, sizeof problem, "there is another case \"%s\"", entry->about.id);
        good = false;
    }
    if (good && profile_of(cases->profile)->roles && !*entry->about.role) {
        snprintf(problem, sizeof problem, "case \"%s\": the profile %.40s wants a role, server or client",
                 entry->about.id, cases->profile);
        good = false;
    }
    if (!good) { /* the file may catch the error and go on: nothing of the entry must stay */
        entry_free(entry);
        return luaL_error(lua, "%s", problem);
    }
    cases->entries = memory_grow(cases->entries, (cases->count + 1) * sizeof(struct case_entry *));
    cases->entries[cases->count++] = entry;
    entry->about.profile = cases->profile;
    entry->about.source = visit->source;
    entry->about.chapter_title = sections_title(cases->sections, entry->about.chapter);
    entry->about.file = memory_text(visit->file);
    entry->path = memory_text(visit->path);
    snprintf(entry->source_sha256, sizeof entry->source_sha256, "%s", visit->sha256);
    return 0;
}

static int visit_case(lua_State *lua)
{
    struct visit *visit = lua_touserdata(lua, lua_upvalueindex(1));

    luaL_checktype(lua, 1, LUA_TTABLE);
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
}

static void sha256_text(const char *text, size_t len, char hex[65])
{
    unsigned char digest[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(digest, (const unsigned char *)text, len);
    for (size_t i = 0; i < sizeof digest; i++) {
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    }
}

static bool load_file(struct case_list *cases, const char *path, char *message, size_t message_octets)
{
    size_t len;
    char sha256[65];
    char *source = files_read(path, &len, message, message_octets);
    if (!source) {
        return false;
    }
    cases->sources = memory_grow(cases->sources, (cases->source_count + 1) * sizeof(char *));
    cases->sources[cases->source_count++] = source;
    sha256_text(source, len, sha256);

    char *library = memory_format("%s/lib", cases->directory);
    lua_State *lua = sandbox_new();
    struct visit visit = {cases, path + strlen(cases->directory) + 1, path, source, sha256, NULL};
    bool good = false;
    if (!lua) {
        snprintf(message, message_octets, "no memory for Lua");
    } else {
        sandbox_budget(lua, LOAD_INSTRUCTIONS);
        good = sandbox_run_library(lua, library, message, message_octets);
        visit_register(lua, &visit);
        good = good && sandbox_run(lua, source, len, files_shown(path), message, message_octets);
    }
    sandbox_free(lua);
    free(library);
    return good;
}

/* Says which profiles there are: the folders beside lib. */
static enum engine_status no_profile(const char *directory, const char *profile, char *message, size_t message_octets)
{
    struct files folders;
    char *known = memory_text("");

    if (files_folders(directory, &folders, message, message_octets)) {
        for (size_t i = 0; i < folders.count; i++) {
            if (strcmp(folders.paths[i], "lib") != 0) {
                char *longer = memory_format("%s%s%s", known, *known ? ", " : "", folders.paths[i]);
                free(known);
                known = longer;
            }
        }
        snprintf(message, message_octets, "no profile \"%.60s\" in %s; there are: %s", profile, files_shown(directory),
                 known);
    }
    free(known);
    files_free(&folders);
    return ENGINE_NO_PROFILE;
}

static bool profile_exists(const char *directory, const char *profile)
{
    struct files folders;
    char ignored[256];
    bool found = false;

    files_folders(directory, &folders, ignored, sizeof ignored);
    for (size_t i = 0; i < folders.count; i++) {
        found = found || (strcmp(folders.paths[i], profile) == 0 && strcmp(profile, "lib") != 0);
    }
    files_free(&folders);
    return found;
}

enum engine_status case_list_load(const char *directory, const char *profile, struct case_list **result, char *message,
                                  size_t message_octets)
{
    struct files files;
    directory = directory ? directory : case_directory();
    if (!profile_exists(directory, profile)) {
        return no_profile(directory, profile, message, message_octets);
    }
    struct case_list *cases = memory_zero(sizeof *cases);
    cases->directory = memory_text(directory);
    cases->profile = memory_text(profile);
    cases->sections = sections_load(directory, profile);
    char *folder = memory_format("%s/%s", directory, profile);
    bool good = files_list(folder, ".lua", &files, message, message_octets);
    for (size_t i = 0; good && i < files.count; i++) {
        good = load_file(cases, files.paths[i], message, message_octets);
    }
    if (good && cases->count == 0) {
        snprintf(message, message_octets, "%s holds no case", files_shown(folder));
        good = false;
    }
    files_free(&files);
    free(folder);
    if (!good) {
        case_list_free(cases);
        return ENGINE_BAD_CASE;
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

const char *case_list_folder(const struct case_list *cases)
{
    return cases->directory;
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
    free(cases->entries);
    free(cases->sources);
    free(cases->directory);
    free(cases->profile);
    free(cases);
}

bool case_list_open_run(lua_State *lua, const struct case_entry *entry, char *message, size_t message_octets)
{
    struct visit visit = {.wanted = entry->about.id};
    const char *source = entry->about.source;

    visit_register(lua, &visit);
    if (!sandbox_run(lua, source, strlen(source), files_shown(entry->path), message, message_octets)) {
        return false;
    }
    lua_pushnil(lua); /* the visit is over: the function must not outlive it */
    lua_setglobal(lua, "case");
    if (lua_getfield(lua, LUA_REGISTRYINDEX, "assay.run") != LUA_TFUNCTION) {
        snprintf(message, message_octets, "%s no longer declares the case", files_shown(entry->path));
        return false;
    }
    return true;
}
