/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Suspended runs (suspend.h).
 */
#include "web/runs/suspend.h"

#include "web/http/kept.h"
#include "web/live/hub.h"
#include "web/runs/lease.h"
#include "web/runs/record.h"
#include "web/runs/record_left.h"
#include "web/service/secret.h"
#include "web/service/service.h"
#include "web/store/listener.h"
#include "web/store/query.h"

#include <stdio.h>
#include <string.h>

#define UNDER_WAY "state IN ('created', 'waiting', 'running')"
#define PATIENCE  "WHEN agent IS NULL THEN '" SUSPEND_FIRST "' ELSE :patience END"
/* When the patience with the agent of a run ends; who pauses one has a week. */
#define RESUME_UNTIL "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', CASE WHEN paused <> 0 THEN '+7 days' " PATIENCE ")"
#define INSERT_NOTE                                                                                                    \
    "INSERT INTO events (run, seq, kind, data) SELECT r.id, COALESCE((SELECT MAX(e.seq) FROM events e "                \
    "WHERE e.run = r.id), 0) + 1, 'note', json_object('kind', :kind, 'text', :text) FROM runs r WHERE "

enum { PATIENCE_SIZE = 32 };

static const char *patience(const struct runs *runs, char text[static PATIENCE_SIZE])
{
    snprintf(text, PATIENCE_SIZE, "+%u seconds", runs->service->limits.of[LIMIT_AGENT_SECONDS]);
    return text;
}

/* ---- the agent ------------------------------------------------------------------------------------------------- */

/* Notes the templates of the first agent; a later one must have the same. */
static bool on_agent(void *context, const char *templates)
{
    struct run *run = context;
    struct query query;
    bool same = true; /* where the database fails nothing else can be stored either, and the run ends by that */

    query_open(&query, run->runs->service->database,
               "UPDATE runs SET agent = COALESCE(agent, :templates) WHERE id = :id RETURNING agent = :templates");
    query_text(&query, ":templates", templates);
    query_text(&query, ":id", run->id);
    if (query_next(&query)) {
        same = query_column_number(&query, 0) != 0;
    }
    return query_run(&query) != DATABASE_OK || same;
}

