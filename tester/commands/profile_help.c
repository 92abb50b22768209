/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Profiles in help texts (profile_help.h).
 */
#include "tester/commands/profile_help.h"

#include "tester/profile/profile_table.h"

#include <stddef.h>

void profile_help_names(FILE *out)
{
    struct profile_table *table;
    char message[700];

    fputs("Profiles:\n\n", out);
    if (profile_table_load(NULL, &table, message, sizeof message) != ENGINE_OK) {
        fprintf(out, "  (the table of profiles cannot be read: %s)\n", message);
        return;
    }
    for (size_t i = 0; i < profile_table_count(table); i++) {
        const struct profile *profile = profile_table_at(table, i);

        fprintf(out, "  %-14s %s%s\n", profile->name, profile->title, i == 0 ? " (the default)" : "");
    }
    profile_table_free(table);
}

void profile_help_templates(FILE *out, const char *prefix)
{
    struct profile_table *table;
    char message[700];

    if (profile_table_load(NULL, &table, message, sizeof message) != ENGINE_OK) {
        return;
    }
    for (size_t i = 0; i < profile_table_count(table); i++) {
        const struct profile *profile = profile_table_at(table, i);

        for (size_t j = 0; j < profile->role_count; j++) {
            fprintf(out, "  %s --profile %s --", prefix, profile->name);
            for (const char *const *word = profile->roles[j].reference; *word; word++) {
                fprintf(out, " %s", *word);
            }
            fputc('\n', out);
        }
    }
    profile_table_free(table);
}
