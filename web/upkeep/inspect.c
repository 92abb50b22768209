/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 */
#include "web/upkeep/inspect.h"

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

static const char *text_of(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));

    return text ? text : "";
}

/* The digest of the file that it lies in. */
static const char *file_of(const struct evidence_place *place)
{
    return *place->bundle ? place->bundle : place->sha256;
}

static uint64_t number_of(const json_t *row, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(row, key));
}

/* Where the row says that it lies. What is a bundle lies in itself, from its first octet on. */
static struct evidence_place place_of(const json_t *row)
{
    bool bundle = strncmp(text_of(row, "kind"), EVIDENCE_ROWS_BUNDLE, strlen(EVIDENCE_ROWS_BUNDLE)) == 0;
    struct evidence_place place = {.octets = number_of(row, "octets"),
                                   .bundle_octets = number_of(row, bundle ? "octets" : "bundle_octets"),
                                   .at = number_of(row, "bundle_at")};

    snprintf(place.sha256, sizeof place.sha256, "%s", text_of(row, "digest"));
    snprintf(place.bundle, sizeof place.bundle, "%s", text_of(row, bundle ? "digest" : "bundle"));
    return place;
}

/* What is wrong with a piece of evidence, or NULL. */
static const char *find_defect(const struct evidence_files *files, const struct evidence_place *place)
{
    unsigned char found[crypto_hash_sha256_BYTES];
    char hex[EVIDENCE_FILE_DIGEST];
    const char *ending;
    char *content;
    int fd;

    if (place->octets > INT64_MAX) {
        return "has a size below zero";
    }
    fd = evidence_files_open_any(files, file_of(place), &ending);
    if (fd < 0) {
        return "is missing";
    }
    close(fd);
    content = evidence_files_load(files, place);
    if (!content) {
        return "is not whole";
    }
    crypto_hash_sha256(found, (const unsigned char *)content, place->octets);
    free(content);
    sodium_bin2hex(hex, sizeof hex, found, sizeof found);
    return strcmp(hex, place->sha256) == 0 ? NULL : "has other octets than its name says";
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
                    "SELECT " EVIDENCE_ROWS_COLUMNS ", MIN(e.kind) AS kind, "
                    "MIN(e.kind || ' of case ' || e.case_id || ' in run ' || e.run) AS place FROM " EVIDENCE_ROWS_TABLES
                    " GROUP BY e.digest, e.octets, b.digest, b.octets, e.bundle_at "
                    "ORDER BY b.digest, e.bundle_at, e.digest");
    rows = query_list(&query);
    good = query_close(&query) == DATABASE_OK && rows;
    *count = json_array_size(rows);
    json_array_foreach(rows, i, row)
    {
        struct evidence_place place = place_of(row);
        const char *defect = find_defect(files, &place);

        if (defect && evidence_rows_has(database, file_of(&place))) { /* else its run was deleted meanwhile */
            printf("evidence %s, %s, %s\n", place.sha256, text_of(row, "place"), defect);
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
