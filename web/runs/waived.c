/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Waivers and runs (waived.h). What a run was made with stays with it, whatever becomes of the waiver afterwards.
 */
#include "web/runs/waived.h"

#include "web/store/query.h"

#include <stdlib.h>
#include <string.h>

enum database_status waived_find(struct database *database, int64_t account, const char *implementation,
                                 const char *profile, json_t **waivers)
{
    struct query query;
    enum database_status status;

    query_open_read(&query, database,
                    "SELECT id, owner, reason, cases AS \"cases:json\", requirements AS \"requirements:json\", "
                    "granted_by, expires FROM waivers WHERE account = :account AND implementation = :implementation "
                    "AND profile = :profile AND granted IS NOT NULL AND ended IS NULL AND "
                    "strftime('%Y-%m-%dT%H:%M:%fZ', 'now') <= expires || 'T23:59:59.999Z' ORDER BY granted");
    query_number(&query, ":account", account);
    query_text(&query, ":implementation", implementation);
    query_text(&query, ":profile", profile);
    *waivers = query_list(&query);
    status = query_close(&query);
    if (json_array_size(*waivers) == 0) {
        json_decref(*waivers);
        *waivers = NULL;
    }
    return status;
}

enum database_status waived_write(struct database *database, const char *run, const json_t *report)
{
    const json_t *waivers = json_object_get(report, "waivers");
    char *text = waivers ? json_dumps(waivers, JSON_COMPACT) : NULL;
    enum database_status status = DATABASE_OK;
    struct query query;

    if (text) {
        query_open(&query, database, "UPDATE runs SET waivers = :waivers WHERE id = :id");
        query_text(&query, ":waivers", text);
        query_text(&query, ":id", run);
        status = query_run(&query);
    }
    free(text);
    return status;
}

json_t *waived_certified(const json_t *report)
{
    const json_t *waivers = json_object_get(report, "waivers");
    json_t *list = NULL;

    for (size_t i = 0; i < json_array_size(waivers); i++) {
        json_t *waiver = json_array_get(waivers, i);
        const char *state = json_string_value(json_object_get(waiver, "state"));

        if (state && strcmp(state, "used") == 0) {
            list = list ? list : json_array();
            json_array_append(list, waiver);
        }
    }
    return list;
}
