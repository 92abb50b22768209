/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reads the table of profiles, and for each profile, when it is first asked for, its cases and its requirements.
 */
#include "web/profiles/catalogue.h"

#include "tester/profile/revision.h"
#include "tester/profile/sections.h"
#include "web/service/asset.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One profile with all that belongs to it. */
struct entry {
    const struct profile *profile; /* its row */
    bool read;                     /* what follows is there, and constant from then on; under `reading` */
    char problem[512];             /* why it cannot be run; "" */
    struct case_list *cases;
    json_t *requirements, *sections;
};

struct catalogue {
    struct profile_table *table;
    struct entry *entries; /* in the order of the table */
    size_t count;
    pthread_mutex_t reading; /* held while a profile, or the proofs, are read */
    bool proofs_read;
    json_t *proofs; /* which case catches which mutant of the reference, as proofs.json has it; NULL: none known */
};

static void read_entry(const struct catalogue *catalogue, struct entry *entry)
{
    const char *folder = profile_table_folder(catalogue->table);
    const struct profile *profile = entry->profile;

    if (case_list_load(case_directory(), profile->name, &entry->cases, entry->problem, sizeof entry->problem) !=
        ENGINE_OK) {
        entry->cases = NULL;
        fprintf(stderr, "assayd: profile %s cannot be run: %s\n", profile->name, entry->problem);
    }
    entry->requirements = revision_rows(folder, profile->name, NULL, 0);
    entry->sections = sections_load(folder, profile->name);
}

/* The entry, read whole: by whoever asks for it first, while others wait. */
static const struct entry *whole(struct catalogue *catalogue, struct entry *entry)
{
    pthread_mutex_lock(&catalogue->reading);
    if (!entry->read) {
        read_entry(catalogue, entry);
        entry->read = true;
    }
    pthread_mutex_unlock(&catalogue->reading);
    return entry;
}

/* The proofs likewise. */
static json_t *proofs_of(struct catalogue *catalogue)
{
    const struct asset *proofs = asset_find("proofs.json");

    pthread_mutex_lock(&catalogue->reading);
    if (!catalogue->proofs_read) {
        catalogue->proofs = proofs ? json_loadb((const char *)proofs->octets, proofs->len, 0, NULL) : NULL;
        catalogue->proofs_read = true;
    }
    pthread_mutex_unlock(&catalogue->reading);
    return catalogue->proofs;
}

struct catalogue *catalogue_load(char *message, size_t message_octets)
{
    struct catalogue *catalogue = calloc(1, sizeof *catalogue);
    size_t count;

    snprintf(message, message_octets, "out of memory");
    if (!catalogue) {
        return NULL;
    }
    pthread_mutex_init(&catalogue->reading, NULL);
    if (profile_table_load(NULL, &catalogue->table, message, message_octets) != ENGINE_OK) {
        catalogue_free(catalogue);
        return NULL;
    }
    count = profile_table_count(catalogue->table);
    catalogue->entries = calloc(count, sizeof *catalogue->entries);
    if (!catalogue->entries) {
        snprintf(message, message_octets, "out of memory");
        catalogue_free(catalogue);
        return NULL;
    }
    catalogue->count = count;
    for (size_t i = 0; i < count; i++) {
        catalogue->entries[i].profile = profile_table_at(catalogue->table, i);
    }
    return catalogue;
}

void catalogue_free(struct catalogue *catalogue)
{
    if (!catalogue) {
        return;
    }
    for (size_t i = 0; i < catalogue->count; i++) {
        if (catalogue->entries[i].cases) {
            case_list_free(catalogue->entries[i].cases);
        }
        json_decref(catalogue->entries[i].requirements);
        json_decref(catalogue->entries[i].sections);
    }
    profile_table_free(catalogue->table);
    free(catalogue->entries);
    json_decref(catalogue->proofs);
    pthread_mutex_destroy(&catalogue->reading);
    free(catalogue);
}

