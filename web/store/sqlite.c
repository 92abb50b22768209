/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * SQLite: opens the file, sets its modes, and keeps prepared statements: to prepare one costs more than most of them
 * cost to execute.
 */
#include "web/store/connection.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUSY_MS = 5000, KEPT_MAX = 64 };

struct sqlite_statement {
    struct statement base;
    sqlite3_stmt *handle;
};

struct sqlite_connection {
    struct connection base;
    sqlite3 *handle;
    bool loose;                              /* the transaction that is open */
    struct sqlite_statement *kept[KEPT_MAX]; /* not in use; the one that was used last stands last */
    size_t kept_count;
};

static struct sqlite_connection *of(struct connection *connection)
{
    return (struct sqlite_connection *)connection;
}

static sqlite3_stmt *handle_of(struct statement *statement)
{
    return ((struct sqlite_statement *)statement)->handle;
}

/* What SQLite's code means to us. */
static enum database_status classify(struct connection *connection, int code)
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
    fprintf(stderr, "assayd: database: %s (%d)\n", sqlite3_errmsg(of(connection)->handle), code);
    return DATABASE_BROKEN;
}

static int run(struct connection *connection, const char *sql)
{
    return sqlite3_exec(of(connection)->handle, sql, NULL, NULL, NULL);
}

/* ---- connections ------------------------------------------------------------------------------------------------- */

static void drop_statement(struct sqlite_statement *statement)
{
    sqlite3_finalize(statement->handle);
    free(statement);
}

static void sqlite_close_connection(struct connection *connection)
{
    if (connection) {
        for (size_t i = 0; i < of(connection)->kept_count; i++) {
            drop_statement(of(connection)->kept[i]);
        }
        sqlite3_close(of(connection)->handle);
        free(connection);
    }
}

/* synchronous = FULL: what is committed is on the disk when the call returns. */
static bool set_modes(struct sqlite_connection *connection, bool writes)
{
    static const char modes[] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
                                "PRAGMA secure_delete = ON;";

    sqlite3_extended_result_codes(connection->handle, 1);
    sqlite3_busy_timeout(connection->handle, BUSY_MS);
    return run(&connection->base, writes ? modes : "PRAGMA query_only = ON") == SQLITE_OK;
}

static struct connection *sqlite_open_connection(const char *path, bool writes, char *message, size_t message_octets)
{
    struct sqlite_connection *connection = calloc(1, sizeof *connection);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (writes ? SQLITE_OPEN_CREATE : 0);

    if (!connection) {
        snprintf(message, message_octets, "%s: no memory", path);
        return NULL;
    }
    connection->base.engine = &sqlite_engine;
    if (writes) {
        sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* who counts memory takes a lock of all connections each time */
    }
    if (sqlite3_open_v2(path, &connection->handle, flags, NULL) != SQLITE_OK || !set_modes(connection, writes)) {
        snprintf(message, message_octets, "%s: %s", path, sqlite3_errmsg(connection->handle));
        sqlite_close_connection(&connection->base);
        return NULL;
    }
    return &connection->base;
}

static enum database_status sqlite_execute(struct connection *connection, const char *sql)
{
    return classify(connection, run(connection, sql));
}

static enum database_status sqlite_begin(struct connection *connection, bool loose)
{
    enum database_status status = DATABASE_OK;

    if (loose) {
        status = sqlite_execute(connection, "PRAGMA synchronous = NORMAL");
    }
    if (status == DATABASE_OK) {
        status = sqlite_execute(connection, "BEGIN IMMEDIATE");
    }
    if (loose && status != DATABASE_OK) {
        run(connection, "PRAGMA synchronous = FULL");
    }
    of(connection)->loose = loose && status == DATABASE_OK;
    return status;
}

static enum database_status sqlite_end(struct connection *connection, enum database_status status)
{
    if (status == DATABASE_OK) {
        status = sqlite_execute(connection, "COMMIT");
    }
    /* SQLite has rolled back by itself after some failures: only what is still open needs it. */
    if (status != DATABASE_OK && !sqlite3_get_autocommit(of(connection)->handle)) {
        run(connection, "ROLLBACK");
    }
    if (of(connection)->loose) {
        of(connection)->loose = false;
        run(connection, "PRAGMA synchronous = FULL");
    }
    return status;
}

