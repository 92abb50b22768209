/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Runs: what the engine executes now, and what the database keeps of it.
 *
 *     created -> waiting -> running -> finished
 *        \__________\__________\____-> cancelled    (somebody asked for it)
 *         \__________\__________\___-> interrupted  (the service ended, in order or not)
 */
#ifndef WEB_RUNS_RUNS_H
#define WEB_RUNS_RUNS_H

#include "tester/engine/engine.h"
#include "web/service/secret.h"
#include "web/store/database.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct runs;
struct service;

enum { RUN_AGENT_WAIT_MS = 30 * 60 * 1000 };

/* What somebody wants to be run. suite, case_id NULL: all; server NULL: no own server is announced; statement: the JSON
 * of a conformance statement (specs/statement.md), or NULL. */
struct run_order {
    int64_t account;
    const char *implementation, *profile, *suite, *case_id, *server, *statement;
    int64_t seed;
};

enum run_refusal {
    RUN_MADE,
    RUN_TOO_MANY,          /* the account has as many under way as it may */
    RUN_SERVICE_BUSY,      /* so has the service */
    RUN_TOO_MUCH_KEPT,     /* the account's runs hold as much as they may */
    RUN_TOO_MANY_KEPT,     /* there are as many of them as there may be */
    RUN_NO_ROOM,           /* the disk has less room than is to be kept back */
    RUN_NO_IMPLEMENTATION, /* no such implementation in this account */
    RUN_DATABASE,          /* see status */
    RUN_ENGINE,            /* the engine refused: see engine and message */
};

/* What came of it. */
struct run_made {
    enum run_refusal refusal;
    enum database_status status;
    enum engine_status engine;
    char message[256];
    char id[SECRET_ID_SIZE], token[SECRET_TOKEN_SIZE];
};

/* runs_new makes an empty list of runs and starts the thread for housekeeping. Runs that the database still shows under
 * way are marked interrupted: nobody executes them any more. NULL: no memory or thread, or the disk is full. */
struct runs *runs_new(struct service *service);

/* runs_stop interrupts what is under way and waits for it, at most `ms`. True when nothing is left. */
bool runs_stop(struct runs *runs, unsigned ms);

/* runs_free ends the housekeeping and frees the list; only after runs_stop returned true. */
void runs_free(struct runs *runs);

/* runs_make registers and starts a run. */
void runs_make(struct runs *runs, const struct run_order *order, struct run_made *made);

/* runs_cancel asks a run of the account to end; one that the database shows under way while nobody executes it is over
 * then. *found false: it is not under way. */
enum database_status runs_cancel(struct runs *runs, const char *id, int64_t account, bool *found);

/* runs_delete deletes a run of the account with all that it has, unless it is under way: *under_way. A run whose end
 * could not be written is not. */
enum database_status runs_delete(struct runs *runs, const char *id, int64_t account, bool *under_way);

/* struct runs_count says how many runs wait for their agent or are executed, how many of the latter have ended and are
 * still to be written down. */
struct runs_count {
    unsigned under_way, unwritten;
};

/* runs_count counts. */
struct runs_count runs_count(struct runs *runs);

/* runs_storage_problem writes what could not be stored of a run that is under way, "" when nothing is amiss. */
void runs_storage_problem(struct runs *runs, const char *id, char *problem, size_t problem_octets);

#endif
