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
    "(SELECT CAST(json_object('pass', COUNT(*) FILTER (WHERE verdict = 'pass'), 'fail', COUNT(*) FILTER (WHERE "       \
    "verdict = 'fail'), 'warn', COUNT(*) FILTER (WHERE verdict = 'warn'), 'skip', COUNT(*) FILTER (WHERE verdict = "   \
    "'skip'), 'inconclusive', COUNT(*) FILTER (WHERE verdict = 'inconclusive')) AS TEXT) FROM results WHERE run = " id \
    ")"

/* run_row_find tells whether the account has such a run, and whether that is over. */
enum database_status run_row_find(struct database *database, const char *id, int64_t account, bool *found, bool *over);

/* run_row_is_under_way tells whether the run is shown as not over; false when there is none. */
bool run_row_is_under_way(struct database *database, const char *id);

#endif
