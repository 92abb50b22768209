/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *  Rows of digests. A trigger notes the digest of each row that is deleted (evidence_unused), by whatever it was
 * deleted: a run, an implementation or an account. Its file goes later, when no other row has the same digest.
 */
#include "web/store/evidence_rows.h"

#include "web/store/query.h"

#include <stdio.h>

enum { BATCH = 64 };

enum database_status evidence_rows_insert(struct database *database, const char *run, const char *case_id,
                                          const struct evidence_file *file)
{
    struct query query;

    query_open(&query, database,
               "INSERT INTO evidence (run, case_id, kind, digest, octets) "
               "VALUES (:run, :case_id, :kind, :digest, :octets)");
    query_text(&query, ":run", run);
    query_text(&query, ":case_id", case_id);
    query_text(&query, ":kind", file->kind);
    query_text(&query, ":digest", file->sha256);
    query_number(&query, ":octets", (int64_t)file->octets);
    return query_run(&query);
}

enum database_status evidence_rows_find(struct database *database, const char *run, const char *case_id,
                                        const char *kind, struct evidence_file *file, bool *found)
{
    struct query query;

    query_open_read(&query, database,
                    "SELECT digest, octets FROM evidence WHERE run = :run AND case_id = :case_id AND kind = :kind");
    query_text(&query, ":run", run);
    query_text(&query, ":case_id", case_id);
    query_text(&query, ":kind", kind);
    *found = query_next(&query);
    if (*found) {
        snprintf(file->sha256, sizeof file->sha256, "%s", query_column_text(&query, 0));
        file->octets = (uint64_t)query_column_number(&query, 1);
    }
    return query_close(&query);
}

static const char select_row[] = "SELECT 1 FROM evidence WHERE digest = :digest LIMIT 1";

/* Whether a query of select_row finds a row, or the database does not answer. */
static bool finds(struct query *query, const char *digest)
{
    bool found;

    query_text(query, ":digest", digest);
    found = query_next(query);
    return query_close(query) != DATABASE_OK || found;
}

/* A database that does not answer keeps every file. */
static bool is_used(void *context, const char *digest)
{
    struct query query;

    query_open(&query, context, select_row);
    return finds(&query, digest);
}

bool evidence_rows_has(struct database *database, const char *digest)
{
    struct query query;

    query_open_read(&query, database, select_row);
    return finds(&query, digest);
}

/* Some of the digests that have been noted; gives how many. */
static size_t read_noted(struct database *database, char digests[BATCH][EVIDENCE_FILE_DIGEST])
{
    struct query query;
    size_t count = 0;

    query_open(&query, database, "SELECT digest FROM evidence_unused LIMIT :batch");
    query_number(&query, ":batch", BATCH);
    while (count < BATCH && query_next(&query)) {
        snprintf(digests[count++], EVIDENCE_FILE_DIGEST, "%s", query_column_text(&query, 0));
    }
    return query_close(&query) == DATABASE_OK ? count : 0;
}

static enum database_status forget(struct database *database, const char *digest)
{
    struct query query;

    query_open(&query, database, "DELETE FROM evidence_unused WHERE digest = :digest");
    query_text(&query, ":digest", digest);
    return query_run(&query);
}

void evidence_rows_clean(struct database *database, struct evidence_files *files)
{
    char digests[BATCH][EVIDENCE_FILE_DIGEST];
    enum database_status status = DATABASE_OK;
    bool free = true;
    size_t count;

    while (free && status == DATABASE_OK && (count = read_noted(database, digests)) > 0) {
        for (size_t i = 0; free && status == DATABASE_OK && i < count; i++) {
            free = evidence_files_remove(files, digests[i], is_used, database);
            status = free ? forget(database, digests[i]) : status;
        }
    }
}

void evidence_rows_sweep(struct database *database, struct evidence_files *files)
{
    unsigned removed = evidence_files_sweep(files, is_used, database);

    if (removed > 0) {
        fprintf(stderr, "assayd: removed %u files of evidence that no run refers to\n", removed);
    }
}
