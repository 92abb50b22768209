/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reads the profiles: cases by the engine, requirements from the catalogues that are part of the program.
 */
#include "web/profiles/catalogue.h"

#include "web/service/asset.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PROFILES_MAX = 16, NAME_SIZE = 64 };

struct profile {
    char name[NAME_SIZE], problem[512];
    struct case_list *cases;
    json_t *requirements, *sections;
};

struct catalogue {
    struct profile profiles[PROFILES_MAX];
    size_t count;
    json_t *proofs; /* which case catches which mutant of the reference, as proofs.json has it; NULL: none known */
};

/* A file of specs/ that is a part of the program; NULL when there is none of that profile. */
static json_t *load_spec(const char *profile, const char *ending)
{
    char file[NAME_SIZE + 16];
    const struct asset *asset;

    snprintf(file, sizeof file, "%s.%s", profile, ending);
    asset = asset_find(file);
    return asset ? json_loadb((const char *)asset->octets, asset->len, 0, NULL) : NULL;
}

static void load_profile(struct profile *profile, const char *directory, const char *name)
{

    snprintf(profile->name, sizeof profile->name, "%.*s", NAME_SIZE - 1, name);
    if (case_list_load(directory, name, &profile->cases, profile->problem, sizeof profile->problem) != ENGINE_OK) {
        profile->cases = NULL;
        fprintf(stderr, "assayd: profile %s cannot be run: %s\n", name, profile->problem);
    }
    profile->requirements = load_spec(profile->name, "json");
    profile->sections = load_spec(profile->name, "sections.json");
}

