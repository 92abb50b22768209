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

/* record_left_cancelled writes down that such a run is cancelled, or asks another service than `me` that executes it to
 * do so (lease.h); *found false: there is none of that id.
 * record_left_interrupted writes that it is interrupted, for this reason. */
enum database_status record_left_cancelled(struct database *database, const char *me, const char *id, bool *found);
enum database_status record_left_interrupted(struct database *database, const char *id, const char *problem);

/* record_left_expired does the same unless the run's agent has come back, or is waited for beyond this time of day. */
enum database_status record_left_expired(struct database *database, const char *id, const char *day,
                                         const char *problem);

/* record_left_recover marks what another service has left under way, and what is not suspended, as interrupted; with
 * `mine` also what an earlier process of `me` has. */
enum database_status record_left_recover(struct database *database, const char *me, bool mine);

#endif
