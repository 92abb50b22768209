/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: the account's API tokens. The text of a token is shown once, when it is made.
 */
#include "web/api/handlers.h"
#include "web/http/known.h"
#include "web/http/request.h"
#include "web/service/service.h"
#include "web/store/account.h"
#include "web/store/query.h"

enum { TOKENS_MAX = 50 };

void handle_tokens_get(struct request *request)
{
    struct query query;
    json_t *list;
    enum database_status status;

    query_open_read(&query, request->service->database,
                    "SELECT id, name, created FROM tokens WHERE account = :account ORDER BY created DESC");
    query_number(&query, ":account", request->who.account);
    list = query_list(&query);
    status = query_close(&query);
    if (status != DATABASE_OK) {
        json_decref(list);
        request_reply_database(request, status, "");
        return;
    }
    request_reply(request, MHD_HTTP_OK, json_pack("{s:o}", "tokens", list));
}

static int64_t count_tokens(struct request *request)
{
    struct query query;
    int64_t count = 0;

    query_open(&query, request->service->database, "SELECT COUNT(*) FROM tokens WHERE account = :account");
    query_number(&query, ":account", request->who.account);
    if (query_next(&query)) {
        count = query_column_number(&query, 0);
    }
    query_close(&query);
    return count;
}

void handle_tokens_post(struct request *request)
{
    static const struct field fields[] = {{"name", FIELD_TEXT, 1, 100, true}};
    char id[SECRET_ID_SIZE], token[SECRET_TOKEN_SIZE];
    enum database_status status;

    if (!request_check_body(request, fields, 1)) {
        return;
    }
    if (count_tokens(request) >= TOKENS_MAX) {
        request_reply_error(request, MHD_HTTP_TOO_MANY_REQUESTS, "too_many_tokens",
                            "The account has %d tokens: revoke one that is not used any more.", TOKENS_MAX);
        return;
    }
    status = account_make_token(request->service->database, request->who.account, request_text(request, "name", ""), id,
                                token);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
        return;
    }
    request_reply(request, MHD_HTTP_CREATED,
                  json_pack("{s:s,s:s,s:s}", "id", id, "name", request_text(request, "name", ""), "token", token));
}

void handle_token_delete(struct request *request)
{
    struct query query;
    bool found;
    enum database_status status;

    query_open(&query, request->service->database,
               "DELETE FROM tokens WHERE id = :id AND account = :account RETURNING id");
    query_text(&query, ":id", request->parameters[0]);
    query_number(&query, ":account", request->who.account);
    found = query_next(&query);
    status = query_run(&query);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_token", "Your account has no token of this id.");
    } else {
        known_forget(request->service->known);
        request_reply_nothing(request);
    }
}
