/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: verdicts that are not what they were since their evidence was judged again (runs/rejudge.h).
 */
#include "web/api/handlers.h"
#include "web/api/list.h"
#include "web/http/request.h"
#include "web/service/service.h"
#include "web/store/query.h"

enum { VERDICTS_MAX = 2000 };

void handle_rejudged_get(struct request *request)
{
    const char *run = request_argument(request, "run");
    struct query query;

    query_open_read(&query, request->service->database,
                    "SELECT j.run, j.case_id AS \"case\", j.was, j.now, j.requirement, j.text, j.tester, j.at, "
                    "r.profile, i.name || ' ' || i.version AS implementation, a.name AS account, r.account = :account "
                    "AS \"mine:bool\", (SELECT c.id FROM certificates c WHERE c.run = j.run) AS certificate "
                    "FROM rejudged j JOIN runs r ON r.id = j.run JOIN implementations i ON i.id = r.implementation "
                    "JOIN accounts a ON a.id = r.account WHERE (r.account = :account OR :all <> 0) AND "
                    "(:any <> 0 OR j.run = :run) ORDER BY r.created DESC, j.case_id LIMIT :most");
    query_number(&query, ":account", request->who.account);
    query_number(&query, ":all", request->who.owner);
    query_number(&query, ":any", run == NULL);
    query_text(&query, ":run", run ? run : "");
    query_number(&query, ":most", VERDICTS_MAX);
    list_reply(request, &query, "verdicts");
}
