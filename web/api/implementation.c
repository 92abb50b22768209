/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: the implementations that an account has tested or wants to test.
 */
#include "web/api/handlers.h"
#include "web/api/list.h"
#include "web/http/request.h"
#include "web/service/secret.h"
#include "web/service/service.h"
#include "web/store/query.h"

#define COLUMNS                                                                                                        \
    "id, name, version, vendor, notes, created, "                                                                      \
    "(SELECT COUNT(*) FROM runs WHERE implementation = implementations.id) AS runs"

void handle_implementations_get(struct request *request)
{
    struct query query;

    query_open_read(&query, request->service->database,
                    "SELECT " COLUMNS " FROM implementations WHERE account = :account ORDER BY created DESC");
    query_number(&query, ":account", request->who.account);
    list_reply(request, &query, "implementations");
}

/* Answers with one implementation of the account. */
static void reply_one(struct request *request, unsigned http_status, const char *id)
{
    struct query query;
    json_t *object = NULL;
    enum database_status status;

    query_open_read(&query, request->service->database,
                    "SELECT " COLUMNS " FROM implementations WHERE id = :id AND account = :account");
    query_text(&query, ":id", id);
    query_number(&query, ":account", request->who.account);
    if (query_next(&query)) {
        object = query_json(&query);
    }
    status = query_close(&query);
    if (status != DATABASE_OK) {
        json_decref(object);
        request_reply_database(request, status, "");
    } else if (!object) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_implementation",
                            "Your account has no implementation of this id.");
    } else {
        request_reply(request, http_status, object);
    }
}

static int64_t count_implementations(struct request *request)
{
    struct query query;
    int64_t count = 0;

    query_open(&query, request->service->database, "SELECT COUNT(*) FROM implementations WHERE account = :account");
    query_number(&query, ":account", request->who.account);
    if (query_next(&query)) {
        count = query_column_number(&query, 0);
    }
    query_close(&query);
    return count;
}

static enum database_status insert_row(struct request *request, const char *id)
{
    struct query query;

    query_open(&query, request->service->database,
               "INSERT INTO implementations (id, account, name, version, vendor, notes) "
               "VALUES (:id, :account, :name, :version, :vendor, :notes)");
    query_text(&query, ":id", id);
    query_number(&query, ":account", request->who.account);
    query_text(&query, ":name", request_text(request, "name", ""));
    query_text(&query, ":version", request_text(request, "version", ""));
    query_text(&query, ":vendor", request_text(request, "vendor", ""));
    query_text(&query, ":notes", request_text(request, "notes", ""));
    return query_run(&query);
}

/* Inserts it unless there are too many then; one that is there already is a conflict in any case. */
static enum database_status insert_one(struct request *request, const char *id, bool *full)
{
    enum database_status status = database_begin(request->service->database);

    if (status != DATABASE_OK) {
        return status;
    }
    status = insert_row(request, id);
    *full = status == DATABASE_OK &&
            count_implementations(request) > (int64_t)request->service->limits.of[LIMIT_ACCOUNT_ITEMS];
    return database_end(request->service->database, *full ? DATABASE_CONFLICT : status);
}

void handle_implementations_post(struct request *request)
{
    static const struct field fields[] = {{"name", FIELD_TEXT, 1, 100, true},
                                          {"version", FIELD_TEXT, 1, 60, true},
                                          {"vendor", FIELD_TEXT, 0, 100, false},
                                          {"notes", FIELD_LINES, 0, 4000, false}};
    char id[SECRET_ID_SIZE];
    enum database_status status;
    bool full = false;

    if (!request_check_body(request, fields, sizeof fields / sizeof fields[0])) {
        return;
    }
    secret_make_id(id);
    status = insert_one(request, id, &full);
    if (full) {
        request_reply_error(request, MHD_HTTP_TOO_MANY_REQUESTS, "too_many_implementations",
                            "Your account has %u implementations (limit %s): delete some that have no runs.",
                            request->service->limits.of[LIMIT_ACCOUNT_ITEMS], limits_name(LIMIT_ACCOUNT_ITEMS));
        return;
    }
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "Your account has an implementation of this name and version already.");
        return;
    }
    reply_one(request, MHD_HTTP_CREATED, id);
}

void handle_implementation_get(struct request *request)
{
    reply_one(request, MHD_HTTP_OK, request->parameters[0]);
}

void handle_implementation_delete(struct request *request)
{
    struct query query;
    bool found;
    enum database_status status;

    /* Runs hang on it, and certificates on runs: only one without runs goes. */
    query_open(&query, request->service->database,
               "DELETE FROM implementations WHERE id = :id AND account = :account AND NOT EXISTS "
               "(SELECT 1 FROM runs WHERE implementation = implementations.id) RETURNING id");
    query_text(&query, ":id", request->parameters[0]);
    query_number(&query, ":account", request->who.account);
    found = query_next(&query);
    status = query_run(&query);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_implementation",
                            "Your account has no implementation of this id without runs.");
    } else {
        request_reply_nothing(request);
    }
}
