/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * In a bundle each piece has a line before it, so that whoever has nothing but the bundle can take it apart:
 *
 *     CASE KIND SHA256 OCTETS\n  OCTETS octets  CASE KIND ...
 *
 * The bundle is on the disk before one transaction says of all of its pieces that they lie in it, and their files go
 * after that: whenever the service is cut off, each piece is where its row says.
 */
#include "web/upkeep/gather.h"

#include "web/store/evidence_bundle.h"
#include "web/store/evidence_rows.h"
#include "web/store/query.h"

#include <inttypes.h>
#include <jansson.h>
#include <sodium/crypto_hash_sha256.h>
#include <sodium/utils.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES_MAX = 2000, LINE_SIZE = 512, ID_SIZE = 64, KIND_SIZE = 32 };

struct gathering {
    struct database *database;
    struct evidence_files *files;
    char run[ID_SIZE];
    json_t *rows; /* of the pieces that may be put into it, in their order */
    char *octets; /* of the bundle */
    size_t len;
    int64_t at[PIECES_MAX]; /* of each row: where it begins; -1: it is not in the bundle */
    size_t count;           /* of the pieces in it */
};

static const char *text_of(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));

    return text ? text : "";
}

static enum database_status find_run(struct gathering *gathering, unsigned minutes, bool *found)
{
    struct query query;
    char age[32];

    snprintf(age, sizeof age, "-%u minutes", minutes);
    query_open_read(&query, gathering->database,
                    "SELECT id FROM runs WHERE bundled = 0 AND state NOT IN ('created', 'waiting', 'running') AND "
                    "COALESCE(ended, created) <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', :age) LIMIT 1");
    query_text(&query, ":age", age);
    *found = query_next(&query);
    if (*found) {
        snprintf(gathering->run, sizeof gathering->run, "%s", query_column_text(&query, 0));
    }
    return query_close(&query);
}

/* Cases' texts stay: they are the same in all runs. */
static enum database_status list_rows(struct gathering *gathering)
{
    struct query query;

    query_open_read(&query, gathering->database,
                    "SELECT case_id, kind, digest, octets FROM evidence WHERE run = :run AND case_id <> '' AND "
                    "kind <> 'source' AND bundle IS NULL AND octets < :most ORDER BY case_id, kind LIMIT :pieces");
    query_text(&query, ":run", gathering->run);
    query_number(&query, ":most", EVIDENCE_BUNDLE_OCTETS - LINE_SIZE);
    query_number(&query, ":pieces", PIECES_MAX);
    gathering->rows = query_list(&query);
    return query_close(&query);
}

/* What the row names, if it is what the digest says: what is spoilt is not made to look whole. */
static char *load(const struct gathering *gathering, const json_t *row, struct evidence_place *place)
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    char hex[EVIDENCE_FILE_DIGEST] = "";
    char *octets;

    *place = (struct evidence_place){.octets = (uint64_t)json_integer_value(json_object_get(row, "octets"))};
    snprintf(place->sha256, sizeof place->sha256, "%s", text_of(row, "digest"));
    octets = evidence_files_load(gathering->files, place);
    if (octets) {
        crypto_hash_sha256(hash, (const unsigned char *)octets, place->octets);
        sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
    }
    if (strcmp(hex, place->sha256) != 0) {
        free(octets);
        octets = NULL;
    }
    return octets;
}

/* Appends a piece; false: it has no room. */
static bool append(struct gathering *gathering, const json_t *row, size_t index)
{
    struct evidence_place place;
    char line[LINE_SIZE], *octets = load(gathering, row, &place);
    int len = snprintf(line, sizeof line, "%s %s %s %" PRIu64 "\n", text_of(row, "case_id"), text_of(row, "kind"),
                       place.sha256, place.octets);
    bool room = gathering->len + (size_t)len + place.octets <= EVIDENCE_BUNDLE_OCTETS;

    gathering->at[index] = -1;
    if (octets && room && len < (int)sizeof line) {
        memcpy(gathering->octets + gathering->len, line, (size_t)len);
        memcpy(gathering->octets + gathering->len + len, octets, place.octets);
        gathering->at[index] = (int64_t)gathering->len + len;
        gathering->len += (size_t)len + place.octets;
        gathering->count++;
    }
    free(octets);
    return room;
}

static void fill(struct gathering *gathering)
{
    bool room = true;
    const json_t *row;
    size_t i;

    json_array_foreach(gathering->rows, i, row)
    {
        gathering->at[i] = -1;
        room = room && append(gathering, row, i);
    }
}

/* ---- the database ------------------------------------------------------------------------------------------------ */

