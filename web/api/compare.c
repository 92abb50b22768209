/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: runs beside each other. Two of them, case by case; one case in all of an account's runs; the latest run of each
 * implementation, chapter by chapter.
 */
#include "web/api/handlers.h"
#include "web/http/access.h"
#include "web/http/request.h"
#include "web/profiles/catalogue.h"
#include "web/runs/differ.h"
#include "web/service/service.h"
#include "web/store/evidence_rows.h"
#include "web/store/query.h"

#include <stdio.h>
#include <stdlib.h>

enum { HISTORY_MAX = 200 };

#define SIDE(r)                                                                                                        \
    "CASE WHEN " r ".case_id IS NULL THEN NULL ELSE json_object('verdict', " r ".verdict, 'requirement', " r           \
    ".requirement, 'reason', " r ".reason, 'expected', " r ".expected, 'observed', " r ".observed) END"

#define ROWS "SELECT case_id, title, chapter, verdict, requirement, reason, expected, observed FROM results WHERE run"

/* What stands in the rows of two runs, most important first: verdicts that differ, then findings. */
#define CHANGES                                                                                                        \
    "SELECT COALESCE(b.case_id, a.case_id) AS id, COALESCE(b.title, a.title) AS title, "                               \
    "COALESCE(b.chapter, a.chapter) AS chapter, "                                                                      \
    "CASE WHEN a.case_id IS NULL THEN 'added' WHEN b.case_id IS NULL THEN 'removed' "                                  \
    "WHEN a.verdict <> b.verdict THEN 'verdict' "                                                                      \
    "WHEN a.requirement <> b.requirement OR a.reason <> b.reason OR a.observed <> b.observed THEN 'finding' "          \
    "ELSE 'same' END AS change, " SIDE("a") " AS \"before:json\", " SIDE("b") " AS \"after:json\" FROM "               \
                                                                              "(" ROWS                                 \
                                                                              " = :before) a FULL JOIN (" ROWS         \
                                                                              " = :after) b ON a.case_id = b.case_id "

/* Both runs of the path are the account's. False: answered. */
static bool check_both(struct request *request)
{
    bool before_over;

    if (!access_check_run(request, request->parameters[0])) {
        return false;
    }
    before_over = request->run_over;
    if (!access_check_run(request, request->parameters[1])) {
        return false;
    }
    request->run_over = before_over && request->run_over;
    return true;
}

static json_t *read_changes(struct request *request, json_t **counts, enum database_status *status)
{
    struct query query;
    json_t *list;

    query_open_read(
        &query, request->service->database,
        "SELECT json_object('verdict', COUNT(*) FILTER (WHERE change = 'verdict'), "
        "'finding', COUNT(*) FILTER (WHERE change = 'finding'), 'added', COUNT(*) FILTER (WHERE change = 'added'), "
        "'removed', COUNT(*) FILTER (WHERE change = 'removed'), 'same', COUNT(*) FILTER (WHERE change = 'same')) "
        "AS \"counts:json\" FROM (" CHANGES ") c");
    query_text(&query, ":before", request->parameters[0]);
    query_text(&query, ":after", request->parameters[1]);
    *counts = query_next(&query) ? query_json(&query) : NULL;
    *status = query_close(&query);
    query_open_read(&query, request->service->database,
                    "SELECT * FROM (" CHANGES ") c WHERE change <> 'same' ORDER BY "
                    "CASE change WHEN 'verdict' THEN 0 WHEN 'finding' THEN 1 WHEN 'added' THEN 2 ELSE 3 END, id");
    query_text(&query, ":before", request->parameters[0]);
    query_text(&query, ":after", request->parameters[1]);
    list = query_list(&query);
    *status = query_close(&query) == DATABASE_OK ? *status : DATABASE_BROKEN;
    return list;
}

void handle_compare_get(struct request *request)
{
    json_t *counts, *list;
    enum database_status status;

    if (request_reply_kept(request, NULL) || !check_both(request)) {
        return;
    }
    list = read_changes(request, &counts, &status);
    if (status != DATABASE_OK) {
        json_decref(counts);
        json_decref(list);
        request_reply_database(request, status, "");
        return;
    }
    request_reply_page_json(
        request, &(struct request_page){.run = "", .type = "application/json", .for_good = request->run_over},
        json_pack("{s:O?,s:o}", "counts", json_object_get(counts, "counts"), "changes", list));
    json_decref(counts);
}

