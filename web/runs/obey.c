/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What one of several services asks of another stands in the rows of runs, `asked`, `paused`, and in the
 * table `again`.
 */
#include "web/runs/obey.h"

#include "web/runs/again.h"
#include "web/runs/cancel.h"
#include "web/runs/run.h"
#include "web/service/service.h"
#include "web/store/query.h"

#include <jansson.h>

/* What is asked of this service, and of any where a run is suspended. */
static json_t *read_asked(struct runs *runs)
{
    struct query query;
    json_t *list;

    query_open_read(&query, runs->service->database,
                    "SELECT id, account, COALESCE(asked, '') AS asked FROM runs WHERE state IN ('created', 'waiting', "
                    "'running') AND ((asked = 'cancel' AND (service = :me OR resume_until IS NOT NULL)) OR "
                    "(paused <> 0 AND service = :me AND resume_until IS NULL))");
    query_text(&query, ":me", runs->service->name);
    list = query_list(&query);
    query_close(&query);
    return list;
}

static void suspend(struct runs *runs, const char *id)
{
    const struct run *run;

    pthread_mutex_lock(&runs->lock);
    run = run_find(runs, id);
    if (run && !run->over) {
        engine_run_suspend(run->engine);
    }
    pthread_mutex_unlock(&runs->lock);
}

void obey_others(struct runs *runs)
{
    json_t *list = read_asked(runs), *one;
    size_t i;
    bool found;

    json_array_foreach(list, i, one)
    {
        const char *id = json_string_value(json_object_get(one, "id"));

        if (*json_string_value(json_object_get(one, "asked"))) {
            cancel_run(runs, id, json_integer_value(json_object_get(one, "account")), &found);
        } else {
            suspend(runs, id);
        }
    }
    json_decref(list);
    again_obey(runs);
}
