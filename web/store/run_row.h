/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the database says of one run.
 */
#ifndef WEB_STORE_RUN_ROW_H
#define WEB_STORE_RUN_ROW_H

#include "web/store/database.h"

#include <stdbool.h>
#include <stdint.h>

/* run_row_find tells whether the account has such a run. */
enum database_status run_row_find(struct database *database, const char *id, int64_t account, bool *found);

/* run_row_is_under_way tells whether the run is shown as not over; false when there is none. */
bool run_row_is_under_way(struct database *database, const char *id);

#endif
