/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Opens SQLite's file, sets its modes, and keeps prepared statements: to prepare one costs more than most of them cost
 * to execute.
 */
#include "web/store/connection.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUSY_MS = 5000, KEPT_MAX = 64 };

struct connection {
    sqlite3 *handle;
    sqlite3_stmt *kept[KEPT_MAX]; /* not in use; the one that was used last stands last */
    size_t kept_count;
};

enum database_status connection_classify(struct connection *connection, int code)
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
    fprintf(stderr, "assayd: database: %s (%d)\n", sqlite3_errmsg(connection->handle), code);
    return DATABASE_BROKEN;
}

/* synchronous = FULL: what is committed is on the disk when the call returns. */
static bool set_modes(struct connection *connection, bool writes)
{
    static const char modes[] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
                                "PRAGMA secure_delete = ON;";

    sqlite3_extended_result_codes(connection->handle, 1);
    sqlite3_busy_timeout(connection->handle, BUSY_MS);
    return sqlite3_exec(connection->handle, writes ? modes : "PRAGMA query_only = ON", NULL, NULL, NULL) == SQLITE_OK;
}

struct connection *connection_open(const char *path, bool writes, char *message, size_t message_octets)
{
    struct connection *connection = calloc(1, sizeof *connection);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (writes ? SQLITE_OPEN_CREATE : 0);

    if (!connection) {
        snprintf(message, message_octets, "%s: no memory", path);
        return NULL;
    }
    if (sqlite3_open_v2(path, &connection->handle, flags, NULL) != SQLITE_OK || !set_modes(connection, writes)) {
        snprintf(message, message_octets, "%s: %s", path, sqlite3_errmsg(connection->handle));
        connection_close(connection);
        return NULL;
    }
    return connection;
}

void connection_close(struct connection *connection)
{
    if (connection) {
        for (size_t i = 0; i < connection->kept_count; i++) {
            sqlite3_finalize(connection->kept[i]);
        }
        sqlite3_close(connection->handle);
        free(connection);
    }
}

sqlite3 *connection_handle(struct connection *connection)
{
    return connection->handle;
}

/* Takes the statement at that place out of those that are kept. */
static sqlite3_stmt *remove_kept(struct connection *connection, size_t index)
{
    sqlite3_stmt *statement = connection->kept[index];

    connection->kept_count--;
    memmove(&connection->kept[index], &connection->kept[index + 1],
            (connection->kept_count - index) * sizeof connection->kept[0]);
    return statement;
}

sqlite3_stmt *connection_take(struct connection *connection, const char *sql, int *code)
{
    sqlite3_stmt *statement = NULL;

    *code = SQLITE_OK;
    for (size_t i = connection->kept_count; i > 0; i--) {
        if (strcmp(sqlite3_sql(connection->kept[i - 1]), sql) == 0) {
            return remove_kept(connection, i - 1);
        }
    }
    *code = sqlite3_prepare_v3(connection->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
    return statement;
}

void connection_give(struct connection *connection, sqlite3_stmt *statement)
{
    if (!statement) {
        return;
    }
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    if (connection->kept_count == KEPT_MAX) {
        sqlite3_finalize(remove_kept(connection, 0));
    }
    connection->kept[connection->kept_count++] = statement;
}
