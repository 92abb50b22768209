/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: links by which everybody may read the report of a run, until they are revoked or their time is over. Of a link
 * only the hash of its secret is stored; it is shown once, when it is made.
 */
#include "web/api/handlers.h"
#include "web/api/list.h"
#include "web/http/access.h"
#include "web/http/request.h"
#include "web/service/secret.h"
#include "web/service/service.h"
#include "web/store/query.h"

#include <stdio.h>

enum { SHARES_MAX = 50, DAYS_MAX = 3660 };

void handle_shares_get(struct request *request)
{
    struct query query;

    if (!access_check_run(request, request->parameters[0])) {
        return;
    }
    query_open_read(&query, request->service->database,
                    "SELECT id, name, member, created, expires FROM shares WHERE run = :run AND (expires IS NULL OR "
                    "expires > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) ORDER BY created DESC");
    query_text(&query, ":run", request->parameters[0]);
    list_reply(request, &query, "shares");
}

/* Stores a link, unless the run has too many: *made tells. */
static enum database_status make_share(struct request *request, const char *id, const char *secret, bool *made)
{
    unsigned char hash[SECRET_HASH_OCTETS];
    char lifetime[32];
    struct query query;
    enum database_status status;

    secret_hash(secret, hash);
    snprintf(lifetime, sizeof lifetime, "+%lld days", (long long)request_number(request, "days", 0));
    query_open(&query, request->service->database,
               "INSERT INTO shares (id, run, hash, name, member, expires) SELECT :id, :run, :hash, :name, :member, "
               "CASE WHEN :days > 0 THEN strftime('%Y-%m-%dT%H:%M:%fZ', 'now', :lifetime) END WHERE "
               "(SELECT COUNT(*) FROM shares WHERE run = :run) < :most RETURNING id");
    query_text(&query, ":id", id);
    query_text(&query, ":run", request->parameters[0]);
    query_octets(&query, ":hash", hash, sizeof hash);
    query_text(&query, ":name", request_text(request, "name", ""));
    query_text(&query, ":member", request->who.member_name);
    query_number(&query, ":days", request_number(request, "days", 0));
    query_text(&query, ":lifetime", lifetime);
    query_number(&query, ":most", SHARES_MAX);
    *made = query_next(&query);
    status = query_run(&query);
    return status;
}

void handle_shares_post(struct request *request)
{
    static const struct field fields[] = {{"name", FIELD_TEXT, 1, 100, true},
                                          {"days", FIELD_NUMBER, 1, DAYS_MAX, false}};
    char id[SECRET_ID_SIZE], secret[SECRET_TOKEN_SIZE], base[512], link[700];
    enum database_status status;
    bool made;

    if (!access_check_run(request, request->parameters[0]) || !request_check_body(request, fields, 2)) {
        return;
    }
    request_note(request, request_text(request, "name", ""));
    if (!request->run_over) {
        request_reply_error(request, MHD_HTTP_CONFLICT, "under_way", "The run is not over yet: it has no report.");
        return;
    }
    if (!request_base(request, base, sizeof base)) {
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_host", "The header Host is missing or unusable.");
        return;
    }
    secret_make_id(id);
    secret_make_token("", secret);
    status = make_share(request, id, secret, &made);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!made) {
        request_reply_error(request, MHD_HTTP_TOO_MANY_REQUESTS, "too_many_shares",
                            "The run has %d links: revoke one that is not used any more.", SHARES_MAX);
    } else {
        snprintf(link, sizeof link, "%s/shared/%s", base, secret);
        request_reply(request, MHD_HTTP_CREATED, json_pack("{s:s,s:s}", "id", id, "link", link));
    }
}

void handle_share_delete(struct request *request)
{
    struct query query;
    enum database_status status;
    bool found;

    if (!access_check_run(request, request->parameters[0])) {
        return;
    }
    query_open(&query, request->service->database, "DELETE FROM shares WHERE id = :id AND run = :run RETURNING id");
    query_text(&query, ":id", request->parameters[1]);
    query_text(&query, ":run", request->parameters[0]);
    found = query_next(&query);
    status = query_run(&query);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_share", "The run has no link of this id.");
    } else {
        request_reply_nothing(request);
    }
}
