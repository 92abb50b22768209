/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Beginning runs (start.h). What they say is written down in record.c.
 */
#include "web/runs/start.h"

#include "web/http/kept.h"
#include "web/http/rate.h"
#include "web/profiles/catalogue.h"
#include "web/runs/again.h"
#include "web/runs/guest.h"
#include "web/runs/lease.h"
#include "web/runs/queue.h"
#include "web/runs/record.h"
#include "web/runs/record_end.h"
#include "web/runs/run.h"
#include "web/runs/suspend.h"
#include "web/runs/waived.h"
#include "web/service/service.h"
#include "web/store/query.h"
#include "web/store/room.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum database_status insert(struct runs *runs, const struct run_order *order, const struct run_made *made)
{
    unsigned char hash[SECRET_HASH_OCTETS];
    struct query query;

    secret_hash(made->token, hash);
    query_open(&query, runs->service->database,
               "INSERT INTO runs (id, account, implementation, profile, suite, case_id, server, statement, waivers, "
               "seed, linger, "
               "state, token_hash, guest, resume_until) VALUES (:id, :account, :implementation, :profile, :suite, "
               ":case_id, COALESCE(:server, ''), :statement, :waivers, :seed, :linger, 'waiting', :hash, "
               "COALESCE(:guest, ''), "
               "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '" SUSPEND_FIRST "'))");
    query_text(&query, ":id", made->id);
    query_octets(&query, ":hash", hash, sizeof hash);
    query_text(&query, ":guest", order->guest);
    query_number(&query, ":account", order->account);
    query_text(&query, ":implementation", order->implementation);
    query_text(&query, ":profile", order->profile);
    query_text(&query, ":suite", order->suite);
    query_text(&query, ":case_id", order->case_id);
    query_text(&query, ":server", order->server);
    query_text(&query, ":statement", order->statement);
    query_text(&query, ":waivers", order->waivers);
    query_number(&query, ":seed", order->seed);
    query_number(&query, ":linger", order->linger);
    return query_run(&query);
}

static enum database_status register_run(struct runs *runs, const struct run_order *order, const struct run_made *made)
{
    struct database *database = runs->service->database;
    enum database_status status = database_begin(database);

    if (status != DATABASE_OK) {
        return status;
    }
    status = insert(runs, order, made);
    status = status || !order->guest ? status : guest_note(database, made->id, made->guest_token);
    status = status ? status : suspend_new(runs, made->id);
    return database_end(database, status);
}

/* The implementation's name for the report, "" when the account has no such implementation. */
static enum database_status find_name(struct runs *runs, const struct run_order *order, char *name, size_t name_octets)
{
    struct query query;

    name[0] = '\0';

    query_open_read(&query, runs->service->database,
                    "SELECT name || ' ' || version FROM implementations WHERE id = :id AND account = :account");
    query_text(&query, ":id", order->implementation);
    query_number(&query, ":account", order->account);
    if (query_next(&query)) {
        snprintf(name, name_octets, "%s", query_column_text(&query, 0));
    }
    return query_close(&query);
}

static struct run *new_run(struct runs *runs, const struct run_order *order, const char *id, int64_t seq)
{
    struct run *run = calloc(1, sizeof *run);

    if (run) {
        run->runs = runs;
        run->account = order->account;
        run->whole = !order->suite && !order->case_id && !order->guest;
        snprintf(run->id, sizeof run->id, "%s", id);
        run->seq = seq;
        /* its own: what has been suspended may not be cleared away yet */
        snprintf(run->directory, sizeof run->directory, "%s/%s.%" PRId64, runs->folder, id, seq);
        run->observer = record_observer(run);
        suspend_observe(&run->observer);
        record_end_observe(&run->observer);
    }
    return run;
}

/* Of each run that is executed now, the account. */
struct executed {
    int64_t accounts[LIMIT_RUNS_MOST];
    size_t count;
};

