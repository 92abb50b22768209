/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Ends of runs that the database shows under way while nobody executes them.
 */
#ifndef WEB_RUNS_RECORD_LEFT_H
#define WEB_RUNS_RECORD_LEFT_H

#include "web/store/database.h"

#include <stdbool.h>

/* record_left_cancelled writes down that such a run is cancelled; *found false: there is none of that id.
 * record_left_interrupted writes that it is interrupted, for this reason. */
enum database_status record_left_cancelled(struct database *database, const char *id, bool *found);
enum database_status record_left_interrupted(struct database *database, const char *id, const char *problem);

/* record_left_expired does the same unless the run's agent has come back in time. */
enum database_status record_left_expired(struct database *database, const char *id, const char *problem);

/* record_left_recover marks what an earlier process left under way, and what is not suspended, as interrupted. */
enum database_status record_left_recover(struct database *database);

#endif
