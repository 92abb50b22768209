/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The life of runs: made, started, cancelled, interrupted. What they say is written down in record.c.
 */
#include "web/runs/runs.h"

#include "web/http/kept.h"
#include "web/profiles/catalogue.h"
#include "web/runs/certificate_log.h"
#include "web/runs/housekeeping.h"
#include "web/runs/record.h"
#include "web/runs/record_end.h"
#include "web/runs/run.h"
#include "web/service/service.h"
#include "web/store/evidence_rows.h"
#include "web/store/query.h"
#include "web/store/room.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct runs *runs_new(struct service *service)
{
    struct runs *runs = calloc(1, sizeof *runs);
    char folder[4096];

    if (!runs) {
        return NULL;
    }
    runs->service = service;
    pthread_mutex_init(&runs->lock, NULL);
    pthread_cond_init(&runs->changed, NULL);
    snprintf(folder, sizeof folder, "%s/runs", service->data);
    run_remove_folder(folder); /* only what an earlier process could not finish is in there */
    evidence_rows_sweep(service->database, service->evidence);
    if (record_recover(service->database) != DATABASE_OK || certificate_log_fill(service->database) != DATABASE_OK ||
        (mkdir(folder, 0700) != 0 && errno != EEXIST) ||
        pthread_create(&runs->housekeeping, NULL, housekeeping_main, runs) != 0) {
        pthread_cond_destroy(&runs->changed);
        pthread_mutex_destroy(&runs->lock);
        free(runs);
        return NULL;
    }
    return runs;
}

bool runs_stop(struct runs *runs, unsigned ms)
{
    struct timespec until;
    bool empty;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += ms / 1000;
    pthread_mutex_lock(&runs->lock);
    runs->stopping = true;
    for (struct run *run = runs->list; run; run = run->next) {
        if (!run->over) {
            run->interrupted = true;
            engine_run_cancel(run->engine);
        }
    }
    pthread_cond_broadcast(&runs->changed);
    while (runs->list && pthread_cond_timedwait(&runs->changed, &runs->lock, &until) == 0) {
    }
    empty = !runs->list;
    pthread_mutex_unlock(&runs->lock);
    return empty;
}

