/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The table of services that live (lease.h).
 */
#include "web/runs/lease.h"

#include "web/service/service.h"
#include "web/store/query.h"

#include <stdio.h>

enum database_status lease_renew(const struct service *service)
{
    struct query query;
    char lease[32];

    snprintf(lease, sizeof lease, "+%d seconds", LEASE_S);
    query_open(&query, service->database,
               "INSERT INTO services (name, until) VALUES (:me, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', :lease)) "
               "ON CONFLICT (name) DO UPDATE SET until = excluded.until");
    query_text(&query, ":me", service->name);
    query_text(&query, ":lease", lease);
    return query_run(&query);
}

void lease_end(const struct service *service)
{
    struct query query;

    query_open(&query, service->database, "DELETE FROM services WHERE name = :me");
    query_text(&query, ":me", service->name);
    query_run(&query);
}

bool lease_is_other(const struct service *service, const char *id)
{
    struct query query;
    bool other;

    query_open(&query, service->database,
               "SELECT 1 FROM runs WHERE id = :id AND state IN ('created', 'waiting', 'running') AND " LEASE_OTHER);
    query_text(&query, ":id", id);
    query_text(&query, ":me", service->name);
    other = query_next(&query);
    return query_close(&query) == DATABASE_OK && other;
}

size_t lease_count_others(const struct service *service, int64_t *accounts, size_t most)
{
    struct query query;
    size_t count = 0;

    if (!*service->name) {
        return 0;
    }
    query_open_read(&query, service->database,
                    "SELECT account FROM runs WHERE state IN ('created', 'waiting', 'running') AND " LEASE_OTHER);
    query_text(&query, ":me", service->name);
    while (count < most && query_next(&query)) {
        accounts[count++] = query_column_number(&query, 0);
    }
    return query_close(&query) == DATABASE_OK ? count : 0;
}
