/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The database: one SQLite file in the data folder, in WAL mode. One connection to it, one lock around that; statements
 * are in query.h, the tables in schema.sql.
 */
#ifndef WEB_STORE_DATABASE_H
#define WEB_STORE_DATABASE_H

#include <stddef.h>

struct database;
struct sqlite3;

enum database_status {
    DATABASE_OK,
    DATABASE_CONFLICT, /* a constraint: such a thing exists already, or what is referred to does not */
    DATABASE_FULL,     /* no room on the disk */
    DATABASE_BROKEN,   /* anything else; a line was written to stderr */
};

/* database_open opens or makes DIRECTORY/assay.db, whatever its tables are (store_open is for everybody but the store).
 * On failure returns NULL and leaves one line in message: the folder cannot be written, or the file is no database. */
struct database *database_open(const char *directory, char *message, size_t message_octets);

/* database_close closes it; NULL is allowed. No query may be open. */
void database_close(struct database *database);

/* database_begin starts a transaction and holds the lock until database_end. */
enum database_status database_begin(struct database *database);

/* database_end commits when `status` is DATABASE_OK, else rolls back; returns the first failure. */
enum database_status database_end(struct database *database, enum database_status status);

/* database_execute runs statements that have neither parameters nor rows. */
enum database_status database_execute(struct database *database, const char *sql);

/* database_lock and database_unlock hold the connection for one thread, which may hold it several times.
 * database_handle gives SQLite's handle, to be used under the lock. For query.c. */
void database_lock(struct database *database);
void database_unlock(struct database *database);
struct sqlite3 *database_handle(struct database *database);

/* database_classify turns SQLite's result code into ours and reports what nobody expects on stderr. Under the lock. */
enum database_status database_classify(struct database *database, int code);

/* database_message gives SQLite's text for the last failure; lives until the next call. Under the lock. */
const char *database_message(struct database *database);

#endif
