/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The connection to SQLite: opening, modes, the lock, transactions, result codes.
 */
#include "web/store/database.h"

#include <pthread.h>
#include <sqlite3.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUSY_MS = 5000 };

struct database {
    pthread_mutex_t lock; /* recursive: a query inside a transaction takes it again */
    sqlite3 *handle;      /* used under the lock only */
};

enum database_status database_classify(struct database *database, int code)
{
    switch (code & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
        return DATABASE_OK;
    case SQLITE_CONSTRAINT:
        return DATABASE_CONFLICT;
    case SQLITE_FULL:
        return DATABASE_FULL;
    case SQLITE_IOERR:
        /* A write that the system refuses for want of room arrives as one of these on some file systems. */
        if (code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_SHMSIZE || code == SQLITE_IOERR_TRUNCATE) {
            return DATABASE_FULL;
        }
        break;
    }
    fprintf(stderr, "assayd: database: %s (%d)\n", sqlite3_errmsg(database->handle), code);
    return DATABASE_BROKEN;
}

/* Brings an opened file into use. Leaves a message and returns false when it cannot. */
static bool prepare(struct database *database, const char *path, char *message, size_t message_octets)
{
    static const char modes[] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"
                                "PRAGMA secure_delete = ON;";

    sqlite3_extended_result_codes(database->handle, 1);
    sqlite3_busy_timeout(database->handle, BUSY_MS);
    if (sqlite3_exec(database->handle, modes, NULL, NULL, NULL) != SQLITE_OK) {
        snprintf(message, message_octets, "%s: %s", path, sqlite3_errmsg(database->handle));
        return false;
    }
    return true;
}

struct database *database_open(const char *directory, char *message, size_t message_octets)
{
    struct database *database = calloc(1, sizeof *database);
    char path[4096];
    pthread_mutexattr_t recursive;

    if (!database || snprintf(path, sizeof path, "%s/assay.db", directory) >= (int)sizeof path) {
        snprintf(message, message_octets, "%s: no memory, or the name is too long", directory);
        free(database);
        return NULL;
    }
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&database->lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    if (sqlite3_open_v2(path, &database->handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK) {
        snprintf(message, message_octets, "%s: %s", path, sqlite3_errmsg(database->handle));
    } else if (prepare(database, path, message, message_octets)) {
        return database;
    }
    database_close(database);
    return NULL;
}

void database_close(struct database *database)
{
    if (database) {
        sqlite3_close(database->handle);
        pthread_mutex_destroy(&database->lock);
        free(database);
    }
}

enum database_status database_begin(struct database *database)
{
    int code;

    pthread_mutex_lock(&database->lock);
    code = sqlite3_exec(database->handle, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code != SQLITE_OK) {
        enum database_status status = database_classify(database, code);

        pthread_mutex_unlock(&database->lock);
        return status;
    }
    return DATABASE_OK;
}

enum database_status database_end(struct database *database, enum database_status status)
{
    if (status == DATABASE_OK) {
        status = database_classify(database, sqlite3_exec(database->handle, "COMMIT", NULL, NULL, NULL));
    }
    /* SQLite has rolled back by itself after some failures: only what is still open needs it. */
    if (status != DATABASE_OK && !sqlite3_get_autocommit(database->handle)) {
        sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
    }
    pthread_mutex_unlock(&database->lock);
    return status;
}

enum database_status database_execute(struct database *database, const char *sql)
{
    enum database_status status;

    pthread_mutex_lock(&database->lock);
    status = database_classify(database, sqlite3_exec(database->handle, sql, NULL, NULL, NULL));
    pthread_mutex_unlock(&database->lock);
    return status;
}

void database_lock(struct database *database)
{
    pthread_mutex_lock(&database->lock);
}

void database_unlock(struct database *database)
{
    pthread_mutex_unlock(&database->lock);
}

sqlite3 *database_handle(struct database *database)
{
    return database->handle;
}

const char *database_message(struct database *database)
{
    return sqlite3_errmsg(database->handle);
}
