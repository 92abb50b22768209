/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The end of a run: it finished, was cancelled, or was interrupted because the service ended.
 */
#include "web/runs/record_end.h"

#include "tester/report/outcome.h"
#include "web/http/kept.h"
#include "web/live/hub.h"
#include "web/runs/certify.h"
#include "web/runs/record.h"
#include "web/runs/record_left.h"
#include "web/runs/suspend.h"
#include "web/runs/waived.h"
#include "web/service/service.h"
#include "web/store/evidence_rows.h"
#include "web/store/query.h"
#include "web/store/room.h"
#include "web/store/run_row.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *end_state(const struct run *run)
{
    return run->cancelled ? "cancelled" : run->interrupted ? "interrupted" : "finished";
}

/* Adds to the problem what was lost on the way. */
static void add_lost(struct run *run, unsigned lost, const char *why)
{
    size_t len = strlen(run->problem);

    if (lost > 0 && !strstr(run->problem, "could not be stored")) {
        snprintf(run->problem + len, sizeof run->problem - len, "%s%u items of this run could not be stored: %s.",
                 len ? " " : "", lost, why);
    }
}

/* The files of a run as a whole; a run that was cancelled early has none. */
struct reports {
    struct evidence_file report, junit, preflight;
    bool has_report, has_junit, has_preflight;
    json_t *read; /* the report; NULL: none */
};

static enum database_status add_report(const struct run *run, struct evidence_file *file, bool *found)
{
    *found = evidence_file_measure(run->directory, file);
    if (!*found) {
        return errno == ENOENT ? DATABASE_OK : DATABASE_BROKEN;
    }
    return record_add_file(run, file);
}

static json_t *read_report(const struct run *run)
{
    char path[sizeof run->directory + sizeof "/report.json"];

    snprintf(path, sizeof path, "%s/report.json", run->directory);
    return json_load_file(path, 0, NULL);
}

static enum database_status add_reports(const struct run *run, struct reports *reports)
{
    enum database_status status;

    *reports = (struct reports){.report = {.kind = "report", .path = "report.json"},
                                .junit = {.kind = "junit", .path = "junit.xml"},
                                .preflight = {.kind = "preflight", .path = "cases/preflight.txt"}};
    status = add_report(run, &reports->report, &reports->has_report);
    status = status ? status : add_report(run, &reports->junit, &reports->has_junit);
    status = status ? status : add_report(run, &reports->preflight, &reports->has_preflight);
    if (status == DATABASE_OK && reports->has_report) {
        reports->read = read_report(run);
    }
    return status;
}

static enum database_status insert_reports(struct run *run, const struct reports *reports)
{
    enum database_status status = DATABASE_OK;

    if (reports->has_report) {
        status = record_insert_file(run, EVIDENCE_OF_RUN, &reports->report);
    }
    if (status == DATABASE_OK && reports->has_junit) {
        status = record_insert_file(run, EVIDENCE_OF_RUN, &reports->junit);
    }
    if (status == DATABASE_OK && reports->has_preflight) {
        status = record_insert_file(run, EVIDENCE_OF_RUN, &reports->preflight);
    }
    return status;
}

/* Only a run that finished by itself has a verdict and an outcome. */
static enum database_status update_run(const struct run *run, const char *state, const json_t *report)
{
    const json_t *not_judged = json_object_get(json_object_get(report, "coverage"), "not_judged");
    bool finished = strcmp(state, "finished") == 0;
    char *outcome = finished && run->outcome ? json_dumps(run->outcome, JSON_COMPACT) : NULL;
    char *missing = not_judged ? json_dumps(not_judged, JSON_COMPACT) : NULL;
    struct query query;
    enum database_status status;

    query_open(
        &query, run->runs->service->database,
        "UPDATE runs SET state = :state, verdict = :verdict, outcome = :outcome, "
        "not_judged = COALESCE(:not_judged, '[]'), role = :role, "
        "server = CASE WHEN :role = '' THEN server ELSE :server END, problem = :problem, "
        "stored = :stored, requirements = :requirements, judged = :judged, paused = 0, resume_until = NULL, "
        "ended = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), summary = " RUN_ROW_SUMMARY("runs.id") " WHERE id = :id");
    query_text(&query, ":state", state);
    query_text(&query, ":verdict", finished ? run->verdict : NULL);
    query_text(&query, ":outcome", outcome);
    query_text(&query, ":not_judged", missing);
    query_text(&query, ":role", run->role);
    query_text(&query, ":server", run->server);
    query_text(&query, ":problem", run->problem);
    query_number(&query, ":requirements", run->requirements);
    query_number(&query, ":judged", run->judged);
    query_number(&query, ":stored", run->stored);
    query_text(&query, ":id", run->id);
    status = query_run(&query);
    free(outcome);
    free(missing);
    return status;
}

/* The report has them now; and nothing is judged any more. */
static enum database_status forget_records(const struct run *run)
{
    static const char *const statements[] = {"DELETE FROM records WHERE run = :id",
                                             "DELETE FROM again WHERE run = :id"};
    enum database_status status = DATABASE_OK;

    for (size_t i = 0; status == DATABASE_OK && i < sizeof statements / sizeof statements[0]; i++) {
        struct query query;

        query_open(&query, run->runs->service->database, statements[i]);
        query_text(&query, ":id", run->id);
        status = query_run(&query);
    }
    return status;
}

/* Whether a certificate is due: the whole profile was judged to its end, the outcome is one that certificates are for,
 * and nothing of the run was lost. */
static bool is_certified(const struct run *run, const char *state, const json_t *report)
{
    struct outcome outcome;

    if (!report || !run->whole || strcmp(state, "finished") != 0 || run->lost > 0) {
        return false;
    }
    outcome_read(report, &outcome);
    return outcome_is_good(&outcome);
}

