/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: signing in by a one-time link or a password, signing out, making links for another device or another person.
 */
#include "web/api/handlers.h"
#include "web/http/access.h"
#include "web/http/hashing.h"
#include "web/http/known.h"
#include "web/http/rate.h"
#include "web/http/request.h"
#include "web/service/service.h"
#include "web/store/account.h"
#include "web/store/member.h"

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
        request_reply(request, MHD_HTTP_OK,
                      json_pack("{s:{s:s,s:b},s:{s:s,s:s},s:b,s:b,s:s}", "account", "name", who.name, "owner",
                                who.owner, "member", "name", who.member_name, "role", role_name(who.role),
                                "single_user", request->service->single_user, "decodes",
                                request->service->decoders != NULL, "csrf", who.csrf));
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
    request->octets = 2;
    request_queue(request, status, response);
}

/* What the browser says of itself, as far as it is text. */
static void read_client(const struct request *request, char *client, size_t client_octets)
{
    const char *said = request_header(request, "User-Agent");

    snprintf(client, client_octets, "%s", said ? said : "");
    for (char *at = client; *at; at++) {
        *at = (char)(*at < ' ' || *at > '~' ? '?' : *at);
    }
}

static void open_session(struct request *request)
{
    char client[160], session[SECRET_TOKEN_SIZE];
    enum database_status status;

    if (!request->password.good) {
        request_reply_error(request, MHD_HTTP_UNAUTHORIZED, "bad_password",
                            "There is no member of this name with this password.");
        return;
    }
    read_client(request, client, sizeof client);
    status = account_open_session(request->service->database, request->password.member, client, session);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
        return;
    }
    known_forget(request->service->known);
    reply_cookie(request, MHD_HTTP_CREATED, session, ACCOUNT_SESSION_DAYS * 86400L);
}

static void sign_in_by_password(struct request *request, const char *name, const char *password)
{
    struct password_work *work = &request->password;
    unsigned char hash[SECRET_HASH_OCTETS];
    struct member_found found;
    enum database_status status;
    uint64_t word;

    secret_hash(name, hash);
    memcpy(&word, hash, sizeof word);
    if (!access_check_guess(request, rate_who_address((const struct sockaddr *)&request->from.client)) ||
        !access_check_guess(request, word)) {
        return;
    }
    status = member_find(request->service->database, name, &found);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
        return;
    }
    request->who.account = found.account; /* for the audit log, also where the password is wrong */
    snprintf(request->who.member_name, sizeof request->who.member_name, "%s", name);
    request_note(request, "by password");
    *work = (struct password_work){.said = password, .member = found.member};
    snprintf(work->hash, sizeof work->hash, "%s", found.hash);
    hashing_begin(request, open_session);
}

static void sign_in_by_code(struct request *request, const char *code, const char *name)
{
    struct account_sign_in result;
    enum database_status status;
    char client[160];

    read_client(request, client, sizeof client);
    status = account_sign_in(request->service->database, code, name, client, &result);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "Somebody has this name already: choose another name.");
    } else if (!result.found) {
        request_reply_error(request, MHD_HTTP_UNAUTHORIZED, "bad_code",
                            "The link was used or is too old: start assayd with --sign-in-link for a new one.");
    } else if (!result.named) {
        request_reply_error(request, MHD_HTTP_CONFLICT, "name_wanted", "This link is for somebody new: say a name.");
    } else {
        known_forget(request->service->known); /* the member's oldest session may have ended */
        account_identify_session(request->service->database, result.session, &request->who); /* for the audit log */
        request_note(request, name ? "by a link, as somebody new" : "by a link");
        reply_cookie(request, MHD_HTTP_CREATED, result.session, ACCOUNT_SESSION_DAYS * 86400L);
    }
}

void handle_session_post(struct request *request)
{
    static const struct field fields[] = {{"code", FIELD_TEXT, 1, 100, false},
                                          {"name", FIELD_TEXT, 1, 100, false},
                                          {"password", FIELD_TEXT, 1, 200, false}};
    const char *code, *name, *password;

    if (!request_check_body(request, fields, 3)) {
        return;
    }
    code = request_text(request, "code", NULL);
    name = request_text(request, "name", NULL);
    password = request_text(request, "password", NULL);
    if (code && !password) {
        sign_in_by_code(request, code, name);
    } else if (name && password && !code) {
        sign_in_by_password(request, name, password);
    } else {
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_field",
                            "Either 'code' is needed, with 'name' for somebody new, or 'name' and 'password'.");
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

/* What a link is to open, by the body. False: answered. */
static bool read_order(struct request *request, struct account_code *order)
{
    const struct requester *who = &request->who;
    const char *wanted = request_text(request, "for", "");
    enum role role = ROLE_TESTER;

    if (strcmp(wanted, "this-account") == 0) {
        *order = (struct account_code){.account = who->account, .member = who->member, .limited = who->limited};
        return true;
    }
    if (strcmp(wanted, "new-account") != 0 && strcmp(wanted, "new-member") != 0) {
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_field",
                            "'for' must be 'this-account', 'new-member' or 'new-account'.");
    } else if (strcmp(wanted, "new-account") == 0 && !who->owner) {
        request_reply_error(request, MHD_HTTP_FORBIDDEN, "owner_only", "Only the owner invites others.");
    } else if (who->role < ROLE_ADMINISTRATOR) {
        request_reply_error(request, MHD_HTTP_FORBIDDEN, "role",
                            "Only an administrator of the account lets members in.");
    } else if (who->limited) {
        request_reply_error(request, MHD_HTTP_FORBIDDEN, "browser_only",
                            "An API token lets nobody in, nor does a session that was opened by its link: sign in by a "
                            "link of this page, or of assayd --sign-in-link.");
    } else if (!role_find(request_text(request, "role", "tester"), &role)) {
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_field",
                            "'role' must be viewer, tester, certifier or administrator.");
    } else if (strcmp(wanted, "new-account") == 0) {
        *order = (struct account_code){.account = 0};
        return true;
    } else {
        *order = (struct account_code){.account = who->account, .role = role_name(role)};
        return true;
    }
    return false;
}

void handle_link_post(struct request *request)
{
    static const struct field fields[] = {{"for", FIELD_TEXT, 1, 16, true}, {"role", FIELD_TEXT, 1, 16, false}};
    char base[512], code[SECRET_TOKEN_SIZE], link[700];
    struct account_code order;
    enum database_status status;

    if (!request_check_body(request, fields, 2) || !read_order(request, &order)) {
        return;
    }
    request_note(request, request_text(request, "for", ""));
    if (!request_base(request, base, sizeof base)) {
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_host", "The header Host is missing or unusable.");
        return;
    }
    status = account_make_code(request->service->database, &order, code);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
        return;
    }
    snprintf(link, sizeof link, "%s/sign-in?code=%s", base, code);
    request_reply(request, MHD_HTTP_CREATED, json_pack("{s:s,s:i}", "link", link, "hours", ACCOUNT_LINK_HOURS));
}
