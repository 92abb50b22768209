/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: what a run came to, case by case, with the evidence, and the report in its two forms.
 */
#include "web/api/handlers.h"
#include "web/http/access.h"
#include "web/http/request.h"
#include "web/profiles/catalogue.h"
#include "web/runs/again.h"
#include "web/service/service.h"
#include "web/store/evidence_rows.h"
#include "web/store/query.h"

#include <stdio.h>
#include <stdlib.h>

#define COLUMNS                                                                                                        \
    "case_id AS id, title, suite, chapter, verdict, axis, requirement, reason, expected, observed, duration_ms, "      \
    "json_extract(about, '$.cell') AS \"cell:json\", "                                                                 \
    "json_extract(about, '$.requirements') AS \"requirements:json\", "                                                 \
    "(SELECT COALESCE(json_group_array(kind), '[]') FROM evidence e WHERE e.run = results.run AND e.case_id = "        \
    "results.case_id AND "                                                                                             \
    "kind <> 'source') "                                                                                               \
    "AS \"evidence:json\", attempt, "                                                                                  \
    "(SELECT COUNT(*) FROM attempts a WHERE a.run = results.run AND a.case_id = results.case_id) AS attempt_count"

/* Adds the title of each result's chapter, as the specification has it. */
static void add_title(const struct request *request, json_t *result, const char *profile)
{
    const char *chapter = json_string_value(json_object_get(result, "chapter"));

    json_object_set_new(
        result, "chapter_title",
        json_string(chapter ? catalogue_section(request->service->catalogue, profile ? profile : "", chapter) : ""));
}

static void add_titles(const struct request *request, json_t *list)
{
    json_t *result;
    size_t i;

    json_array_foreach(list, i, result)
    {
        add_title(request, result, json_string_value(json_object_get(result, "profile")));
        json_object_del(result, "profile");
    }
}

/* What is said of a run that is over may be kept. */
static void reply_kept_json(struct request *request, json_t *body)
{
    request_reply_page_json(request,
                            &(struct request_page){.run = request->parameters[0],
                                                   .type = "application/json",
                                                   .for_good = request->run_over},
                            body);
}

void handle_results_get(struct request *request)
{
    struct query query;
    json_t *list;
    enum database_status status;

    if (request_reply_kept(request, NULL) || !access_check_run(request, request->parameters[0])) {
        return;
    }
    query_open_read(&query, request->service->database,
                    "SELECT " COLUMNS
                    ", (SELECT profile FROM runs WHERE id = :run) AS profile FROM results WHERE run = :run "
                    "ORDER BY position");
    query_text(&query, ":run", request->parameters[0]);
    list = query_list(&query);
    status = query_close(&query);
    if (status != DATABASE_OK) {
        json_decref(list);
        request_reply_database(request, status, "");
        return;
    }
    add_titles(request, list);
    reply_kept_json(request, json_pack("{s:o}", "results", list));
}

static json_t *read_result(struct request *request)
{
    struct query query;
    json_t *result = NULL;

    query_open_read(
        &query, request->service->database,
        "SELECT " COLUMNS ", json_extract(about, '$.purpose') AS purpose, "
        "json_extract(about, '$.source') AS source, json_extract(about, '$.file') AS file, "
        "(SELECT profile FROM runs WHERE id = :run) AS profile, "
        "(SELECT json_object('previous', (SELECT p.case_id FROM results p WHERE p.run = :run AND "
        "p.position = results.position - 1), 'next', (SELECT n.case_id FROM results n WHERE n.run = :run AND "
        "n.position = results.position + 1))) AS \"neighbours:json\" "
        "FROM results WHERE run = :run AND case_id = :case_id");
    query_text(&query, ":run", request->parameters[0]);
    query_text(&query, ":case_id", request->parameters[1]);
    if (query_next(&query)) {
        result = query_json(&query);
    }
    query_close(&query);
    return result;
}

/* The text of the case's file as it was then: evidence of its own, or, of an earlier service, in the row already. */
static void add_source(const struct request *request, json_t *result)
{
    struct service *service = request->service;
    char *text;

    if (json_is_string(json_object_get(result, "source"))) {
        return;
    }
    evidence_rows_load(service->database, service->evidence, request->parameters[0], request->parameters[1], "source",
                       &text);
    json_object_set_new(result, "source", json_string(text ? text : ""));
    free(text);
}

/* What the case has come to each time, where that was more than once. `evidence_id` stands in the place of the case's
 * id where that attempt's evidence is asked for. */
static json_t *read_attempts(struct request *request)
{
    struct query query;
    json_t *list;

    query_open_read(&query, request->service->database,
                    "SELECT a.attempt, a.verdict, a.axis, a.requirement, a.reason, a.expected, a.observed, "
                    "a.duration_ms, a.evidence_id, (SELECT COALESCE(json_group_array(e.kind), '[]') FROM evidence e "
                    "WHERE e.run = a.run AND e.case_id = a.evidence_id AND e.kind <> 'source') AS \"evidence:json\" "
                    "FROM (SELECT t.*, CASE WHEN t.attempt = r.attempt THEN t.case_id ELSE t.case_id || '~' || "
                    "t.attempt END AS evidence_id FROM attempts t JOIN results r ON r.run = t.run AND "
                    "r.case_id = t.case_id WHERE t.run = :run AND t.case_id = :case_id) a ORDER BY a.attempt");
    query_text(&query, ":run", request->parameters[0]);
    query_text(&query, ":case_id", request->parameters[1]);
    list = query_list(&query);
    query_close(&query);
    return list;
}

