/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which run has which evidence: rows of digests. The files are in evidence_files.h.
 */
#ifndef WEB_STORE_EVIDENCE_ROWS_H
#define WEB_STORE_EVIDENCE_ROWS_H

#include "web/store/database.h"
#include "web/store/evidence_files.h"

#include <stdbool.h>

/* What belongs to a run and not to a case of it has this in the place of a case's id. */
#define EVIDENCE_OF_RUN ""

/* evidence_rows_insert notes that the run has this file as its evidence of file->kind (transcript, capture, ladder;
 * report, junit of the run). The file must have been added, and be held until the row is committed. */
enum database_status evidence_rows_insert(struct database *database, const char *run, const char *case_id,
                                          const struct evidence_file *file);

/* evidence_rows_find gives digest and size of the file; *found false when the run has none of that kind. */
enum database_status evidence_rows_find(struct database *database, const char *run, const char *case_id,
                                        const char *kind, struct evidence_file *file, bool *found);

/* evidence_rows_has tells whether some row has this digest; also true when the database cannot say. */
bool evidence_rows_has(struct database *database, const char *digest);

/* evidence_rows_clean removes the files whose last row has been deleted since the last call; quick when there are none.
 * Takes the files' lock, then the database's. */
void evidence_rows_clean(struct database *database, struct evidence_files *files);

/* evidence_rows_sweep looks at every file of the folder and removes those that no row names: what a crash left behind
 * between a file and its row. For the start of the service. */
void evidence_rows_sweep(struct database *database, struct evidence_files *files);

#endif
