/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Finds the account behind a token or a cookie, and holds what is asked for against it.
 */
#include "web/http/access.h"

#include "web/service/service.h"
#include "web/store/run_row.h"

#include <string.h>

const char *access_cookie(const struct request *request)
{
    return MHD_lookup_connection_value(request->connection, MHD_COOKIE_KIND, ACCESS_COOKIE);
}

enum database_status access_identify(const struct request *request, struct requester *who)
{
    struct database *database = request->service->database;
    const char *authorization = request_header(request, "Authorization");
    const char *session = access_cookie(request);

    *who = (struct requester){0};
    if (authorization) {
        bool bearer = strncmp(authorization, "Bearer ", 7) == 0;

        return bearer ? account_identify_token(database, authorization + 7, who) : DATABASE_OK;
    }
    return session ? account_identify_session(database, session, who) : DATABASE_OK;
}

bool access_check_run(struct request *request, const char *id)
{
    bool found;
    enum database_status status = run_row_find(request->service->database, id, request->who.account, &found);

    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
        return false;
    }
    if (!found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_run", "Your account has no run of this id.");
    }
    return found;
}
