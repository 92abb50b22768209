/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Runs: what the engine executes now, and what the database keeps of it.
 *
 *     created -> waiting -> running -> finished
 *        \          \  ^------/ \      (suspended: the agent was lost, somebody paused it, or the service ended)
 *         \__________\__________\___-> cancelled    (somebody asked for it)
 *          \__________\__________\__-> interrupted  (it was suspended, and its agent did not come back in time)
 */
#ifndef WEB_RUNS_RUNS_H
#define WEB_RUNS_RUNS_H

#include "web/store/database.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct runs;
struct service;

/* runs_new makes an empty list of runs and starts the thread for housekeeping. Runs that the database still shows under
 * way wait for their agents to come back. NULL: no memory or thread, or the disk is full. */
struct runs *runs_new(struct service *service);

/* runs_stop suspends what is under way and waits for it, at most `ms`. True when nothing is left. */
bool runs_stop(struct runs *runs, unsigned ms);

/* runs_free ends the housekeeping and frees the list; only after runs_stop returned true. */
void runs_free(struct runs *runs);

/* runs_pause suspends a run of the account until somebody lets it go on (`pause` false): the case that is executed now
 * will be executed again, and the launch agent is asked to wait. *found false: it is over, or is so already. */
enum database_status runs_pause(struct runs *runs, const char *id, int64_t account, bool pause, bool *found);

/* runs_delete deletes a run of the account with all that it has, unless it is under way: *under_way. A run whose end
 * could not be written is not. */
enum database_status runs_delete(struct runs *runs, const char *id, int64_t account, bool *under_way);

/* struct runs_count says how many runs are executed, how many have ended and are still to be written down, and how many
 * wait for their turn. */
struct runs_count {
    unsigned under_way, unwritten, queued;
};

/* runs_count counts. */
struct runs_count runs_count(struct runs *runs);

/* runs_storage_problem writes what could not be stored of a run that is under way, "" when nothing is amiss. */
void runs_storage_problem(struct runs *runs, const char *id, char *problem, size_t problem_octets);

#endif
