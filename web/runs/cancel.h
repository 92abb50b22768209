/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Cancelling a run.
 */
#ifndef WEB_RUNS_CANCEL_H
#define WEB_RUNS_CANCEL_H

#include "web/store/database.h"

#include <stdbool.h>
#include <stdint.h>

struct runs;

/* cancel_run asks a run of the account to end; one that the database shows under way while nobody executes it is over
 * then. *found false: it is not under way. */
enum database_status cancel_run(struct runs *runs, const char *id, int64_t account, bool *found);

#endif