/* What was said in a case of a run: a list, empty where nothing was kept. */
static json_t *read_ladder(const struct request *request, const char *run, const char *case_id)
{
    struct service *service = request->service;
    json_t *ladder;
    char *text;

    evidence_rows_load(service->database, service->evidence, run, case_id, "ladder", &text);
    ladder = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return json_is_array(ladder) ? ladder : json_array();
}

void handle_compare_case_get(struct request *request)
{
    const char *case_id = request->parameters[2];
    json_t *before, *after;

    if (request_reply_kept(request, NULL) || !check_both(request)) {
        return;
    }
    before = read_ladder(request, request->parameters[0], case_id);
    after = read_ladder(request, request->parameters[1], case_id);
    request_reply_page_json(
        request, &(struct request_page){.run = "", .type = "application/json", .for_good = request->run_over},
        differ_first(before, after));
    json_decref(before);
    json_decref(after);
}

/* Answers with what a query gives under that name, or for a database that did not do it. */
static void reply_list(struct request *request, struct query *query, const char *name)
{
    json_t *list = query_list(query);
    enum database_status status = query_close(query);

    if (status != DATABASE_OK) {
        json_decref(list);
        request_reply_database(request, status, "");
        return;
    }
    request_reply(request, MHD_HTTP_OK, json_pack("{s:o}", name, list));
}

/* False: answered. */
static bool check_profile(struct request *request)
{
    bool found = catalogue_cases(request->service->catalogue, request->parameters[0]) != NULL;

    if (!found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_profile",
                            "There is no such profile, or its cases do not load.");
    }
    return found;
}

void handle_history_get(struct request *request)
{
    struct query query;

    if (!check_profile(request)) {
        return;
    }
    query_open_read(&query, request->service->database,
                    "SELECT r.id AS run, r.created, r.seed, r.role, s.verdict, s.requirement, s.reason, s.duration_ms, "
                    "json_object('id', i.id, 'name', i.name, 'version', i.version) AS \"implementation:json\" "
                    "FROM runs r JOIN results s ON s.run = r.id AND s.case_id = :case_id "
                    "JOIN implementations i ON i.id = r.implementation "
                    "WHERE r.account = :account AND r.profile = :profile AND "
                    "(:implementation IS NULL OR i.id = :implementation) ORDER BY r.created DESC LIMIT :most");
    query_text(&query, ":case_id", request->parameters[1]);
    query_number(&query, ":account", request->who.account);
    query_text(&query, ":profile", request->parameters[0]);
    query_text(&query, ":implementation", request_argument(request, "implementation"));
    query_number(&query, ":most", HISTORY_MAX);
    reply_list(request, &query, "results");
}

void handle_matrix_get(struct request *request)
{
    struct query query;

    if (!check_profile(request)) {
        return;
    }
    query_open_read(
        &query, request->service->database,
        "SELECT l.run, l.created, l.role, "
        "json_object('id', i.id, 'name', i.name, 'version', i.version) AS \"implementation:json\", "
        "(SELECT COALESCE(json_group_array(json_object('chapter', chapter, 'verdict', verdict, 'count', n)), "
        "'[]') FROM (SELECT chapter, verdict, COUNT(*) AS n FROM results WHERE run = l.run "
        "GROUP BY chapter, verdict ORDER BY chapter) c) AS \"chapters:json\" FROM "
        "(SELECT id AS run, implementation, role, created, ROW_NUMBER() OVER "
        "(PARTITION BY implementation, role ORDER BY created DESC) AS place FROM runs "
        "WHERE account = :account AND profile = :profile AND state = 'finished' AND suite IS NULL "
        "AND case_id IS NULL AND EXISTS (SELECT 1 FROM results WHERE results.run = runs.id)) l "
        "JOIN implementations i ON i.id = l.implementation WHERE l.place = 1 ORDER BY i.name, i.version");
    query_number(&query, ":account", request->who.account);
    query_text(&query, ":profile", request->parameters[0]);
    reply_list(request, &query, "rows");
}
