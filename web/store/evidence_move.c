/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Moves evidence out of the database (schema versions up to 6). Nobody else uses the data folder meanwhile.
 */
#include "web/store/evidence_move.h"

#include "web/store/evidence_files.h"
#include "web/store/evidence_rows.h"
#include "web/store/query.h"

#include <stdio.h>
#include <string.h>

/* One piece of evidence: where it was, and the statement that takes it away from there. */
struct piece {
    char run[64], case_id[256], kind[32];
    struct evidence_file file; /* its kind is the one above */
};

static const char next_piece[] = "SELECT run, case_id, kind, content FROM evidence_in_database "
                                 "UNION ALL SELECT id, '', 'report', report FROM runs WHERE report IS NOT NULL "
                                 "UNION ALL SELECT id, '', 'junit', junit FROM runs WHERE junit IS NOT NULL LIMIT 1";

static const char *removal_of(const struct piece *piece)
{
    if (strcmp(piece->kind, "report") == 0) {
        return "UPDATE runs SET report = NULL WHERE id = :run AND :case_id = '' AND :kind = 'report'";
    }
    if (strcmp(piece->kind, "junit") == 0) {
        return "UPDATE runs SET junit = NULL WHERE id = :run AND :case_id = '' AND :kind = 'junit'";
    }
    return "DELETE FROM evidence_in_database WHERE run = :run AND case_id = :case_id AND kind = :kind";
}

/* Writes the next piece into its file. *found false: there is none left. */
static enum database_status write_next(struct database *database, struct evidence_files *files, struct piece *piece,
                                       bool *found)
{
    enum database_status status = DATABASE_OK, closed;
    struct query query;

    query_open(&query, database, next_piece);
    *found = query_next(&query);
    if (*found) {
        size_t len;
        const void *octets = query_column_octets(&query, 3, &len);

        snprintf(piece->run, sizeof piece->run, "%s", query_column_text(&query, 0));
        snprintf(piece->case_id, sizeof piece->case_id, "%s", query_column_text(&query, 1));
        snprintf(piece->kind, sizeof piece->kind, "%s", query_column_text(&query, 2));
        piece->file.kind = piece->kind;
        status = evidence_files_write(files, octets, len, &piece->file);
    }
    closed = query_close(&query);
    return closed ? closed : status;
}

static enum database_status replace_row(struct database *database, const struct piece *piece)
{
    enum database_status status = database_begin(database);
    struct query query;

    if (status != DATABASE_OK) {
        return status;
    }
    status = evidence_rows_insert(database, piece->run, piece->case_id, &piece->file);
    if (status == DATABASE_OK) {
        query_open(&query, database, removal_of(piece));
        query_text(&query, ":run", piece->run);
        query_text(&query, ":case_id", piece->case_id);
        query_text(&query, ":kind", piece->kind);
        status = query_run(&query);
    }
    return database_end(database, status);
}

enum database_status evidence_move(struct database *database, const char *folder)
{
    char message[512];
    struct evidence_files *files = evidence_files_open(folder, message, sizeof message);
    enum database_status status = files ? DATABASE_OK : DATABASE_BROKEN;
    struct piece piece;
    bool found = true;

    if (!files) {
        fprintf(stderr, "assayd: %s\n", message);
    }
    while (status == DATABASE_OK && found) {
        status = write_next(database, files, &piece, &found);
        if (status == DATABASE_OK && found) {
            status = replace_row(database, &piece);
        }
    }
    evidence_files_close(files);
    return status;
}