/* A run that was deleted, or that another service has taken, is a conflict. */
static enum database_status check_ours(const struct run *run)
{
    struct service *service = run->runs->service;
    struct query query;
    enum database_status status;
    bool ours;

    query_open(&query, service->database, "SELECT 1 FROM runs WHERE id = :id AND service = :me");
    query_text(&query, ":id", run->id);
    query_text(&query, ":me", service->name);
    ours = query_next(&query);
    status = query_close(&query);
    return status == DATABASE_OK && !ours ? DATABASE_CONFLICT : status;
}

/* Everything that the end of a run changes, in one transaction. */
static enum database_status update_all(struct run *run, const char *state, const struct reports *reports)
{
    struct service *service = run->runs->service;
    enum database_status status = database_begin(service->database);

    if (status != DATABASE_OK) {
        return status;
    }
    status = check_ours(run);
    status = status ? status : insert_reports(run, reports);
    status = status ? status : update_run(run, state, reports->read);
    status = status ? status : waived_write(service->database, run->id, reports->read);
    status = status ? status : forget_records(run);
    if (status == DATABASE_OK && is_certified(run, state, reports->read)) {
        status = certify_issue(service, run->id, reports->read, reports->report.sha256);
    }
    status = status ? status
                    : record_insert_event(
                          run, "finished",
                          json_pack("{s:s,s:s,s:s}", "state", state, "verdict", run->verdict, "problem", run->problem));
    return database_end(service->database, status);
}

static enum database_status try_end(struct run *run)
{
    struct evidence_files *evidence = run->runs->service->evidence;
    int64_t seq = run->seq, stored = run->stored;
    struct reports reports;
    enum database_status status;
    const char *state, *why;
    unsigned lost;

    pthread_mutex_lock(&run->runs->lock);
    state = end_state(run);
    lost = run->lost;
    why = run_lost(run);
    pthread_mutex_unlock(&run->runs->lock);
    add_lost(run, lost, why);
    evidence_files_hold(evidence);
    status = add_reports(run, &reports);
    status = status ? status : update_all(run, state, &reports);
    evidence_files_release(evidence);
    json_decref(reports.read);
    if (status != DATABASE_OK) {
        run->seq = seq;
        run->stored = stored;
    }
    return status;
}

enum database_status record_end(struct run *run)
{
    enum database_status status = try_end(run);

    if (status == DATABASE_FULL) {
        room_yield(run->runs->service->room);
        status = try_end(run);
    }
    pthread_mutex_lock(&run->runs->lock);
    run->recorded = status == DATABASE_OK;
    pthread_mutex_unlock(&run->runs->lock);
    kept_change(run->runs->service->kept, run->account);
    return status;
}

enum database_status record_suspended(struct run *run)
{
    enum database_status status = DATABASE_OK;
    bool wanted, found, cancelled;

    pthread_mutex_lock(&run->runs->lock);
    wanted = run->suspending && !run->cancelled;
    pthread_mutex_unlock(&run->runs->lock);
    if (wanted) {
        status = suspend_record(run);
    }
    pthread_mutex_lock(&run->runs->deciding);
    pthread_mutex_lock(&run->runs->lock);
    run->suspended = wanted && status == DATABASE_OK;
    run->recorded = run->recorded || run->suspended;
    cancelled = run->suspended && run->cancelled;
    run->suspending = run->suspending && (run->suspended || !run->cancelled);
    pthread_mutex_unlock(&run->runs->lock);
    if (cancelled) {
        /* Who has cancelled it meanwhile was told that it ends: as one that nobody executes. */
        status = record_left_cancelled(run->runs->service->database, run->runs->service->name, run->id, &found);
        kept_change(run->runs->service->kept, run->account);
    }
    pthread_mutex_unlock(&run->runs->deciding);
    return status;
}

/* The launch agent waits meanwhile: it leaves with 0 only when all of the run is on the disk. */
static bool on_stored(void *context, const struct engine_summary *summary, const char *problem)
{
    struct run *run = context;
    bool whole;

    snprintf(run->verdict, sizeof run->verdict, "%s", summary->verdict);
    run->outcome = outcome_json(summary->outcome);
    run->requirements = summary->requirements;
    run->judged = summary->judged;
    snprintf(run->role, sizeof run->role, "%s", summary->role);
    snprintf(run->server, sizeof run->server, "%s", summary->own_server);
    snprintf(run->problem, sizeof run->problem, "%s", problem);
    if (record_end(run) == DATABASE_OK) {
        hub_wake(run->runs->service->hub, run->id);
    }
    pthread_mutex_lock(&run->runs->lock);
    whole = run->recorded && run->lost == 0;
    pthread_mutex_unlock(&run->runs->lock);
    return whole;
}

/* Housekeeping frees the run as soon as it sees `over`, and writes its end down where that has not been possible:
 * nothing of the run is touched after. */
static void on_finished(void *context, const struct engine_summary *summary, const char *problem)
{
    struct run *run = context;

    (void)problem;
    pthread_mutex_lock(&run->runs->lock);
    run->suspending = summary->suspended && run->lost == 0;
    run->interrupted = run->interrupted || summary->suspended;
    pthread_mutex_unlock(&run->runs->lock);
    record_suspended(run);
    pthread_mutex_lock(&run->runs->lock);
    run->over = true;
    pthread_cond_broadcast(&run->runs->changed);
    pthread_mutex_unlock(&run->runs->lock);
}

void record_end_observe(struct engine_observer *observer)
{
    observer->stored = on_stored;
    observer->finished = on_finished;
}