/* Not every file system says in d_type what is a folder, and a link to one is as good. */
static bool is_folder(const char *name)
{
    char path[PATH_MAX];
    struct stat status;

    return snprintf(path, sizeof path, "%s/%s", case_directory(), name) < (int)sizeof path &&
           stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int is_profile(const struct dirent *entry)
{
    size_t len = strlen(entry->d_name);

    return len < NAME_SIZE && strcmp(entry->d_name, "lib") != 0 &&
           !entry->d_name[strspn(entry->d_name, "abcdefghijklmnopqrstuvwxyz0123456789-.")] && entry->d_name[0] != '.' &&
           is_folder(entry->d_name);
}

struct catalogue *catalogue_load(char *message, size_t message_octets)
{
    const char *directory = case_directory();
    struct catalogue *catalogue = calloc(1, sizeof *catalogue);
    const struct asset *proofs;
    struct dirent **entries = NULL;
    int count = catalogue ? scandir(directory, &entries, is_profile, alphasort) : -1;

    if (count < 0) {
        snprintf(message, message_octets, "%s: cannot read the cases: %s (ASSAY_CASES names another folder)", directory,
                 strerror(errno));
        free(catalogue);
        return NULL;
    }
    proofs = asset_find("proofs.json");
    catalogue->proofs = proofs ? json_loadb((const char *)proofs->octets, proofs->len, 0, NULL) : NULL;
    for (int i = 0; i < count; i++) {
        if (catalogue->count < PROFILES_MAX) {
            load_profile(&catalogue->profiles[catalogue->count++], directory, entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    return catalogue;
}

void catalogue_free(struct catalogue *catalogue)
{
    if (!catalogue) {
        return;
    }
    for (size_t i = 0; i < catalogue->count; i++) {
        if (catalogue->profiles[i].cases) {
            case_list_free(catalogue->profiles[i].cases);
        }
        json_decref(catalogue->profiles[i].requirements);
        json_decref(catalogue->profiles[i].sections);
    }
    json_decref(catalogue->proofs);
    free(catalogue);
}

/* One more under this name. */
static void count(json_t *counts, const char *name)
{
    json_object_set_new(counts, name, json_integer(json_integer_value(json_object_get(counts, name)) + 1));
}

/* Counts the case where it belongs: with its role, or with the meetings under the server that a vendor of clients
 * brings. Cases without a role count nowhere. */
static void count_role(json_t *roles, const struct case_info *about)
{
    if (about->role[0]) {
        count(roles, about->needs_own_server ? "own_server" : about->role);
    }
}

/* How many cases judge each role, of a profile with roles; empty otherwise. */
static json_t *roles_json(const struct case_list *cases)
{
    json_t *roles = json_object();

    for (size_t i = 0; cases && i < case_list_count(cases); i++) {
        count_role(roles, case_list_at(cases, i));
    }
    return roles;
}

static json_t *find_suite(const json_t *suites, const char *id)
{
    json_t *suite;
    size_t i;

    json_array_foreach(suites, i, suite)
    {
        if (strcmp(json_string_value(json_object_get(suite, "id")), id) == 0) {
            return suite;
        }
    }
    return NULL;
}

/* The suites in the order of their first case, with how many cases each has, and whom they judge. A suite whose cases
 * are not all of one role has none. */
static json_t *suites_json(const struct case_list *cases)
{
    json_t *suites = json_array();

    for (size_t i = 0; cases && i < case_list_count(cases); i++) {
        const struct case_info *about = case_list_at(cases, i);
        json_t *suite = find_suite(suites, about->suite);

        if (!suite) {
            suite = json_pack("{s:s,s:i,s:s,s:{}}", "id", about->suite, "cases", 0, "role", about->role, "roles");
            json_array_append_new(suites, suite);
        }
        count(suite, "cases");
        count_role(json_object_get(suite, "roles"), about);
        if (strcmp(json_string_value(json_object_get(suite, "role")), about->role) != 0) {
            json_object_set_new(suite, "role", json_string(""));
        }
    }
    return suites;
}

json_t *catalogue_profiles(const struct catalogue *catalogue)
{
    json_t *list = json_array();

    for (size_t i = 0; i < catalogue->count; i++) {
        const struct profile *profile = &catalogue->profiles[i];

        json_array_append_new(list,
                              json_pack("{s:s,s:s,s:i,s:i,s:o,s:o}", "id", profile->name, "problem", profile->problem,
                                        "cases", profile->cases ? (int)case_list_count(profile->cases) : 0,
                                        "requirements", (int)json_array_size(profile->requirements), "roles",
                                        roles_json(profile->cases), "suites", suites_json(profile->cases)));
    }
    return list;
}

static const struct profile *find(const struct catalogue *catalogue, const char *name)
{
    for (size_t i = 0; i < catalogue->count; i++) {
        if (strcmp(catalogue->profiles[i].name, name) == 0) {
            return &catalogue->profiles[i];
        }
    }
    return NULL;
}

const struct case_list *catalogue_cases(const struct catalogue *catalogue, const char *profile)
{
    const struct profile *found = find(catalogue, profile);

    return found ? found->cases : NULL;
}

const json_t *catalogue_requirements(const struct catalogue *catalogue, const char *profile)
{
    const struct profile *found = find(catalogue, profile);

    return found ? found->requirements : NULL;
}

const char *catalogue_section(const struct catalogue *catalogue, const char *profile, const char *number)
{
    const struct profile *found = find(catalogue, profile);
    const char *title = found ? json_string_value(json_object_get(found->sections, number)) : NULL;

    return title ? title : "";
}

json_t *catalogue_sections(const struct catalogue *catalogue, const char *profile)
{
    const struct profile *found = find(catalogue, profile);

    return found && found->sections ? json_incref(found->sections) : json_object();
}

static json_t *requirement_json(const json_t *rows, const char *id)
{
    size_t i;
    json_t *row;

    json_array_foreach((json_t *)(uintptr_t)rows, i, row)
    {
        const char *row_id = json_string_value(json_object_get(row, "id"));

        if (row_id && strcmp(row_id, id) == 0) {
            return json_deep_copy(row);
        }
    }
    return json_pack("{s:s}", "id", id);
}

json_t *catalogue_requirement_list(const struct catalogue *catalogue, const char *profile, const json_t *ids)
{
    const json_t *rows = catalogue_requirements(catalogue, profile);
    json_t *list = json_array();

    for (size_t i = 0; i < json_array_size(ids); i++) {
        const char *id = json_string_value(json_array_get(ids, i));

        if (id) {
            json_array_append_new(list, requirement_json(rows, id));
        }
    }
    return list;
}

json_t *catalogue_mutants(const struct catalogue *catalogue, const char *case_id)
{
    json_t *list = json_array();
    const char *name;
    json_t *proof;

    json_object_foreach(catalogue->proofs, name, proof)
    {
        if (json_object_get(json_object_get(proof, "caught_by"), case_id)) {
            json_array_append_new(list,
                                  json_pack("{s:s,s:O,s:O}", "mutant", name, "breaks", json_object_get(proof, "breaks"),
                                            "why", json_object_get(proof, "why")));
        }
    }
    return list;
}

static const char *text_of(const char *text)
{
    return text ? text : "";
}

json_t *catalogue_cell_json(const struct case_info *about)
{
    return json_pack("{s:s,s:s,s:s,s:s}", "server", about->cell[CELL_SERVER], "client_a", about->cell[CELL_CLIENT_A],
                     "client_b", about->cell[CELL_CLIENT_B], "program", about->cell[CELL_PROGRAM]);
}

json_t *catalogue_case_json(const struct case_info *about, bool whole)
{
    json_t *ids = json_array();
    json_t *object;

    for (const char *const *id = about->requirements; *id; id++) {
        json_array_append_new(ids, json_string(*id));
    }
    object = json_pack("{s:s,s:s,s:s,s:s,s:s,s:o,s:i,s:b,s:b,s:b,s:b}", "id", about->id, "title", text_of(about->title),
                       "suite", text_of(about->suite), "role", text_of(about->role), "chapter", text_of(about->chapter),
                       "requirements", ids, "ranks", (int)about->ranks, "wire", about->needs_wire, "negative",
                       about->negative, "incoming", about->needs_incoming || about->joins_own_server, "own_server",
                       about->needs_own_server);
    json_object_set_new(object, "chapter_title", json_string(text_of(about->chapter_title)));
    if (whole) {
        json_object_set_new(object, "purpose", json_string(text_of(about->purpose)));
        json_object_set_new(object, "file", json_string(text_of(about->file)));
        json_object_set_new(object, "source", json_string(text_of(about->source)));
    }
    return object;
}
