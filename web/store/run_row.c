/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Questions about one row of the table of runs.
 */
#include "web/store/run_row.h"

#include "web/store/query.h"

#define IS_UNDER_WAY "state IN ('created', 'waiting', 'running')"

enum database_status run_row_find(struct database *database, const char *id, int64_t account, bool *found, bool *over)
{
    struct query query;

    query_open_read(&query, database, "SELECT NOT " IS_UNDER_WAY " FROM runs WHERE id = :id AND account = :account");
    query_text(&query, ":id", id);
    query_number(&query, ":account", account);
    *found = query_next(&query);
    *over = *found && query_column_number(&query, 0) != 0;
    return query_close(&query);
}

bool run_row_is_under_way(struct database *database, const char *id)
{
    struct query query;
    bool under_way = false;

    query_open_read(&query, database, "SELECT " IS_UNDER_WAY " FROM runs WHERE id = :id");
    query_text(&query, ":id", id);
    if (query_next(&query)) {
        under_way = query_column_number(&query, 0) != 0;
    }
    query_close(&query);
    return under_way;
}