void runs_free(struct runs *runs)
{
    pthread_mutex_lock(&runs->lock);
    runs->ending = true;
    pthread_cond_broadcast(&runs->changed);
    pthread_mutex_unlock(&runs->lock);
    pthread_join(runs->housekeeping, NULL);
    pthread_cond_destroy(&runs->changed);
    pthread_mutex_destroy(&runs->lock);
    free(runs);
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static enum database_status insert(struct runs *runs, const struct run_order *order, const char *id)
{
    struct query query;

    query_open(
        &query, runs->service->database,
        "INSERT INTO runs (id, account, implementation, profile, suite, case_id, server, statement, seed, state) "
        "VALUES (:id, :account, :implementation, :profile, :suite, :case_id, COALESCE(:server, ''), :statement, :seed, "
        "'waiting')");
    query_text(&query, ":id", id);
    query_number(&query, ":account", order->account);
    query_text(&query, ":implementation", order->implementation);
    query_text(&query, ":profile", order->profile);
    query_text(&query, ":suite", order->suite);
    query_text(&query, ":case_id", order->case_id);
    query_text(&query, ":server", order->server);
    query_text(&query, ":statement", order->statement);
    query_number(&query, ":seed", order->seed);
    return query_run(&query);
}

static void forget(struct runs *runs, const char *id)
{
    struct query query;

    query_open(&query, runs->service->database, "DELETE FROM runs WHERE id = :id");
    query_text(&query, ":id", id);
    query_run(&query);
}

/* The implementation's name for the report; false when the account has no such implementation. */
static bool find_name(struct runs *runs, const struct run_order *order, char *name, size_t name_octets)
{
    struct query query;
    bool found = false;

    query_open_read(&query, runs->service->database,
                    "SELECT name || ' ' || version FROM implementations WHERE id = :id AND account = :account");
    query_text(&query, ":id", order->implementation);
    query_number(&query, ":account", order->account);
    if (query_next(&query)) {
        found = true;
        snprintf(name, name_octets, "%s", query_column_text(&query, 0));
    }
    query_close(&query);
    return found;
}

static struct run *new_run(struct runs *runs, const struct run_order *order, const char *id)
{
    struct run *run = calloc(1, sizeof *run);

    if (run) {
        run->runs = runs;
        run->account = order->account;
        run->whole = !order->suite && !order->case_id;
        snprintf(run->id, sizeof run->id, "%s", id);
        snprintf(run->directory, sizeof run->directory, "%s/runs/%s", runs->service->data, id);
        run->observer = record_observer(run);
        record_end_observe(&run->observer);
    }
    return run;
}

/* What is under way, of the account and in all. Under the list's lock. */
static enum run_refusal check_under_way(const struct runs *runs, int64_t account)
{
    const struct limits *limits = &runs->service->limits;
    unsigned all = 0, own = 0;

    for (const struct run *run = runs->list; run; run = run->next) {
        all += !run->recorded;
        own += !run->recorded && run->account == account;
    }
    if (runs->stopping || own >= limits->of[LIMIT_ACCOUNT_RUNS]) {
        return RUN_TOO_MANY;
    }
    return all >= limits->of[LIMIT_RUNS] ? RUN_SERVICE_BUSY : RUN_MADE;
}

/* What the account's runs hold already. */
static enum run_refusal check_kept(struct runs *runs, int64_t account)
{
    const struct limits *limits = &runs->service->limits;
    enum run_refusal refusal = RUN_MADE;
    struct query query;

    query_open_read(&query, runs->service->database,
                    "SELECT COUNT(*), COALESCE(SUM(stored), 0) FROM runs WHERE account = :account");
    query_number(&query, ":account", account);
    if (query_next(&query)) {
        if (query_column_number(&query, 0) >= (int64_t)limits->of[LIMIT_ACCOUNT_ITEMS]) {
            refusal = RUN_TOO_MANY_KEPT;
        } else if (query_column_number(&query, 1) >= (int64_t)limits_octets(limits, LIMIT_ACCOUNT_MIB)) {
            refusal = RUN_TOO_MUCH_KEPT;
        }
    }
    query_close(&query); /* a database that fails says so when the run is inserted */
    return refusal;
}

/* Writes the statement where the engine reads it when the run is made; false: it cannot be written. */
static bool write_statement(const struct runs *runs, const struct run_order *order, const char *id, char *path,
                            size_t path_octets)
{
    FILE *file;
    bool good;

    snprintf(path, path_octets, "%s/runs/%s.statement", runs->service->data, id);
    file = fopen(path, "we");
    good = file && fputs(order->statement, file) >= 0;
    return file && fclose(file) == 0 && good;
}

/* The engine's message names the file, which is none of the vendor's: "PATH: .." becomes "statement: ..". */
static void hide_path(char *message, const char *name)
{
    const char *rest = strstr(message, name);

    if (rest) {
        rest += strlen(name) - strlen("statement");
        memmove(message, rest, strlen(rest) + 1);
    }
}

static enum engine_status create(const struct runs *runs, const struct run_order *order, struct engine_config *config,
                                 struct run *run, struct run_made *made)
{
    char path[4096];
    enum engine_status status;

    if (order->statement && !write_statement(runs, order, made->id, path, sizeof path)) {
        snprintf(made->message, sizeof made->message, "the statement");
        unlink(path);
        return ENGINE_UNWRITABLE;
    }
    config->statement = order->statement ? path : NULL;
    status = engine_run_create(config, &run->observer, &run->engine, made->message, sizeof made->message);
    if (order->statement) {
        unlink(path);
        hide_path(made->message, strrchr(path, '/') + 1);
    }
    return status;
}

/* Makes the run and its engine, which makes its folder: without the lock, for nobody may wait for the disk. NULL:
 * refused. */
static struct run *prepare(struct runs *runs, const struct run_order *order, const char *name, struct run_made *made)
{
    struct run *run = new_run(runs, order, made->id);
    struct engine_config config = {
        .suite = order->suite,
        .case_id = order->case_id,
        .own_server = order->server,
        .run_token = made->token,
        .manager_address = runs->service->peer_address,
        .sut_name = name,
        .seed = (uint64_t)order->seed,
        .agent_wait_ms = RUN_AGENT_WAIT_MS,
        .capture_octets_max = limits_octets(&runs->service->limits, LIMIT_CAPTURE_MIB),
        .evidence_octets_max = limits_octets(&runs->service->limits, LIMIT_RUN_MIB),
    };

    made->refusal = RUN_ENGINE;
    if (!run) {
        made->engine = ENGINE_NO_MEMORY;
        return NULL;
    }
    config.report_directory = run->directory;
    made->engine = catalogue_find_cases(runs->service->catalogue, order->profile, &config.cases, made->message,
                                        sizeof made->message);
    if (made->engine == ENGINE_OK) {
        made->engine = create(runs, order, &config, run, made);
    }
    if (made->engine != ENGINE_OK) {
        run_free(run);
        return NULL;
    }
    made->refusal = RUN_MADE;
    return run;
}

/* Under the list's lock: the engine's thread waits there before it can end a run that is not yet in the list. */
static void start(struct runs *runs, const struct run_order *order, struct run *run, struct run_made *made)
{
    made->status = insert(runs, order, made->id);
    kept_change(runs->service->kept, order->account);
    if (made->status != DATABASE_OK) {
        made->refusal = RUN_DATABASE;
        return;
    }
    run->next = runs->list;
    runs->list = run;
    made->engine = engine_run_start(run->engine);
    if (made->engine != ENGINE_OK) {
        runs->list = run->next;
        forget(runs, made->id);
        kept_change(runs->service->kept, order->account);
        made->refusal = RUN_ENGINE;
    }
}

static enum run_refusal check_limits(struct runs *runs, int64_t account)
{
    enum run_refusal refusal = check_under_way(runs, account);

    return refusal == RUN_MADE ? check_kept(runs, account) : refusal;
}

void runs_make(struct runs *runs, const struct run_order *order, struct run_made *made)
{
    struct run *run;
    char name[256];

    *made = (struct run_made){.refusal = RUN_MADE};
    if (!find_name(runs, order, name, sizeof name)) {
        made->refusal = RUN_NO_IMPLEMENTATION;
        return;
    }
    secret_make_id(made->id);
    secret_make_token("run_", made->token);
    if (room_look(runs->service->room).is_short) {
        made->refusal = RUN_NO_ROOM;
        return;
    }
    pthread_mutex_lock(&runs->lock);
    made->refusal = check_limits(runs, order->account);
    pthread_mutex_unlock(&runs->lock);
    run = made->refusal == RUN_MADE ? prepare(runs, order, name, made) : NULL;
    if (!run) {
        return;
    }
    pthread_mutex_lock(&runs->lock);
    made->refusal = check_limits(runs, order->account); /* others may have been faster */
    if (made->refusal == RUN_MADE) {
        start(runs, order, run, made);
    }
    pthread_mutex_unlock(&runs->lock);
    if (made->refusal != RUN_MADE) {
        engine_run_join(run->engine);
        run_remove_folder(run->directory);
        run_free(run);
    }
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

/* The run of that id, or NULL. Under the list's lock. */
static struct run *find(const struct runs *runs, const char *id)
{
    struct run *run = runs->list;

    while (run && strcmp(run->id, id) != 0) {
        run = run->next;
    }
    return run;
}

enum database_status runs_cancel(struct runs *runs, const char *id, int64_t account, bool *found)
{
    enum database_status status = DATABASE_OK;
    struct run *run;

    pthread_mutex_lock(&runs->lock);
    run = find(runs, id);
    *found = run && !run->recorded;
    if (*found) {
        run->cancelled = true;
    }
    if (*found && !run->over) {
        engine_run_cancel(run->engine);
    }
    pthread_cond_broadcast(&runs->changed);
    pthread_mutex_unlock(&runs->lock);
    if (!run) {
        status = record_end_cancelled(runs->service->database, id, found);
        kept_change(runs->service->kept, account);
    }
    return status;
}

static enum database_status delete_row(struct runs *runs, const char *id, int64_t account)
{
    struct query query;

    query_open(&query, runs->service->database, "DELETE FROM runs WHERE id = :id AND account = :account");
    query_text(&query, ":id", id);
    query_number(&query, ":account", account);
    return query_run(&query);
}

enum database_status runs_delete(struct runs *runs, const char *id, int64_t account, bool *under_way)
{
    enum database_status status = DATABASE_OK;
    struct run *run;

    pthread_mutex_lock(&runs->lock);
    run = find(runs, id);
    *under_way = run && !run->recorded && !run->over;
    if (run && !*under_way) {
        run->deleted = true;
    }
    pthread_mutex_unlock(&runs->lock);
    if (!*under_way) {
        status = delete_row(runs, id, account);
    }
    if (status == DATABASE_FULL) {
        room_yield(runs->service->room);
        status = delete_row(runs, id, account);
    }
    kept_forget(runs->service->kept, account, id);
    return status;
}

struct runs_count runs_count(struct runs *runs)
{
    struct runs_count count = {0};

    pthread_mutex_lock(&runs->lock);
    for (const struct run *run = runs->list; run; run = run->next) {
        count.under_way += !run->recorded && !run->over;
        count.unwritten += !run->recorded && run->over;
    }
    pthread_mutex_unlock(&runs->lock);
    return count;
}

void runs_storage_problem(struct runs *runs, const char *id, char *problem, size_t problem_octets)
{
    const struct run *run;

    problem[0] = '\0';
    pthread_mutex_lock(&runs->lock);
    run = find(runs, id);
    if (run && run->lost > 0) {
        snprintf(problem, problem_octets, "%u items of this run could not be stored: the service's disk is full.",
                 run->lost);
    } else if (run && run->over && !run->recorded) {
        snprintf(problem, problem_octets, "The end of this run could not be stored yet; cancel or delete it, or wait.");
    }
    pthread_mutex_unlock(&runs->lock);
}
