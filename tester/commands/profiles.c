/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay profiles`: the table of profiles, for people and for scripts that certify whatever it holds.
 */
#include "tester/base/place.h"
#include "tester/commands/commands.h"
#include "tester/commands/option.h"
#include "tester/profile/profile_table.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: assay profiles [--json] [--templates]\n"
    "\n"
    "Lists the profiles: each is one specification at one revision, by which a run can judge.\n"
    "\n"
    "  --json       the table as it is read, a JSON array (specs/README.md describes it)\n"
    "  --templates  how the reference is judged: a line for each role of each profile, with tabs between profile, "
    "role,\n"
    "               title, command of the server that is brought along, and command template; - where there is none.\n"
    "               Commands are quoted for a shell; programs that stand beside this one have its folder.\n"
    "\n"
    "The table is read from $ASSAY_SPECS, else from the folder specs that belongs to the cases.\n";

static void print_profile(const struct profile *profile)
{
    printf("%-14s %s%s\n", profile->name, profile->title, profile->complete ? "" : " (not complete)");
    printf("%-14s %s\n", "", profile->document);
    for (size_t i = 0; profile_has_roles(profile) && i < profile->role_count; i++) {
        const struct profile_role *role = &profile->roles[i];

        printf("%-14s role %s: %s; its command template has %s\n", "", role->name, role->title,
               role->placeholder ? role->placeholder : "no placeholder of another role");
    }
}

/* Prints a word as a shell reads it back. */
static void print_quoted(const char *word)
{
    putchar('\'');
    for (; *word; word++) {
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, stdout);
    }
    putchar('\'');
}

/* Prints the words of a command; its programs are those that stand beside this one. */
static void print_command(const char *const *words)
{
    char folder[4096], path[4352];
    bool known = place_own_folder(folder, sizeof folder);

    for (const char *between = ""; *words; words++, between = " ") {
        snprintf(path, sizeof path, "%s/%s", folder, *words);
        fputs(between, stdout);
        print_quoted(known && !strchr(*words, '/') && access(path, X_OK) == 0 ? path : *words);
    }
}

static void print_templates(const struct profile *profile)
{
    for (size_t i = 0; i < profile->role_count; i++) {
        const struct profile_role *role = &profile->roles[i];

        printf("%s\t%s\t%s\t", profile->name, *role->name ? role->name : "-", role->title);
        if (role->server) {
            print_command(role->server->reference);
        } else {
            putchar('-');
        }
        putchar('\t');
        print_command(role->reference);
        putchar('\n');
    }
}

static void print_json(const struct profile *profile, bool first)
{
    fputs(first ? "[\n" : ",\n", stdout);
    json_dumpf(profile->row, stdout, JSON_INDENT(1));
}

static void print_all(const struct profile_table *table, int form)
{
    for (size_t i = 0; i < profile_table_count(table); i++) {
        const struct profile *profile = profile_table_at(table, i);

        if (form == 'j') {
            print_json(profile, i == 0);
        } else if (form == 't') {
            print_templates(profile);
        } else {
            print_profile(profile);
        }
    }
    fputs(form == 'j' ? "\n]\n" : "", stdout);
}

int cmd_profiles(int argc, char **argv)
{
    static const struct option known[] = {{"json", no_argument, NULL, 'j'},
                                          {"templates", no_argument, NULL, 't'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    struct profile_table *table;
    char message[700];
    int option, form = 0;

    optind = 0; /* from the beginning */
    while ((option = option_next(argc, argv, known, 0)) != -1) {
        if (option == 'h') {
            fputs(help, stdout);
            return 0;
        }
        if (option == '?') {
            return 2;
        }
        form = option;
    }
    if (optind < argc) {
        fprintf(stderr, "assay profiles: \"%s\" is not expected; see assay profiles --help\n", argv[optind]);
        return 2;
    }
    if (profile_table_load(NULL, &table, message, sizeof message) != ENGINE_OK) {
        fprintf(stderr, "assay profiles: %s\n", message);
        return 2;
    }
    print_all(table, form);
    profile_table_free(table);
    return 0;
}
