/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What all who hold a run do with it.
 */
#include "web/runs/run.h"

#include "web/service/service.h"
#include "web/store/room.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run *run_find(const struct runs *runs, const char *id)
{
    struct run *run = runs->list;

    while (run && (run->suspended || strcmp(run->id, id) != 0)) {
        run = run->next;
    }
    return run;
}

void run_free(struct run *run)
{
    json_decref(run->outcome);
    free(run);
}

const char *run_lost(const struct run *run)
{
    return run->disk_full ? "the service's disk is full" : "the service's database failed";
}

void run_lose(struct run *run, enum database_status status)
{
    bool full = status == DATABASE_FULL;
    bool resumable = run->runs->service->limits.of[LIMIT_AGENT_SECONDS] > 0;

    if (full) {
        room_yield(run->runs->service->room);
    }
    pthread_mutex_lock(&run->runs->lock);
    /* A conflict, where others share the database: one of them has taken the run, since this service was away. */
    if (resumable && (status == DATABASE_AWAY || (status == DATABASE_CONFLICT && *run->runs->service->name))) {
        engine_run_suspend(run->engine);
    } else {
        char reason[128];

        run->disk_full = run->lost++ == 0 ? full : run->disk_full;
        snprintf(reason, sizeof reason, "%s: the run could not be stored any further", run_lost(run));
        engine_run_cancel_because(run->engine, reason);
    }
    pthread_mutex_unlock(&run->runs->lock);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

void run_remove_folder(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
