/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The table `certificate_log`: each entry's place, counted from 0, its text, and what it is about. The tree is made of
 * all texts when somebody asks.
 */
#include "web/runs/certificate_log.h"

#include "tester/report/log.h"
#include "web/service/service.h"
#include "web/store/query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TIME_SIZE = 32, FIRST_ROOM = 64 };

static void now(char at[static TIME_SIZE])
{
    time_t moment = time(NULL);
    struct tm parts;

    strftime(at, TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&moment, &parts));
}

static enum database_status insert(struct database *database, const struct log_event *event)
{
    char *text = log_entry(event);
    enum database_status status = DATABASE_BROKEN;
    struct query query;

    if (text) {
        query_open(&query, database,
                   "INSERT INTO certificate_log (place, certificate, kind, at, reason, entry) VALUES "
                   "((SELECT COUNT(*) FROM certificate_log), :certificate, :kind, :at, :reason, :entry)");
        query_text(&query, ":certificate", event->certificate);
        query_text(&query, ":kind", event->kind);
        query_text(&query, ":at", event->at);
        query_text(&query, ":reason", event->reason);
        query_text(&query, ":entry", text);
        status = query_run(&query);
    }
    free(text);
    return status;
}

static enum database_status add(struct database *database, const json_t *certificate, const char *kind,
                                const char *reason)
{
    const char *id = json_string_value(json_object_get(json_object_get(certificate, "payload"), "id"));
    char at[TIME_SIZE], digest[LOG_DIGEST_SIZE];

    now(at);
    log_digest(certificate, digest);
    return id && digest[0] ? insert(database, &(struct log_event){kind, id, digest, reason, at}) : DATABASE_BROKEN;
}

enum database_status certificate_log_issued(struct database *database, const json_t *certificate)
{
    return add(database, certificate, "issued", "");
}

/* The certificate as JSON; NULL where there is none. Part of the caller's transaction. */
static json_t *read_certificate(struct database *database, const char *id, enum database_status *status)
{
    struct query query;
    json_t *certificate = NULL;

    query_open(&query, database, "SELECT document FROM certificates WHERE id = :id");
    query_text(&query, ":id", id);
    if (query_next(&query)) {
        certificate = json_loads(query_column_text(&query, 0), 0, NULL);
    }
    *status = query_close(&query);
    return certificate;
}

enum database_status certificate_log_revoke(struct database *database, const char *id, const char *reason, bool *found)
{
    enum database_status status = database_begin(database);
    json_t *certificate;

    *found = false;
    if (status != DATABASE_OK) {
        return status;
    }
    certificate = read_certificate(database, id, &status);
    *found = certificate != NULL;
    if (certificate) {
        status = add(database, certificate, "revoked", reason);
    }
    json_decref(certificate);
    return database_end(database, status);
}

enum database_status certificate_log_fill(struct database *database)
{
    enum database_status status = database_begin(database);
    struct query query;
    json_t *list, *row;
    size_t i;

    if (status != DATABASE_OK) {
        return status;
    }
    query_open(&query, database,
               "SELECT document AS \"document:json\" FROM certificates WHERE id NOT IN "
               "(SELECT certificate FROM certificate_log) ORDER BY issued, id");
    list = query_list(&query);
    status = query_close(&query);
    json_array_foreach(list, i, row)
    {
        status = status ? status : certificate_log_issued(database, json_object_get(row, "document"));
    }
    json_decref(list);
    return database_end(database, status);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* All leaves, and the entries of one certificate: the texts, by enum place_of, and where they stand. */
enum { ISSUED, REVOKED, PLACES };
struct tree {
    struct merkle_hash *leaves;
    size_t count, room, place[PLACES];
    char *entry[PLACES];
};

static void tree_free(struct tree *tree)
{
    free(tree->leaves);
    free(tree->entry[ISSUED]);
    free(tree->entry[REVOKED]);
}

static bool tree_grow(struct tree *tree)
{
    size_t room = tree->room ? tree->room * 2 : FIRST_ROOM;
    struct merkle_hash *leaves = realloc(tree->leaves, room * sizeof *leaves);

    if (leaves) {
        tree->leaves = leaves;
        tree->room = room;
    }
    return leaves != NULL;
}

static bool tree_add(struct tree *tree, struct query *query, const char *id)
{
    const char *text = query_column_text(query, 0);
    size_t which = strcmp(query_column_text(query, 2), "revoked") == 0 ? REVOKED : ISSUED;

    if (tree->count == tree->room && !tree_grow(tree)) {
        return false;
    }
    if (strcmp(query_column_text(query, 1), id) == 0 && !tree->entry[which]) {
        tree->place[which] = tree->count;
        tree->entry[which] = strdup(text);
    }
    tree->leaves[tree->count++] = merkle_leaf(text, strlen(text));
    return true;
}

/* Reads all of the log; what it says of the certificate is kept. */
static enum database_status tree_read(struct database *database, const char *id, struct tree *tree)
{
    struct query query;
    enum database_status status;
    bool good = true;

