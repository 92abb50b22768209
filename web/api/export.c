/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * API: a run to be taken away: its requirements as a table, and everything in one archive.
 */
#include "tester/report/html.h"
#include "web/api/archive.h"
#include "web/api/handlers.h"
#include "web/http/access.h"
#include "web/http/request.h"
#include "web/profiles/catalogue.h"
#include "web/service/service.h"
#include "web/store/evidence_rows.h"
#include "web/store/query.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- requirements ------------------------------------------------------------------------------------------------ */

/* What a requirement came to: the gravest of what its cases say of it. A case that failed by another requirement says
 * nothing of this one. */
#define JUDGED                                                                                                         \
    "SELECT value AS id, CASE MIN(CASE verdict WHEN 'fail' THEN CASE requirement WHEN value THEN 0 ELSE 5 END "        \
    "WHEN 'warn' THEN CASE requirement WHEN value THEN 1 ELSE 2 END WHEN 'pass' THEN 2 WHEN 'inconclusive' THEN 3 "    \
    "ELSE 4 END) WHEN 0 THEN 'fail' WHEN 1 THEN 'warn' WHEN 2 THEN 'pass' WHEN 3 THEN 'inconclusive' WHEN 4 THEN "     \
    "'skip' ELSE 'not judged' END AS verdict, group_concat(case_id, ' ') AS cases FROM results, "                      \
    "json_each(about, '$.requirements') WHERE run = :run GROUP BY value"

/* The verdicts by requirement; NULL: the database failed. */
static json_t *read_judged(struct request *request)
{
    json_t *judged = json_object();
    struct query query;

    query_open_read(&query, request->service->database, JUDGED);
    query_text(&query, ":run", request->parameters[0]);
    while (query_next(&query)) {
        json_object_set_new(
            judged, query_column_text(&query, 0),
            json_pack("{s:s,s:s}", "verdict", query_column_text(&query, 1), "cases", query_column_text(&query, 2)));
    }
    if (query_close(&query) != DATABASE_OK) {
        json_decref(judged);
        return NULL;
    }
    return judged;
}

/* A cell by RFC 4180. What a spreadsheet would take for a formula gets an apostrophe. */
static void put_cell(FILE *out, const char *text, const char *end)
{
    putc('"', out);
    if (strchr("=+-@\t\r", text[0]) && text[0]) {
        putc('\'', out);
    }
    for (; *text; text++) {
        if (*text == '"') {
            putc('"', out);
        }
        putc(*text, out);
    }
    fprintf(out, "\"%s", end);
}

static const char *text_of(const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));

    return text ? text : "";
}

static char *profile_of(struct request *request)
{
    struct query query;
    char *profile = NULL;

    query_open_read(&query, request->service->database, "SELECT profile FROM runs WHERE id = :run");
    query_text(&query, ":run", request->parameters[0]);
    if (query_next(&query)) {
        profile = strdup(query_column_text(&query, 0));
    }
    query_close(&query);
    return profile;
}

/* The table: a line for each requirement of the profile. NULL: no memory, or the database failed. */
static char *write_requirements(struct request *request)
{
    char *profile = profile_of(request), *text = NULL;
    const json_t *rows = profile ? catalogue_requirements(request->service->catalogue, profile) : NULL;
    json_t *judged = read_judged(request), *row;
    size_t len, i;
    FILE *out = judged ? open_memstream(&text, &len) : NULL;

    if (out) {
        fputs("requirement,section,level,testable,verdict,cases,obligation\r\n", out);
        json_array_foreach(rows, i, row)
        {
            const json_t *found = json_object_get(judged, text_of(row, "id"));

            put_cell(out, text_of(row, "id"), ",");
            put_cell(out, text_of(row, "section"), ",");
            put_cell(out, text_of(row, "level"), ",");
            put_cell(out, json_is_false(json_object_get(row, "testable")) ? "no" : "yes", ",");
            put_cell(out, found ? text_of(found, "verdict") : "not judged", ",");
            put_cell(out, found ? text_of(found, "cases") : "", ",");
            put_cell(out, text_of(row, "obligation"), "\r\n");
        }
        fclose(out);
    }
    json_decref(judged);
    free(profile);
    return text;
}

void handle_requirements_csv_get(struct request *request)
{
    char *text;

    if (request_reply_kept(request, NULL) || !access_check_run(request, request->parameters[0])) {
        return;
    }
    text = write_requirements(request);
    if (!text) {
        request_reply_database(request, DATABASE_BROKEN, "");
        return;
    }
    request_reply_page(request,
                       &(struct request_page){.run = request->parameters[0],
                                              .type = "text/csv; charset=utf-8",
                                              .for_good = request->run_over},
                       text, strlen(text));
}