/* What services that share the database execute. Without the list's lock: the database may be slow. */
static void count_others(const struct runs *runs, struct executed *executed)
{
    executed->count = lease_count_others(runs->service, executed->accounts, LIMIT_RUNS_MOST);
}

/* Adds what is executed here. Under the list's lock. */
static void count_load(const struct runs *runs, struct queue_load *load, const struct executed *others,
                       int64_t accounts[static LIMIT_RUNS_MOST])
{
    const struct limits *limits = &runs->service->limits;

    *load = (struct queue_load){.accounts = accounts,
                                .count = others->count,
                                .most = limits->of[LIMIT_RUNS],
                                .account_most = limits->of[LIMIT_ACCOUNT_RUNS]};
    memcpy(accounts, others->accounts, others->count * sizeof accounts[0]);
    for (const struct run *run = runs->list; run && load->count < LIMIT_RUNS_MOST; run = run->next) {
        if (!run->recorded) {
            accounts[load->count++] = run->account;
        }
    }
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

    snprintf(path, path_octets, "%s/%s.statement", runs->folder, id);
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
    json_t *waivers;

    if (order->statement && !write_statement(runs, order, made->id, path, sizeof path)) {
        snprintf(made->message, sizeof made->message, "the statement");
        unlink(path);
        return ENGINE_UNWRITABLE;
    }
    config->statement = order->statement ? path : NULL;
    waivers = order->waivers ? json_loads(order->waivers, 0, NULL) : NULL;
    config->waivers = waivers;
    status = engine_run_create(config, &run->observer, &run->engine, made->message, sizeof made->message);
    json_decref(waivers);
    if (order->statement) {
        unlink(path);
        hide_path(made->message, strrchr(path, '/') + 1);
    }
    return status;
}

/* Makes the run and its engine, which makes its folder: without the lock, for nobody may wait for the disk. NULL:
 * refused. */