static enum database_status execute(const struct gathering *gathering, const char *sql, const char *kind)
{
    struct query query;

    query_open(&query, gathering->database, sql);
    query_text(&query, ":run", gathering->run);
    if (kind) {
        query_text(&query, ":kind", kind);
    }
    return query_run(&query);
}

static enum database_status count(const struct gathering *gathering, const char *sql, const char *kind, int64_t *number)
{
    struct query query;

    query_open(&query, gathering->database, sql);
    query_text(&query, ":run", gathering->run);
    query_text(&query, ":kind", kind);
    *number = query_next(&query) ? query_column_number(&query, 0) : 0;
    return query_close(&query);
}

static enum database_status move(const struct gathering *gathering, const json_t *row, int64_t at, const char *kind)
{
    struct query query;

    query_open(&query, gathering->database,
               "UPDATE evidence SET bundle = :bundle, bundle_at = :at WHERE run = :run AND case_id = :case_id AND "
               "kind = :kind AND digest = :digest AND bundle IS NULL");
    query_text(&query, ":bundle", kind);
    query_number(&query, ":at", at);
    query_text(&query, ":run", gathering->run);
    query_text(&query, ":case_id", text_of(row, "case_id"));
    query_text(&query, ":kind", text_of(row, "kind"));
    query_text(&query, ":digest", text_of(row, "digest"));
    return query_run(&query);
}

/* All in one transaction. DATABASE_CONFLICT: the evidence was removed meanwhile, or another service has done it. */
static enum database_status note(const struct gathering *gathering, const struct evidence_file *bundle,
                                 const char *kind)
{
    enum database_status status = DATABASE_OK;
    int64_t moved = 0;
    const json_t *row;
    size_t i;

    json_array_foreach(gathering->rows, i, row)
    {
        if (status == DATABASE_OK && gathering->at[i] >= 0) {
            status = move(gathering, row, gathering->at[i], kind);
        }
    }
    status = status
                 ? status
                 : count(gathering, "SELECT COUNT(*) FROM evidence WHERE run = :run AND bundle = :kind", kind, &moved);
    if (status == DATABASE_OK && moved != (int64_t)gathering->count) {
        status = DATABASE_CONFLICT;
    }
    status = status ? status : evidence_rows_insert(gathering->database, gathering->run, EVIDENCE_OF_RUN, bundle);
    return status ? status
                  : execute(gathering,
                            "INSERT INTO evidence_unused (digest) SELECT DISTINCT digest FROM evidence WHERE "
                            "run = :run AND bundle = :kind ON CONFLICT DO NOTHING",
                            kind);
}

static enum database_status write_down(const struct gathering *gathering, struct evidence_file *bundle)
{
    enum database_status status = database_begin(gathering->database);
    char kind[KIND_SIZE];
    int64_t before;

    if (status != DATABASE_OK) {
        return status;
    }
    status = count(gathering, "SELECT COUNT(*) FROM evidence WHERE run = :run AND case_id = '' AND kind LIKE :kind",
                   EVIDENCE_ROWS_BUNDLE "%", &before);
    snprintf(kind, sizeof kind, EVIDENCE_ROWS_BUNDLE "%" PRId64, before + 1);
    bundle->kind = kind;
    status = status ? status : note(gathering, bundle, kind);
    return database_end(gathering->database, status);
}

static enum database_status store(const struct gathering *gathering)
{
    struct evidence_file bundle;
    enum database_status status;

    evidence_files_hold(gathering->files);
    status = evidence_files_bundle(gathering->files, gathering->octets, gathering->len, &bundle);
    status = status ? status : write_down(gathering, &bundle);
    evidence_files_release(gathering->files);
    return status == DATABASE_CONFLICT ? DATABASE_OK : status;
}

enum database_status gather_next(struct database *database, struct evidence_files *files, unsigned minutes, bool *more)
{
    struct gathering *gathering = calloc(1, sizeof *gathering);
    enum database_status status = DATABASE_BROKEN;

    *more = false;
    if (gathering) {
        gathering->database = database;
        gathering->files = files;
        gathering->octets = malloc(EVIDENCE_BUNDLE_OCTETS);
        status = gathering->octets ? find_run(gathering, minutes, more) : DATABASE_BROKEN;
    }
    if (status == DATABASE_OK && *more) {
        status = list_rows(gathering);
        fill(gathering);
    }
    if (status == DATABASE_OK && *more) {
        status = gathering->count > 0 ? store(gathering)
                                      : execute(gathering, "UPDATE runs SET bundled = 1 WHERE id = :run", NULL);
    }
    if (gathering) {
        json_decref(gathering->rows);
        free(gathering->octets);
        free(gathering);
    }
    return status;
}