    *tree = (struct tree){0};
    query_open_read(&query, database, "SELECT entry, certificate, kind FROM certificate_log ORDER BY place");
    while (good && query_next(&query)) {
        good = tree_add(tree, &query, id);
    }
    status = query_close(&query);
    return good ? status : DATABASE_BROKEN;
}

static json_t *place_json(const struct tree *tree, size_t which)
{
    return tree->entry[which] ? log_place(tree->leaves, tree->count, tree->place[which], tree->entry[which]) : NULL;
}

json_t *certificate_log_proof(const struct service *service, const char *id, enum database_status *status)
{
    json_t *proof = NULL;
    struct tree tree;
    char at[TIME_SIZE];

    *status = tree_read(service->database, id, &tree);
    if (*status == DATABASE_OK && tree.entry[ISSUED]) {
        now(at);
        proof = log_proof(log_head(&service->key, tree.leaves, tree.count, at), place_json(&tree, ISSUED),
                          place_json(&tree, REVOKED));
    }
    tree_free(&tree);
    return proof;
}

json_t *certificate_log_growth(const struct service *service, uint64_t before, enum database_status *status)
{
    json_t *growth = NULL;
    struct tree tree;
    char at[TIME_SIZE];

    *status = tree_read(service->database, "", &tree);
    if (*status == DATABASE_OK && before > 0 && before <= tree.count) {
        now(at);
        growth =
            log_growth(log_head(&service->key, tree.leaves, tree.count, at), tree.leaves, tree.count, (size_t)before);
    }
    tree_free(&tree);
    return growth;
}

json_t *certificate_log_list(const struct service *service, enum database_status *status)
{
    json_t *list = json_array(), *head = NULL;
    struct query query;
    struct tree tree = {0};
    char at[TIME_SIZE];
    bool good = true;

    query_open_read(&query, service->database, "SELECT entry, certificate, kind FROM certificate_log ORDER BY place");
    while (good && query_next(&query)) {
        good = tree_add(&tree, &query, "");
        json_array_append_new(list, json_string(query_column_text(&query, 0)));
    }
    *status = query_close(&query);
    if (good && *status == DATABASE_OK) {
        now(at);
        head = log_head(&service->key, tree.leaves, tree.count, at);
    }
    tree_free(&tree);
    return json_pack("{s:o,s:o}", "head", head, "entries", list);
}

enum database_status certificate_log_is_revoked(struct database *database, const char *id,
                                                struct revocation *revocation)
{
    struct query query;

    *revocation = (struct revocation){.is_revoked = false};
    query_open_read(&query, database,
                    "SELECT at, reason FROM certificate_log WHERE certificate = :id AND kind = 'revoked'");
    query_text(&query, ":id", id);
    if (query_next(&query)) {
        revocation->is_revoked = true;
        snprintf(revocation->at, sizeof revocation->at, "%s", query_column_text(&query, 0));
        snprintf(revocation->reason, sizeof revocation->reason, "%s", query_column_text(&query, 1));
    }
    return query_close(&query);
}
