/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The schema's version stands in the database: 0 in an empty one, and one more for each step below. SQLite's schema.sql
 * makes version 1. PostgreSQL came later: its postgresql.sql makes version 15, and what follows is the same for both.
 */
#include "web/store/schema.h"

#include "web/service/asset.h"
#include "web/store/connection.h"
#include "web/store/evidence_move.h"
#include "web/store/outcome_fill.h"
#include "web/store/query.h"
#include "web/store/role.h"
#include "web/store/run_row.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What each later version of the schema adds to schema.sql, which is version 1: `prepare`, which may be NULL and may be
 * called again after a crash, then the statements. What was released is never edited; tests/web/released.sql has it. */
static const struct step {
    const char *sql;
    enum database_status (*prepare)(struct database *database, const char *folder);
} schema_steps[] = {
    /* 2: of a profile with roles, which one was judged */
    {"ALTER TABLE runs ADD COLUMN role TEXT NOT NULL DEFAULT ''", NULL},
    /* 3: command of the IMPI server that a vendor of clients brings: as announced, at the end as it took part */
    {"ALTER TABLE runs ADD COLUMN server TEXT NOT NULL DEFAULT ''", NULL},
    /* 4: octets that a run takes */
    {"ALTER TABLE runs ADD COLUMN stored INTEGER NOT NULL DEFAULT 0;"
     "UPDATE runs SET stored = COALESCE(LENGTH(report), 0) + COALESCE(LENGTH(junit), 0) + "
     "(SELECT COALESCE(SUM(LENGTH(content)), 0) FROM evidence WHERE run = runs.id) + "
     "(SELECT COALESCE(SUM(LENGTH(about)), 0) FROM results WHERE run = runs.id) + "
     "(SELECT COALESCE(SUM(LENGTH(data)), 0) FROM events WHERE run = runs.id)",
     NULL},
    /* 5: how many requirements a run's cases have, and how many of them were judged */
    {"ALTER TABLE runs ADD COLUMN requirements INTEGER NOT NULL DEFAULT 0;"
     "ALTER TABLE runs ADD COLUMN judged INTEGER NOT NULL DEFAULT 0;"
     "UPDATE runs SET requirements = (SELECT COUNT(DISTINCT value) FROM results, json_each(about, '$.requirements') "
     "WHERE run = runs.id), judged = (SELECT COUNT(DISTINCT value) FROM results, json_each(about, '$.requirements') "
     "WHERE run = runs.id AND verdict IN ('pass', 'warn', 'fail')) WHERE state = 'finished'",
     NULL},
    /* 6: evidence is in files, the database holds their digests; see evidence_rows.c for evidence_unused */
    {"ALTER TABLE evidence RENAME TO evidence_in_database;"
     "CREATE TABLE evidence ("
     "run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, case_id TEXT NOT NULL, kind TEXT NOT NULL, "
     "digest TEXT NOT NULL, octets INTEGER NOT NULL, PRIMARY KEY (run, case_id, kind)) STRICT, WITHOUT ROWID;"
     "CREATE INDEX evidence_by_digest ON evidence (digest);"
     "CREATE TABLE evidence_unused (digest TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;"
     "CREATE TRIGGER evidence_deleted AFTER DELETE ON evidence BEGIN "
     "INSERT OR IGNORE INTO evidence_unused (digest) VALUES (OLD.digest); END",
     NULL},
    /* 7: what lay in the database has become files */
    {"DROP TABLE evidence_in_database;"
     "ALTER TABLE runs DROP COLUMN report;"
     "ALTER TABLE runs DROP COLUMN junit",
     evidence_move},
    /* 8: what a run came to, as the engine says it, and the requirements that it did not judge, by reason: both JSON */
    {"ALTER TABLE runs ADD COLUMN outcome TEXT;"
     "ALTER TABLE runs ADD COLUMN not_judged TEXT NOT NULL DEFAULT '[]'",
     NULL},
    /* 9: the same for runs that were over before */
    {"CREATE INDEX runs_by_implementation ON runs (implementation)", outcome_fill},
    /* 10: how many results of each verdict a run that is over has: a list need not count them */
    {"ALTER TABLE runs ADD COLUMN summary TEXT;"
     "UPDATE runs SET summary = " RUN_ROW_SUMMARY("runs.id") " WHERE state NOT IN ('created', 'waiting', 'running')",
     NULL},
    /* 11: links made by an API token, and the sessions that they open, let nobody in; certificates stay */
    {"ALTER TABLE sign_in_codes ADD COLUMN limited INTEGER NOT NULL DEFAULT 0;"
     "ALTER TABLE sessions ADD COLUMN limited INTEGER NOT NULL DEFAULT 0;"
     "ALTER TABLE certificates RENAME TO certificates_of_runs;"
     "CREATE TABLE certificates (id TEXT PRIMARY KEY, run TEXT NOT NULL UNIQUE, document TEXT NOT NULL, "
     "issued TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))) STRICT;"
     "INSERT INTO certificates (id, run, document, issued) SELECT id, run, document, issued FROM certificates_of_runs;"
     "DROP TABLE certificates_of_runs",
     NULL},
    /* 12: the log of certificates, which only grows */
    {"CREATE TABLE certificate_log (place INTEGER PRIMARY KEY, certificate TEXT NOT NULL, kind TEXT NOT NULL, "
     "at TEXT NOT NULL, reason TEXT NOT NULL, entry TEXT NOT NULL, UNIQUE (certificate, kind)) STRICT",
     NULL},
    /* 13: what an implementation declares of itself for a run, JSON */
    {"ALTER TABLE runs ADD COLUMN statement TEXT", NULL},
    /* 14: members of an account, each with a role; sessions that can be named; tokens with a role and an end; what was
     * asked for by whom. Who had an account is its administrator. */
    {"CREATE TABLE members (id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE "
     "CASCADE, "
     "name TEXT NOT NULL UNIQUE, role TEXT NOT NULL CHECK (role IN " ROLE_CHECK "), password TEXT, "
     "created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))) STRICT;"
     "CREATE INDEX members_by_account ON members (account);"
     "INSERT INTO members (account, name, role, created) SELECT id, name, 'administrator', created FROM accounts;"
     "ALTER TABLE sign_in_codes ADD COLUMN member INTEGER REFERENCES members (id) ON DELETE CASCADE;"
     "ALTER TABLE sign_in_codes ADD COLUMN role TEXT;"
     "ALTER TABLE sessions ADD COLUMN member INTEGER REFERENCES members (id) ON DELETE CASCADE;"
     "ALTER TABLE sessions ADD COLUMN id TEXT NOT NULL DEFAULT '';"
     "ALTER TABLE sessions ADD COLUMN created TEXT NOT NULL DEFAULT '';"
     "ALTER TABLE sessions ADD COLUMN client TEXT;"
     "ALTER TABLE tokens ADD COLUMN member INTEGER REFERENCES members (id) ON DELETE CASCADE;"
     "ALTER TABLE tokens ADD COLUMN role TEXT NOT NULL DEFAULT 'administrator';"
     "ALTER TABLE tokens ADD COLUMN expires TEXT;"
     "UPDATE sign_in_codes SET member = (SELECT id FROM members m WHERE m.account = sign_in_codes.account);"
     "UPDATE sessions SET member = (SELECT id FROM members m WHERE m.account = sessions.account), "
     "id = lower(hex(randomblob(8)));"
     "UPDATE tokens SET member = (SELECT id FROM members m WHERE m.account = tokens.account);"
     "CREATE TABLE audit (id INTEGER PRIMARY KEY, at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), "
     "account INTEGER NOT NULL, member TEXT NOT NULL, action TEXT NOT NULL, path TEXT NOT NULL, about TEXT NOT NULL, "
     "status INTEGER NOT NULL, address TEXT NOT NULL) STRICT;"
     "CREATE INDEX audit_by_account ON audit (account, id)",
     NULL},
    /* 15: links by which everybody may read a report */
    {"CREATE TABLE shares (id TEXT PRIMARY KEY, run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, "
     "hash BLOB NOT NULL UNIQUE, name TEXT NOT NULL, member TEXT NOT NULL, "
     "created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), expires TEXT) STRICT;"
     "CREATE INDEX shares_by_run ON shares (run)",
     NULL},
    /* 16: runs that go on after their launch agent, or the service, was gone: by what token and templates the agent is
     * known again, until when it is waited for, whether somebody has paused the run; what it has told of each case */
    {"ALTER TABLE runs ADD COLUMN token_hash BLOB;"
     "ALTER TABLE runs ADD COLUMN agent TEXT;"
     "ALTER TABLE runs ADD COLUMN resume_until TEXT;"
     "ALTER TABLE runs ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;"
     "ALTER TABLE results ADD COLUMN record TEXT;"
     "CREATE UNIQUE INDEX runs_by_token ON runs (token_hash) WHERE token_hash IS NOT NULL;"
     "CREATE INDEX runs_suspended ON runs (resume_until) WHERE resume_until IS NOT NULL",
     NULL},
    /* 17: several services that share the database: which of them live, which executes a run, what is asked of it */
    {"CREATE TABLE services (name TEXT PRIMARY KEY, until TEXT NOT NULL) STRICT;"
     "ALTER TABLE runs ADD COLUMN service TEXT;"
     "ALTER TABLE runs ADD COLUMN asked TEXT",
     NULL},
    /* 18: waivers; under which of them a run is judged, JSON */
    {"CREATE TABLE waivers (id TEXT PRIMARY KEY, account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, "
     "implementation TEXT NOT NULL REFERENCES implementations (id) ON DELETE CASCADE, profile TEXT NOT NULL, "
     "cases TEXT NOT NULL, requirements TEXT NOT NULL, owner TEXT NOT NULL, reason TEXT NOT NULL, "
     "requested_by TEXT NOT NULL, created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), "
     "expires TEXT NOT NULL, granted_by TEXT, granted TEXT, ended_by TEXT, ended TEXT) STRICT;"
     "CREATE INDEX waivers_by_account ON waivers (account);"
     "ALTER TABLE runs ADD COLUMN waivers TEXT",
     NULL},
    /* 19: the organisation that an account belongs to, as it was asked for and approved; one at most holds */
    {"CREATE TABLE organisations (id TEXT PRIMARY KEY, account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE "
     "CASCADE, name TEXT NOT NULL, address TEXT NOT NULL, requested_by TEXT NOT NULL, "
     "created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), "
     "approved_by TEXT, approved TEXT, ended_by TEXT, ended TEXT) STRICT;"
     "CREATE INDEX organisations_by_account ON organisations (account)",
     NULL},
    /* 20: when a run's evidence was removed, as its time was over */
    {"ALTER TABLE runs ADD COLUMN evidence_removed TEXT", NULL},
    /* 21: results that are not what they were since their evidence was judged again */
    {"CREATE TABLE rejudged (run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, case_id TEXT NOT NULL, "
     "was TEXT NOT NULL, now TEXT NOT NULL, requirement TEXT NOT NULL, text TEXT NOT NULL, tester TEXT NOT NULL, "
     "at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), PRIMARY KEY (run, case_id)) STRICT",
     NULL},
    /* 22: another vendor's implementation that meets the one under test, and the token of its launch agent */
    {"ALTER TABLE runs ADD COLUMN guest TEXT NOT NULL DEFAULT '';"
     "ALTER TABLE runs ADD COLUMN guest_hash BLOB;"
     "CREATE UNIQUE INDEX runs_by_guest ON runs (guest_hash) WHERE guest_hash IS NOT NULL",
     NULL},
    /* 23: what an account's runs hold is looked at before each run that is made: no row need be read for it */
    {"CREATE INDEX runs_by_stored ON runs (account, stored)", NULL},
    /* 24: evidence in bundles: which of its run's, and where in it; whether all that a run has is in some */
    {"ALTER TABLE evidence ADD COLUMN bundle TEXT;"
     "ALTER TABLE evidence ADD COLUMN bundle_at INTEGER NOT NULL DEFAULT 0;"
     "ALTER TABLE runs ADD COLUMN bundled INTEGER NOT NULL DEFAULT 0;"
     "CREATE INDEX runs_unbundled ON runs (id) WHERE bundled = 0",
     NULL},
    /* 25: what a run that is under way has told of each case, apart: it goes with the run's end, and leaves no holes */
    {"CREATE TABLE records (run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, case_id TEXT NOT NULL, "
     "record TEXT NOT NULL, PRIMARY KEY (run, case_id)) STRICT, WITHOUT ROWID;"
     "INSERT INTO records (run, case_id, record) SELECT run, case_id, record FROM results WHERE record IS NOT NULL;"
     "ALTER TABLE results DROP COLUMN record",
     NULL},
    /* 26: cases that are judged more than once in a run: which attempt is the result, what all came to, which of them
     * somebody has asked for ("": that the run ends), and how many minutes a run waits for that;
     * records of each attempt, of which those of runs under way are taken along */
    {"ALTER TABLE runs ADD COLUMN linger INTEGER NOT NULL DEFAULT 0;"
     "ALTER TABLE results ADD COLUMN attempt INTEGER NOT NULL DEFAULT 1;"
     "CREATE TABLE attempts (run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, case_id TEXT NOT NULL, "
     "attempt INTEGER NOT NULL, verdict TEXT NOT NULL, axis TEXT NOT NULL, requirement TEXT NOT NULL, "
     "reason TEXT NOT NULL, expected TEXT NOT NULL, observed TEXT NOT NULL, duration_ms INTEGER NOT NULL, "
     "PRIMARY KEY (run, case_id, attempt)) STRICT, WITHOUT ROWID;"
     "CREATE TABLE again (run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, case_id TEXT NOT NULL, "
     "PRIMARY KEY (run, case_id)) STRICT, WITHOUT ROWID;"
     "ALTER TABLE records RENAME TO records_of_cases;"
     "CREATE TABLE records (run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, case_id TEXT NOT NULL, "
     "attempt INTEGER NOT NULL, record TEXT NOT NULL, PRIMARY KEY (run, case_id, attempt)) STRICT, WITHOUT ROWID;"
     "INSERT INTO records (run, case_id, attempt, record) SELECT run, case_id, 0, record FROM records_of_cases;"
     "DROP TABLE records_of_cases",
     NULL},
};

