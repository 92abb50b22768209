/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay spec P30-141`: what a requirement that code cites demands, and where it is fulfilled, judged and
 * proven. Each place is a line `file:line: text`, as compilers print them, so that editors can go there.
 */
#include "tester/base/files.h"
#include "tester/base/memory.h"
#include "tester/commands/commands.h"
#include "tester/commands/option.h"
#include "tester/commands/profile_help.h"
#include "tester/commands/spec/stale.h"
#include "tester/commands/spec/trail.h"
#include "tester/profile/case_directory.h"
#include "tester/profile/profile_table.h"
#include "tester/profile/revision.h"
#include "tester/profile/sections.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_OCTETS = 700 };

static const char help[] =
    "usage: assay spec [--json] ID...\n"
    "\n"
    "Says what a requirement demands (its sentence, section, class, level and reading) and where it is fulfilled in "
    "the\n"
    "reference, judged by cases and proven by mutants; which of these proofs are stale, and why. Places are lines\n"
    "file:line: text, as editors read them.\n"
    "\n"
    "  --json   as a JSON array, one object for each requirement\n"
    "\n"
    "Code and mutants are those of the source tree to which the cases belong; an installed tree has none.\n"
    "\n";

/* struct book is the catalogue of one profile, with its cases; read when the first requirement of it is asked for. */
struct book {
    const struct profile *profile;
    char *path; /* of the catalogue */
    char *text;
    json_t *rows, *sections;
    struct case_list *cases;
};

struct library {
    struct profile_table *table;
    struct book *books; /* one for each profile of the table */
    char *root;         /* of the source tree; NULL: there is none */
};

static bool complain(const char *message)
{
    fprintf(stderr, "assay spec: %s\n", message);
    return false;
}

static bool book_open(const struct library *library, struct book *book, const struct profile *profile)
{
    const char *folder = profile_table_folder(library->table);
    char message[MESSAGE_OCTETS];
    size_t len;

    if (book->profile) {
        return true;
    }
    book->path = memory_format("%s/%s.json", folder, profile->name);
    book->text = files_read(book->path, &len, message, sizeof message);
    book->rows = book->text ? revision_rows(folder, profile->name, message, sizeof message) : NULL;
    book->sections = sections_load(folder, profile->name);
    if (!book->rows || case_list_load(NULL, profile->name, &book->cases, message, sizeof message) != ENGINE_OK) {
        return complain(message);
    }
    book->profile = profile;
    return true;
}

static void library_close(struct library *library)
{
    for (size_t i = 0; library->books && i < profile_table_count(library->table); i++) {
        struct book *book = &library->books[i];

        case_list_free(book->cases);
        json_decref(book->rows);
        json_decref(book->sections);
        free(book->text);
        free(book->path);
    }
    free(library->books);
    free(library->root);
    profile_table_free(library->table);
}

static bool library_open(struct library *library)
{
    char message[MESSAGE_OCTETS];

    if (profile_table_load(NULL, &library->table, message, sizeof message) != ENGINE_OK) {
        return complain(message);
    }
    library->books = memory_zero(profile_table_count(library->table) * sizeof *library->books);
    library->root = trail_root(case_directory());
    return true;
}

/* Gives the book of the profile whose requirements begin like this one; NULL, and a message, when there is none. */
static struct book *find_book(const struct library *library, const char *id)
{
    const struct profile *owner = profile_table_owner(library->table, id);
    char known[200] = "";

    for (size_t i = 0; i < profile_table_count(library->table); i++) {
        const struct profile *profile = profile_table_at(library->table, i);

        if (profile == owner) {
            return book_open(library, &library->books[i], profile) ? &library->books[i] : NULL;
        }
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s %s-NNN", i ? "," : "", profile->prefix);
    }
    fprintf(stderr, "assay spec: %.60s is no requirement; there are:%s\n", id, known);
    return NULL;
}

static const json_t *find_row(const struct book *book, const char *id)
{
    const json_t *row;
    size_t index;

    json_array_foreach(book->rows, index, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "id")), id) == 0) {
            return row;
        }
    }
    size_t last = json_array_size(book->rows);
    fprintf(stderr, "assay spec: %.60s is no requirement of %s; there are %s to %s\n", id, book->profile->title,
            json_string_value(json_object_get(json_array_get(book->rows, 0), "id")),
            json_string_value(json_object_get(json_array_get(book->rows, last - 1), "id")));
    return NULL;
}

/* The line of the catalogue on which the requirement stands. */
static int line_of_row(const struct book *book, const char *id)
{
    char *quoted = memory_format("\"id\": \"%s\"", id);
    const char *at = strstr(book->text, quoted);
    int line = 1;

    for (const char *newline = book->text; at && (newline = strchr(newline, '\n')) && newline < at; newline++) {
        line++;
    }
    free(quoted);
    return line;
}

/* The mutants that break a requirement; with `stale`, a text, where a proof says nothing of this tree. The field is
 * null where that cannot be known. */
static json_t *proven_now(const char *root, const char *id)
{
    json_t *proven = trail_proven(root, id), *mutant;
    json_t *reasons = json_array_size(proven) > 0 ? stale_reasons(root, id) : NULL;
    size_t index;

    json_array_foreach(proven, index, mutant)
    {
        json_t *reason = json_object_get(reasons, json_string_value(json_object_get(mutant, "mutant")));

        if (!reasons) {
            json_object_set_new(mutant, "stale", json_null());
        } else if (reason) {
            json_object_set(mutant, "stale", reason);
        }
    }
    json_decref(reasons);
    return proven;
}

/* Where the requirement is fulfilled, also under the ids that earlier revisions have for it. */
static json_t *fulfilled_as(const char *root, const json_t *row, const char *id)
{
    json_t *places = trail_fulfilled(root, id), *more;
    const json_t *earlier;
    size_t index;

    json_array_foreach(json_object_get(row, "same_as"), index, earlier)
    {
        more = trail_fulfilled(root, json_string_value(earlier));
        json_array_extend(places, more);
        json_decref(more);
    }
    return places;
}

/* Everything about one requirement: its row, and what was found. */
static json_t *describe(const struct library *library, const struct book *book, const json_t *row, const char *id)
{
    json_t *all = json_copy((json_t *)row);
    const char *section = json_string_value(json_object_get(row, "section"));

    json_object_set_new(all, "profile", json_string(book->profile->name));
    json_object_set_new(all, "document", json_string(book->profile->document));
    json_object_set_new(all, "section_title", json_string(sections_title(book->sections, section)));
    json_object_set_new(all, "file", json_string(files_shown(book->path)));
    json_object_set_new(all, "line", json_integer(line_of_row(book, id)));
    json_object_set_new(all, "judged", trail_judged(book->cases, id));
    if (library->root) {
        json_object_set_new(all, "fulfilled", fulfilled_as(library->root, row, id));
        json_object_set_new(all, "proven", proven_now(library->root, id));
    }
    return all;
}

static const char *text_of(const json_t *object, const char *field)
{
    const char *text = json_string_value(json_object_get(object, field));

    return text ? text : "";
}

static void print_place(const json_t *object)
{
    printf("%s:%d: ", text_of(object, "file"), (int)json_integer_value(json_object_get(object, "line")));
}

static void print_note(const json_t *object, const char *field, const char *words)
{
    if (*text_of(object, field)) {
        printf("    %s: %s\n", words, text_of(object, field));
    }
}

static void print_row(const json_t *all)
{
    print_place(all);
    printf("%s (%s, %s): %s\n", text_of(all, "id"), text_of(all, "level"), text_of(all, "class"),
           text_of(all, "obligation"));
    printf("    section: %s %s\n", text_of(all, "section"), text_of(all, "section_title"));
    print_note(all, "document", "document");
    print_note(all, "role", "role");
    print_note(all, "derived_from", "comes from");
    print_note(all, "change", "change");
    print_note(all, "since", "last changed in");
    print_note(all, "reading", "reading");
    print_note(all, "check", "check");
    print_note(all, "why_not", "not testable");
    print_note(all, "why_unproven", "not proven");
}

static void print_caught(const json_t *mutant)
{
    json_t *cases = json_object_get(mutant, "caught_by"), *verdict;
    const char *name, *between = ", caught by ";

    json_object_foreach(cases, name, verdict)
    {
        printf("%s%s%s", between, name, strcmp(json_string_value(verdict), "warn") == 0 ? " (warns)" : "");
        between = ", ";
    }
}

static void print_mutant(const json_t *mutant)
{
    const char *stale = text_of(mutant, "stale");
    bool caught = json_object_size(json_object_get(mutant, "caught_by")) > 0;

    print_place(mutant);
    printf("%s the mutant %s",
           *stale   ? "not proven now by"
           : caught ? "proven by"
                    : "not proven by",
           text_of(mutant, "mutant"));
    print_caught(mutant);
    if (*stale) {
        printf(" (%s%s)", caught ? "stale: " : "", stale);
    } else if (!caught) {
        fputs(", which no case catches", stdout);
    }
    printf(": %s\n", text_of(mutant, "why"));
}

/* What to do about proofs that are stale, or of which that cannot be known. */
static void print_advice(const json_t *all, const json_t *proven)
{
    const json_t *mutant;
    size_t index, stale = 0;

    json_array_foreach(proven, index, mutant)
    {
        stale += json_is_string(json_object_get(mutant, "stale"));
    }
    if (stale > 0) {
        printf("    %zu of %zu proofs do not hold for this tree; try again: make mutants MUTANTS=%s\n", stale,
               json_array_size(proven), text_of(all, "id"));
    } else if (json_is_null(json_object_get(json_array_get(proven, 0), "stale"))) {
        puts("    whether these proofs are stale is not known: tests/mutants/run.py --reasons did not answer");
    }
}

static void print_text(const json_t *all)
{
    const json_t *fulfilled = json_object_get(all, "fulfilled"), *proven = json_object_get(all, "proven"), *one;
    const json_t *judged = json_object_get(all, "judged");
    size_t index;

    print_row(all);
    json_array_foreach(fulfilled, index, one)
    {
        print_place(one);
        printf("fulfilled: %s\n", text_of(one, "text"));
    }
    json_array_foreach(judged, index, one)
    {
        print_place(one);
        printf("judged by %s: %s\n", text_of(one, "case"), text_of(one, "title"));
    }
    json_array_foreach(proven, index, one)
    {
        print_mutant(one);
    }
    print_advice(all, proven);
    if (!fulfilled) {
        puts("    fulfilled, proven: not known here; the source tree has the code and the mutants");
    } else if (json_array_size(fulfilled) == 0) {
        puts("    fulfilled: no line of the reference cites it");
    }
    if (json_array_size(judged) == 0) {
        puts("    judged: by no case");
    }
    if (fulfilled && json_array_size(proven) == 0) {
        puts("    proven: no mutant breaks it");
    }
}

/* Describes all requirements before anything is printed; NULL, told, when one of them does not exist. */
static json_t *describe_all(const struct library *library, char **ids)
{
    json_t *list = json_array();

    for (; *ids; ids++) {
        const struct book *book = find_book(library, *ids);
        const json_t *row = book ? find_row(book, *ids) : NULL;

        if (!row) {
            json_decref(list);
            return NULL;
        }
        json_array_append_new(list, describe(library, book, row, *ids));
    }
    return list;
}

static int print_all(char **ids, bool json)
{
    struct library library = {0};
    json_t *list = library_open(&library) ? describe_all(&library, ids) : NULL;
    const json_t *one;
    size_t index;

    if (list && json) {
        json_dumpf(list, stdout, JSON_INDENT(1));
        putchar('\n');
    } else {
        json_array_foreach(list, index, one)
        {
            fputs(index ? "\n" : "", stdout);
            print_text(one);
        }
    }
    int status = list ? 0 : 2;
    json_decref(list);
    library_close(&library);
    return status;
}

int cmd_spec(int argc, char **argv)
{
    static const struct option known[] = {{"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {0}};
    bool json = false;
    int option;

    optind = 0; /* from the beginning */
    while ((option = option_next(argc, argv, known, 1)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            profile_help_prefixes(stdout);
            return 0;
        }
        if (option == '?') {
            return 2;
        }
        json = true;
    }
    if (optind == argc) {
        fputs("assay spec: name a requirement, for example one that the code cites; see assay spec --help\n", stderr);
        return 2;
    }
    return print_all(argv + optind, json);
}
