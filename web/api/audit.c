/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: the audit log, for an account's administrators; those of the first account, which runs the service, see all of
 * it.
 */
#include "web/api/handlers.h"
#include "web/api/list.h"
#include "web/http/request.h"
#include "web/service/service.h"
#include "web/store/query.h"

#include <stdlib.h>

enum { ENTRIES_MAX = 200 };

void handle_audit_get(struct request *request)
{
    const char *before = request_argument(request, "before");
    long long first = before ? strtoll(before, NULL, 10) : 0;
    struct query query;

    query_open_read(
        &query, request->service->database,
        "SELECT id, at, member, action, path, about, status, address, COALESCE((SELECT name FROM accounts a "
        "WHERE a.id = audit.account), '') AS account FROM audit WHERE (:all <> 0 OR account = :account) "
        "AND (:before <= 0 OR id < :before) ORDER BY id DESC LIMIT :most");
    query_number(&query, ":all", request->who.owner);
    query_number(&query, ":account", request->who.account);
    query_number(&query, ":before", first);
    query_number(&query, ":most", ENTRIES_MAX);
    list_reply(request, &query, "entries");
}
