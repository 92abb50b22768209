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

/* RUN_ROW_SUMMARY is the part of a statement that counts a run's results by verdict, as JSON. Runs that are over have
 * it in their row. */
#define RUN_ROW_SUMMARY(id)                                                                                            \
    "(SELECT json_object('pass', COALESCE(SUM(verdict = 'pass'), 0), 'fail', COALESCE(SUM(verdict = 'fail'), 0), "     \
    "'warn', COALESCE(SUM(verdict = 'warn'), 0), 'skip', COALESCE(SUM(verdict = 'skip'), 0), "                         \
    "'inconclusive', COALESCE(SUM(verdict = 'inconclusive'), 0)) FROM results WHERE run = " id ")"

/* run_row_find tells whether the account has such a run, and whether that is over. */
enum database_status run_row_find(struct database *database, const char *id, int64_t account, bool *found, bool *over);

/* run_row_is_under_way tells whether the run is shown as not over; false when there is none. */
bool run_row_is_under_way(struct database *database, const char *id);

#endif
