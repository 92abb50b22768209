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
#include "web/store/query.h"

#include <stdbool.h>

/* What the kind of a bundle begins with; it belongs to the run. */
#define EVIDENCE_ROWS_BUNDLE "bundle-"

/* What belongs to a run and not to a case of it has this in the place of a case's id. */
#define EVIDENCE_OF_RUN ""

/* evidence_rows_insert notes that the run has this file as its evidence of file->kind (transcript, capture, ladder;
 * report, junit, bundle-N of the run). The file must have been added, and be held until the row is committed. */
enum database_status evidence_rows_insert(struct database *database, const char *run, const char *case_id,
                                          const struct evidence_file *file);

/* What a query that reads places selects, and from which tables; `e` is the piece of evidence. */
#define EVIDENCE_ROWS_COLUMNS                                                                                          \
    "e.digest AS digest, e.octets AS octets, COALESCE(b.digest, '') AS bundle, "                                       \
    "COALESCE(b.octets, 0) AS bundle_octets, e.bundle_at AS bundle_at"
#define EVIDENCE_ROWS_TABLES                                                                                           \
    "evidence e LEFT JOIN evidence b ON b.run = e.run AND b.case_id = '" EVIDENCE_OF_RUN "' AND b.kind = e.bundle"

/* evidence_rows_place reads a place from the columns of the row, EVIDENCE_ROWS_COLUMNS from the given one on. */
void evidence_rows_place(struct query *query, int column, struct evidence_place *place);

/* evidence_rows_find says where the evidence lies; *found false when the run has none of that kind. */
enum database_status evidence_rows_find(struct database *database, const char *run, const char *case_id,
                                        const char *kind, struct evidence_place *place, bool *found);

/* evidence_rows_load gives all of the evidence, ended by a zero, in *text, which the caller frees; NULL: there is none,
 * or it is not whole, or there is no memory. */
enum database_status evidence_rows_load(struct database *database, const struct evidence_files *files, const char *run,
                                        const char *case_id, const char *kind, char **text);

/* evidence_rows_has tells whether some row needs the file of this digest; also true when the database cannot say. */
bool evidence_rows_has(struct database *database, const char *digest);

/* evidence_rows_clean removes the files whose last row has been deleted since the last call; quick when there are none.
 * Takes the files' lock, then the database's. */
void evidence_rows_clean(struct database *database, struct evidence_files *files);

/* evidence_rows_sweep looks at every file of the folder and removes those that no row names: what a crash left behind
 * between a file and its row. For the start of the service. */
void evidence_rows_sweep(struct database *database, struct evidence_files *files);

#endif