static const char *sqlite_message(struct connection *connection)
{
    return sqlite3_errmsg(of(connection)->handle);
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

/* Takes the statement at that place out of those that are kept. */
static struct sqlite_statement *remove_kept(struct sqlite_connection *connection, size_t index)
{
    struct sqlite_statement *statement = connection->kept[index];

    connection->kept_count--;
    memmove(&connection->kept[index], &connection->kept[index + 1],
            (connection->kept_count - index) * sizeof connection->kept[0]);
    return statement;
}

static struct statement *sqlite_take(struct connection *connection, const char *sql, enum database_status *status)
{
    struct sqlite_connection *own = of(connection);
    struct sqlite_statement *statement;

    *status = DATABASE_OK;
    for (size_t i = own->kept_count; i > 0; i--) {
        if (strcmp(sqlite3_sql(own->kept[i - 1]->handle), sql) == 0) {
            return &remove_kept(own, i - 1)->base;
        }
    }
    statement = calloc(1, sizeof *statement);
    *status = statement ? classify(connection, sqlite3_prepare_v3(own->handle, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                                                  &statement->handle, NULL))
                        : DATABASE_BROKEN;
    if (*status != DATABASE_OK) {
        free(statement);
        return NULL;
    }
    statement->base.engine = &sqlite_engine;
    return &statement->base;
}

static void sqlite_give(struct connection *connection, struct statement *statement)
{
    struct sqlite_connection *own = of(connection);

    if (!statement) {
        return;
    }
    sqlite3_reset(handle_of(statement));
    sqlite3_clear_bindings(handle_of(statement));
    if (own->kept_count == KEPT_MAX) {
        drop_statement(remove_kept(own, 0));
    }
    own->kept[own->kept_count++] = (struct sqlite_statement *)statement;
}

static bool sqlite_bind(struct statement *statement, const char *name, const struct value *value)
{
    sqlite3_stmt *handle = handle_of(statement);
    int index = sqlite3_bind_parameter_index(handle, name);

    switch (value->kind) {
    case VALUE_NULL:
        return sqlite3_bind_null(handle, index) == SQLITE_OK;
    case VALUE_NUMBER:
        return sqlite3_bind_int64(handle, index, value->number) == SQLITE_OK;
    case VALUE_TEXT:
        return sqlite3_bind_text64(handle, index, value->octets, value->len, SQLITE_STATIC, SQLITE_UTF8) == SQLITE_OK;
    case VALUE_OCTETS:
        /* No octets are still a value: SQLite would take a null pointer for NULL. */
        return sqlite3_bind_blob64(handle, index, value->len ? value->octets : "", value->len, SQLITE_STATIC) ==
               SQLITE_OK;
    }
    return false;
}

static bool sqlite_step(struct connection *connection, struct statement *statement, enum database_status *status)
{
    int code = sqlite3_step(handle_of(statement));

    *status = classify(connection, code);
    return code == SQLITE_ROW;
}

static int sqlite_columns(struct statement *statement)
{
    return sqlite3_column_count(handle_of(statement));
}

static const char *sqlite_name(struct statement *statement, int column)
{
    return sqlite3_column_name(handle_of(statement), column);
}

static enum value_kind sqlite_kind(struct statement *statement, int column)
{
    switch (sqlite3_column_type(handle_of(statement), column)) {
    case SQLITE_INTEGER:
        return VALUE_NUMBER;
    case SQLITE_TEXT:
        return VALUE_TEXT;
    case SQLITE_BLOB:
        return VALUE_OCTETS;
    default:
        return VALUE_NULL;
    }
}

static int64_t sqlite_number(struct statement *statement, int column)
{
    return sqlite3_column_int64(handle_of(statement), column);
}

static const char *sqlite_text(struct statement *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(handle_of(statement), column);

    return text ? text : "";
}

static const void *sqlite_octets(struct statement *statement, int column, size_t *len)
{
    const void *octets = sqlite3_column_blob(handle_of(statement), column);

    *len = (size_t)sqlite3_column_bytes(handle_of(statement), column);
    return octets;
}

const struct engine sqlite_engine = {
    .schema = "schema.sql",
    .schema_version = 1,
    .version = "PRAGMA user_version",
    .set_next = "PRAGMA user_version = %d",
    .open = sqlite_open_connection,
    .close = sqlite_close_connection,
    .execute = sqlite_execute,
    .begin = sqlite_begin,
    .end = sqlite_end,
    .message = sqlite_message,
    .take = sqlite_take,
    .give = sqlite_give,
    .bind = sqlite_bind,
    .step = sqlite_step,
    .columns = sqlite_columns,
    .name = sqlite_name,
    .kind = sqlite_kind,
    .number = sqlite_number,
    .text = sqlite_text,
    .octets = sqlite_octets,
};
