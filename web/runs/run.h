/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One run that is under way, and the list of them: what making runs (runs.c), recording them (record.c, record_end.c)
 * and clearing up after them (housekeeping.c) share.
 */
#ifndef WEB_RUNS_RUN_H
#define WEB_RUNS_RUN_H

#include "tester/engine/engine.h"
#include "web/runs/queue.h"
#include "web/service/secret.h"
#include "web/store/status.h"

#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct service;

/* One run that the engine executes, or that is not yet completely written down. */
struct run {
    struct runs *runs;
    struct engine_run *engine;
    struct engine_observer observer;
    char id[SECRET_ID_SIZE];
    char directory[4096]; /* where the engine leaves its files; removed when they are in the database */
    int64_t account;
    bool whole; /* all cases of the profile: may be certified */
    struct run *next;

    /* used on the run's own thread, and by housekeeping after it */
    int64_t seq;
    int64_t stored; /* octets of events, results and evidence in the database */
    bool total_known;
    unsigned requirements, judged; /* at the end */
    char verdict[32], role[16], server[1024], problem[1200];
    json_t *outcome; /* as report.json has it; NULL before */
    unsigned tries;  /* to write the end down */

    /* guarded by the list's lock */
    bool recorded;    /* the end is in the database */
    bool suspending;  /* it goes on later, with another of these, */
    bool suspended;   /* .. and the database has that */
    bool over;        /* the engine has called `finished` */
    bool deleted;     /* so was the run: its end need not be written any more */
    bool cancelled;   /* somebody asked for it */
    bool interrupted; /* the service ends */
    unsigned lost;    /* things that could not be stored */
    bool disk_full;   /* and why, of the first of them; otherwise the database failed */
};

/* A launch agent that is being heard (start.c). */
struct hearing {
    const char *token;
    struct hearing *next;
};

struct runs {
    struct service *service;
    char folder[2048]; /* with a folder for each run */
    pthread_t housekeeping, bundling;
    /* held by whoever decides what becomes of a run, until the database has it; taken before all others, never with a
     * query open */
    pthread_mutex_t deciding;
    pthread_mutex_t lock; /* guards everything below; not held while the database is asked */
    pthread_cond_t changed;
    struct run *list;
    struct queue queue;
    struct hearing *hearings;
    bool stopping, ending;
};

/* run_find gives the run of that id, or NULL; one that is suspended is in the database alone. Under the list's lock. */
struct run *run_find(const struct runs *runs, const char *id);

/* run_free frees a run whose engine has been joined. */
void run_free(struct run *run);

/* run_lose notes that something of the run could not be stored, for this reason, and makes the run end: verdicts that
 * nobody can see later are none. On a full disk it gives up the reserve, so that the end has room. Where the database
 * is only away the run is suspended: it goes on from what had been stored. Takes the list's lock. */
void run_lose(struct run *run, enum database_status status);

/* run_lost - why something of the run was lost: words that go on a sentence. */
const char *run_lost(const struct run *run);

/* run_remove_folder removes a folder and everything in it. */
void run_remove_folder(const char *path);

#endif
