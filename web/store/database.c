/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Opening the database, its schema's version, transactions. Statements are in query.c.
 */
#include "web/store/database.h"

#include "web/service/asset.h"
#include "web/store/database_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What each later version of the schema adds to schema.sql, which is version 1. */
static const char *const schema_steps[] = {
    /* 2: of a profile with roles, which one was judged */
    "ALTER TABLE runs ADD COLUMN role TEXT NOT NULL DEFAULT ''",
    /* 3: command of the IMPI server that a vendor of clients brings: as announced, at the end as it took part */
    "ALTER TABLE runs ADD COLUMN server TEXT NOT NULL DEFAULT ''",
    /* 4: octets that a run takes */
    "ALTER TABLE runs ADD COLUMN stored INTEGER NOT NULL DEFAULT 0;"
    "UPDATE runs SET stored = COALESCE(LENGTH(report), 0) + COALESCE(LENGTH(junit), 0) + "
    "(SELECT COALESCE(SUM(LENGTH(content)), 0) FROM evidence WHERE run = runs.id) + "
    "(SELECT COALESCE(SUM(LENGTH(about)), 0) FROM results WHERE run = runs.id) + "
    "(SELECT COALESCE(SUM(LENGTH(data)), 0) FROM events WHERE run = runs.id)",
    /* 5: how many requirements a run's cases have, and how many of them were judged */
    "ALTER TABLE runs ADD COLUMN requirements INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE runs ADD COLUMN judged INTEGER NOT NULL DEFAULT 0;"
    "UPDATE runs SET requirements = (SELECT COUNT(DISTINCT value) FROM results, json_each(about, '$.requirements') "
    "WHERE run = runs.id), judged = (SELECT COUNT(DISTINCT value) FROM results, json_each(about, '$.requirements') "
    "WHERE run = runs.id AND verdict IN ('pass', 'warn', 'fail')) WHERE state = 'finished'",
};

enum { SCHEMA_VERSION = 1 + sizeof schema_steps / sizeof schema_steps[0], BUSY_MS = 5000 };

enum database_status database_classify(sqlite3 *handle, int code)
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
    fprintf(stderr, "assayd: database: %s (%d)\n", sqlite3_errmsg(handle), code);
    return DATABASE_BROKEN;
}

static int64_t schema_version(struct database *database)
{
    struct query query;
    int64_t version = -1;

    query_open(&query, database, "PRAGMA user_version");
    if (query_next(&query)) {
        version = query_column_number(&query, 0);
    }
    return query_close(&query) == DATABASE_OK ? version : -1;
}

/* Executes what makes the given version out of the one before, in one transaction. */
static enum database_status schema_step(struct database *database, const char *text, int len, int version)
{
    enum database_status status = database_begin(database);

    if (status == DATABASE_OK) {
        char *sql = sqlite3_mprintf("%.*s;\nPRAGMA user_version = %d;", len, text, version);

        status = sql ? database_classify(database->handle, sqlite3_exec(database->handle, sql, NULL, NULL, NULL))
                     : DATABASE_BROKEN;
        sqlite3_free(sql);
        status = database_end(database, status);
    }
    return status;
}

/* Brings a database of an earlier version, 0 being an empty one, to that of this program. */
static enum database_status schema_make(struct database *database, int64_t version)
{
    const struct asset *schema = asset_find("schema.sql");
    enum database_status status = DATABASE_OK;

    if (version == 0) {
        status = schema_step(database, (const char *)schema->octets, (int)schema->len, 1);
        version = 1;
    }
    for (; status == DATABASE_OK && version < SCHEMA_VERSION; version++) {
        const char *text = schema_steps[version - 1];

        status = schema_step(database, text, (int)strlen(text), (int)version + 1);
    }
    return status;
}

/* Brings an opened file into use: modes, then the schema. Leaves a message and returns false when it cannot. */
static bool prepare(struct database *database, const char *path, char *message, size_t message_octets)
{
    static const char modes[] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"
                                "PRAGMA secure_delete = ON;";
    int64_t version;

    sqlite3_extended_result_codes(database->handle, 1);
    sqlite3_busy_timeout(database->handle, BUSY_MS);
    if (sqlite3_exec(database->handle, modes, NULL, NULL, NULL) != SQLITE_OK) {
        snprintf(message, message_octets, "%s: %s", path, sqlite3_errmsg(database->handle));
        return false;
    }
    version = schema_version(database);
    if (version > SCHEMA_VERSION) {
        snprintf(message, message_octets,
                 "%s: its schema has version %lld, this program knows %d: it was written by a newer assayd; "
                 "use that one, or another data folder",
                 path, (long long)version, SCHEMA_VERSION);
        return false;
    }
    if (version < 0 || schema_make(database, version) != DATABASE_OK) {
        snprintf(message, message_octets, "%s: cannot make the schema: %s", path, sqlite3_errmsg(database->handle));
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
        enum database_status status = database_classify(database->handle, code);

        pthread_mutex_unlock(&database->lock);
        return status;
    }
    return DATABASE_OK;
}

enum database_status database_end(struct database *database, enum database_status status)
{
    if (status == DATABASE_OK) {
        status = database_classify(database->handle, sqlite3_exec(database->handle, "COMMIT", NULL, NULL, NULL));
    }
    /* SQLite has rolled back by itself after some failures: only what is still open needs it. */
    if (status != DATABASE_OK && !sqlite3_get_autocommit(database->handle)) {
        sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
    }
    pthread_mutex_unlock(&database->lock);
    return status;
}
