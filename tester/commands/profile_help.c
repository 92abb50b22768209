/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Profiles in help texts (profile_help.h).
 */
#include "tester/commands/profile_help.h"

#include "tester/profile/profile_table.h"

#include <stddef.h>
#include <string.h>

/* Loads the table; NULL, and the reason where help would show it, when that is not possible. */
static struct profile_table *load(FILE *out)
{
    struct profile_table *table;
    char message[700];

    if (profile_table_load(NULL, &table, message, sizeof message) == ENGINE_OK) {
        return table;
    }
    fprintf(out, "  (the table of profiles cannot be read: %s)\n", message);
    return NULL;
}

void profile_help_names(FILE *out)
{
    fputs("Profiles:\n\n", out);
    struct profile_table *table = load(out);
    for (size_t i = 0; table && i < profile_table_count(table); i++) {
        const struct profile *profile = profile_table_at(table, i);

        fprintf(out, "  %-14s %s%s\n", profile->name, profile->title, i == 0 ? " (the default)" : "");
    }
    profile_table_free(table);
}

void profile_help_prefixes(FILE *out)
{
    fputs("Requirements:\n\n", out);
    struct profile_table *table = load(out);
    for (size_t i = 0; table && i < profile_table_count(table); i++) {
        const struct profile *profile = profile_table_at(table, i);

        fprintf(out, "  %s-NNN%*s %s\n", profile->prefix, (int)(8 - strlen(profile->prefix) % 8), "", profile->title);
    }
    profile_table_free(table);
}

/* Prints one line for each role of the profile. */
static void print_templates(FILE *out, const char *prefix, const struct profile *profile)
{
    for (size_t i = 0; i < profile->role_count; i++) {
        fprintf(out, "  %s --profile %s --", prefix, profile->name);
        for (const char *const *word = profile->roles[i].reference; *word; word++) {
            fprintf(out, " %s", *word);
        }
        fputc('\n', out);
    }
}

void profile_help_templates(FILE *out, const char *prefix)
{
    struct profile_table *table = load(out);

    for (size_t i = 0; table && i < profile_table_count(table); i++) {
        print_templates(out, prefix, profile_table_at(table, i));
    }
    profile_table_free(table);
}
