/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Making derived catalogues whole (revision.h). A row of the later revision has the number of the row that it comes
 * from; what a file does not list is kept, with the names that it renames.
 */
#include "tester/profile/revision.h"

#include "tester/base/memory.h"
#include "tester/profile/spec_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REVISIONS_MAX = 8, ID_OCTETS = 24 };

struct revision {
    char *names[REVISIONS_MAX]; /* the oldest first */
    size_t count;
    char *prefix;
    json_t *rows;    /* by their numbers; NULL where there is one revision alone */
    json_t *renames; /* from the names of the oldest revision */
};

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

static const char *text_of(const json_t *row, const char *field)
{
    const char *text = json_string_value(json_object_get(row, field));

    return text ? text : "";
}

static size_t prefix_len(const char *id)
{
    return strcspn(id, "-");
}

/* The id of one revision with the prefix of another. */
static void id_like(char id[ID_OCTETS], const char *number_of, const char *prefix_of)
{
    snprintf(id, ID_OCTETS, "%.*s%s", (int)prefix_len(prefix_of), prefix_of, number_of + prefix_len(number_of));
}

/* The text with each word that `renames` has replaced by what stands there. The caller frees. */
static char *rename_words(const char *text, const json_t *renames)
{
    char *renamed = memory_text("");
    size_t len = 0;

    while (*text) {
        size_t word = strspn(text, letters), between = strcspn(text + word, letters);
        const char *other = json_string_value(json_object_getn(renames, text, word));
        size_t other_len = other ? strlen(other) : word;

        renamed = memory_grow(renamed, len + other_len + between + 1);
        memcpy(renamed + len, other ? other : text, other_len);
        memcpy(renamed + len + other_len, text + word, between);
        len += other_len + between;
        renamed[len] = '\0';
        text += word + between;
    }
    return renamed;
}

/* What is kept of a row: the same, in the words of this revision and under its id. */
static json_t *keep_row(const json_t *base, const char *id, const json_t *renames)
{
    json_t *row = json_deep_copy(base), *value;
    const char *field;
    bool was_gone = strcmp(text_of(base, "change"), "gone") == 0;

    json_object_foreach(row, field, value)
    {
        if (json_is_string(value)) {
            char *renamed = rename_words(json_string_value(value), renames);
            json_object_set_new(row, field, json_string(renamed));
            free(renamed);
        }
    }
    json_object_set_new(row, "id", json_string(id));
    json_object_set_new(row, "derived_from", json_string(text_of(base, "id")));
    json_object_set_new(row, "change", json_string(was_gone ? "gone" : "kept"));
    json_t *same = json_object_get(row, "same_as");
    if (!same) {
        same = json_array();
        json_object_set_new(row, "same_as", same);
    }
    json_array_append_new(same, json_string(text_of(base, "id")));
    return row;
}

/* A listed row, completed by the fields of its base that a change leaves as they are. */
static json_t *change_row(const json_t *base, const json_t *listed, const char *profile, const json_t *renames)
{
    static const char *const lasting[] = {"section", "level", "testable", "role"};
    const char *gone = json_string_value(json_object_get(listed, "gone"));
    json_t *row = gone ? keep_row(base, text_of(listed, "id"), renames) : json_deep_copy(listed);

    for (size_t i = 0; base && i < sizeof lasting / sizeof lasting[0]; i++) {
        if (!json_object_get(row, lasting[i]) && json_object_get(base, lasting[i])) {
            json_object_set(row, lasting[i], json_object_get(base, lasting[i]));
        }
    }
    if (base) {
        json_object_set(row, "derived_from", json_object_get(base, "id"));
    }
    if (gone) {
        json_object_del(row, "why_unproven");
        json_object_del(row, "same_as");
        json_object_set_new(row, "testable", json_false());
        json_object_set_new(row, "why_not", json_string(gone));
    }
    json_object_set_new(row, "change", json_string(gone ? "gone" : base ? "changed" : "new"));
    json_object_set_new(row, "since", json_string(profile));
    return row;
}

/* The rows by the numbers in which their ids end. A new reference. */
static json_t *by_number(const json_t *rows)
{
    json_t *index = json_object();
    size_t i;
    json_t *row;

    json_array_foreach(rows, i, row)
    {
        const char *id = text_of(row, "id");

        json_object_set_new(index, id + prefix_len(id), json_incref(row));
    }
    return index;
}

/* The row whose id ends in the same number; NULL when there is none. */
static const json_t *row_numbered(const json_t *index, const char *id)
{
    return json_object_get(index, id + prefix_len(id));
}

/* All rows of a derived catalogue: those of its base in their order, then those that are new. */
static json_t *derive(const json_t *base, const json_t *catalogue, const char *profile)
{
    const json_t *listed = json_object_get(catalogue, "rows"), *renames = json_object_get(catalogue, "renames"), *row;
    const char *like = text_of(json_array_get(listed, 0), "id");
    json_t *rows = json_array(), *base_index = by_number(base), *listed_index = by_number(listed);
    char id[ID_OCTETS];
    size_t index;

    json_array_foreach(base, index, row)
    {
        id_like(id, text_of(row, "id"), like);
        const json_t *changed = row_numbered(listed_index, id);
        json_array_append_new(rows, changed ? change_row(row, changed, profile, renames) : keep_row(row, id, renames));
    }
    json_array_foreach(listed, index, row)
    {
        if (!row_numbered(base_index, text_of(row, "id"))) {
            json_array_append_new(rows, change_row(NULL, row, profile, renames));
        }
    }
    json_decref(base_index);
    json_decref(listed_index);
    return rows;
}

