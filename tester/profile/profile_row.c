/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The fields of a profile (specs/README.md). A reader goes from field to field and stops at the first one that is
 * missing, of another type, or unknown: a misspelt field must not pass for one that was left out.
 */
#include "tester/profile/profile_row.h"

#include "tester/base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The functions of the engine that a row can name, in the order of their enumerators. */
static const char *const preflights[] = {[PROFILE_PREFLIGHT_PORTALS] = "portals",
                                         [PROFILE_PREFLIGHT_IMPI] = "impi",
                                         [PROFILE_PREFLIGHT_INTERCEPT] = "intercept"};
static const char *const checkers[] = {
    [PROFILE_CHECKER_PORTALS] = "portals", [PROFILE_CHECKER_IMPI] = "impi", [PROFILE_CHECKER_INTERCEPT] = "intercept"};
static const char *const job_starters[] = {"engine", "case"};

enum {
    PREFLIGHTS = sizeof preflights / sizeof preflights[0],
    CHECKERS = sizeof checkers / sizeof checkers[0],
    JOB_STARTERS = sizeof job_starters / sizeof job_starters[0],
};

/* struct reader is where the reading of a row is, for messages: the place is "" in the row itself, or
 * "roles[1].start.". The first problem stands. */
struct reader {
    char place[80];
    char *problem;
    size_t problem_octets;
    bool failed;
};

static void fail(struct reader *reader, const char *field, const char *what)
{
    if (!reader->failed) {
        snprintf(reader->problem, reader->problem_octets, "`%s%s` %s", reader->place, field, what);
    }
    reader->failed = true;
}

static const json_t *get(struct reader *reader, const json_t *object, const char *field)
{
    const json_t *value = json_object_get(object, field);

    if (!value) {
        fail(reader, field, "is missing");
    }
    return value;
}

/* Refuses fields that are not in the list of words with single spaces between. */
static void check_fields(struct reader *reader, json_t *object, const char *known)
{
    const char *field;
    json_t *value;

    json_object_foreach(object, field, value)
    {
        const char *at = strstr(known, field);
        size_t len = strlen(field);

        while (at && ((at != known && at[-1] != ' ') || (at[len] != ' ' && at[len] != '\0'))) {
            at = strstr(at + 1, field);
        }
        if (!at) {
            fail(reader, field, "is no field that is known");
        }
    }
}

static const char *read_text(struct reader *reader, const json_t *object, const char *field)
{
    const json_t *value = get(reader, object, field);

    if (value && !json_is_string(value)) {
        fail(reader, field, "is not a text");
    }
    return value && json_is_string(value) ? json_string_value(value) : "";
}

/* A text that says something. */
static const char *read_words(struct reader *reader, const json_t *object, const char *field)
{
    const char *text = read_text(reader, object, field);

    if (!*text) {
        fail(reader, field, "is empty");
    }
    return text;
}

static bool read_flag(struct reader *reader, const json_t *object, const char *field)
{
    const json_t *value = get(reader, object, field);

    if (value && !json_is_boolean(value)) {
        fail(reader, field, "is neither true nor false");
    }
    return json_is_true(value);
}

/* The index of the text in a list of names; a name that is not there is told with those that are. */
static size_t read_name(struct reader *reader, const json_t *object, const char *field, const char *const *names,
                        size_t count)
{
    const char *text = read_text(reader, object, field);
    char what[160] = "is none of:";

    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, names[i]) == 0) {
            return i;
        }
        snprintf(what + strlen(what), sizeof what - strlen(what), "%s %s", i ? "," : "", names[i]);
    }
    fail(reader, field, what);
    return 0;
}

/* A list of words, ended by NULL, to be freed; the words are the table's. */
static const char *const *read_list(struct reader *reader, const json_t *object, const char *field)
{
    const json_t *list = get(reader, object, field);
    size_t count = json_array_size(list);
    const char **words = memory_zero((count + 1) * sizeof *words);

    if (list && count == 0) {
        fail(reader, field, "is not a list of words");
    }
    for (size_t i = 0; i < count; i++) {
        words[i] = json_string_value(json_array_get(list, i));
        if (!words[i]) {
            fail(reader, field, "is not a list of words");
            words[i] = "";
        }
    }
    return words;
}

/* Goes down into a field; `back` keeps the place for leave. NULL when the field is no object. */
static json_t *enter(struct reader *reader, const json_t *object, const char *field, char back[80])
{
    const json_t *inside = get(reader, object, field);

    if (inside && !json_is_object(inside)) {
        fail(reader, field, "is not an object");
    }
    snprintf(back, sizeof reader->place, "%s", reader->place);
    snprintf(reader->place + strlen(reader->place), sizeof reader->place - strlen(reader->place), "%s.", field);
    return reader->failed ? NULL : json_object_get(object, field);
}

static void leave(struct reader *reader, const char back[80])
{
    snprintf(reader->place, sizeof reader->place, "%s", back);
}

static struct profile_text read_command(struct reader *reader, const json_t *role, const char *field)
{
    struct profile_text text = {"", ""};
    char back[80];
    json_t *object = enter(reader, role, field, back);

    if (object) {
        check_fields(reader, object, "title command");
        text.title = read_words(reader, object, "title");
        text.command = read_words(reader, object, "command");
    }
    leave(reader, back);
    return text;
}

static const struct profile_server *read_server(struct reader *reader, const json_t *role)
{
    struct profile_server *server = memory_zero(sizeof *server);
    char back[80];
    json_t *object = enter(reader, role, "server", back);

    if (object) {
        check_fields(reader, object, "title about reference");
        server->title = read_words(reader, object, "title");
        server->about = read_words(reader, object, "about");
        server->reference = read_list(reader, object, "reference");
    }
    leave(reader, back);
    return server;
}

