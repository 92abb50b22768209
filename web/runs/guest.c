/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Tokens of guests (guest.h).
 */
#include "web/runs/guest.h"

#include "web/runs/run.h"
#include "web/service/service.h"
#include "web/store/query.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

void guest_make_token(const char *run_token, char token[static SECRET_TOKEN_SIZE])
{
    static const char prefix[] = "meet_";
    char text[SECRET_TOKEN_SIZE + 8];
    unsigned char hash[SECRET_HASH_OCTETS];

    snprintf(text, sizeof text, "guest:%s", run_token);
    secret_hash(text, hash);
    memcpy(token, prefix, sizeof prefix);
    sodium_bin2base64(token + sizeof prefix - 1, SECRET_TOKEN_SIZE - sizeof prefix + 1, hash, sizeof hash,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

enum database_status guest_note(struct database *database, const char *run, const char *token)
{
    unsigned char hash[SECRET_HASH_OCTETS];
    struct query query;

    secret_hash(token, hash);
    query_open(&query, database, "UPDATE runs SET guest_hash = :hash WHERE id = :id");
    query_octets(&query, ":hash", hash, sizeof hash);
    query_text(&query, ":id", run);
    return query_run(&query);
}

/* What the run of the row is to a guest: whether it is over, and who executes it. */
static enum guest_answer read_row(const struct runs *runs, struct query *query, char *message, size_t message_octets)
{
    const char *service = query_column_text(query, 1);

    if (query_column_number(query, 0) != 0) {
        return GUEST_OVER;
    }
    if (!service || !*service) {
        snprintf(message, message_octets, "its own launch agent is not there yet");
        return GUEST_WAITS;
    }
    if (strcmp(service, runs->service->name) != 0) {
        snprintf(message, message_octets, "it is executed by the service %s, and this is another", service);
        return GUEST_WAITS;
    }
    return GUEST_ATTACHED;
}

enum guest_answer guest_find(struct runs *runs, const char *token, char *message, size_t message_octets)
{
    unsigned char hash[SECRET_HASH_OCTETS];
    enum guest_answer result = GUEST_UNKNOWN;
    struct query query;

    secret_hash(token, hash);
    query_open_read(
        &query, runs->service->database,
        "SELECT state NOT IN ('created', 'waiting', 'running'), service FROM runs WHERE guest_hash = :hash");
    query_octets(&query, ":hash", hash, sizeof hash);
    if (query_next(&query)) {
        result = read_row(runs, &query, message, message_octets);
    }
    if (query_close(&query) != DATABASE_OK) {
        result = GUEST_FAILED;
    }
    return result;
}
