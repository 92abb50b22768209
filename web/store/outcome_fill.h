/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The step from a schema whose runs had a verdict only to one that stores the outcome.
 */
#ifndef WEB_STORE_OUTCOME_FILL_H
#define WEB_STORE_OUTCOME_FILL_H

#include "web/store/database.h"

/* outcome_fill reads the report of each run of the data folder `folder` that has finished and has no outcome, and
 * stores what it says: outcome and requirements that were not judged. */
enum database_status outcome_fill(struct database *database, const char *folder);

#endif
