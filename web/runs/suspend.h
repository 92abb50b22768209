/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Runs that nobody executes now and that will go on: the launch agent was lost, somebody paused them, or the service
 * ended. They are kept in the database alone, so that any later process can go on with them:
 *
 *     under way --agent lost, paused, service ended--> suspended --the agent presents the token--> under way
 *                                                          \---- nobody has come in time --> interrupted
 *
 * A run is suspended while `resume_until` is set; who clears it, in one statement, has the run (suspend_claim).
 */
#ifndef WEB_RUNS_SUSPEND_H
#define WEB_RUNS_SUSPEND_H

#include "tester/engine/engine.h"
#include "web/runs/run.h"
#include "web/store/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* A suspended run as the database has it, or why it is none. suspend_release frees what it holds. */
struct suspended {
    bool claimed; /* it is the caller's: what follows below is filled in */
    bool paused, over;
    char id[SECRET_ID_SIZE];
    int64_t account, seed, linger, seq, stored;
    json_t *row;     /* texts: see suspended_text */
    json_t *earlier; /* what the run has told, for engine_config.earlier */
};

/* SUSPEND_FIRST is how long a run waits that never had a launch agent. */
#define SUSPEND_FIRST "+30 minutes"

/* struct suspended_place is a run that only waits for its agent; id "": there is none. */
struct suspended_place {
    char id[SECRET_ID_SIZE];
    int64_t account;
    bool late; /* its time will be over soon */
};

/* suspend_new writes down, for whoever looks at the run, that a new run waits for its agent. Part of the caller's
 * transaction. */
enum database_status suspend_new(struct runs *runs, const char *id);

/* suspend_find looks for such a run by its token, and changes nothing. */
enum database_status suspend_find(struct runs *runs, const char *token, struct suspended_place *place);

/* suspend_queued writes down, where it is new, that the run's agent is here and the run waits for its turn, for this
 * reason; and has it wait on. */
void suspend_queued(struct runs *runs, const struct suspended_place *place, bool is_new, const char *why);

/* suspend_observe adds to the observer of a run what knows its launch agent again. */
void suspend_observe(struct engine_observer *observer);

/* suspend_record writes down that the run is suspended. On the run's own thread, or after it. */
enum database_status suspend_record(struct run *run);

/* suspend_recover marks what another service has left under way as suspended, where it has a token; at the service's
 * begin also what the process before it has. */
enum database_status suspend_recover(struct runs *runs, bool begin);

/* suspend_extend has suspended runs wait for their agents anew: while no service ran, none could come back. */
enum database_status suspend_extend(struct runs *runs);

/* suspend_expire ends those whose time was up at this time of day. */
void suspend_expire(struct runs *runs, const char *day);

/* suspend_pause pauses a run of the account, or, where `pause` is false, lets its agent in again. *found false: it is
 * not under way, or is so already. */
enum database_status suspend_pause(struct runs *runs, const char *id, bool pause, bool *found);

/* suspend_claim looks for the run of a token and takes it where it is suspended and not paused; `row` is NULL where
 * there is none. Where it fails the run stays as it is, or is lost to this process (suspend_recover). */
enum database_status suspend_claim(struct runs *runs, const char *token, struct suspended *suspended);

/* suspend_release frees what a claim holds; the run stays as it is. */
void suspend_release(struct suspended *suspended);

/* suspended_text gives a column of the row, NULL where it is NULL: implementation, profile, suite, case_id, server,
 * guest, statement, waivers. It lives until suspend_release. */
const char *suspended_text(const struct suspended *suspended, const char *column);

/* suspend_again puts a claimed run back. suspend_give_up ends it as interrupted for this reason. */
void suspend_again(struct runs *runs, const char *id);
void suspend_give_up(struct runs *runs, const char *id, int64_t account, const char *problem);

#endif
