/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: who is signed in, and ending that. A member sees the own sessions, an administrator those of all members.
 */
#include "web/api/handlers.h"
#include "web/api/list.h"
#include "web/http/access.h"
#include "web/http/known.h"
#include "web/http/request.h"
#include "web/service/service.h"
#include "web/store/account.h"
#include "web/store/query.h"

#define THEIRS "account = :account AND (:all <> 0 OR member = :member)"

static void bind_who(struct query *query, const struct requester *who)
{
    query_number(query, ":account", who->account);
    query_number(query, ":member", who->member);
    query_number(query, ":all", who->role == ROLE_ADMINISTRATOR);
}

void handle_sessions_get(struct request *request)
{
    const char *cookie = access_cookie(request);
    unsigned char hash[SECRET_HASH_OCTETS];
    struct query query;

    secret_hash(request->who.by_cookie && cookie ? cookie : "", hash);
    query_open_read(&query, request->service->database,
                    "SELECT id, (SELECT name FROM members m WHERE m.id = sessions.member) AS member, created, expires, "
                    "COALESCE(client, '') AS client, hash = :hash AS \"mine:bool\" FROM sessions WHERE " THEIRS
                    " AND expires > strftime('%Y-%m-%dT%H:%M:%fZ', 'now') ORDER BY expires DESC, rowid DESC");
    query_octets(&query, ":hash", hash, sizeof hash);
    bind_who(&query, &request->who);
    list_reply(request, &query, "sessions");
}

void handle_session_end(struct request *request)
{
    struct query query;
    enum database_status status;
    bool found;

    query_open(&query, request->service->database, "DELETE FROM sessions WHERE id = :id AND " THEIRS " RETURNING id");
    query_text(&query, ":id", request->parameters[0]);
    bind_who(&query, &request->who);
    found = query_next(&query);
    status = query_run(&query);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_session", "There is no session of this id to be ended.");
    } else {
        known_forget(request->service->known);
        request_reply_nothing(request);
    }
}

/* For whoever has lost a device, or sees that somebody else is signed in. The session that asks stays: a member whose
 * last session ends, and who has no password, needs a new link. */
void handle_sessions_delete(struct request *request)
{
    const char *cookie = access_cookie(request);
    enum database_status status = account_sign_out_others(request->service->database, request->who.member,
                                                          request->who.by_cookie && cookie ? cookie : "");

    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
        return;
    }
    known_forget(request->service->known);
    request_reply_nothing(request);
}
