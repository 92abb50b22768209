/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Statements whose parameters are bound by name.
 *
 * A query is opened, bound, stepped and closed on one thread; from open to close the thread holds a connection of the
 * database, so between the two it waits for nothing and takes no other lock. Errors stick to the query: bind and step
 * freely, then ask query_close.
 */
#ifndef WEB_STORE_QUERY_H
#define WEB_STORE_QUERY_H

#include "web/store/database.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct statement;

/* One statement in use; caller allocates. */
struct query {
    struct database *database;
    struct connection *connection; /* NULL: there is none */
    struct statement *statement;
    enum database_status status;
};

/* query_open takes the connection that writes and prepares `sql`; query_open_read takes one that reads what is
 * committed. Always followed by query_close. Inside a transaction, only query_open. */
void query_open_read(struct query *query, struct database *database, const char *sql);
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

/* query_close ends the statement, gives the connection back and returns the first failure. */
enum database_status query_close(struct query *query);

/* query_run steps to the end and closes: for statements that return nothing. */
enum database_status query_run(struct query *query);

#endif
