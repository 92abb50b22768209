/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Cancelling a run: where it is executed its engine is asked to end, else its end is written at once.
 */
#include "web/runs/cancel.h"

#include "web/http/kept.h"
#include "web/live/hub.h"
#include "web/runs/queue.h"
#include "web/runs/record_left.h"
#include "web/runs/run.h"
#include "web/service/service.h"

enum database_status cancel_run(struct runs *runs, const char *id, int64_t account, bool *found)
{
    enum database_status status = DATABASE_OK;
    struct run *run;
    bool here;

    pthread_mutex_lock(&runs->deciding); /* its agent may be coming back */
    pthread_mutex_lock(&runs->lock);
    run = run_find(runs, id);
    if (run && run->suspended) {
        run = NULL; /* it is in the database, and here only until housekeeping comes round */
    }
    here = run != NULL;
    queue_leave(&runs->queue, id);
    *found = run && !run->recorded;
    if (*found) {
        run->cancelled = true;
    }
    if (*found && !run->over) {
        engine_run_cancel(run->engine);
    }
    pthread_cond_broadcast(&runs->changed);
    pthread_mutex_unlock(&runs->lock);
    if (!here) {
        status = record_left_cancelled(runs->service->database, runs->service->name, id, found);
    }
    pthread_mutex_unlock(&runs->deciding);
    kept_change(runs->service->kept, account);
    hub_wake(runs->service->hub, id);
    return status;
}
