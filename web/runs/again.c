/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Judging a case once more (again.h).
 */
#include "web/runs/again.h"

#include "web/runs/run.h"
#include "web/service/service.h"
#include "web/store/query.h"

#include <jansson.h>
#include <stdio.h>

static enum database_status look(struct runs *runs, const char *run, const char *case_id, enum again_answer *answer)
{
    struct query query;

    query_open_read(&query, runs->service->database,
                    "SELECT r.state IN ('finished', 'interrupted', 'cancelled'), (SELECT COUNT(*) FROM attempts a "
                    "WHERE a.run = s.run AND a.case_id = s.case_id) FROM runs r JOIN results s ON s.run = r.id "
                    "WHERE r.id = :run AND s.case_id = :case_id");
    query_text(&query, ":run", run);
    query_text(&query, ":case_id", case_id);
    *answer = AGAIN_NO_RESULT;
    if (query_next(&query)) {
        *answer = query_column_number(&query, 0) != 0            ? AGAIN_OVER
                  : query_column_number(&query, 1) >= AGAIN_MOST ? AGAIN_ENOUGH
                                                                 : AGAIN_ASKED;
    }
    return query_close(&query);
}

static enum database_status change(struct runs *runs, const char *sql, const char *run, const char *case_id)
{
    struct query query;

    query_open(&query, runs->service->database, sql);
    query_text(&query, ":run", run);
    query_text(&query, ":case_id", case_id);
    return query_run(&query);
}

static enum database_status insert(struct runs *runs, const char *run, const char *case_id)
{
    return change(runs,
                  "INSERT INTO again (run, case_id) SELECT id, :case_id FROM runs WHERE id = :run "
                  "ON CONFLICT (run, case_id) DO NOTHING",
                  run, case_id);
}

enum database_status again_finish(struct runs *runs, const char *run, bool *found)
{
    struct query query;
    enum database_status status;

    query_open_read(&query, runs->service->database,
                    "SELECT 1 FROM runs WHERE id = :run AND state IN ('created', 'waiting', 'running')");
    query_text(&query, ":run", run);
    *found = query_next(&query);
    status = query_close(&query);
    status = status || !*found ? status : insert(runs, run, "");
    if (status == DATABASE_OK && *found) {
        again_pass(runs, run);
    }
    return status;
}

enum database_status again_request(struct runs *runs, const char *run, const char *case_id, enum again_answer *answer)
{
    enum database_status status = look(runs, run, case_id, answer);

    if (status != DATABASE_OK || *answer != AGAIN_ASKED) {
        return status;
    }
    status = insert(runs, run, case_id);
    if (status == DATABASE_OK && !again_pass(runs, run)) {
        *answer = AGAIN_OVER;
        status = change(runs, "DELETE FROM again WHERE run = :run AND case_id = :case_id", run, case_id);
    }
    return status;
}

static bool ask(struct runs *runs, const char *id, const char *case_id)
{
    const struct run *run;
    bool good;

    pthread_mutex_lock(&runs->lock);
    run = run_find(runs, id);
    good = !run || run->suspended || !run->over;
    if (run && !run->over && *case_id) {
        good = engine_run_again(run->engine, case_id) || run->suspended;
    } else if (run && !run->over) {
        engine_run_release(run->engine);
    }
    pthread_mutex_unlock(&runs->lock);
    return good;
}

void again_obey(struct runs *runs)
{
    struct query query;
    json_t *list, *one;
    size_t i;

    query_open_read(&query, runs->service->database,
                    "SELECT DISTINCT a.run AS run FROM again a JOIN runs r ON r.id = a.run WHERE r.service = :me");
    query_text(&query, ":me", runs->service->name);
    list = query_list(&query);
    query_close(&query);
    json_array_foreach(list, i, one)
    {
        again_pass(runs, json_string_value(json_object_get(one, "run")));
    }
    json_decref(list);
}

