/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: the members of the account, their roles, one's own password. New members come by a sign-in link (session.c).
 */
#include "web/store/member.h"
#include "web/api/handlers.h"
#include "web/api/list.h"
#include "web/http/access.h"
#include "web/http/hashing.h"
#include "web/http/known.h"
#include "web/http/rate.h"
#include "web/http/request.h"
#include "web/service/service.h"
#include "web/store/query.h"

#include <string.h>

void handle_members_get(struct request *request)
{
    struct query query;

    query_open_read(&query, request->service->database,
                    "SELECT id, name, role, created, password IS NOT NULL AS \"password:bool\", "
                    "id = :member AS \"mine:bool\" FROM members WHERE account = :account ORDER BY id");
    query_number(&query, ":account", request->who.account);
    query_number(&query, ":member", request->who.member);
    list_reply(request, &query, "members");
}

static void reply_change(struct request *request, enum database_status status, enum member_change change)
{
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
        return;
    }
    switch (change) {
    case MEMBER_CHANGED:
        known_forget(request->service->known);
        request_reply_nothing(request);
        break;
    case MEMBER_UNKNOWN:
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_member", "Your account has no member of this number.");
        break;
    case MEMBER_LAST:
        request_reply_error(request, MHD_HTTP_CONFLICT, "last_administrator",
                            "This is the account's only administrator: give somebody else the role first.");
        break;
    }
}

void handle_member_post(struct request *request)
{
    static const struct field fields[] = {{"role", FIELD_TEXT, 1, 16, true}};
    enum member_change change = MEMBER_UNKNOWN;
    enum role role;
    enum database_status status;

    if (!request_check_body(request, fields, 1)) {
        return;
    }
    if (!role_find(request_text(request, "role", ""), &role)) {
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_field",
                            "'role' must be viewer, tester, certifier or administrator.");
        return;
    }
    request_note(request, role_name(role));
    status = member_set_role(request->service->database, request->who.account, request_id(request, 0), role, &change);
    reply_change(request, status, change);
}

void handle_member_delete(struct request *request)
{
    int64_t member = request_id(request, 0);
    enum member_change change = MEMBER_UNKNOWN;
    enum database_status status = DATABASE_OK;

    if (request->who.role == ROLE_ADMINISTRATOR || member == request->who.member) {
        status = member_remove(request->service->database, request->who.account, member, &change);
    }
    reply_change(request, status, change);
}

/* What was said is compared, and what was chosen hashed. */
static void store_password(struct request *request)
{
    const struct password_work *work = &request->password;
    enum database_status status = DATABASE_BROKEN;

    if (!work->good) {
        request_reply_error(request, MHD_HTTP_FORBIDDEN, "bad_password", "'old' is not the password that there is.");
        return;
    }
    if (!work->failed) {
        status = member_set_password(request->service->database, request->who.member, work->chosen ? work->hash : NULL);
    }
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else {
        request_reply_nothing(request);
    }
}

/* A password is chosen by who sits at the browser: a token may be in many hands. */
void handle_password_post(struct request *request)
{
    static const struct field fields[] = {{"password", FIELD_TEXT, 10, 200, false}, {"old", FIELD_TEXT, 1, 200, false}};
    struct password_work *work = &request->password;
    enum database_status status;

    if (request->who.limited) {
        request_reply_error(request, MHD_HTTP_FORBIDDEN, "browser_only",
                            "A password is set on the account's page by somebody who has signed in there.");
        return;
    }
    if (!request_check_body(request, fields, 2)) {
        return;
    }
    status = member_password(request->service->database, request->who.member, work->hash);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
        return;
    }
    if (work->hash[0] && !access_check_guess(request, rate_who_account(request->who.member))) {
        return;
    }
    work->said = work->hash[0] ? request_text(request, "old", "") : NULL;
    work->chosen = request_text(request, "password", NULL);
    hashing_begin(request, store_password);
}
