/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: signing in by a one-time link, signing out, making links for another device or another person.
 */
#include "web/api/handlers.h"
#include "web/http/access.h"
#include "web/http/known.h"
#include "web/http/request.h"
#include "web/service/service.h"
#include "web/store/account.h"

#include <stdio.h>
#include <string.h>

/* Open to everybody, so that a page can ask whether somebody is signed in without being refused. */
void handle_session_get(struct request *request)
{
    struct requester who;
    enum database_status status = access_identify(request, &who);

    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (who.account == 0) {
        request_reply(request, MHD_HTTP_OK, json_pack("{s:n,s:s}", "account", "csrf", ""));
    } else {
        request_reply(
            request, MHD_HTTP_OK,
            json_pack("{s:{s:s,s:b},s:s}", "account", "name", who.name, "owner", who.owner, "csrf", who.csrf));
    }
}

static void reply_cookie(struct request *request, unsigned status, const char *value, long max_age)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(2, (void *)(uintptr_t) "{}", MHD_RESPMEM_PERSISTENT);
    char cookie[256];

    if (response) {
        snprintf(cookie, sizeof cookie, ACCESS_COOKIE "=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=%ld%s", value,
                 max_age, request->from.tls ? "; Secure" : "");
        MHD_add_response_header(response, "Set-Cookie", cookie);
        MHD_add_response_header(response, "Content-Type", "application/json");
    }
    request_queue(request, status, response);
}

void handle_session_post(struct request *request)
{
    static const struct field fields[] = {{"code", FIELD_TEXT, 1, 100, true}, {"name", FIELD_TEXT, 1, 100, false}};
    struct account_sign_in result;
    enum database_status status;

    if (!request_check_body(request, fields, 2)) {
        return;
    }
    status = account_sign_in(request->service->database, request_text(request, "code", ""),
                             request_text(request, "name", NULL), &result);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "There is an account of this name already: choose another name.");
    } else if (!result.found) {
        request_reply_error(request, MHD_HTTP_UNAUTHORIZED, "bad_code",
                            "The link was used or is too old: start assayd with --sign-in-link for a new one.");
    } else if (!result.named) {
        request_reply_error(request, MHD_HTTP_CONFLICT, "name_wanted", "This link makes a new account: say a name.");
    } else {
        known_forget(request->service->known); /* the account's oldest session may have ended */
        reply_cookie(request, MHD_HTTP_CREATED, result.session, ACCOUNT_SESSION_DAYS * 86400L);
    }
}

void handle_session_delete(struct request *request)
{
    const char *cookie = access_cookie(request);
    enum database_status status = DATABASE_OK;

    if (request->who.by_cookie && cookie) {
        status = account_sign_out(request->service->database, cookie);
    }
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
        return;
    }
    known_forget(request->service->known);
    reply_cookie(request, MHD_HTTP_OK, "", 0);
}

/* For whoever has lost a device, or sees that somebody else is signed in. The session that asks stays: an account whose
 * last session ends has nobody who could make it a new link. */
void handle_sessions_delete(struct request *request)
{
    const char *cookie = access_cookie(request);
    enum database_status status = account_sign_out_others(request->service->database, request->who.account,
                                                          request->who.by_cookie && cookie ? cookie : "");

    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
        return;
    }
    known_forget(request->service->known);
    request_reply_nothing(request);
}

void handle_link_post(struct request *request)
{
    static const struct field fields[] = {{"for", FIELD_TEXT, 1, 16, true}};
    char base[512], code[SECRET_TOKEN_SIZE], link[700];
    enum database_status status;
    bool invite;

    if (!request_check_body(request, fields, 1)) {
        return;
    }
    invite = strcmp(request_text(request, "for", ""), "new-account") == 0;
    if (!invite && strcmp(request_text(request, "for", ""), "this-account") != 0) {
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_field",
                            "'for' must be 'this-account' or 'new-account'.");
        return;
    }
    if (invite && !request->who.owner) {
        request_reply_error(request, MHD_HTTP_FORBIDDEN, "owner_only", "Only the owner invites others.");
        return;
    }
    if (invite && request->who.limited) {
        request_reply_error(request, MHD_HTTP_FORBIDDEN, "browser_only",
                            "An API token lets nobody in, nor does a session that was opened by its link: sign in by a "
                            "link of this page, or of assayd --sign-in-link.");
        return;
    }
    if (!request_base(request, base, sizeof base)) {
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_host", "The header Host is missing or unusable.");
        return;
    }
    status =
        account_make_code(request->service->database, invite ? 0 : request->who.account, request->who.limited, code);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
        return;
    }
    snprintf(link, sizeof link, "%s/sign-in?code=%s", base, code);
    request_reply(request, MHD_HTTP_CREATED, json_pack("{s:s,s:i}", "link", link, "hours", ACCOUNT_LINK_HOURS));
}