enum { SCHEMA_VERSION = 1 + sizeof schema_steps / sizeof schema_steps[0] };

static int64_t schema_version(struct database *database)
{
    struct query query;
    int64_t version = -1;

    query_open(&query, database, database_engine(database)->version);
    if (query_next(&query)) {
        version = query_column_number(&query, 0);
    }
    return query_close(&query) == DATABASE_OK ? version : -1;
}

static enum database_status set_version(struct database *database, int version)
{
    char sql[128];

    snprintf(sql, sizeof sql, database_engine(database)->set_next, version);
    return database_execute(database, sql);
}

/* Executes what makes the given version out of the one before, in one transaction; another service that starts at the
 * same time may have done so. */
static enum database_status schema_step(struct database *database, const char *sql, int before, int version)
{
    enum database_status status = database_begin(database);

    if (status == DATABASE_OK) {
        if (schema_version(database) == before) {
            status = database_execute(database, sql);
            status = status == DATABASE_OK ? set_version(database, version) : status;
        }
        status = database_end(database, status);
    }
    return status;
}

/* The tables in an empty database. */
static enum database_status schema_begin(struct database *database)
{
    const struct engine *engine = database_engine(database);
    const struct asset *schema = asset_find(engine->schema);
    char *sql = strndup((const char *)schema->octets, schema->len);
    enum database_status status = sql ? schema_step(database, sql, 0, engine->schema_version) : DATABASE_BROKEN;