/* Reads a catalogue and those that it is derived from; `depth` is how many have been read to get here. */
static json_t *load_rows(const char *folder, const char *profile, size_t depth, char *message, size_t message_octets)
{
    json_t *catalogue = spec_folder_load(folder, profile, "json", message, message_octets);
    const char *from = json_string_value(json_object_get(catalogue, "derived_from"));
    json_t *base, *rows = NULL;

    if (!from) {
        return catalogue;
    }
    if (depth + 1 < REVISIONS_MAX) {
        base = load_rows(folder, from, depth + 1, message, message_octets);
        rows = base ? derive(base, catalogue, profile) : NULL;
        json_decref(base);
    } else if (message) {
        snprintf(message, message_octets, "%s/%s.json: derived from too many others, or from itself", folder, profile);
    }
    json_decref(catalogue);
    return rows;
}

json_t *revision_rows(const char *folder, const char *profile, char *message, size_t message_octets)
{
    return load_rows(folder, profile, 0, message, message_octets);
}

/* Goes on with the names of a later revision: what an earlier one renamed may be renamed once more. */
static void add_renames(json_t *all, json_t *later)
{
    const char *name;
    json_t *value, *other;

    json_object_foreach(all, name, value)
    {
        other = json_object_get(later, json_string_value(value));
        if (other) {
            json_object_set(all, name, other);
        }
    }
    json_object_foreach(later, name, value)
    {
        if (!json_object_get(all, name)) {
            json_object_set(all, name, value);
        }
    }
}

/* The names of the profile's revisions, the oldest first; `depth` is how many catalogues have been read to get here. */
static void find_names(struct revision *revision, const char *folder, const char *profile, size_t depth)
{
    json_t *catalogue = spec_folder_load(folder, profile, "json", NULL, 0);
    const char *from = json_string_value(json_object_get(catalogue, "derived_from"));

    if (from && depth + 1 < REVISIONS_MAX) {
        find_names(revision, folder, from, depth + 1);
    }
    revision->names[revision->count++] = memory_text(profile);
    add_renames(revision->renames, json_object_get(catalogue, "renames"));
    json_decref(catalogue);
}

struct revision *revision_load(const char *folder, const char *profile, const char *prefix)
{
    struct revision *revision = memory_zero(sizeof *revision);

    revision->prefix = memory_text(prefix);
    revision->renames = json_object();
    find_names(revision, folder, profile, 0);
    if (revision->count > 1) {
        json_t *rows = revision_rows(folder, profile, NULL, 0);

        revision->rows = by_number(rows);
        json_decref(rows);
    }
    return revision;
}

void revision_free(struct revision *revision)
{
    if (!revision) {
        return;
    }
    for (size_t i = 0; i < revision->count; i++) {
        free(revision->names[i]);
    }
    free(revision->prefix);
    json_decref(revision->rows);
    json_decref(revision->renames);
    free(revision);
}

size_t revision_count(const struct revision *revision)
{
    return revision->count;
}

const char *revision_name(const struct revision *revision, size_t index)
{
    return revision->names[index];
}

/* Whether a list names a requirement as it has been since its last change. */
static bool is_named(const json_t *row, char *const *list)
{
    for (; *list; list++) {
        size_t index;
        json_t *id;

        if (strcmp(text_of(row, "id"), *list) == 0) {
            return true;
        }
        json_array_foreach(json_object_get(row, "same_as"), index, id)
        {
            if (strcmp(json_string_value(id), *list) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Whether a requirement is what it was in the revision at `index`, or what has changed is named. */
static bool has_lasted(const struct revision *revision, size_t index, const char *id, char *const *still)
{
    const json_t *row = row_numbered(revision->rows, id);
    const char *since = text_of(row, "since");

    if (!row || strcmp(text_of(row, "change"), "gone") == 0) {
        return false;
    }
    for (size_t i = index + 1; i < revision->count; i++) {
        if (strcmp(since, revision->names[i]) == 0) {
            return is_named(row, still);
        }
    }
    return true;
}

bool revision_take(const struct revision *revision, size_t index, char **requirements, char *const *still)
{
    if (index + 1 == revision->count) {
        return true;
    }
    for (char **id = requirements; *id; id++) {
        char own[ID_OCTETS];

        if (!has_lasted(revision, index, *id, still)) {
            return false;
        }
        id_like(own, *id, revision->prefix);
        free(*id);
        *id = memory_text(own);
    }
    return true;
}

char *revision_lua(const struct revision *revision)
{
    char *text = memory_format("Revision = { name = \"%s\", prefix = \"%s\", renames = {",
                               revision->names[revision->count - 1], revision->prefix);
    const char *name;
    json_t *value;

    json_object_foreach(revision->renames, name, value)
    {
        char *longer = memory_format("%s %s = \"%s\",", text, name, json_string_value(value));

        free(text);
        text = longer;
    }
    char *whole = memory_format("%s } }\n", text);
    free(text);
    return whole;
}