void suspend_observe(struct engine_observer *observer)
{
    observer->agent = on_agent;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* *ours false: another service has taken the run. */
static enum database_status update_suspended(struct run *run, bool *paused, bool *ours)
{
    char seconds[PATIENCE_SIZE];
    struct query query;

    query_open(&query, run->runs->service->database,
               "UPDATE runs SET state = 'waiting', stored = :stored, service = NULL, resume_until = " RESUME_UNTIL
               " WHERE id = :id AND service = :me RETURNING paused");
    query_text(&query, ":me", run->runs->service->name);
    query_text(&query, ":patience", patience(run->runs, seconds));
    query_number(&query, ":stored", run->stored);
    query_text(&query, ":id", run->id);
    *ours = query_next(&query);
    *paused = *ours && query_column_number(&query, 0) != 0;
    return query_run(&query);
}

enum database_status suspend_record(struct run *run)
{
    struct service *service = run->runs->service;
    enum database_status status = database_begin(service->database);
    int64_t seq = run->seq;
    bool paused = false, ours = false;

    if (status != DATABASE_OK) {
        return status;
    }
    status = update_suspended(run, &paused, &ours);
    if (status == DATABASE_OK && ours) {
        status = record_insert_event(
            run, "note",
            json_pack("{s:s,s:s}", "kind", paused ? "paused" : "agent-lost", "text",
                      paused ? "the run is paused; the case that was under way will be run again"
                             : "the launch agent is gone: the run goes on, with the case that was under way, when it "
                               "is back"));
    }
    status = database_end(service->database, status);
    run->seq = status == DATABASE_OK ? run->seq : seq;
    kept_change(service->kept, run->account);
    return status;
}

/* Inserts a note for a run that nobody executes. Part of the caller's transaction. */
static enum database_status insert_note(struct database *database, const char *id, const char *kind, const char *text)
{
    struct query query;
    enum database_status status;

    query_open(&query, database, INSERT_NOTE "r.id = :id");
    query_text(&query, ":id", id);
    query_text(&query, ":kind", kind);
    query_text(&query, ":text", text);
    status = query_run(&query);
    return status ? status : listener_tell(database, id);
}

#define LEFT UNDER_WAY " AND token_hash IS NOT NULL AND resume_until IS NULL AND " LEASE_LEFT

/* Part of the caller's transaction. */
static enum database_status insert_left_notes(struct runs *runs, bool begin)
{
    struct query query;

    query_open(&query, runs->service->database, INSERT_NOTE LEFT);
    query_text(&query, ":kind", "agent-lost");
    query_text(&query, ":text",
               begin ? "the service was started again: the run goes on, with the case that was under way, when the "
                       "launch agent is back"
                     : "the service that executed the run is gone: the run goes on at another one, with the case that "
                       "was under way, when the launch agent is back");
    query_text(&query, ":me", runs->service->name);
    query_number(&query, ":mine", begin);
    return query_run(&query);
}

/* Part of the caller's transaction. */
static enum database_status suspend_left(struct runs *runs, bool begin)
{
    char seconds[PATIENCE_SIZE];
    struct query query;

    query_open(&query, runs->service->database,
               "UPDATE runs SET state = 'waiting', service = NULL, resume_until = " RESUME_UNTIL " WHERE " LEFT);
    query_text(&query, ":patience", patience(runs, seconds));
    query_text(&query, ":me", runs->service->name);
    query_number(&query, ":mine", begin);
    return query_run(&query);
}

enum database_status suspend_extend(struct runs *runs)
{
    char seconds[PATIENCE_SIZE];
    struct query query;

    query_open(&query, runs->service->database,
               "UPDATE runs SET resume_until = " RESUME_UNTIL " WHERE " UNDER_WAY " AND resume_until IS NOT NULL");
    query_text(&query, ":patience", patience(runs, seconds));
    return query_run(&query);
}

enum database_status suspend_recover(struct runs *runs, bool begin)
{
    struct database *database = runs->service->database;
    const char *me = runs->service->name;
    enum database_status status;

    if (runs->service->limits.of[LIMIT_AGENT_SECONDS] == 0) {
        status = begin ? database_execute(database, "UPDATE runs SET resume_until = NULL, service = NULL WHERE "
                                                    "resume_until IS NOT NULL")
                       : DATABASE_OK;
        return status ? status : record_left_recover(database, me, begin);
    }
    status = database_begin(database);
    if (status != DATABASE_OK) {
        return status;
    }
    status = insert_left_notes(runs, begin);
    status = status ? status : suspend_left(runs, begin);
    status = status || !begin ? status : suspend_extend(runs);
    status = database_end(database, status);
    return status ? status : record_left_recover(database, me, begin);
}

/* ---- ends ------------------------------------------------------------------------------------------------------- */

void suspend_expire(struct runs *runs, const char *day)
{
    struct database *database = runs->service->database;
    struct query query;
    json_t *list, *one;
    size_t i;

    query_open_read(&query, database,
                    "SELECT id, account, agent IS NULL AS \"new:bool\" FROM runs WHERE resume_until < :day");
    query_text(&query, ":day", day);
    list = query_list(&query);
    query_close(&query);
    json_array_foreach(list, i, one)
    {
        const char *id = json_string_value(json_object_get(one, "id"));

        record_left_expired(database, id, day,
                            json_is_true(json_object_get(one, "new"))
                                ? "No launch agent came in time."
                                : "The launch agent was lost and did not come back in time.");
        kept_change(runs->service->kept, json_integer_value(json_object_get(one, "account")));
        hub_wake(runs->service->hub, id);
    }
    json_decref(list);
}

void suspend_give_up(struct runs *runs, const char *id, int64_t account, const char *problem)
{
    record_left_interrupted(runs->service->database, id, problem);
    kept_change(runs->service->kept, account);
    hub_wake(runs->service->hub, id);
}

/* ---- pause ------------------------------------------------------------------------------------------------------ */

/* Asks for the time itself: SQLite 3.40 returns true for `resume_until IS NOT NULL`, the condition of a partial index,
 * whatever the row has. */
static enum database_status update_pause(struct runs *runs, const char *id, bool pause, bool *found, bool *suspended)
{
    char seconds[PATIENCE_SIZE];
    struct query query;

    query_open(&query, runs->service->database,
               "UPDATE runs SET paused = :pause, resume_until = CASE WHEN resume_until IS NULL THEN NULL ELSE "
               "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', CASE WHEN :pause <> 0 THEN '+7 days' " PATIENCE ") END "
               "WHERE id = :id AND paused <> :pause AND " UNDER_WAY " RETURNING COALESCE(resume_until, '')");
    query_number(&query, ":pause", pause);
    query_text(&query, ":patience", patience(runs, seconds));
    query_text(&query, ":id", id);
    *found = query_next(&query);
    *suspended = *found && *query_column_text(&query, 0) != '\0';
    return query_run(&query);
}

enum database_status suspend_pause(struct runs *runs, const char *id, bool pause, bool *found)
{
    struct database *database = runs->service->database;
    enum database_status status = database_begin(database);
    bool suspended = false;

    *found = false;
    if (status != DATABASE_OK) {
        return status;
    }
    status = update_pause(runs, id, pause, found, &suspended);
    if (status == DATABASE_OK && suspended) {
        status = insert_note(database, id, pause ? "paused" : "resumed",
                             pause ? "the run is paused" : "the run goes on when its launch agent is back");
    }
    return database_end(database, status);
}

/* ---- going on --------------------------------------------------------------------------------------------------- */

const char *suspended_text(const struct suspended *suspended, const char *column)
{
    return json_string_value(json_object_get(suspended->row, column));
}

enum database_status suspend_new(struct runs *runs, const char *id)
{
    return insert_note(runs->service->database, id, "waiting-for-agent", "waiting for the launch agent");
}

#define ONLY_WAITS "resume_until IS NOT NULL AND paused = 0 AND asked IS NULL AND " UNDER_WAY

enum database_status suspend_find(struct runs *runs, const char *token, struct suspended_place *place)
{
    unsigned char hash[SECRET_HASH_OCTETS];
    struct query query;

    *place = (struct suspended_place){.account = 0};
    secret_hash(token, hash);
    query_open_read(&query, runs->service->database,
                    "SELECT id, account, resume_until < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+10 minutes') FROM runs "
                    "WHERE token_hash = :hash AND " ONLY_WAITS);
    query_octets(&query, ":hash", hash, sizeof hash);
    if (query_next(&query)) {
        snprintf(place->id, sizeof place->id, "%s", query_column_text(&query, 0));
        place->account = query_column_number(&query, 1);
        place->late = query_column_number(&query, 2) != 0;
    }
    return query_close(&query);
}

/* *found false: another service has taken the run, or somebody has cancelled it. Part of the caller's transaction. */
static enum database_status wait_on(struct runs *runs, const char *id, bool *found)
{
    char seconds[PATIENCE_SIZE];
    struct query query;

    query_open(&query, runs->service->database,
               "UPDATE runs SET resume_until = " RESUME_UNTIL " WHERE id = :id AND " ONLY_WAITS " RETURNING id");
    query_text(&query, ":patience", patience(runs, seconds));
    query_text(&query, ":id", id);
    *found = query_next(&query);
    return query_run(&query);
}

void suspend_queued(struct runs *runs, const struct suspended_place *place, bool is_new, const char *why)
{
    struct database *database = runs->service->database;
    char text[400];
    enum database_status status;
    bool found;

    if ((!is_new && !place->late) || database_begin(database) != DATABASE_OK) {
        return;
    }
    status = wait_on(runs, place->id, &found);
    if (status == DATABASE_OK && found && is_new) {
        snprintf(text, sizeof text, "the launch agent is here; the run waits for its turn: %s", why);
        status = insert_note(database, place->id, "queued", text);
    }
    if (database_end(database, status) == DATABASE_OK && is_new) {
        kept_change(runs->service->kept, place->account);
        hub_wake(runs->service->hub, place->id);
    }
}

/* Takes the run where it is suspended and not paused. */
static enum database_status claim(struct runs *runs, const unsigned char hash[static SECRET_HASH_OCTETS], bool *claimed)
{
    struct query query;

    query_open(&query, runs->service->database,
               "UPDATE runs SET resume_until = NULL, service = :me WHERE token_hash = :hash AND " ONLY_WAITS
               " RETURNING id");
    query_text(&query, ":me", runs->service->name);
    query_octets(&query, ":hash", hash, SECRET_HASH_OCTETS);
    *claimed = query_next(&query);
    return query_run(&query);
}

static enum database_status read_earlier(struct runs *runs, const char *id, json_t **earlier)
{
    struct query query;
    json_t *list = json_array();

    *earlier = list;

    query_open(&query, runs->service->database,
               "SELECT c.record FROM records c JOIN results r ON r.run = c.run AND r.case_id = c.case_id "
               "WHERE c.run = :id ORDER BY r.position, c.attempt");
    query_text(&query, ":id", id);
    while (query_next(&query)) {
        json_array_append_new(list, json_loads(query_column_text(&query, 0), 0, NULL));
    }
    return query_close(&query);
}

/* The run of the token, claimed or not; `row` stays NULL where there is none. */
static enum database_status read_row(struct runs *runs, const unsigned char hash[static SECRET_HASH_OCTETS],
                                     json_t **row)
{
    struct query query;

    query_open(&query, runs->service->database,
               "SELECT id, account, seed, linger, stored, paused, NOT " UNDER_WAY
               " AS is_over, implementation, profile, suite, "
               "case_id, NULLIF(server, '') AS server, NULLIF(guest, '') AS guest, statement, waivers, "
               "service, (SELECT COALESCE(MAX(seq), 0) FROM events WHERE run = runs.id) AS seq "
               "FROM runs WHERE token_hash = :hash");
    query_octets(&query, ":hash", hash, SECRET_HASH_OCTETS);
    if (query_next(&query)) {
        *row = query_json(&query);
    }
    return query_close(&query);
}

static void read_columns(struct suspended *suspended)
{
    snprintf(suspended->id, sizeof suspended->id, "%s", suspended_text(suspended, "id"));
    suspended->account = json_integer_value(json_object_get(suspended->row, "account"));
    suspended->seed = json_integer_value(json_object_get(suspended->row, "seed"));
    suspended->linger = json_integer_value(json_object_get(suspended->row, "linger"));
    suspended->stored = json_integer_value(json_object_get(suspended->row, "stored"));
    suspended->seq = json_integer_value(json_object_get(suspended->row, "seq"));
    suspended->paused = json_integer_value(json_object_get(suspended->row, "paused")) != 0;
    suspended->over = json_integer_value(json_object_get(suspended->row, "is_over")) != 0;
}

enum database_status suspend_claim(struct runs *runs, const char *token, struct suspended *suspended)
{
    unsigned char hash[SECRET_HASH_OCTETS];
    enum database_status status;

    *suspended = (struct suspended){0};
    secret_hash(token, hash);
    status = claim(runs, hash, &suspended->claimed);
    status = status ? status : read_row(runs, hash, &suspended->row);
    if (status == DATABASE_OK && suspended->row) {
        read_columns(suspended);
    }
    if (status == DATABASE_OK && suspended->claimed) {
        status = read_earlier(runs, suspended->id, &suspended->earlier);
        if (status != DATABASE_OK) {
            suspend_again(runs, suspended->id);
        }
    }
    return status;
}

void suspend_release(struct suspended *suspended)
{
    json_decref(suspended->row);
    json_decref(suspended->earlier);
}

void suspend_again(struct runs *runs, const char *id)
{
    char seconds[PATIENCE_SIZE];
    struct query query;

    query_open(&query, runs->service->database,
               "UPDATE runs SET resume_until = " RESUME_UNTIL " WHERE id = :id AND " UNDER_WAY);
    query_text(&query, ":patience", patience(runs, seconds));
    query_text(&query, ":id", id);
    query_run(&query);
}
