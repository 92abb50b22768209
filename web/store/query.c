/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Prepared statements, bound by name, and rows as JSON.
 */
#include "web/store/query.h"

#include "web/store/connection.h"

#include <assert.h>
#include <sqlite3.h>
#include <string.h>

static void note(struct query *query, int code)
{
    if (query->status == DATABASE_OK) {
        query->status = connection_classify(query->connection, code);
    }
}

static void open_on(struct query *query, struct database *database, const char *sql, bool reads)
{
    int code;

    *query = (struct query){.database = database, .connection = database_take(database, reads)};
    if (!query->connection) {
        query->status = DATABASE_BROKEN;
        return;
    }
    query->statement = connection_take(query->connection, sql, &code);
    note(query, code);
}

void query_open(struct query *query, struct database *database, const char *sql)
{
    open_on(query, database, sql, false);
}

void query_open_read(struct query *query, struct database *database, const char *sql)
{
    open_on(query, database, sql, true);
}

/* The number of the parameter `name`: a name that the statement does not have is a mistake of ours. */
static int parameter(struct query *query, const char *name)
{
    int index = query->statement ? sqlite3_bind_parameter_index(query->statement, name) : 0;

    assert(index > 0 || query->status != DATABASE_OK);
    return index;
}

void query_text(struct query *query, const char *name, const char *value)
{
    int index = parameter(query, name);

    if (query->status == DATABASE_OK) {
        note(query, sqlite3_bind_text(query->statement, index, value, -1, SQLITE_STATIC));
    }
}

void query_number(struct query *query, const char *name, int64_t value)
{
    int index = parameter(query, name);

    if (query->status == DATABASE_OK) {
        note(query, sqlite3_bind_int64(query->statement, index, value));
    }
}

void query_octets(struct query *query, const char *name, const void *octets, size_t len)
{
    int index = parameter(query, name);

    if (query->status == DATABASE_OK) {
        /* No octets are still a value: SQLite would take a null pointer for NULL. */
        note(query, sqlite3_bind_blob64(query->statement, index, len ? octets : "", len, SQLITE_STATIC));
    }
}

bool query_next(struct query *query)
{
    int code;

    if (query->status != DATABASE_OK) {
        return false;
    }
    code = sqlite3_step(query->statement);
    note(query, code);
    return code == SQLITE_ROW;
}

const char *query_column_text(struct query *query, int column)
{
    const char *text = (const char *)sqlite3_column_text(query->statement, column);

    return text ? text : "";
}

int64_t query_column_number(struct query *query, int column)
{
    return sqlite3_column_int64(query->statement, column);
}

const void *query_column_octets(struct query *query, int column, size_t *len)
{
    const void *octets = sqlite3_column_blob(query->statement, column);

    *len = (size_t)sqlite3_column_bytes(query->statement, column);
    return octets;
}

static json_t *column_json(struct query *query, int column, const char *kind)
{
    switch (sqlite3_column_type(query->statement, column)) {
    case SQLITE_INTEGER:
        return kind && strcmp(kind, ":bool") == 0 ? json_boolean(query_column_number(query, column) != 0)
                                                  : json_integer(query_column_number(query, column));
    case SQLITE_TEXT:
        return kind && strcmp(kind, ":json") == 0 ? json_loads(query_column_text(query, column), JSON_DECODE_ANY, NULL)
                                                  : json_string(query_column_text(query, column));
    default:
        return json_null();
    }
}

json_t *query_json(struct query *query)
{
    json_t *object = json_object();
    int count = sqlite3_column_count(query->statement);

    for (int i = 0; object && i < count; i++) {
        const char *name = sqlite3_column_name(query->statement, i);
        const char *kind = strchr(name, ':');
        char key[64];
        size_t len = kind ? (size_t)(kind - name) : strlen(name);

        assert(len < sizeof key);
        memcpy(key, name, len);
        key[len] = '\0';
        json_object_set_new(object, key, column_json(query, i, kind));
    }
    return object;
}

json_t *query_list(struct query *query)
{
    json_t *list = json_array();

    while (query_next(query)) {
        json_array_append_new(list, query_json(query));
    }
    return list;
}

enum database_status query_close(struct query *query)
{
    if (query->connection) {
        connection_give(query->connection, query->statement);
        database_give(query->database, query->connection);
    }
    query->statement = NULL;
    return query->status;
}

enum database_status query_run(struct query *query)
{
    while (query_next(query)) {
    }
    return query_close(query);
}
