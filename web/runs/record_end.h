/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Writes down how a run ended.
 */
#ifndef WEB_RUNS_RECORD_END_H
#define WEB_RUNS_RECORD_END_H

#include "web/runs/run.h"
#include "web/store/database.h"

/* record_end_observe adds to the observer of a run what writes down its end. */
void record_end_observe(struct engine_observer *observer);

/* record_end writes the end of a run in one transaction: state, verdict, report, certificate. When it fails nothing has
 * changed, and it may be called again; a full disk gets its reserve first. Takes the list's lock. */
enum database_status record_end(struct run *run);

/* record_suspended writes down that the run is suspended, unless somebody has cancelled it: then its end is to be
 * written. May be called again when it fails. Takes the list's lock. */
enum database_status record_suspended(struct run *run);

#endif
