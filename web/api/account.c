/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: the accounts of the service, for their owner, and one's own for everybody; an account can be removed with all
 * that it has. That of the owner stays: nobody else could let new people in.
 */
#include "web/api/handlers.h"
#include "web/api/list.h"
#include "web/http/kept.h"
#include "web/http/known.h"
#include "web/http/request.h"
#include "web/service/service.h"
#include "web/store/query.h"

void handle_accounts_get(struct request *request)
{
    struct query query;

    query_open_read(&query, request->service->database,
                    "SELECT id, name, owner AS \"owner:bool\", id = :account AS \"mine:bool\", created, "
                    "(SELECT COUNT(*) FROM implementations WHERE account = a.id) AS implementations, "
                    "(SELECT COUNT(*) FROM runs WHERE account = a.id) AS runs, "
                    "(SELECT COALESCE(SUM(stored), 0) FROM runs WHERE account = a.id) AS stored "
                    "FROM accounts a WHERE id = :account OR :all <> 0 ORDER BY id");
    query_number(&query, ":account", request->who.account);
    query_number(&query, ":all", request->who.owner);
    list_reply(request, &query, "accounts");
}

/* What is known of an account that is to be removed. */
struct victim {
    bool found, owner, busy;
};

static enum database_status look_up(struct request *request, int64_t id, struct victim *victim)
{
    struct query query;

    *victim = (struct victim){.found = false};
    query_open(&query, request->service->database,
               "SELECT owner, EXISTS (SELECT 1 FROM runs WHERE account = a.id AND state IN ('created', 'waiting', "
               "'running')) FROM accounts a WHERE id = :id");
    query_number(&query, ":id", id);
    if (query_next(&query)) {
        *victim = (struct victim){
            .found = true, .owner = query_column_number(&query, 0) != 0, .busy = query_column_number(&query, 1) != 0};
    }
    return query_close(&query);
}

/* All that hangs on the account goes with it, by the schema; a run that begins meanwhile finds no account. */
static enum database_status remove_account(struct request *request, int64_t id, struct victim *victim)
{
    struct database *database = request->service->database;
    enum database_status status = database_begin(database);
    struct query query;

    if (status != DATABASE_OK) {
        return status;
    }
    status = look_up(request, id, victim);
    if (status == DATABASE_OK && victim->found && !victim->owner && !victim->busy) {
        query_open(&query, database, "DELETE FROM accounts WHERE id = :id");
        query_number(&query, ":id", id);
        status = query_run(&query);
    }
    return database_end(database, status);
}

void handle_account_delete(struct request *request)
{
    int64_t id = request_id(request, 0);
    struct victim victim = {.found = false};
    enum database_status status = DATABASE_OK;

    if ((id == request->who.account && request->who.role == ROLE_ADMINISTRATOR) || request->who.owner) {
        status = remove_account(request, id, &victim);
    }
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!victim.found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_account",
                            "There is no account of this number that you may remove.");
    } else if (victim.owner) {
        request_reply_error(request, MHD_HTTP_CONFLICT, "owner_stays",
                            "The account of the owner cannot be removed: nobody else could let people in.");
    } else if (victim.busy) {
        request_reply_error(request, MHD_HTTP_CONFLICT, "run_under_way",
                            "A run of the account is under way: cancel it first, or wait for its end.");
    } else {
        kept_forget(request->service->kept, id, NULL);
        known_forget(request->service->known);
        request_reply_nothing(request);
    }
}
