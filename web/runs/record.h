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

#include <jansson.h>
#include <stddef.h>

/* record_observer gives the functions that write a run down; the engine calls them on the run's own thread. */
struct engine_observer record_observer(struct run *run);

/* record_insert_event inserts one event of the run; takes `data` over. */
enum database_status record_insert_event(struct run *run, const char *kind, json_t *data);

/* record_read_file reads a file of the run's folder; the caller frees it. NULL: not there, or too large. */
char *record_read_file(const struct run *run, const char *name, size_t *len);

#endif
