/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One connection to the database's file, with the statements that it has prepared. It belongs to one thread at a time:
 * who that is, database.h says.
 */
#ifndef WEB_STORE_CONNECTION_H
#define WEB_STORE_CONNECTION_H

#include "web/store/status.h"

#include <stdbool.h>
#include <stddef.h>

struct connection;
struct sqlite3;
struct sqlite3_stmt;

/* connection_open opens the file; a connection that writes makes it where it is missing. NULL: one line in message. */
struct connection *connection_open(const char *path, bool writes, char *message, size_t message_octets);

/* connection_close closes it; NULL is allowed. No statement may be in use. */
void connection_close(struct connection *connection);

/* connection_handle gives SQLite's handle. */
struct sqlite3 *connection_handle(struct connection *connection);

/* connection_take gives a statement for `sql`, prepared now or kept from an earlier time; NULL and SQLite's code in
 * *code when it cannot be prepared. connection_give takes it back, its parameters and rows forgotten; NULL is
 * allowed. */
struct sqlite3_stmt *connection_take(struct connection *connection, const char *sql, int *code);
void connection_give(struct connection *connection, struct sqlite3_stmt *statement);

/* connection_classify turns SQLite's result code into ours and reports what nobody expects on stderr. */
enum database_status connection_classify(struct connection *connection, int code);

#endif