static void read_role(struct reader *reader, json_t *object, struct profile_role *role)
{
    check_fields(reader, object, "name title about placeholder reference build start server notes");
    role->name = read_text(reader, object, "name");
    role->title = read_words(reader, object, "title");
    role->about = read_words(reader, object, "about");
    role->placeholder = json_object_get(object, "placeholder") ? read_words(reader, object, "placeholder") : NULL;
    role->reference = read_list(reader, object, "reference");
    role->build = read_command(reader, object, "build");
    role->start = read_command(reader, object, "start");
    role->server = json_object_get(object, "server") ? read_server(reader, object) : NULL;
    role->notes = json_object_get(object, "notes") ? read_list(reader, object, "notes") : NULL;
}

/* Every template has exactly one role: the names differ, and one role alone, the last choice, has no placeholder. */
static void check_roles(struct reader *reader, const struct profile *profile)
{
    size_t open = 0;

    for (size_t i = 0; i < profile->role_count; i++) {
        open += !profile->roles[i].placeholder;
        if (!*profile->roles[i].name && profile->role_count > 1) {
            fail(reader, "roles", "has a role without a name beside others");
        }
        if (profile_role_find(profile, profile->roles[i].name) != &profile->roles[i]) {
            fail(reader, "roles", "has two roles of one name");
        }
    }
    if (open != 1) {
        fail(reader, "roles", "needs one role without `placeholder`, to which all other templates belong");
    }
}

static void read_roles(struct reader *reader, const json_t *row, struct profile *profile)
{
    const json_t *list = get(reader, row, "roles");
    size_t count = json_array_size(list);
    struct profile_role *roles = memory_zero((count + 1) * sizeof *roles);

    profile->roles = roles;
    profile->role_count = count;
    if (list && count == 0) {
        fail(reader, "roles", "is not a list of roles");
    }
    for (size_t i = 0; i < count && !reader->failed; i++) {
        snprintf(reader->place, sizeof reader->place, "roles[%zu].", i);
        read_role(reader, json_array_get(list, i), &roles[i]);
    }
    reader->place[0] = '\0';
    if (!reader->failed) {
        check_roles(reader, profile);
    }
}

static void read_suites(struct reader *reader, const json_t *row, struct profile *profile)
{
    const json_t *list = get(reader, row, "suites");
    struct profile_suite *suites = memory_zero((json_array_size(list) + 1) * sizeof *suites);

    profile->suites = suites;
    profile->suite_count = json_array_size(list);
    if (list && !json_is_array(list)) {
        fail(reader, "suites", "is not a list of suites");
    }
    for (size_t i = 0; i < profile->suite_count && !reader->failed; i++) {
        json_t *object = json_array_get(list, i);

        snprintf(reader->place, sizeof reader->place, "suites[%zu].", i);
        check_fields(reader, object, "name about");
        suites[i].name = read_words(reader, object, "name");
        suites[i].about = read_words(reader, object, "about");
    }
    reader->place[0] = '\0';
}

static void read_interpreter(struct reader *reader, const json_t *row, struct profile *profile)
{
    char back[80];
    json_t *object = enter(reader, row, "interpreter", back);

    if (object) {
        check_fields(reader, object, "program api");
        profile->interpreter = read_words(reader, object, "program");
        profile->api = read_words(reader, object, "api");
    }
    leave(reader, back);
}

static void read_wire(struct reader *reader, const json_t *row, struct profile *profile)
{
    char back[80];
    json_t *object = enter(reader, row, "wire", back);

    if (object) {
        check_fields(reader, object, "protocols transport required");
        profile->protocols = read_list(reader, object, "protocols");
        profile->transport = read_words(reader, object, "transport");
        profile->on_wire = read_flag(reader, object, "required");
    }
    leave(reader, back);
}

bool profile_row_read(const json_t *row, struct profile *profile, char *problem, size_t problem_octets)
{
    struct reader reader = {.problem = problem, .problem_octets = problem_octets};

    *profile = (struct profile){.row = row};
    check_fields(&reader, (json_t *)row,
                 "name title document prefix complete requirements ambiguities interpreter jobs preflight "
                 "passive_checker wire roles suites book");
    profile->name = read_words(&reader, row, "name");
    profile->title = read_words(&reader, row, "title");
    profile->document = read_words(&reader, row, "document");
    profile->prefix = read_words(&reader, row, "prefix");
    profile->complete = read_flag(&reader, row, "complete");
    profile->own_jobs = read_name(&reader, row, "jobs", job_starters, JOB_STARTERS) == 1;
    profile->preflight = (enum profile_preflight)read_name(&reader, row, "preflight", preflights, PREFLIGHTS);
    profile->checker = (enum profile_checker)read_name(&reader, row, "passive_checker", checkers, CHECKERS);
    read_interpreter(&reader, row, profile);
    read_wire(&reader, row, profile);
    read_roles(&reader, row, profile);
    read_suites(&reader, row, profile);
    if (profile->name[strspn(profile->name, "abcdefghijklmnopqrstuvwxyz0123456789-.")] || *profile->name == '.') {
        fail(&reader, "name", "has other characters than a-z 0-9 - .");
    }
    return !reader.failed;
}

void profile_row_release(struct profile *profile)
{
    for (size_t i = 0; profile->roles && i < profile->role_count; i++) {
        const struct profile_server *server = profile->roles[i].server;

        free((void *)profile->roles[i].reference);
        free((void *)profile->roles[i].notes);
        free(server ? (void *)server->reference : NULL);
        free((void *)server);
    }
    free((void *)profile->protocols);
    free((void *)profile->roles);
    free((void *)profile->suites);
    *profile = (struct profile){0};
}
