/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: the account's API tokens. The text of a token is shown once, when it is made.
 */
#include "web/api/handlers.h"
#include "web/api/list.h"
#include "web/http/known.h"
#include "web/http/request.h"
#include "web/service/service.h"
#include "web/store/account.h"
#include "web/store/query.h"

enum { TOKENS_MAX = 50, DAYS_MAX = 3660 };

/* A member sees and revokes the own tokens, an administrator those of all members. */
#define THEIRS                                                                                                         \
    "account = :account AND (:all <> 0 OR member = :member) AND (expires IS NULL OR expires > "                        \
    "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))"

static void bind_who(struct query *query, const struct requester *who)
{
    query_number(query, ":account", who->account);
    query_number(query, ":member", who->member);
    query_number(query, ":all", who->role == ROLE_ADMINISTRATOR);
}

void handle_tokens_get(struct request *request)
{
    struct query query;

    query_open_read(&query, request->service->database,
                    "SELECT id, name, role, created, expires, COALESCE((SELECT name FROM members m WHERE m.id = "
                    "tokens.member), '') AS member FROM tokens WHERE " THEIRS " ORDER BY created DESC");
    bind_who(&query, &request->who);
    list_reply(request, &query, "tokens");
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

/* The token that is asked for: nobody makes one that may do more than the own role. False: answered. */
static bool read_order(struct request *request, struct account_token *order)
{
    const char *role = request_text(request, "role", role_name(request->who.role));

    *order = (struct account_token){.account = request->who.account,
                                    .member = request->who.member,
                                    .name = request_text(request, "name", ""),
                                    .days = request_number(request, "days", 0)};
    if (!role_find(role, &order->role)) {
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_field",
                            "'role' must be viewer, tester, certifier or administrator.");
        return false;
    }
    if (order->role > request->who.role) {
        request_reply_error(request, MHD_HTTP_FORBIDDEN, "role", "A token may do no more than you: your role is %s.",
                            role_name(request->who.role));
        return false;
    }
    return true;
}

void handle_tokens_post(struct request *request)
{
    static const struct field fields[] = {{"name", FIELD_TEXT, 1, 100, true},
                                          {"role", FIELD_TEXT, 1, 16, false},
                                          {"days", FIELD_NUMBER, 1, DAYS_MAX, false}};
    char id[SECRET_ID_SIZE], token[SECRET_TOKEN_SIZE];
    struct account_token order;
    enum database_status status;

    if (!request_check_body(request, fields, 3) || !read_order(request, &order)) {
        return;
    }
    request_note(request, order.name);
    if (count_tokens(request) >= TOKENS_MAX) {
        request_reply_error(request, MHD_HTTP_TOO_MANY_REQUESTS, "too_many_tokens",
                            "The account has %d tokens: revoke one that is not used any more.", TOKENS_MAX);
        return;
    }
    status = account_make_token(request->service->database, &order, id, token);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
        return;
    }
    request_reply(
        request, MHD_HTTP_CREATED,
        json_pack("{s:s,s:s,s:s,s:s}", "id", id, "name", order.name, "role", role_name(order.role), "token", token));
}

void handle_token_delete(struct request *request)
{
    struct query query;
    bool found;
    enum database_status status;

    query_open(&query, request->service->database, "DELETE FROM tokens WHERE id = :id AND " THEIRS " RETURNING id");
    query_text(&query, ":id", request->parameters[0]);
    bind_who(&query, &request->who);
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
