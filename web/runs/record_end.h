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

/* record_end writes the end of a run in one transaction: state, verdict, report, certificate. When it fails nothing has
 * changed, and it may be called again. Takes the list's lock. */
enum database_status record_end(struct run *run);

/* record_recover marks what an earlier process left under way as interrupted. */
enum database_status record_recover(struct database *database);

#endif
