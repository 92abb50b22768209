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

static char found[PATH_ROOM], own[PATH_ROOM];

static bool is_folder(const char *path)
{
    struct stat facts;

    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static void find_own(void)
{
    char folder[PATH_ROOM - 32];

    if (place_own_folder(folder, sizeof folder)) {
        snprintf(own, sizeof own, "%s/../share/assay/cases", folder);
        if (is_folder(own)) {
            return;
        }
    }
    snprintf(own, sizeof own, "%s/tester/cases", ASSAY_SOURCE);
}

static void find_cases(void)
{
    const char *given = getenv("ASSAY_CASES");

    find_own();
    snprintf(found, sizeof found, "%s", given && *given ? given : own);
}

static void find_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find_cases);
}

const char *case_directory(void)
{
    find_once();
    return found;
}

const char *case_directory_own(void)
{
    find_once();
    return own;
}
