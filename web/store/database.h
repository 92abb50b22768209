/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The database: one SQLite file in the data folder, in WAL mode, and statements whose parameters are bound by name.
 *
 * A query is opened, bound, stepped and closed on one thread; from open to close the thread holds the database's lock,
 * so between the two it waits for nothing and takes no other lock. Errors stick to the query: bind and step freely,
 * then ask query_close.
 */
#ifndef WEB_STORE_DATABASE_H
#define WEB_STORE_DATABASE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct database;
struct sqlite3_stmt;

enum database_status {
    DATABASE_OK,
    DATABASE_CONFLICT, /* a constraint: such a thing exists already, or what is referred to does not */
    DATABASE_FULL,     /* no room on the disk */
    DATABASE_BROKEN,   /* anything else; a line was written to stderr */
};

/* database_open opens or makes DIRECTORY/assay.db and brings its schema up to date. On failure returns NULL and leaves
 * one line in message: the folder cannot be written, the file is no database, or its schema is newer than this program.
 */
struct database *database_open(const char *directory, char *message, size_t message_octets);

/* database_close closes it; NULL is allowed. No query may be open. */
void database_close(struct database *database);

/* database_begin starts a transaction and holds the lock until database_end. */
enum database_status database_begin(struct database *database);

/* database_end commits when `status` is DATABASE_OK, else rolls back; returns the first failure. */
enum database_status database_end(struct database *database, enum database_status status);

/* One statement in use; caller allocates. */
struct query {
    struct database *database;
    struct sqlite3_stmt *statement;
    enum database_status status;
};

/* query_open takes the lock and prepares `sql`. Always followed by query_close. */
void query_open(struct query *query, struct database *database, const char *sql);

/* query_text, query_number, query_octets bind the parameter `name` (with its colon). NULL binds NULL. What is bound
 * must live until query_close. */
void query_text(struct query *query, const char *name, const char *value);
void query_number(struct query *query, const char *name, int64_t value);
void query_octets(struct query *query, const char *name, const void *octets, size_t len);

/* query_next steps: true when there is a row to read. */
bool query_next(struct query *query);

/* query_column_text, query_column_number, query_column_octets read a column of the row. A text is "" for NULL; pointers
 * live until the next query_next or query_close. */
const char *query_column_text(struct query *query, int column);
int64_t query_column_number(struct query *query, int column);
const void *query_column_octets(struct query *query, int column, size_t *len);

/* query_json makes an object of the row: the columns' names are the keys. A name ending in ":json" or ":bool" is cut
 * there and its value parsed as JSON or turned into a boolean. NULL when memory ends. */
json_t *query_json(struct query *query);

/* query_list steps through all rows and returns an array of what query_json makes of them. */
json_t *query_list(struct query *query);

/* query_close ends the statement, gives the lock back and returns the first failure. */
enum database_status query_close(struct query *query);

/* query_run steps to the end and closes: for statements that return nothing. */
enum database_status query_run(struct query *query);

#endif
