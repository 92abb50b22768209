/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: the organisation that an account belongs to. A certifier of the account asks for the name and address under
 * which its certificates are to be issued; a certifier of the service's first account approves them, or not; either
 * ends it. Certificates of runs that end while it holds name it.
 */
#include "web/api/handlers.h"

#include "web/http/request.h"
#include "web/service/secret.h"
#include "web/service/service.h"
#include "web/store/query.h"

#define STATE                                                                                                          \
    "CASE WHEN o.ended IS NOT NULL THEN CASE WHEN o.approved IS NULL THEN 'refused' ELSE 'ended' END "                 \
    "WHEN o.approved IS NULL THEN 'requested' ELSE 'approved' END"
#define SEEN "(o.account = :account OR :all <> 0)"
#define NOW  "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"

static void bind_who(struct query *query, const struct request *request)
{
    query_number(query, ":account", request->who.account);
    query_number(query, ":all", request->who.approves);
}

void handle_organisations_get(struct request *request)
{
    struct query query;
    json_t *list;
    enum database_status status;

    query_open_read(&query, request->service->database,
                    "SELECT o.id, a.name AS account, o.account = :account AS \"mine:bool\", o.name, o.address, "
                    "o.requested_by, o.created, o.approved_by, o.approved, o.ended_by, o.ended, " STATE " AS state "
                    "FROM organisations o JOIN accounts a ON a.id = o.account WHERE " SEEN
                    " ORDER BY o.created DESC, o.id");
    bind_who(&query, request);
    list = query_list(&query);
    status = query_close(&query);
    if (status != DATABASE_OK) {
        json_decref(list);
        request_reply_database(request, status, "");
        return;
    }
    request_reply(
        request, MHD_HTTP_OK,
        json_pack("{s:o,s:b}", "organisations", list, "approves", request->who.approves && !request->who.limited));
}

/* Takes the place of what the account has asked for before: of what was never approved one at most is kept. */
static enum database_status insert(struct request *request, const char *id)
{
    struct database *database = request->service->database;
    enum database_status status = database_begin(database);
    struct query query;

    if (status != DATABASE_OK) {
        return status;
    }
    query_open(&query, database, "DELETE FROM organisations WHERE account = :account AND approved IS NULL");
    query_number(&query, ":account", request->who.account);
    status = query_run(&query);
    if (status == DATABASE_OK) {
        query_open(&query, database,
                   "INSERT INTO organisations (id, account, name, address, requested_by) "
                   "VALUES (:id, :account, :name, :address, :member)");
        query_text(&query, ":id", id);
        query_number(&query, ":account", request->who.account);
        query_text(&query, ":name", request_text(request, "name", ""));
        query_text(&query, ":address", request_text(request, "address", ""));
        query_text(&query, ":member", request->who.member_name);
        status = query_run(&query);
    }
    return database_end(database, status);
}

void handle_organisations_post(struct request *request)
{
    static const struct field fields[] = {{"name", FIELD_TEXT, 1, 200, true}, {"address", FIELD_TEXT, 1, 300, true}};
    char id[SECRET_ID_SIZE];
    enum database_status status;

    if (!request_check_body(request, fields, sizeof fields / sizeof fields[0])) {
        return;
    }
    request_note(request, request_text(request, "name", ""));
    secret_make_id(id);
    status = insert(request, id);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else {
        request_reply(request, MHD_HTTP_CREATED, json_pack("{s:s,s:s}", "id", id, "state", "requested"));
    }
}

/* ---- approving and ending ---------------------------------------------------------------------------------------- */

/* Executes a change that returns the organisation's id, or none: *found. */
static enum database_status change(struct request *request, const char *sql, bool *found)
{
    struct query query;

    query_open(&query, request->service->database, sql);
    query_text(&query, ":id", request->parameters[0]);
    query_text(&query, ":member", request->who.member_name);
    bind_who(&query, request);
    *found = query_next(&query);
    return query_run(&query);
}

static void reply_change(struct request *request, enum database_status status, bool found)
{
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_organisation",
                            "There is no organisation of this id, or it has been approved, refused or ended already.");
    } else {
        request_reply_nothing(request);
    }
}

/* One holds at a time: the one before ends with it. */
static enum database_status approve(struct request *request, bool *found)
{
    struct database *database = request->service->database;
    enum database_status status = database_begin(database);
    bool before;

    if (status != DATABASE_OK) {
        return status;
    }
    status =
        change(request,
               "UPDATE organisations AS o SET ended_by = :member, ended = " NOW " WHERE o.approved IS NOT NULL AND "
               "o.ended IS NULL AND o.account = (SELECT account FROM organisations n WHERE n.id = :id AND "
               "n.approved IS NULL AND n.ended IS NULL) AND " SEEN " RETURNING id",
               &before);
    if (status == DATABASE_OK) {
        status = change(request,
                        "UPDATE organisations AS o SET approved_by = :member, approved = " NOW " WHERE o.id = :id AND "
                        "o.approved IS NULL AND o.ended IS NULL AND " SEEN " RETURNING id",
                        found);
    }
    return database_end(database, status);
}

void handle_organisation_approve(struct request *request)
{
    enum database_status status;
    bool found = false;

    if (!request->who.approves || request->who.limited) {
        request_reply_error(request, MHD_HTTP_FORBIDDEN, "not_certifier",
                            "Only certifiers of the service's first account, signed in by a link of the terminal, a "
                            "password or an own link, approve.");
        return;
    }
    status = approve(request, &found);
    reply_change(request, status, found);
}

void handle_organisation_delete(struct request *request)
{
    enum database_status status;
    bool found = false;

    status = change(request,
                    "UPDATE organisations AS o SET ended_by = :member, ended = " NOW " WHERE o.id = :id AND " SEEN
                    " AND o.ended IS NULL RETURNING id",
                    &found);
    reply_change(request, status, found);
}
