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

/* Opens a file of locks and takes it in this way; -1: one line in message. */
static int lock_file(const char *folder, const char *name, int how, char *message, size_t message_octets)
{
    char path[4096];
    int fd;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) {
        snprintf(message, message_octets, "%.800s: cannot write to the data folder: %s", path, strerror(errno));
        return -1;
    }
    if (flock(fd, how) != 0) {
        snprintf(message, message_octets, "%s: another assayd uses this data folder; end that one first", path);
        close(fd);
        return -1;
    }
    return fd;
}

bool store_lock(const struct place *place, char *message, size_t message_octets)
{
    char own[64];
    int how = (place->instance ? LOCK_SH : LOCK_EX) | LOCK_NB;

    if (!make_folder(place->folder, message, message_octets) ||
        lock_file(place->folder, "lock", how, message, message_octets) < 0) {
        return false;
    }
    snprintf(own, sizeof own, "lock.%.32s", place->instance ? place->instance : "");
    return !place->instance || lock_file(place->folder, own, LOCK_EX | LOCK_NB, message, message_octets) >= 0;
}

int store_begin(const char *folder, char *message, size_t message_octets)
{
    return lock_file(folder, "lock.start", LOCK_EX, message, message_octets);
}
