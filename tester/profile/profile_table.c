/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading specs/profiles.json as a whole (profile_table.h): the rows one by one, then that none takes another's name
 * or prefix.
 */
#include "tester/profile/profile_table.h"

#include "tester/base/files.h"
#include "tester/base/memory.h"
#include "tester/profile/case_directory.h"
#include "tester/profile/profile_row.h"
#include "tester/profile/spec_folder.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEM_OCTETS = 300 };

struct profile_table {
    char *folder;
    json_t *rows;
    struct profile *profiles;
    size_t count;
};

/* Tells what the row has that one before it has already; NULL when all is its own. */
static const char *find_double(const struct profile_table *table, const struct profile *profile)
{
    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(table->profiles[i].name, profile->name) == 0) {
            return "name";
        }
        if (strcmp(table->profiles[i].prefix, profile->prefix) == 0) {
            return "prefix";
        }
    }
    return NULL;
}

static bool read_rows(struct profile_table *table, char *problem, size_t problem_octets)
{
    char wrong[PROBLEM_OCTETS];
    size_t index;
    json_t *row;

    if (json_array_size(table->rows) == 0) {
        snprintf(problem, problem_octets, "is no array of profiles");
        return false;
    }
    table->profiles = memory_zero(json_array_size(table->rows) * sizeof *table->profiles);
    json_array_foreach(table->rows, index, row)
    {
        struct profile *profile = &table->profiles[index];
        const char *name = json_string_value(json_object_get(row, "name"));
        bool good = profile_row_read(row, profile, wrong, sizeof wrong);
        const char *twice = good ? find_double(table, profile) : NULL;

        table->count++; /* what was read must be freed, good or not */
        if (twice) {
            snprintf(wrong, sizeof wrong, "an earlier row has the same `%s`", twice);
        }
        if (!good || twice) {
            snprintf(problem, problem_octets, "row %zu (%.40s): %s", index + 1, name ? name : "without a name", wrong);
            return false;
        }
    }
    return true;
}

enum engine_status profile_table_load(const char *case_folder, struct profile_table **result, char *message,
                                      size_t message_octets)
{
    struct profile_table *table = memory_zero(sizeof *table);
    char problem[PROBLEM_OCTETS + 100];
    json_error_t error;

    table->folder = spec_folder_of(case_folder ? case_folder : case_directory());
    char *path = memory_format("%s/profiles.json", table->folder);
    table->rows = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    bool good = table->rows && read_rows(table, problem, sizeof problem);
    if (!table->rows && error.line > 0) {
        snprintf(message, message_octets, "%s:%d: %s", files_shown(path), error.line, error.text);
    } else if (!table->rows) {
        snprintf(message, message_octets, "%s", error.text);
    } else if (!good) {
        snprintf(message, message_octets, "%s: %s; see specs/README.md", files_shown(path), problem);
    }
    free(path);
    if (!good) {
        profile_table_free(table);
        return ENGINE_BAD_TABLE;
    }
    *result = table;
    return ENGINE_OK;
}

void profile_table_free(struct profile_table *table)
{
    if (!table) {
        return;
    }
    for (size_t i = 0; i < table->count; i++) {
        profile_row_release(&table->profiles[i]);
    }
    free(table->profiles);
    free(table->folder);
    json_decref(table->rows);
    free(table);
}

const char *profile_table_folder(const struct profile_table *table)
{
    return table->folder;
}

size_t profile_table_count(const struct profile_table *table)
{
    return table->count;
}

const struct profile *profile_table_at(const struct profile_table *table, size_t index)
{
    return &table->profiles[index];
}

void profile_table_names(const struct profile_table *table, char *names, size_t room)
{
    size_t len = 0;

    *names = '\0';
    for (size_t i = 0; i < table->count && len < room; i++) {
        len += (size_t)snprintf(names + len, room - len, "%s%s", i ? ", " : "", table->profiles[i].name);
    }
}

const struct profile *profile_table_find(const struct profile_table *table, const char *name, char *message,
                                         size_t message_octets)
{
    char known[PROBLEM_OCTETS];

    if (!name) {
        return &table->profiles[0];
    }
    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(table->profiles[i].name, name) == 0) {
            return &table->profiles[i];
        }
    }
    profile_table_names(table, known, sizeof known);
    snprintf(message, message_octets, "no profile \"%.60s\"; there are: %s", name, known);
    return NULL;
}

const struct profile *profile_table_owner(const struct profile_table *table, const char *requirement)
{
    const char *dash = strrchr(requirement, '-');

    for (size_t i = 0; dash && i < table->count; i++) {
        const char *prefix = table->profiles[i].prefix;

        if (strlen(prefix) == (size_t)(dash - requirement) && strncmp(prefix, requirement, strlen(prefix)) == 0) {
            return &table->profiles[i];
        }
    }
    return NULL;
}
