/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The database: an SQLite file in the data folder, or one of a PostgreSQL server. One connection writes, with a lock
 * around it; several read, each of them for one thread at a time, and wait for nobody who writes. Statements are in
 * query.h, the tables in schema.sql and postgresql.sql.
 */
#ifndef WEB_STORE_DATABASE_H
#define WEB_STORE_DATABASE_H

#include "web/store/status.h"

#include <stdbool.h>
#include <stddef.h>

struct connection;
struct database;
struct engine;

/* database_open opens `where`, whatever its tables are (store_open is for everybody but the store): a URL that begins
 * with postgresql://, or the name of SQLite's file, which is made when it is missing. On failure returns NULL and
 * leaves one line in message: the folder cannot be written, the file is no database, the server does not answer. */
struct database *database_open(const char *where, char *message, size_t message_octets);

/* database_close closes it; NULL is allowed. No query may be open. */
void database_close(struct database *database);

/* database_begin starts a transaction and holds the lock of who writes until database_end. What is committed is on the
 * disk when database_end returns. database_begin_loose is for what may be lost when the machine, not the service, stops
 * at once: its end does not wait for the disk. A loose transaction is no part of another one. */
enum database_status database_begin(struct database *database);
enum database_status database_begin_loose(struct database *database);

/* database_end commits when `status` is DATABASE_OK, else rolls back; returns the first failure. */
enum database_status database_end(struct database *database, enum database_status status);

/* database_execute runs statements that have neither parameters nor rows. */
enum database_status database_execute(struct database *database, const char *sql);

/* database_take gives a connection to the calling thread, waiting until there is one: one that only reads, or the one
 * that writes, which a thread may take several times. NULL: no connection can be opened; a line was written to stderr.
 * database_give gives it back. For query.c. */
struct connection *database_take(struct database *database, bool reads);
void database_give(struct database *database, struct connection *connection);

/* database_engine tells which engine keeps the database, and database_where its name: the file's, or the URL. */
const struct engine *database_engine(const struct database *database);
const char *database_where(const struct database *database);

/* database_message gives the engine's text for the last failure of the connection that writes; lives until the next
 * call. For the start, when nobody else uses the database. */
const char *database_message(struct database *database);

#endif
