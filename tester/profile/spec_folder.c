/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Finding specs/ from the cases (spec_folder.h): both are installed together and belong together.
 */
#include "tester/profile/spec_folder.h"

#include "tester/base/files.h"
#include "tester/base/memory.h"
#include "tester/profile/case_directory.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Where specs/ may be, seen from a folder of cases. */
static const char *const places[] = {"../specs", "../../specs"};

static bool has_table(const char *folder)
{
    char *path = memory_format("%s/profiles.json", folder);
    bool there = access(path, R_OK) == 0;

    free(path);
    return there;
}

/* Gives the folder near the cases; NULL when there is none. */
static char *find_near(const char *case_folder)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char *folder = memory_format("%s/%s", case_folder, places[i]);

        if (has_table(folder)) {
            char *plain = realpath(folder, NULL); /* a message that names it shall be readable */

            free(folder);
            return plain;
        }
        free(folder);
    }
    return NULL;
}

char *spec_folder_of(const char *case_folder)
{
    const char *given = getenv("ASSAY_SPECS");

    if (given && *given) {
        return memory_text(given);
    }
    char *found = find_near(case_folder);
    if (!found) {
        found = find_near(case_directory_own());
    }
    return found ? found : memory_format("%s/%s", case_directory_own(), places[0]);
}

json_t *spec_folder_load(const char *folder, const char *profile, const char *ending, char *message,
                         size_t message_octets)
{
    char *path = memory_format("%s/%s.%s", folder, profile, ending);
    json_error_t error;
    json_t *value = json_load_file(path, 0, &error);

    if (!value && message) {
        if (error.line > 0) {
            snprintf(message, message_octets, "%s:%d: %s", files_shown(path), error.line, error.text);
        } else {
            snprintf(message, message_octets, "%s", error.text);
        }
    }
    free(path);
    return value;
}
