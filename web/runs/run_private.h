/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What run.c (the life of runs), keeper.c (clearing up) and record.c, record_end.c (: what the engine says, into the
 * database) share.
 */
#ifndef WEB_RUNS_RUN_PRIVATE_H
#define WEB_RUNS_RUN_PRIVATE_H

#include "web/runs/run.h"

#include <pthread.h>

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

    /* used on the run's own thread, and by the keeper after it */
    int64_t seq;
    int64_t stored; /* octets of events, results and evidence in the database */
    bool total_known;
    unsigned requirements, judged; /* at the end */
    char verdict[32], role[16], server[1024], problem[1200];
    unsigned tries; /* to write the end down */

    /* guarded by the book's lock */
    bool over;        /* the engine has said its last word */
    bool cancelled;   /* by somebody's wish */
    bool interrupted; /* because the service ends */
    unsigned lost;    /* things that could not be stored */
};

struct runs {
    struct service *service;
    pthread_t keeper;
    pthread_mutex_t lock; /* guards everything below; taken before the database's, never with a query open */
    pthread_cond_t changed;
    struct run *list;
    bool stopping, ending;
};

/* record_observer is the set of functions that writes a run down. */
struct engine_observer record_observer(struct run *run);

/* record_insert_event inserts one event of the run and takes data over. */
enum database_status record_insert_event(struct run *run, const char *kind, json_t *data);

/* record_read_file reads a file of the run's folder; the caller frees it. NULL: not there, or too large. */
char *record_read_file(const struct run *run, const char *name, size_t *len);

/* record_finish writes the end of a run: state, verdict, report, certificate. Called again by the keeper until it
 * works. */
enum database_status record_finish(struct run *run);

/* record_recover marks what an earlier process left under way as interrupted. */
enum database_status record_recover(struct database *database);

/* run_lose notes that something of the run could not be stored. */
void run_lose(struct run *run);

/* keeper_main is the keeper's thread. */
void *keeper_main(void *runs);

/* run_remove_folder removes a folder and everything in it. */
void run_remove_folder(const char *path);

#endif
