/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Where programs are (place.h).
 */
#include "tester/base/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
