/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 * Rows of digests. A trigger notes the digest of each row that is deleted (evidence_unused), by whatever it was
 * deleted: a run, an implementation or an account. Its file goes later, when no other row has the same digest. What
 * lies in a bundle names the row of that, which belongs to the run, and needs no file of its own.
 */
#include "web/store/evidence_rows.h"

#include <stdio.h>
#include <stdlib.h>

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

void evidence_rows_place(struct query *query, int column, struct evidence_place *place)
{
    *place = (struct evidence_place){.octets = (uint64_t)query_column_number(query, column + 1),
                                     .bundle_octets = (uint64_t)query_column_number(query, column + 3),
                                     .at = (uint64_t)query_column_number(query, column + 4)};
    snprintf(place->sha256, sizeof place->sha256, "%s", query_column_text(query, column));
    snprintf(place->bundle, sizeof place->bundle, "%s", query_column_text(query, column + 2));
}

enum database_status evidence_rows_find(struct database *database, const char *run, const char *case_id,
                                        const char *kind, struct evidence_place *place, bool *found)
{
    struct query query;

    query_open_read(&query, database,
                    "SELECT " EVIDENCE_ROWS_COLUMNS " FROM " EVIDENCE_ROWS_TABLES
                    " WHERE e.run = :run AND e.case_id = :case_id AND e.kind = :kind");
    query_text(&query, ":run", run);
    query_text(&query, ":case_id", case_id);
    query_text(&query, ":kind", kind);
    *found = query_next(&query);
    if (*found) {
        evidence_rows_place(&query, 0, place);
    }
    return query_close(&query);
}

enum database_status evidence_rows_load(struct database *database, const struct evidence_files *files, const char *run,
                                        const char *case_id, const char *kind, char **text)
{
    enum database_status status = DATABASE_OK;
    struct evidence_place place;
    bool found = true;

    *text = NULL;
    /* Twice: between the look at its row and the one at its file it may have been put into a bundle. */
    for (unsigned i = 0; status == DATABASE_OK && found && !*text && i < 2; i++) {
        status = evidence_rows_find(database, run, case_id, kind, &place, &found);
        *text = status == DATABASE_OK && found ? evidence_files_load(files, &place) : NULL;
    }
    return status;
}

static const char select_row[] = "SELECT 1 FROM evidence WHERE digest = :digest AND bundle IS NULL LIMIT 1";

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

/* In one transaction: there may be thousands. A file that was added and given up again meanwhile goes with the next
 * start. */
static enum database_status forget_all(struct database *database, char digests[BATCH][EVIDENCE_FILE_DIGEST],
                                       size_t count)
{
    enum database_status status = database_begin(database);

    if (status != DATABASE_OK) {
        return status;
    }
    for (size_t i = 0; status == DATABASE_OK && i < count; i++) {
        status = forget(database, digests[i]);
    }
    return database_end(database, status);
}

void evidence_rows_clean(struct database *database, struct evidence_files *files)
{
    char digests[BATCH][EVIDENCE_FILE_DIGEST];
    enum database_status status = DATABASE_OK;
    size_t count, removed;

    do {
        count = read_noted(database, digests);
        for (removed = 0; removed < count; removed++) {
            if (!evidence_files_remove(files, digests[removed], is_used, database)) {
                break;
            }
        }
        status = removed > 0 ? forget_all(database, digests, removed) : DATABASE_OK;
    } while (count > 0 && removed == count && status == DATABASE_OK);
}

void evidence_rows_sweep(struct database *database, struct evidence_files *files)
{
    unsigned removed = evidence_files_sweep(files, is_used, database);

    if (removed > 0) {
        fprintf(stderr, "assayd: removed %u files of evidence that no run refers to\n", removed);
    }
}