const struct profile_table *catalogue_table(const struct catalogue *catalogue)
{
    return catalogue->table;
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

/* Whether it is of every run; a case that uses up a limit is of those that declare it. */
static bool is_for_all(const struct case_info *about)
{
    return !about->limit[0];
}

/* How many cases judge each role, of a profile with roles; empty otherwise. */
static json_t *roles_json(const struct case_list *cases)
{
    json_t *roles = json_object();

    for (size_t i = 0; cases && i < case_list_count(cases); i++) {
        if (is_for_all(case_list_at(cases, i))) {
            count_role(roles, case_list_at(cases, i));
        }
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

/* The suites in the order of their first case, with how many cases each has for every run, and whom they judge. A suite
 * whose cases are not all of one role has none. */
static json_t *suites_json(const struct case_list *cases)
{
    json_t *suites = json_array();

    for (size_t i = 0; cases && i < case_list_count(cases); i++) {
        const struct case_info *about = case_list_at(cases, i);
        json_t *suite = find_suite(suites, about->suite);

        if (!suite) {
            suite = json_pack("{s:s,s:s,s:i,s:s,s:{}}", "id", about->suite, "about", "", "cases", 0, "role",
                              about->role, "roles");
            json_array_append_new(suites, suite);
        }
        if (is_for_all(about)) {
            count(suite, "cases");
            count_role(json_object_get(suite, "roles"), about);
        }
        if (strcmp(json_string_value(json_object_get(suite, "role")), about->role) != 0) {
            json_object_set_new(suite, "role", json_string(""));
        }
    }
    return suites;
}

/* The line of the table about each suite. */
static void add_abouts(json_t *suites, const struct profile *profile)
{
    for (size_t i = 0; i < profile->suite_count; i++) {
        json_t *suite = find_suite(suites, profile->suites[i].name);

        if (suite) {
            json_object_set_new(suite, "about", json_string(profile->suites[i].about));
        }
    }
}

static json_t *notes_json(const struct profile_role *role)
{
    json_t *list = json_array();

    for (const char *const *note = role->notes; note && *note; note++) {
        json_array_append_new(list, json_string(*note));
    }
    return list;
}

/* A command as one types it, for whoever has to replace its first word. */
static json_t *command_json(const char *const *words)
{
    char text[1024] = "";
    size_t len = 0;

    for (; *words && len < sizeof text; words++) {
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s", len ? " " : "", *words);
    }
    return json_string(text);
}

static json_t *choice_json(const struct profile_role *role, const char *title, const char *about)
{
    return json_pack("{s:s,s:s,s:s,s:s,s:[s],s:o}", "id", role->name, "role", role->name, "title", title, "about",
                     about, "counts", role->name, "notes", notes_json(role));
}

/* What somebody can bring to be judged: each role, and where it may bring a server along, both. */
static json_t *choices_json(const struct profile *profile)
{
    json_t *list = json_array();

    for (size_t i = 0; i < profile->role_count; i++) {
        const struct profile_role *role = &profile->roles[i];

        json_array_append_new(list, choice_json(role, role->title, role->about));
        if (role->server) {
            json_t *both = choice_json(role, role->server->title, role->server->about);
            char id[128];

            snprintf(id, sizeof id, "%s-with-server", role->name);
            json_object_set_new(both, "id", json_string(id));
            json_array_append_new(json_object_get(both, "counts"), json_string("own_server"));
            json_object_set_new(both, "server", command_json(role->server->reference));
            json_array_append_new(list, both);
        }
    }
    return list;
}

static json_t *entry_json(const struct entry *entry)
{
    const struct profile *profile = entry->profile;
    json_t *suites = suites_json(entry->cases);

    add_abouts(suites, profile);
    return json_pack("{s:s,s:s,s:s,s:s,s:i,s:i,s:o,s:o,s:o}", "id", profile->name, "title", profile->title, "document",
                     profile->document, "problem", entry->problem, "cases",
                     entry->cases ? (int)case_list_count(entry->cases) : 0, "requirements",
                     (int)json_array_size(entry->requirements), "roles", roles_json(entry->cases), "choices",
                     choices_json(profile), "suites", suites);
}

json_t *catalogue_profiles(struct catalogue *catalogue)
{
    json_t *list = json_array();

    for (size_t i = 0; i < catalogue->count; i++) {
        json_array_append_new(list, entry_json(whole(catalogue, &catalogue->entries[i])));
    }
    return list;
}

static struct entry *find(const struct catalogue *catalogue, const char *name)
{
    for (size_t i = 0; i < catalogue->count; i++) {
        if (strcmp(catalogue->entries[i].profile->name, name) == 0) {
            return &catalogue->entries[i];
        }
    }
    return NULL;
}

const struct profile *catalogue_profile(const struct catalogue *catalogue, const char *name)
{
    const struct entry *found = find(catalogue, name);

    return found ? found->profile : NULL;
}

/* The profile of that name, read whole; NULL when there is none. */
static const struct entry *find_whole(struct catalogue *catalogue, const char *name)
{
    struct entry *found = find(catalogue, name);

    return found ? whole(catalogue, found) : NULL;
}

const struct case_list *catalogue_cases(struct catalogue *catalogue, const char *profile)
{
    const struct entry *found = find_whole(catalogue, profile);

    return found ? found->cases : NULL;
}

enum engine_status catalogue_find_cases(struct catalogue *catalogue, const char *profile,
                                        const struct case_list **cases, char *message, size_t message_octets)
{
    const struct entry *found = find_whole(catalogue, profile);

    if (!found) {
        profile_table_find(catalogue->table, profile, message, message_octets);
        return ENGINE_NO_PROFILE;
    }
    if (!found->cases) {
        snprintf(message, message_octets, "%s", found->problem);
        return ENGINE_BAD_CASE;
    }
    *cases = found->cases;
    return ENGINE_OK;
}

const json_t *catalogue_requirements(struct catalogue *catalogue, const char *profile)
{
    const struct entry *found = find_whole(catalogue, profile);

    return found ? found->requirements : NULL;
}

const char *catalogue_section(struct catalogue *catalogue, const char *profile, const char *number)
{
    const struct entry *found = find_whole(catalogue, profile);
    const char *title = found ? json_string_value(json_object_get(found->sections, number)) : NULL;

    return title ? title : "";
}

json_t *catalogue_sections(struct catalogue *catalogue, const char *profile)
{
    const struct entry *found = find_whole(catalogue, profile);

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

json_t *catalogue_requirement_list(struct catalogue *catalogue, const char *profile, const json_t *ids)
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

/* The cases that catch a mutant which breaks this requirement, or the same one of an earlier revision. */
static const json_t *caught_by(const json_t *proof, const char *requirement)
{
    const char *breaks = json_string_value(json_object_get(proof, "breaks"));

    return breaks && strcmp(breaks, requirement) == 0 ? json_object_get(proof, "caught_by")
                                                      : json_object_get(json_object_get(proof, "later"), requirement);
}

json_t *catalogue_mutants(struct catalogue *catalogue, const char *case_id, const json_t *requirements)
{
    json_t *proofs = proofs_of(catalogue);
    json_t *list = json_array();
    const json_t *requirement;
    const char *name;
    json_t *proof;
    size_t i;

    json_object_foreach(proofs, name, proof)
    {
        json_array_foreach(requirements, i, requirement)
        {
            if (json_object_get(caught_by(proof, json_string_value(requirement)), case_id)) {
                json_array_append_new(list,
                                      json_pack("{s:s,s:s,s:O}", "mutant", name, "breaks",
                                                json_string_value(requirement), "why", json_object_get(proof, "why")));
            }
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
