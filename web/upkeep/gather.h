/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Packs the evidence of runs that are over together.
 */
#ifndef WEB_UPKEEP_GATHER_H
#define WEB_UPKEEP_GATHER_H

#include "web/store/database.h"
#include "web/store/evidence_files.h"

#include <stdbool.h>

/* gather_next puts evidence of the cases of a run, which is over for that many minutes, into one bundle: at
 * most as much as a bundle holds. The files that were its own go by evidence_rows_clean. *more false: there is nothing
 * of that kind. What is not as its digest says stays as it is. Takes the files' lock, then the database's; takes some
 * tenths of a second. */
enum database_status gather_next(struct database *database, struct evidence_files *files, unsigned minutes, bool *more);

#endif