static struct run *prepare(struct runs *runs, const struct run_order *order, const char *name,
                           const struct suspended *suspended, struct run_made *made)
{
    struct run *run = new_run(runs, order, made->id, suspended ? suspended->seq : 0);
    struct engine_config config = {
        .suite = order->suite,
        .case_id = order->case_id,
        .own_server = order->server,
        .guest = order->guest,
        .guest_token = order->guest ? made->guest_token : NULL,
        .run_token = made->token,
        .manager_address = runs->service->peer_address,
        .sut_name = name,
        .earlier = suspended ? suspended->earlier : NULL,
        .resumable = runs->service->limits.of[LIMIT_AGENT_SECONDS] > 0,
        .seed = (uint64_t)order->seed,
        .linger_ms = (unsigned)order->linger * 60000,
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

/* A run is executed from when its launch agent comes: until then it is suspended, and takes nobody's place. That it can
 * be executed is found out now, when there is somebody to tell. */
static void make_run(struct runs *runs, const struct run_order *order, struct run_made *made)
{
    struct run *run;
    char name[256];

    made->status = find_name(runs, order, name, sizeof name);
    if (made->status != DATABASE_OK || !*name) {
        made->refusal = *name || made->status == DATABASE_OK ? RUN_NO_IMPLEMENTATION : RUN_DATABASE;
        return;
    }
    secret_make_id(made->id);
    secret_make_token("run_", made->token);
    guest_make_token(made->token, made->guest_token);
    if (room_look(runs->service->room).is_short) {
        made->refusal = RUN_NO_ROOM;
        return;
    }
    run = prepare(runs, order, name, NULL, made);
    if (!run) {
        return;
    }
    engine_run_join(run->engine);
    run_remove_folder(run->directory);
    run_free(run);
    pthread_mutex_lock(&runs->deciding); /* of orders at once none gets past the limits */
    made->refusal = check_kept(runs, order->account);
    made->status = made->refusal == RUN_MADE ? register_run(runs, order, made) : DATABASE_OK;
    pthread_mutex_unlock(&runs->deciding);
    if (made->status != DATABASE_OK) {
        made->refusal = RUN_DATABASE;
    }
    kept_change(runs->service->kept, order->account);
}

void runs_make(struct runs *runs, const struct run_order *order, struct run_made *made)
{
    struct run_order whole = *order;
    json_t *waivers;
    char *text;

    *made = (struct run_made){.refusal = RUN_DATABASE};
    made->status =
        waived_find(runs->service->database, order->account, order->implementation, order->profile, &waivers);
    text = waivers ? json_dumps(waivers, JSON_COMPACT) : NULL;
    if (made->status == DATABASE_OK && (!waivers || text)) {
        made->refusal = RUN_MADE;
        whole.waivers = text;
        make_run(runs, &whole, made);
    }
    free(text);
    json_decref(waivers);
}

/* ---- turns ------------------------------------------------------------------------------------------------------- */

/* Whether it is the run's turn; else the message says what it waits for. Under the list's lock. */
static struct queue_answer ask_turn(struct runs *runs, const struct executed *others, const char *id, int64_t account,
                                    char *message, size_t message_octets)
{
    int64_t accounts[LIMIT_RUNS_MOST];
    struct queue_load load;
    struct queue_answer answer;

    count_load(runs, &load, others, accounts);
    answer = queue_ask(&runs->queue, &load, id, account, rate_now_us());
    if (answer.full) {
        snprintf(message, message_octets, "%u other runs wait already", QUEUE_MOST);
    } else if (answer.at_limit) {
        snprintf(message, message_octets, "%zu runs of its account are executed, as many as may be (limit %s)",
                 load.account_most, limits_name(LIMIT_ACCOUNT_RUNS));
    } else if (!answer.turn) {
        snprintf(message, message_octets, "%zu runs are executed, as many as may be (limit %s), and %zu come before it",
                 load.count, limits_name(LIMIT_RUNS), answer.before);
    }
    return answer;
}

/* Asks for the turn of the run of this token, if it is one that only waits for its agent. */
static bool is_turn(struct runs *runs, const char *token, char *message, size_t message_octets)
{
    struct queue_answer answer = {.turn = true};
    struct suspended_place place;
    struct executed others;

    if (suspend_find(runs, token, &place) != DATABASE_OK || !*place.id) {
        return true; /* what else it is, its claim says */
    }
    count_others(runs, &others);
    pthread_mutex_lock(&runs->lock);
    if (!runs->stopping) {
        answer = ask_turn(runs, &others, place.id, place.account, message, message_octets);
    }
    pthread_mutex_unlock(&runs->lock);
    if (!answer.turn) {
        suspend_queued(runs, &place, answer.is_new, message);
    }
    return answer.turn;
}

/* ---- going on ---------------------------------------------------------------------------------------------------- */

/* What the database has of the claimed run: it may have been cancelled, deleted or paused since it was claimed. While
 * deciding, under which these are done. */
static enum run_return look_again(const struct runs *runs, const struct run *run)
{
    enum run_return result = RETURN_OVER;
    struct query query;

    query_open(&query, runs->service->database,
               "SELECT paused FROM runs WHERE id = :id AND state IN ('created', 'waiting', 'running')");
    query_text(&query, ":id", run->id);
    if (query_next(&query)) {
        result = query_column_number(&query, 0) != 0 ? RETURN_PAUSED : RETURN_GOES_ON;
    }
    return query_close(&query) == DATABASE_OK ? result : RETURN_UNDER_WAY;
}

/* Puts the run among those under way and starts its engine, if it is its turn. Under the list's lock. */
static enum run_return enter(struct runs *runs, const struct executed *others, struct run *run, char *message,
                             size_t message_octets)
{
    if (runs->stopping || run_find(runs, run->id)) {
        return RETURN_UNDER_WAY;
    }
    if (!ask_turn(runs, others, run->id, run->account, message, message_octets).turn) {
        return RETURN_QUEUED;
    }
    queue_serve(&runs->queue, run->id, run->account);
    run->next = runs->list;
    runs->list = run;
    if (engine_run_start(run->engine) != ENGINE_OK) {
        runs->list = run->next;
        snprintf(message, message_octets, "the service can start no thread");
        return RETURN_LATER;
    }
    return RETURN_GOES_ON;
}

/* Lets the run go on, unless it cannot now. */
static enum run_return go_on(struct runs *runs, struct run *run, char *message, size_t message_octets)
{
    enum run_return result;
    struct executed others;
    char id[SECRET_ID_SIZE];

    snprintf(id, sizeof id, "%s", run->id);
    count_others(runs, &others);
    pthread_mutex_lock(&runs->deciding);
    result = look_again(runs, run);
    if (result == RETURN_GOES_ON) {
        pthread_mutex_lock(&runs->lock);
        result = enter(runs, &others, run, message, message_octets);
        pthread_mutex_unlock(&runs->lock);
    }
    pthread_mutex_unlock(&runs->deciding);
    if (result == RETURN_GOES_ON) {
        again_pass(runs, id);
    } else {
        engine_run_join(run->engine);
        run_remove_folder(run->directory);
        run_free(run);
    }
    return result;
}

/* The run was claimed, but cannot be made. What may pass, such as a full disk, is waited for. */
static enum run_return not_made(struct runs *runs, const struct suspended *suspended, const struct run_made *made,
                                char *message, size_t message_octets)
{
    snprintf(message, message_octets, "%s", made->message);
    if (made->engine == ENGINE_NO_MEMORY || made->engine == ENGINE_UNWRITABLE) {
        return RETURN_LATER;
    }
    suspend_give_up(runs, suspended->id, suspended->account, message);
    return RETURN_OVER;
}

/* The run is claimed: nobody else lets it go on. */
static enum run_return return_claimed(struct runs *runs, struct suspended *suspended, const char *token, char *message,
                                      size_t message_octets)
{
    const struct run_order order = {.account = suspended->account,
                                    .implementation = suspended_text(suspended, "implementation"),
                                    .profile = suspended_text(suspended, "profile"),
                                    .suite = suspended_text(suspended, "suite"),
                                    .case_id = suspended_text(suspended, "case_id"),
                                    .server = suspended_text(suspended, "server"),
                                    .guest = suspended_text(suspended, "guest"),
                                    .statement = suspended_text(suspended, "statement"),
                                    .waivers = suspended_text(suspended, "waivers"),
                                    .seed = suspended->seed,
                                    .linger = suspended->linger};
    struct run_made made = {.refusal = RUN_MADE};
    struct run *run;
    char name[256];

    snprintf(made.id, sizeof made.id, "%s", suspended->id);
    snprintf(made.token, sizeof made.token, "%s", token);
    guest_make_token(token, made.guest_token);
    if (find_name(runs, &order, name, sizeof name) != DATABASE_OK) {
        snprintf(message, message_octets, "the service cannot reach its database");
        return RETURN_LATER;
    }
    if (!*name) {
        return RETURN_OVER; /* deleted meanwhile */
    }
    if (room_look(runs->service->room).is_short) {
        snprintf(message, message_octets, "the service's disk is full");
        return RETURN_LATER;
    }
    run = prepare(runs, &order, name, suspended, &made);
    if (!run) {
        return not_made(runs, suspended, &made, message, message_octets);
    }
    run->stored = suspended->stored;
    return go_on(runs, run, message, message_octets);
}

/* ---- another agent's run ----------------------------------------------------------------------------------------- */

static void hearing_begin(struct runs *runs, struct hearing *hearing)
{
    pthread_mutex_lock(&runs->lock);
    hearing->next = runs->hearings;
    runs->hearings = hearing;
    pthread_mutex_unlock(&runs->lock);
}

static void hearing_end(struct runs *runs, const struct hearing *hearing)
{
    pthread_mutex_lock(&runs->lock);
    struct hearing **at = &runs->hearings;
    while (*at != hearing) {
        at = &(*at)->next;
    }
    *at = hearing->next;
    pthread_mutex_unlock(&runs->lock);
}

/* Whether another agent with the same token is being heard at this moment. Under the list's lock. */
static bool hears_another(const struct runs *runs, const struct hearing *own)
{
    for (const struct hearing *at = runs->hearings; at; at = at->next) {
        if (at != own && strcmp(at->token, own->token) == 0) {
            return true;
        }
    }
    return false;
}

/* What a run that is not suspended means for an agent: it may be begun for another one, here or elsewhere, which may
 * share it then; or it has ended here, though that cannot be written down yet. */
static enum run_return find_other(struct runs *runs, const struct hearing *hearing, const struct suspended *suspended,
                                  char *message, size_t message_octets)
{
    const char *service = suspended_text(suspended, "service");
    enum run_return result = RETURN_UNDER_WAY;
    const struct run *run;

    pthread_mutex_lock(&runs->lock);
    run = run_find(runs, suspended->id);
    if (run && run->over && !run->suspending) {
        result = RETURN_OVER;
        if (run->lost > 0) {
            snprintf(message, message_octets, "%u items of it could not be stored: %s.", run->lost, run_lost(run));
        }
    } else if (!run && service && strcmp(service, runs->service->name) != 0) {
        result = RETURN_LATER;
        snprintf(message, message_octets, "the service %s executes it, and lets further launch agents in", service);
    } else if (hears_another(runs, hearing)) {
        result = RETURN_LATER;
        snprintf(message, message_octets, "another launch agent has just begun it");
    }
    pthread_mutex_unlock(&runs->lock);
    return result;
}

/* The token is that of no run; it may be that of a run's guest. */
static enum run_return return_guest(struct runs *runs, const char *token, char *message, size_t message_octets)
{
    switch (guest_find(runs, token, message, message_octets)) {
    case GUEST_UNKNOWN:
        break;
    case GUEST_WAITS:
        return RETURN_QUEUED;
    case GUEST_ATTACHED:
        return RETURN_UNDER_WAY;
    case GUEST_OVER:
        return RETURN_OVER;
    case GUEST_FAILED:
        snprintf(message, message_octets, "the service cannot reach its database");
        return RETURN_LATER;
    }
    return RETURN_UNKNOWN;
}

enum run_return runs_return(struct runs *runs, const char *token, char *message, size_t message_octets)
{
    struct hearing hearing = {.token = token};
    struct suspended suspended;
    enum run_return result = RETURN_UNKNOWN;

    message[0] = '\0';
    if (!is_turn(runs, token, message, message_octets)) {
        return RETURN_QUEUED;
    }
    hearing_begin(runs, &hearing);
    if (suspend_claim(runs, token, &suspended) != DATABASE_OK) {
        snprintf(message, message_octets, "the service cannot reach its database");
        result = RETURN_LATER;
    } else if (suspended.claimed) {
        result = return_claimed(runs, &suspended, token, message, message_octets);
        if (result == RETURN_LATER || result == RETURN_QUEUED || result == RETURN_PAUSED ||
            result == RETURN_UNDER_WAY) {
            suspend_again(runs, suspended.id);
        }
    } else if (suspended.row) {
        result = suspended.over     ? RETURN_OVER
                 : suspended.paused ? RETURN_PAUSED
                                    : find_other(runs, &hearing, &suspended, message, message_octets);
    }
    hearing_end(runs, &hearing);
    suspend_release(&suspended);
    return result == RETURN_UNKNOWN ? return_guest(runs, token, message, message_octets) : result;
}
