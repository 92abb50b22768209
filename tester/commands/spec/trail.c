/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading sources, cases and mutants line by line for the places that name one requirement (trail.h).
 */
#include "tester/commands/spec/trail.h"

#include "tester/base/files.h"
#include "tester/base/memory.h"
#include "tester/profile/case_entry.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Where code cites what it fulfils. */
static const char *const code_folders[] = {"ref-impl", "wire"};
static const char *const code_endings[] = {".c", ".h"};

/* What a citation begins with: spelled so that the lint of citations does not take this line for one. */
static const char cited[] = {'/', '/', '=', '\0'};

static bool is_folder(const char *path)
{
    struct stat facts;

    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

char *trail_root(const char *case_folder)
{
    char *above = memory_format("%s/../..", case_folder);
    char *root = realpath(above, NULL);
    char *code = memory_format("%s/%s", root ? root : "", code_folders[0]);
    bool whole = root && is_folder(code);

    free(code);
    free(above);
    if (!whole) {
        free(root);
        return NULL;
    }
    return root;
}

/* What is done with one line of a file, which is ended by NUL. */
struct visitor {
    void (*line)(struct visitor *visitor, const char *file, int number, char *text);
    const char *requirement;
    json_t *found;        /* array */
    const json_t *proofs; /* of mutants */
    char mutant[128];     /* the mutant whose entry is being read; "" when it breaks another requirement */
    int mutant_line;
};

static void visit_lines(struct visitor *visitor, const char *path)
{
    char message[256];
    size_t len;
    char *text = files_read(path, &len, message, sizeof message);
    int number = 1;

    for (char *at = text, *end; at && *at; at = end, number++) {
        end = at + strcspn(at, "\n");
        if (*end) {
            *end++ = '\0';
        }
        visitor->line(visitor, files_shown(path), number, at);
    }
    free(text);
}

static void visit_folder(struct visitor *visitor, const char *folder, const char *ending)
{
    struct files files;
    char message[256];

    if (files_list(folder, ending, &files, message, sizeof message)) {
        for (size_t i = 0; i < files.count; i++) {
            visit_lines(visitor, files.paths[i]);
        }
    }
    files_free(&files);
}

/* Whether the text names the requirement, and not a longer one of which it is a part. */
static bool names(const char *text, const char *requirement)
{
    size_t len = strlen(requirement);

    for (const char *at = strstr(text, requirement); at; at = strstr(at + 1, requirement)) {
        if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[len])) {
            return true;
        }
    }
    return false;
}

static void visit_code(struct visitor *visitor, const char *file, int number, char *text)
{
    const char *citation = strstr(text, cited);

    if (citation && names(citation, visitor->requirement)) {
        json_array_append_new(visitor->found, json_pack("{s:s,s:i,s:s}", "file", file, "line", number, "text",
                                                        text + strspn(text, " \t")));
    }
}

json_t *trail_fulfilled(const char *root, const char *requirement)
{
    struct visitor visitor = {.line = visit_code, .requirement = requirement, .found = json_array()};

    for (size_t i = 0; i < sizeof code_folders / sizeof code_folders[0]; i++) {
        for (size_t j = 0; j < sizeof code_endings / sizeof code_endings[0]; j++) {
            char *folder = memory_format("%s/%s", root, code_folders[i]);

            visit_folder(&visitor, folder, code_endings[j]);
            free(folder);
        }
    }
    return visitor.found;
}

static bool judges(const struct case_info *about, const char *requirement)
{
    for (const char *const *at = about->requirements; *at; at++) {
        if (strcmp(*at, requirement) == 0) {
            return true;
        }
    }
    return false;
}

json_t *trail_judged(const struct case_list *cases, const char *requirement)
{
    json_t *found = json_array();

    for (size_t i = 0; i < case_list_count(cases); i++) {
        const struct case_entry *entry = case_list_entry(cases, i);
        const struct case_info *about = &entry->about;

        if (judges(about, requirement)) {
            json_array_append_new(found, json_pack("{s:s,s:i,s:s,s:s,s:s,s:s}", "file", files_shown(entry->path),
                                                   "line", (int)about->line, "case", about->id, "title", about->title,
                                                   "suite", about->suite, "role", about->role));
        }
    }
    return found;
}

/* Gives what stands behind "KEY: " on the line; NULL when it begins otherwise. */
static const char *field(const char *text, const char *key)
{
    size_t len = strlen(key);

    return strncmp(text, key, len) == 0 && text[len] == ':' ? text + len + 1 + strspn(text + len + 1, " ") : NULL;
}

/* The cases that catch the mutant, each with its verdict. A proof lists cases, or has an object of them. */
static json_t *caught_by(const json_t *proofs, const char *mutant)
{
    const json_t *said = json_object_get(json_object_get(proofs, mutant), "caught_by");
    json_t *found = json_object(), *one;
    const char *name;
    size_t index;

    json_array_foreach(said, index, one)
    {
        json_object_set_new(found, json_string_value(one), json_string("fail"));
    }
    json_object_foreach((json_t *)said, name, one)
    {
        const char *verdict = json_string_value(json_is_object(one) ? json_object_get(one, "verdict") : one);

        json_object_set_new(found, name, json_string(verdict ? verdict : "fail"));
    }
    return found;
}

/* An entry of a group of mutants begins with the lines mutant, breaks and why (tests/mutants/README.md). */
static void visit_mutant(struct visitor *visitor, const char *file, int number, char *text)
{
    const char *mutant = field(text, "mutant"), *breaks = field(text, "breaks"), *why = field(text, "why");

    if (mutant) {
        snprintf(visitor->mutant, sizeof visitor->mutant, "%s", mutant);
        visitor->mutant_line = number;
    } else if (breaks && strcmp(breaks, visitor->requirement) != 0) {
        visitor->mutant[0] = '\0';
    } else if (why && visitor->mutant[0]) {
        json_array_append_new(visitor->found, json_pack("{s:s,s:i,s:s,s:s,s:o}", "file", file, "line",
                                                        visitor->mutant_line, "mutant", visitor->mutant, "why", why,
                                                        "caught_by", caught_by(visitor->proofs, visitor->mutant)));
        visitor->mutant[0] = '\0';
    }
}

json_t *trail_proven(const char *root, const char *requirement)
{
    char *folder = memory_format("%s/tests/mutants", root);
    char *path = memory_format("%s/proofs.json", folder);
    json_t *proofs = json_load_file(path, 0, NULL);
    struct visitor visitor = {
        .line = visit_mutant, .requirement = requirement, .found = json_array(), .proofs = proofs};

    visit_folder(&visitor, folder, ".mutants");
    json_decref(proofs);
    free(path);
    free(folder);
    return visitor.found;
}
