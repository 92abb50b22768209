/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Brings the data folder into use.
 */
#include "web/store/store.h"

#include "web/store/schema.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes the data folder, if it is missing, and leaves it readable by its owner alone. */
static bool make_folder(const char *path, char *message, size_t message_octets)
{
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
        snprintf(message, message_octets, "%s: cannot make the data folder: %s", path, strerror(errno));
        return false;
    }
    if (access(path, W_OK | X_OK) != 0) {
        snprintf(message, message_octets, "%s: cannot write to the data folder: %s", path, strerror(errno));
        return false;
    }
    return true;
}

struct database *store_open(const struct place *place, char *message, size_t message_octets)
{
    const char *folder = place->folder;
    struct database *database = NULL;
    char path[4096];

    if (!make_folder(folder, message, message_octets)) {
        return NULL;
    }
    if (snprintf(path, sizeof path, "%s/assay.db", folder) >= (int)sizeof path) {
        snprintf(message, message_octets, "%.400s: the name is too long", folder);
        return NULL;
    }
    database = database_open(place->url ? place->url : path, message, message_octets);
    if (database && !schema_update(database, folder, message, message_octets)) {
        database_close(database);
        return NULL;
    }
    return database;
}

int store_lock(const char *folder, char *message, size_t message_octets)
{
    char name[4096];
    int fd;

    if (!make_folder(folder, message, message_octets)) {
        return -1;
    }
    snprintf(name, sizeof name, "%s/lock", folder);
    fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) {
        snprintf(message, message_octets, "%.800s: cannot write to the data folder: %s", name, strerror(errno));
        return -1;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        snprintf(message, message_octets, "%s: another assayd uses this data folder; end that one first", folder);
        close(fd);
        return -1;
    }
    return fd;
}
