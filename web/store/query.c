/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Prepared statements, bound by name, and rows as JSON.
 */
#include "web/store/query.h"

#include "web/store/connection.h"

#include <assert.h>
#include <string.h>

static void open_on(struct query *query, struct database *database, const char *sql, bool reads)
{
    *query = (struct query){.database = database, .connection = database_take(database, reads)};
    if (!query->connection) {
        query->status = DATABASE_AWAY;
        return;
    }
    query->statement = query->connection->engine->take(query->connection, sql, &query->status);
}

void query_open(struct query *query, struct database *database, const char *sql)
{
    open_on(query, database, sql, false);
}

void query_open_read(struct query *query, struct database *database, const char *sql)
{
    open_on(query, database, sql, true);
}

/* A name that the statement does not have is a mistake of ours. */
static void bind(struct query *query, const char *name, struct value value)
{
    if (query->status == DATABASE_OK) {
        bool bound = query->statement->engine->bind(query->statement, name, &value);

        assert(bound);
        (void)bound;
    }
}

void query_text(struct query *query, const char *name, const char *value)
{
    bind(query, name,
         value ? (struct value){.kind = VALUE_TEXT, .octets = value, .len = strlen(value)}
               : (struct value){.kind = VALUE_NULL});
}

void query_number(struct query *query, const char *name, int64_t value)
{
    bind(query, name, (struct value){.kind = VALUE_NUMBER, .number = value});
}

void query_octets(struct query *query, const char *name, const void *octets, size_t len)
{
    bind(query, name, (struct value){.kind = VALUE_OCTETS, .octets = octets, .len = len});
}

bool query_next(struct query *query)
{
    return query->status == DATABASE_OK &&
           query->statement->engine->step(query->connection, query->statement, &query->status);
}

const char *query_column_text(struct query *query, int column)
{
    return query->statement->engine->text(query->statement, column);
}

int64_t query_column_number(struct query *query, int column)
{
    return query->statement->engine->number(query->statement, column);
}

const void *query_column_octets(struct query *query, int column, size_t *len)
{
    return query->statement->engine->octets(query->statement, column, len);
}

static json_t *column_json(struct query *query, int column, const char *kind)
{
    switch (query->statement->engine->kind(query->statement, column)) {
    case VALUE_NUMBER:
        return kind && strcmp(kind, ":bool") == 0 ? json_boolean(query_column_number(query, column) != 0)
                                                  : json_integer(query_column_number(query, column));
    case VALUE_TEXT:
        return kind && strcmp(kind, ":json") == 0 ? json_loads(query_column_text(query, column), JSON_DECODE_ANY, NULL)
                                                  : json_string(query_column_text(query, column));
    default:
        return json_null();
    }
}

json_t *query_json(struct query *query)
{
    const struct engine *engine = query->statement->engine;
    json_t *object = json_object();
    int count = engine->columns(query->statement);

    for (int i = 0; object && i < count; i++) {
        const char *name = engine->name(query->statement, i);
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
        query->connection->engine->give(query->connection, query->statement);
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
