/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * GET /api/v1/runs/{run}/report.html: the report as a page that needs no script, made of the stored report.json; and
 * GET /shared/{secret}: the same, without evidence, for whoever has a link that the account has made (api/share.c); and
 * GET /met/{token}: the verdicts alone, for the guest of a run, who has its token (runs/guest.h).
 */
#include "tester/report/html.h"
#include "web/http/access.h"
#include "web/http/request.h"
#include "web/pages/handlers.h"
#include "web/service/secret.h"
#include "web/service/service.h"
#include "web/store/evidence_rows.h"
#include "web/store/query.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char policy[256];

/* Allows the page's own style and nothing else. */
static void policy_make(void)
{
    const char *style = report_html_style();
    unsigned char hash[crypto_hash_sha256_BYTES];
    char text[sodium_base64_ENCODED_LEN(sizeof hash, sodium_base64_VARIANT_ORIGINAL)];

    crypto_hash_sha256(hash, (const unsigned char *)style, strlen(style));
    sodium_bin2base64(text, sizeof text, hash, sizeof hash, sodium_base64_VARIANT_ORIGINAL);
    snprintf(policy, sizeof policy,
             "default-src 'none'; style-src 'sha256-%s'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
             text);
}

/* The report of the run; NULL when the answer has been given. */
static json_t *read_report(struct request *request, const char *run)
{
    struct service *service = request->service;
    char *text;
    enum database_status status =
        evidence_rows_load(service->database, service->evidence, run, EVIDENCE_OF_RUN, "report", &text);
    json_t *report = text ? json_loads(text, 0, NULL) : NULL;

    free(text);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!report) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_report", "There is no report (yet) of this run.");
    }
    return report;
}

/* For whoever has a link, the page is never kept: the link may end. */
static void reply_page(struct request *request, const json_t *report, enum report_html_place place)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    bool good = out && report_html_write(out, report, place);

    pthread_once(&once, policy_make);
    good = (!out || fclose(out) == 0) && good;
    if (!good) {
        free(text);
        request_reply(request, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL);
        return;
    }
    request_reply_page(request,
                       &(struct request_page){.run = request->parameters[0],
                                              .type = "text/html; charset=utf-8",
                                              .policy = policy,
                                              .for_good = place == REPORT_HTML_SERVICE && request->run_over},
                       text, len);
}

void handle_report_page_get(struct request *request)
{
    json_t *report;

    if (request_reply_kept(request, NULL) || !access_check_run(request, request->parameters[0])) {
        return;
    }
    report = read_report(request, request->parameters[0]);
    if (report) {
        reply_page(request, report, REPORT_HTML_SERVICE);
        json_decref(report);
    }
}

/* The run that a link leads to, by the hash of its secret; false: the answer has been given. */
static bool find_by_secret(struct request *request, const char *sql, const char *why_not, char *run, size_t run_octets)
{
    unsigned char hash[SECRET_HASH_OCTETS];
    struct query query;
    enum database_status status;
    bool found;

    secret_hash(request->parameters[0], hash);
    query_open_read(&query, request->service->database, sql);
    query_octets(&query, ":hash", hash, sizeof hash);
    found = query_next(&query);
    snprintf(run, run_octets, "%s", found ? query_column_text(&query, 0) : "");
    status = query_close(&query);
    if (status != DATABASE_OK) {
        request_reply_database(request, status, "");
    } else if (!found) {
        request_reply_error(request, MHD_HTTP_NOT_FOUND, "no_share", "This link leads nowhere: %s.", why_not);
    }
    return status == DATABASE_OK && found;
}

void handle_shared(struct request *request)
{
    char run[SECRET_ID_SIZE];
    json_t *report;

    if (!find_by_secret(request,
                        "SELECT run FROM shares WHERE hash = :hash AND (expires IS NULL OR "
                        "expires > strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
                        "it was revoked, or its time is over", run, sizeof run)) {
        return;
    }
    report = read_report(request, run);
    if (report) {
        reply_page(request, report, REPORT_HTML_ALONE);
        json_decref(report);
    }
}

/* Copies these members of an object, as far as it has them. */
static void copy(json_t *to, const json_t *from, const char *const *keys)
{
    for (; *keys; keys++) {
        json_object_set(to, *keys, json_object_get(from, *keys));
    }
}

/* What a guest may know of a report: who has met whom, and the verdicts. Reasons, what was observed, build and
 * interpreter tell of the other's machine. */
static json_t *report_of_guest(const json_t *report)
{
    static const char *const of_report[] = {"profile", "verdict", "summary", "started", "tester", "matrix", NULL};
    static const char *const of_outcome[] = {"name", "text", "good", NULL};
    static const char *const of_case[] = {"id", "title", "chapter", "chapter_title", "requirements", "verdict", NULL};
    const json_t *sut = json_object_get(report, "sut"), *cases = json_object_get(report, "cases"), *one;
    json_t *guest = json_object(), *outcome = json_object(), *list = json_array();
    size_t i;

    copy(guest, report, of_report);
    copy(outcome, json_object_get(report, "outcome"), of_outcome);
    json_object_set_new(guest, "outcome", outcome);
    json_object_set_new(guest, "sut",
                        json_pack("{s:o}", "name",
                                  json_sprintf("%s meets %s", json_string_value(json_object_get(sut, "guest")),
                                               json_string_value(json_object_get(sut, "name")))));
    json_array_foreach(cases, i, one)
    {
        json_t *seen = json_object();

        copy(seen, one, of_case);
        json_array_append_new(list, seen);
    }
    json_object_set_new(guest, "cases", list);
    return guest;
}

void handle_met(struct request *request)
{
    char run[SECRET_ID_SIZE];
    json_t *report, *guest;

    if (!find_by_secret(request, "SELECT id FROM runs WHERE guest_hash = :hash", "its run was deleted, or is none", run,
                        sizeof run)) {
        return;
    }
    report = read_report(request, run);
    if (report) {
        guest = report_of_guest(report);
        reply_page(request, guest, REPORT_HTML_ALONE);
        json_decref(guest);
        json_decref(report);
    }
}