    free(sql);
    return status;
}

/* Brings a database of an earlier version, 0 being an empty one, to that of this program. */
static enum database_status schema_make(struct database *database, const char *folder, int64_t version)
{
    enum database_status status = DATABASE_OK;

    if (version == 0) {
        status = schema_begin(database);
        version = database_engine(database)->schema_version;
    }
    for (; status == DATABASE_OK && version < SCHEMA_VERSION; version++) {
        const struct step *step = &schema_steps[version - 1];

        status = step->prepare ? step->prepare(database, folder) : DATABASE_OK;
        if (status == DATABASE_OK) {
            status = schema_step(database, step->sql, (int)version, (int)version + 1);
        }
    }
    return status;
}

bool schema_update(struct database *database, const char *folder, char *message, size_t message_octets)
{
    int64_t version = schema_version(database);

    if (version > SCHEMA_VERSION) {
        snprintf(message, message_octets,
                 "%s: its schema has version %lld, this program knows %d: it was written by a newer assayd; "
                 "use that one, or another data folder",
                 folder, (long long)version, SCHEMA_VERSION);
        return false;
    }
    if (version < 0 || schema_make(database, folder, version) != DATABASE_OK) {
        snprintf(message, message_octets, "%s: cannot make the schema: %s", folder, database_message(database));
        return false;
    }
    return true;
}
