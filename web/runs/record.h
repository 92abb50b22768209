/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Writes a run down while it happens.
 */
#ifndef WEB_RUNS_RECORD_H
#define WEB_RUNS_RECORD_H

#include "web/runs/run.h"
#include "web/store/database.h"
#include "web/store/evidence_files.h"

#include <jansson.h>

/* record_observer gives the functions that write a run down but for its end (record_end.h); the engine calls them on
 * the run's own thread. */
struct engine_observer record_observer(struct run *run);

/* record_insert_event inserts one event of the run; takes `data` over. */
enum database_status record_insert_event(struct run *run, const char *kind, json_t *data);

/* record_add_file puts a file of the run's folder among the evidence. The files are held by the caller
 * (evidence_files_hold) until the row is committed. */
enum database_status record_add_file(const struct run *run, const struct evidence_file *file);

/* record_insert_file notes that the run has the file, and counts its octets. */
enum database_status record_insert_file(struct run *run, const char *case_id, const struct evidence_file *file);

#endif
