/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Finds out what earlier runs came to: from their reports, which the engine reads as it reads its own. A run without a
 * report has its verdict for an outcome.
 */
#include "web/store/outcome_fill.h"

#include "tester/report/outcome.h"
#include "web/store/evidence_files.h"
#include "web/store/query.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* The next run without an outcome; *found false: there is none. */
static enum database_status next_run(struct database *database, char id[static 64], char verdict[static 64],
                                     bool *found)
{
    struct query query;

    query_open(&query, database, "SELECT id, verdict FROM runs WHERE verdict IS NOT NULL AND outcome IS NULL LIMIT 1");
    *found = query_next(&query);
    if (*found) {
        snprintf(id, 64, "%s", query_column_text(&query, 0));
        snprintf(verdict, 64, "%s", query_column_text(&query, 1));
    }
    return query_close(&query);
}

/* The table is that of version 8: it knows of no bundles. */
static json_t *read_report(struct database *database, const struct evidence_files *files, const char *run)
{
    struct evidence_place place = {.octets = 0};
    struct query query;
    char *text = NULL;
    json_t *report;

    query_open_read(&query, database,
                    "SELECT digest, octets FROM evidence WHERE run = :run AND case_id = '' AND kind = 'report'");
    query_text(&query, ":run", run);
    if (query_next(&query)) {
        snprintf(place.sha256, sizeof place.sha256, "%s", query_column_text(&query, 0));
        place.octets = (uint64_t)query_column_number(&query, 1);
    }
    if (query_close(&query) == DATABASE_OK) {
        text = evidence_files_load(files, &place);
    }
    report = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return report;
}

static json_t *outcome_of(const json_t *report, const char *verdict)
{
    struct outcome outcome;

    if (!report) {
        return json_pack("{s:s,s:s,s:[s]}", "name", verdict, "words", outcome_words(verdict), "reasons",
                         "the report of this run was not stored");
    }
    outcome_read(report, &outcome);
    return outcome_json(&outcome);
}

static enum database_status store(struct database *database, const char *run, const json_t *outcome,
                                  const json_t *not_judged)
{
    char *outcome_text = json_dumps(outcome, JSON_COMPACT);
    char *not_judged_text = not_judged ? json_dumps(not_judged, JSON_COMPACT) : NULL;
    struct query query;
    enum database_status status;

    query_open(&query, database,
               "UPDATE runs SET outcome = :outcome, not_judged = COALESCE(:not_judged, '[]') WHERE id = :id");
    query_text(&query, ":outcome", outcome_text ? outcome_text : "{}");
    query_text(&query, ":not_judged", not_judged_text);
    query_text(&query, ":id", run);
    status = query_run(&query);
    free(outcome_text);
    free(not_judged_text);
    return status;
}

enum database_status outcome_fill(struct database *database, const char *folder)
{
    char message[512], id[64], verdict[64];
    struct evidence_files *files = evidence_files_open(folder, message, sizeof message);
    enum database_status status = files ? DATABASE_OK : DATABASE_BROKEN;
    bool found = true;

    while (status == DATABASE_OK && found) {
        status = next_run(database, id, verdict, &found);
        if (status == DATABASE_OK && found) {
            json_t *report = read_report(database, files, id);
            json_t *outcome = outcome_of(report, verdict);

            status = store(database, id, outcome, json_object_get(json_object_get(report, "coverage"), "not_judged"));
            json_decref(outcome);
            json_decref(report);
        }
    }
    evidence_files_close(files);
    return status;
}
