/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Finds the account behind a token or a cookie, and holds what is asked for against it.
 */
#include "web/http/access.h"

#include "web/http/known.h"
#include "web/http/rate.h"
#include "web/service/service.h"
#include "web/store/run_row.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const char *access_cookie(const struct request *request)
{
    return MHD_lookup_connection_value(request->connection, MHD_COOKIE_KIND, ACCESS_COOKIE);
}

/* The API token or, where there is no such header, the session of the cookie; NULL: neither. */
static const char *find_secret(const struct request *request, bool *by_cookie)
{
    const char *authorization = request_header(request, "Authorization");

    *by_cookie = !authorization;
    if (authorization) {
        return strncmp(authorization, "Bearer ", 7) == 0 ? authorization + 7 : NULL;
    }
    return request->service->single_user ? NULL : access_cookie(request);
}

/* Whether the name by which the service is asked for is one of this machine's own: the page of another site, whose name
 * has been made to lead here, has another one. */
static bool is_own_name(const char *host)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t len = strlen(names[i]);

        if (strncasecmp(host, names[i], len) == 0 && (host[len] == '\0' || host[len] == ':')) {
            return true;
        }
    }
    return false;
}

/* Of a service with a single user, whoever comes without a token is that user. */
static enum database_status identify_single(const struct request *request, struct requester *who)
{
    enum database_status status = DATABASE_OK;

    if (is_own_name(request->from.host)) {
        status = account_identify_owner(request->service->database, who);
        snprintf(who->csrf, sizeof who->csrf, "%s", request->service->csrf);
    }
    return status;
}

enum database_status access_identify(const struct request *request, struct requester *who)
{
    struct known *known = request->service->known;
    unsigned char hash[SECRET_HASH_OCTETS];
    enum database_status status;
    const char *secret;
    bool by_cookie;
    uint64_t moment;

    secret = find_secret(request, &by_cookie);
    *who = (struct requester){0};
    if (!secret && request->service->single_user && !request_header(request, "Authorization")) {
        return identify_single(request, who);
    }
    if (!secret) {
        return DATABASE_OK;
    }
    secret_hash(secret, hash);
    if (known_find(known, hash, by_cookie, who)) {
        return DATABASE_OK;
    }
    moment = known_moment(known);
    status = by_cookie ? account_identify_session(request->service->database, secret, who)
                       : account_identify_token(request->service->database, secret, who);
    if (status == DATABASE_OK && who->account != 0 && !*request->service->name) {
        known_put(known, hash, who, moment);
    }
    return status;
}

bool access_check_run(struct request *request, const char *id)
{
    bool found;
    enum database_status status =
        run_row_find(request->service->database, id, request->who.account, &found, &request->run_over);

    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
        return false;
    }
    if (!found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_run", "Your account has no run of this id.");
    }
    return found;
}

bool access_check_guess(struct request *request, uint64_t word)
{
    uint64_t wait_us = rate_take(request->service->guess_rate, word, rate_now_us());

    if (wait_us > 0) {
        request->retry_seconds = (unsigned)((wait_us + 999999) / 1000000);
        request_reply_error(request, MHD_HTTP_TOO_MANY_REQUESTS, "too_many_guesses",
                            "There were too many attempts at a password: try again in %u s.", request->retry_seconds);
    }
    return wait_us == 0;
}