bool again_pass(struct runs *runs, const char *run)
{
    struct query query;
    json_t *list, *one;
    bool good = true;
    size_t i;

    query_open_read(&query, runs->service->database, "SELECT case_id FROM again WHERE run = :run ORDER BY case_id");
    query_text(&query, ":run", run);
    list = query_list(&query);
    query_close(&query);
    json_array_foreach(list, i, one)
    {
        good = ask(runs, run, json_string_value(json_object_get(one, "case_id"))) && good;
    }
    json_decref(list);
    return good;
}

/* ---- what came of it --------------------------------------------------------------------------------------------- */

void again_evidence_id(const struct engine_result *result, char id[static AGAIN_ID_SIZE])
{
    if (result->attempt > 0 && !result->counts) {
        snprintf(id, AGAIN_ID_SIZE, AGAIN_ID, result->about->id, result->attempt);
    } else {
        snprintf(id, AGAIN_ID_SIZE, "%s", result->about->id);
    }
}

/* Executes a statement about the case of a run. */
static enum database_status about_case(struct database *database, const char *sql, const char *run, const char *id)
{
    struct query query;

    query_open(&query, database, sql);
    query_text(&query, ":run", run);
    query_text(&query, ":id", id);
    return query_run(&query);
}

static const char *text_of(const char *text)
{
    return text ? text : "";
}

/* Executes a statement that has all of what came out. */
static enum database_status about_outcome(struct database *database, const char *sql, const char *run,
                                          const struct engine_result *result)
{
    struct query query;

    query_open(&query, database, sql);
    query_text(&query, ":run", run);
    query_text(&query, ":id", result->about->id);
    query_number(&query, ":attempt", result->attempt);
    query_text(&query, ":verdict", verdict_name(result->verdict));
    query_text(&query, ":axis", text_of(result->axis));
    query_text(&query, ":requirement", text_of(result->requirement));
    query_text(&query, ":reason", text_of(result->reason));
    query_text(&query, ":expected", text_of(result->expected));
    query_text(&query, ":observed", text_of(result->observed));
    query_number(&query, ":duration_ms", result->duration_ms);
    return query_run(&query);
}

/* What the case had come to gives way. */
static enum database_status replace(struct database *database, const char *run, const struct engine_result *result)
{
    enum database_status status =
        about_case(database,
                   "UPDATE evidence SET case_id = :id || '~' || (SELECT attempt FROM results WHERE run = :run AND "
                   "case_id = :id) WHERE run = :run AND case_id = :id",
                   run, result->about->id);

    return status ? status
                  : about_outcome(database,
                                  "UPDATE results SET attempt = :attempt, verdict = :verdict, axis = :axis, "
                                  "requirement = :requirement, reason = :reason, expected = :expected, "
                                  "observed = :observed, duration_ms = :duration_ms WHERE run = :run AND case_id = :id",
                                  run, result);
}

enum database_status again_record(struct database *database, const char *run, const struct engine_result *result)
{
    enum database_status status = about_case(
        database,
        "INSERT INTO attempts (run, case_id, attempt, verdict, axis, requirement, reason, expected, observed, "
        "duration_ms) SELECT run, case_id, attempt, verdict, axis, requirement, reason, expected, observed, "
        "duration_ms FROM results WHERE run = :run AND case_id = :id AND NOT EXISTS (SELECT 1 FROM attempts WHERE "
        "run = :run AND case_id = :id)",
        run, result->about->id);

    status = status ? status
                    : about_outcome(database,
                                    "INSERT INTO attempts (run, case_id, attempt, verdict, axis, requirement, reason, "
                                    "expected, observed, duration_ms) VALUES (:run, :id, :attempt, :verdict, :axis, "
                                    ":requirement, :reason, :expected, :observed, :duration_ms)",
                                    run, result);
    status = status || !result->counts ? status : replace(database, run, result);
    return status
               ? status
               : about_case(database, "DELETE FROM again WHERE run = :run AND case_id = :id", run, result->about->id);
}
