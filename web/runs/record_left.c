/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Ends of runs that nobody executes (record_left.h).
 */
#include "web/runs/record_left.h"

#include "web/runs/lease.h"
#include "web/store/query.h"
#include "web/store/run_row.h"

/* One run, or all that are not suspended. */
#define ONE_OR_LEFT "(id = :id OR (:id IS NULL AND resume_until IS NULL AND " LEASE_LEFT "))"

/* Which runs: one, or where `id` is NULL those that are left to this service. */
struct left {
    const char *id, *me;
    bool mine;
};

static void bind_left(struct query *query, const struct left *left)
{
    query_text(query, ":id", left->id);
    query_text(query, ":me", left->me);
    query_number(query, ":mine", left->mine);
}

/* Nobody will go on with them. */
static enum database_status forget_records(struct database *database, const struct left *left)
{
    struct query query;

    query_open(&query, database,
               "DELETE FROM records WHERE run IN (SELECT id FROM runs "
               "WHERE state IN ('created', 'waiting', 'running') AND " ONE_OR_LEFT ")");
    bind_left(&query, left);
    return query_run(&query);
}

/* Writes such an end. Part of the caller's transaction. */
static enum database_status insert_ends(struct database *database, const struct left *left, const char *state,
                                        const char *problem)
{
    static const char *const statements[] = {
        "INSERT INTO events (run, seq, kind, data) SELECT r.id, COALESCE(MAX(e.seq), 0) + 1, 'finished', "
        "json_object('state', :state, 'verdict', '', 'problem', :problem) "
        "FROM runs r LEFT JOIN events e ON e.run = r.id WHERE r.state IN ('created', 'waiting', 'running') "
        "AND " ONE_OR_LEFT " GROUP BY r.id",
        "UPDATE runs SET state = :state, problem = :problem, paused = 0, resume_until = NULL, ended = "
        "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), "
        "summary = " RUN_ROW_SUMMARY("runs.id") " WHERE state IN ('created', 'waiting', 'running') AND " ONE_OR_LEFT,
    };
    enum database_status status = forget_records(database, left);

    for (size_t i = 0; status == DATABASE_OK && i < sizeof statements / sizeof statements[0]; i++) {
        struct query query;

        query_open(&query, database, statements[i]);
        bind_left(&query, left);
        query_text(&query, ":state", state);
        query_text(&query, ":problem", problem);
        status = query_run(&query);
    }
    return status;
}

static bool is_suspended(struct database *database, const char *id)
{
    struct query query;
    bool suspended;

    query_open(&query, database, "SELECT 1 FROM runs WHERE id = :id AND resume_until IS NOT NULL");
    query_text(&query, ":id", id);
    suspended = query_next(&query);
    return query_close(&query) == DATABASE_OK && suspended;
}

/* Asks the service that executes the run to cancel it; *asked false: none does. */
static enum database_status ask(struct database *database, const char *me, const char *id, bool *asked)
{
    struct query query;

    query_open(&query, database, "UPDATE runs SET asked = 'cancel' WHERE id = :id AND " LEASE_OTHER " RETURNING id");
    query_text(&query, ":id", id);
    query_text(&query, ":me", me);
    *asked = query_next(&query);
    return query_run(&query);
}

enum database_status record_left_cancelled(struct database *database, const char *me, const char *id, bool *found)
{
    enum database_status status = database_begin(database);
    bool asked = false;

    if (status != DATABASE_OK) {
        return status;
    }
    *found = run_row_is_under_way(database, id);
    if (*found) {
        status = ask(database, me, id, &asked);
    }
    if (*found && status == DATABASE_OK && !asked) {
        status = insert_ends(database, &(struct left){.id = id, .me = me}, "cancelled",
                             is_suspended(database, id) ? "" : "The end of the run could not be stored.");
    }
    return database_end(database, status);
}

enum database_status record_left_interrupted(struct database *database, const char *id, const char *problem)
{
    enum database_status status = database_begin(database);

    if (status != DATABASE_OK) {
        return status;
    }
    return database_end(database, insert_ends(database, &(struct left){.id = id}, "interrupted", problem));
}

static bool is_expired(struct database *database, const char *id, const char *day)
{
    struct query query;
    bool expired;

    query_open(&query, database, "SELECT 1 FROM runs WHERE id = :id AND resume_until < :day");
    query_text(&query, ":id", id);
    query_text(&query, ":day", day);
    expired = query_next(&query);
    return query_run(&query) == DATABASE_OK && expired;
}

enum database_status record_left_expired(struct database *database, const char *id, const char *day,
                                         const char *problem)
{
    enum database_status status = database_begin(database);

    if (status != DATABASE_OK) {
        return status;
    }
    if (is_expired(database, id, day)) {
        status = insert_ends(database, &(struct left){.id = id}, "interrupted", problem);
    }
    return database_end(database, status);
}

enum database_status record_left_recover(struct database *database, const char *me, bool mine)
{
    enum database_status status = database_begin(database);

    if (status != DATABASE_OK) {
        return status;
    }
    status = insert_ends(database, &(struct left){.me = me, .mine = mine}, "interrupted",
                         "The service ended while the run was under way.");
    return database_end(database, status);
}
