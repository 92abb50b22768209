/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 */
#include "web/store/inspect.h"

#include "web/store/evidence_files.h"
#include "web/store/evidence_rows.h"
#include "web/store/query.h"

#include <inttypes.h>
#include <jansson.h>
#include <sodium/crypto_hash_sha256.h>
#include <sodium/utils.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

/* What SQLite finds in its own file; a PostgreSQL server watches over its own. */
static long inspect_database(struct database *database, bool *good)
{
    struct query query;
    long defects = 0;

    query_open_read(&query, database, "PRAGMA integrity_check");
    while (query_next(&query)) {
        const char *text = query_column_text(&query, 0);

        if (text && strcmp(text, "ok") != 0) {
            printf("database: %s\n", text);
            defects++;
        }
    }
    *good = query_close(&query) == DATABASE_OK;
    return defects;
}

/* What is wrong with a file, or NULL. */
static const char *find_defect(const struct evidence_files *files, const char *digest, json_int_t octets)
{
    struct evidence_file file = {.octets = (uint64_t)octets};
    unsigned char found[crypto_hash_sha256_BYTES];
    char hex[EVIDENCE_FILE_DIGEST];
    uint64_t packed;
    char *content;
    int fd;

    if (octets < 0) {
        return "has a size below zero";
    }
    snprintf(file.sha256, sizeof file.sha256, "%s", digest);
    fd = evidence_files_read(files, digest, &packed);
    if (fd < 0) {
        return "is missing";
    }
    close(fd);
    content = evidence_files_load(files, &file);
    if (!content) {
        return "is not whole";
    }
    crypto_hash_sha256(found, (const unsigned char *)content, file.octets);
    free(content);
    sodium_bin2hex(hex, sizeof hex, found, sizeof found);
    return strcmp(hex, digest) == 0 ? NULL : "has other octets than its name says";
}

static long inspect_evidence(struct database *database, const struct evidence_files *files, size_t *count)
{
    struct query query;
    const json_t *row;
    json_t *rows;
    long defects = 0;
    bool good;
    size_t i;

    query_open_read(&query, database,
                    "SELECT digest, octets, MIN(kind || ' of case ' || case_id || ' in run ' || run) AS place "
                    "FROM evidence GROUP BY digest, octets ORDER BY digest");
    rows = query_list(&query);
    good = query_close(&query) == DATABASE_OK && rows;
    *count = json_array_size(rows);
    json_array_foreach(rows, i, row)
    {
        const char *digest = json_string_value(json_object_get(row, "digest"));
        const char *defect =
            digest ? find_defect(files, digest, json_integer_value(json_object_get(row, "octets"))) : NULL;

        if (defect && evidence_rows_has(database, digest)) { /* else its run was deleted meanwhile */
            printf("evidence %s, %s, %s\n", digest, json_string_value(json_object_get(row, "place")), defect);
            defects++;
        }
    }
    json_decref(rows);
    return good ? defects : -1;
}

long inspect_data(const struct place *place, char *message, size_t message_octets)
{
    struct evidence_files *files = NULL;
    struct database *database;
    char path[PATH_SIZE];
    long defects = 0, lost = -1;
    bool good = true;
    size_t count = 0;

    snprintf(path, sizeof path, "%s/assay.db", place->folder);
    if (!place->url && access(path, R_OK) != 0) {
        snprintf(message, message_octets, "%.400s: there is no database here", path);
        return -1;
    }
    database = database_open(place->url ? place->url : path, message, message_octets);
    files = database ? evidence_files_open(place->folder, message, message_octets) : NULL;
    if (files) {
        defects = place->url ? 0 : inspect_database(database, &good);
        lost = good ? inspect_evidence(database, files, &count) : -1;
        if (lost < 0) {
            snprintf(message, message_octets, "%.400s: the database cannot be read, or an earlier version wrote it",
                     place->url ? place->url : path);
        } else {
            printf("%s: %zu files of evidence, %ld defects\n", place->folder, count, defects + lost);
        }
    }
    evidence_files_close(files);
    database_close(database);
    return lost < 0 ? -1 : defects + lost;
}
