/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where the cases are when nobody says (case_directory.h).
 */
#include "tester/profile/case_directory.h"

#include "tester/base/place.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#ifndef ASSAY_SOURCE
#define ASSAY_SOURCE "."
#endif

enum { PATH_ROOM = 4096 };

static char found[PATH_ROOM];

static bool is_folder(const char *path)
{
    struct stat facts;

    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static void find_cases(void)
{
    const char *given = getenv("ASSAY_CASES");
    char folder[PATH_ROOM - 32];

    if (given && *given) {
        snprintf(found, sizeof found, "%s", given);
        return;
    }
    if (place_own_folder(folder, sizeof folder)) {
        snprintf(found, sizeof found, "%s/../share/assay/cases", folder);
        if (is_folder(found)) {
            return;
        }
    }
    snprintf(found, sizeof found, "%s/tester/cases", ASSAY_SOURCE);
}

const char *case_directory(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find_cases);
    return found;
}
