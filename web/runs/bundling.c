/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 */
#include "web/runs/bundling.h"

#include "web/runs/run.h"
#include "web/service/service.h"
#include "web/upkeep/gather.h"

#include <time.h>

enum { LOOK_S = 3 };

/* Returns after LOOK_S, or when the list is ending. Under the lock. */
static void rest(struct runs *runs)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += LOOK_S;
    while (!runs->ending && pthread_cond_clockwait(&runs->changed, &runs->lock, CLOCK_MONOTONIC, &until) == 0) {
    }
}

/* Of no lower priority than others: they would wait for it whenever it holds a lock. */
void *bundling_main(void *context)
{
    struct runs *runs = context;
    const struct service *service = runs->service;
    bool more = false;

    pthread_mutex_lock(&runs->lock);
    while (!runs->ending) {
        enum database_status status;

        pthread_mutex_unlock(&runs->lock);
        status = gather_next(service->database, service->evidence, service->limits.of[LIMIT_BUNDLE_MINUTES], &more);
        pthread_mutex_lock(&runs->lock);
        if (!more || status != DATABASE_OK) {
            rest(runs);
        }
    }
    pthread_mutex_unlock(&runs->lock);
    return NULL;
}
