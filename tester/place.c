/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where things are: the cases, and the programs beside this one (place.h, engine_cases_directory).
 */
#include "tester/place.h"

#include "tester/engine.h"
#include "tester/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef ASSAY_SOURCE
#define ASSAY_SOURCE "."
#endif

enum { PATH_ROOM = 4096 };

bool place_own_folder(char *folder, size_t room)
{
    ssize_t len = readlink("/proc/self/exe", folder, room - 1);

    if (len <= 0) {
        return false;
    }
    folder[len] = 0;
    char *slash = strrchr(folder, '/');
    if (!slash) {
        return false;
    }
    *slash = 0;
    return true;
}

bool place_find_program(const char *name, const char *variable, char *path, size_t room)
{
    char folder[PATH_ROOM];
    const char *given = getenv(variable);

    if (given && *given) {
        snprintf(path, room, "%s", given);
        return access(path, X_OK) == 0;
    }
    if (place_own_folder(folder, sizeof folder)) {
        snprintf(path, room, "%s/%s", folder, name);
        if (access(path, X_OK) == 0) {
            return true;
        }
    }
    for (const char *at = getenv("PATH"); at && *at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
        snprintf(path, room, "%.*s/%s", (int)strcspn(at, ":"), at, name);
        if (access(path, X_OK) == 0) {
            return true;
        }
    }
    snprintf(path, room, "%s", name);
    return false;
}

static char cases_directory[PATH_ROOM];

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
        snprintf(cases_directory, sizeof cases_directory, "%s", given);
        return;
    }
    if (place_own_folder(folder, sizeof folder)) {
        snprintf(cases_directory, sizeof cases_directory, "%s/../share/assay/cases", folder);
        if (is_folder(cases_directory)) {
            return;
        }
    }
    snprintf(cases_directory, sizeof cases_directory, "%s/tester/cases", ASSAY_SOURCE);
}

const char *engine_cases_directory(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find_cases);
    return cases_directory;
}