/* ---- everything -------------------------------------------------------------------------------------------------- */

/* The name in the archive of evidence of a kind: as report.json names it. */
static void name_of(const char *case_id, const char *kind, char *name, size_t name_octets)
{
    static const char *const names[][2] = {{"transcript", "txt"},     {"capture", "pcapng"},
                                           {"ladder", "ladder.json"}, {"report", "report.json"},
                                           {"junit", "junit.xml"},    {"preflight", "preflight.txt"}};
    const char *end = kind;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        end = strcmp(names[i][0], kind) == 0 ? names[i][1] : end;
    }
    snprintf(name, name_octets, case_id[0] ? "cases/%s.%s" : "%s%s", case_id, end);
}

/* The id under which the engine has written a case's evidence: that of a further attempt has its number, wherever the
 * service has put it since (again.h). */
static void written_as(const char *case_id, int64_t attempt, char *id, size_t id_octets)
{
    size_t len = strlen(case_id);

    if (attempt > 1) {
        snprintf(id, id_octets, "%s~%" PRId64, case_id, attempt);
    } else {
        snprintf(id, id_octets, "%.*s", (int)(len > 2 && strcmp(case_id + len - 2, "~1") == 0 ? len - 2 : len),
                 case_id);
    }
}

/* All files of the run. False: too many, no memory, or the database failed. */
static bool add_evidence(struct request *request, struct archive *archive)
{
    struct query query;
    bool good = true;

    query_open_read(
        &query, request->service->database,
        "SELECT e.case_id, kind, octets, COALESCE(r.attempt, 1) FROM evidence e "
        "LEFT JOIN results r ON r.run = e.run AND r.case_id = e.case_id WHERE e.run = :run AND kind <> 'source' "
        "AND kind NOT LIKE '" EVIDENCE_ROWS_BUNDLE "%' ORDER BY e.case_id, kind");
    query_text(&query, ":run", request->parameters[0]);
    while (good && query_next(&query)) {
        const char *case_id = query_column_text(&query, 0), *kind = query_column_text(&query, 1);
        char name[256], written[128];

        written_as(case_id, query_column_number(&query, 3), written, sizeof written);
        name_of(written, kind, name, sizeof name);
        good = archive_add_evidence(archive, name, case_id, kind, (uint64_t)query_column_number(&query, 2));
    }
    return query_close(&query) == DATABASE_OK && good;
}

/* The page of the report, with links to the files beside it; NULL: there is no report. */
static char *write_page(struct request *request)
{
    struct service *service = request->service;
    char *text, *page = NULL;
    json_t *report;
    size_t len;
    FILE *out;

    evidence_rows_load(service->database, service->evidence, request->parameters[0], EVIDENCE_OF_RUN, "report", &text);
    report = text ? json_loads(text, 0, NULL) : NULL;
    out = report ? open_memstream(&page, &len) : NULL;
    if (out) {
        report_html_write(out, report, REPORT_HTML_FOLDER);
        fclose(out);
    }
    json_decref(report);
    free(text);
    return page;
}

static char *read_certificate(struct request *request)
{
    struct query query;
    char *text = NULL;

    query_open_read(&query, request->service->database, "SELECT document FROM certificates WHERE run = :run");
    query_text(&query, ":run", request->parameters[0]);
    if (query_next(&query)) {
        text = strdup(query_column_text(&query, 0));
    }
    query_close(&query);
    return text;
}

void handle_archive_get(struct request *request)
{
    const char *run = request->parameters[0];
    struct archive *archive;
    char name[64];

    if (!access_check_run(request, run)) {
        return;
    }
    if (!request->run_over) {
        request_reply_error(request, MHD_HTTP_CONFLICT, "under_way", "The run is not over yet.");
        return;
    }
    snprintf(name, sizeof name, "assay-%.32s", run);
    archive = archive_new(request->service, request->parameters[0], name);
    if (!archive || !archive_add_text(archive, "report.html", write_page(request)) ||
        !archive_add_text(archive, "requirements.csv", write_requirements(request)) ||
        !archive_add_text(archive, "certificate.json", read_certificate(request)) || !add_evidence(request, archive)) {
        if (archive) {
            archive_free(archive);
        }
        request_reply_error(
            request, MHD_HTTP_INTERNAL_SERVER_ERROR, "no_archive",
            "The archive cannot be made: the run has more than 4 GiB of evidence, or the service is out "
            "of memory. Each file can be had by itself.");
        return;
    }
    snprintf(name, sizeof name, "assay-%.32s.zip", run);
    archive_reply(request, archive, name);
}