void handle_result_get(struct request *request)
{
    json_t *result;
    const char *profile;

    if (request_reply_kept(request, NULL) || !access_check_run(request, request->parameters[0])) {
        return;
    }
    result = read_result(request);
    if (!result) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_result", "The run has no result of such a case.");
        return;
    }
    profile = json_string_value(json_object_get(result, "profile"));
    add_title(request, result, profile);
    json_object_set_new(result, "requirement_rows",
                        catalogue_requirement_list(request->service->catalogue, profile ? profile : "",
                                                   json_object_get(result, "requirements")));
    add_source(request, result);
    json_object_set_new(result, "attempts", read_attempts(request));
    json_object_set_new(result, "mutants",
                        catalogue_mutants(request->service->catalogue, request->parameters[1],
                                          json_object_get(result, "requirements")));
    reply_kept_json(request, result);
}

static void reply_again(struct request *request, enum again_answer answer)
{
    switch (answer) {
    case AGAIN_ASKED:
        request_reply(request, MHD_HTTP_ACCEPTED, json_pack("{s:b}", "asked", true));
        return;
    case AGAIN_NO_RESULT:
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_result", "The run has no result of such a case.");
        return;
    case AGAIN_OVER:
        request_reply_error(request, MHD_HTTP_CONFLICT, "run_over",
                            "The run is over, and its launch agent has left: begin a new run of this case.");
        return;
    case AGAIN_ENOUGH:
        request_reply_error(request, MHD_HTTP_CONFLICT, "attempts_full",
                            "The case was run %d times in this run, as often as may be: begin a new run of it.",
                            AGAIN_MOST);
        return;
    }
}

void handle_result_again(struct request *request)
{
    enum again_answer answer;
    enum database_status status;

    if (!access_check_run(request, request->parameters[0])) {
        return;
    }
    status = again_request(request->service->runs, request->parameters[0], request->parameters[1], &answer);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else {
        reply_again(request, answer);
    }
}

/* A file as it lies on the disk, or what is in a bundle, in memory; *found false: neither. What is read of the database
 * is read before the file is opened: nothing is locked while it is sent. Twice: between the looks at the row and at the
 * file it may have been put into a bundle. */
static enum database_status open_evidence(struct request *request, const char *case_id, const char *kind,
                                          struct request_file *file, struct evidence_place *place, bool *found)
{
    const struct service *service = request->service;
    enum database_status status = DATABASE_OK;
    bool opened = false;

    *found = true;
    for (unsigned i = 0; status == DATABASE_OK && *found && !opened && i < 2; i++) {
        status = evidence_rows_find(service->database, request->parameters[0], case_id, kind, place, found);
        if (status == DATABASE_OK && *found && *place->bundle) {
            file->octets = evidence_files_load(service->evidence, place);
            opened = file->octets != NULL;
        } else if (status == DATABASE_OK && *found) {
            file->fd = evidence_files_read(service->evidence, place->sha256, &file->packed_len);
            opened = file->fd >= 0;
        }
    }
    *found = opened;
    return status;
}

static void reply_evidence(struct request *request, const char *case_id, const char *kind, const char *type,
                           const char *download)
{
    struct request_file file = {.fd = -1, .type = type, .download = download};
    struct evidence_place place;
    enum database_status status;
    bool found;

    if (!access_check_run(request, request->parameters[0])) {
        return;
    }
    status = open_evidence(request, case_id, kind, &file, &place, &found);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_evidence", "The run has no such evidence (yet).");
    } else {
        file.len = place.octets;
        file.tag = place.sha256;
        request_reply_file(request, &file);
    }
}

void handle_transcript_get(struct request *request)
{
    reply_evidence(request, request->parameters[1], "transcript", "text/plain; charset=utf-8", NULL);
}

void handle_capture_get(struct request *request)
{
    char download[2 * REQUEST_PARAMETER_SIZE];

    /* A case's id that is no name of a file cannot be in the table, so it never gets into the header. */
    snprintf(download, sizeof download, "%s.pcapng", request->parameters[1]);
    reply_evidence(request, request->parameters[1], "capture", "application/x-pcapng", download);
}

void handle_ladder_get(struct request *request)
{
    reply_evidence(request, request->parameters[1], "ladder", "application/json", NULL);
}

void handle_report_get(struct request *request)
{
    reply_evidence(request, EVIDENCE_OF_RUN, "report", "application/json", "report.json");
}

void handle_junit_get(struct request *request)
{
    reply_evidence(request, EVIDENCE_OF_RUN, "junit", "application/xml", "junit.xml");
}

void handle_preflight_get(struct request *request)
{
    reply_evidence(request, EVIDENCE_OF_RUN, "preflight", "text/plain; charset=utf-8", NULL);
}
