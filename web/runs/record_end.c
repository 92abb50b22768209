/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The end of a run: it finished, was cancelled, or was interrupted because the service ended.
 */
#include "web/runs/record_end.h"

#include "web/runs/certify.h"
#include "web/runs/record.h"
#include "web/service/service.h"
#include "web/store/query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *end_state(const struct run *run)
{
    return run->cancelled ? "cancelled" : run->interrupted ? "interrupted" : "finished";
}

/* Adds to the problem what was lost on the way. */
static void add_lost(struct run *run, unsigned lost)
{
    size_t len = strlen(run->problem);

    if (lost > 0 && !strstr(run->problem, "could not be stored")) {
        snprintf(run->problem + len, sizeof run->problem - len,
                 "%s%u items of this run could not be stored: the service's disk was full.", len ? " " : "", lost);
    }
}

static enum database_status update_end(struct run *run, const char *state)
{
    size_t report_len = 0, junit_len = 0;
    char *report = record_read_file(run, "report.json", &report_len);
    char *junit = record_read_file(run, "junit.xml", &junit_len);
    struct query query;
    enum database_status status;

    query_open(&query, run->runs->service->database,
               "UPDATE runs SET state = :state, verdict = :verdict, role = :role, "
               "server = CASE WHEN :role = '' THEN server ELSE :server END, problem = :problem, "
               "report = :report, junit = :junit, stored = :stored, requirements = :requirements, judged = :judged, "
               "ended = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') "
               "WHERE id = :id");
    query_text(&query, ":state", state);
    query_text(&query, ":verdict", strcmp(state, "finished") == 0 ? run->verdict : NULL);
    query_text(&query, ":role", run->role);
    query_text(&query, ":server", run->server);
    query_text(&query, ":problem", run->problem);
    query_number(&query, ":requirements", run->requirements);
    query_number(&query, ":judged", run->judged);
    query_number(&query, ":stored", run->stored + (int64_t)(report_len + junit_len));
    if (report) {
        query_octets(&query, ":report", report, report_len);
    }
    if (junit) {
        query_octets(&query, ":junit", junit, junit_len);
    }
    query_text(&query, ":id", run->id);
    status = query_run(&query);
    if (status == DATABASE_OK && report && run->whole && strcmp(state, "finished") == 0 &&
        strcmp(run->verdict, "conforms") == 0 && run->lost == 0) {
        status = certify_issue(run->runs->service, run->id, report, report_len);
    }
    free(report);
    free(junit);
    return status;
}

enum database_status record_end(struct run *run)
{
    const char *state;
    enum database_status status;
    unsigned lost;

    pthread_mutex_lock(&run->runs->lock);
    state = end_state(run);
    lost = run->lost;
    pthread_mutex_unlock(&run->runs->lock);
    add_lost(run, lost);
    status = database_begin(run->runs->service->database);
    if (status == DATABASE_OK) {
        int64_t seq = run->seq;

        status = update_end(run, state);
        status = status ? status
                        : record_insert_event(run, "finished",
                                              json_pack("{s:s,s:s,s:s}", "state", state, "verdict", run->verdict,
                                                        "problem", run->problem));
        status = database_end(run->runs->service->database, status);
        if (status != DATABASE_OK) {
            run->seq = seq;
        }
    }
    return status;
}

enum database_status record_recover(struct database *database)
{
    static const char *const statements[] = {
        "INSERT INTO events (run, seq, kind, data) SELECT r.id, COALESCE(MAX(e.seq), 0) + 1, 'finished', "
        "json_object('state', 'interrupted', 'verdict', '', 'problem', 'The service ended while the run was under "
        "way.') "
        "FROM runs r LEFT JOIN events e ON e.run = r.id WHERE r.state IN ('created', 'waiting', 'running') GROUP BY "
        "r.id",
        "UPDATE runs SET state = 'interrupted', problem = 'The service ended while the run was under way.', "
        "ended = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE state IN ('created', 'waiting', 'running')",
    };
    enum database_status status = database_begin(database);

    if (status != DATABASE_OK) {
        return status;
    }
    for (size_t i = 0; status == DATABASE_OK && i < sizeof statements / sizeof statements[0]; i++) {
        struct query query;

        query_open(&query, database, statements[i]);
        status = query_run(&query);
    }
    return database_end(database, status);
}
