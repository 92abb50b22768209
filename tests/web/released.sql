-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- What each version of the service's schema has added to the one before, as it was released: never edited. The first is
-- web/store/schema.sql, and PostgreSQL's begins with 15, web/store/postgresql.sql. See test_schemas.py.

-- version 2
ALTER TABLE runs ADD COLUMN role TEXT NOT NULL DEFAULT '';
-- version 3
ALTER TABLE runs ADD COLUMN server TEXT NOT NULL DEFAULT '';
-- version 4
ALTER TABLE runs ADD COLUMN stored INTEGER NOT NULL DEFAULT 0;
UPDATE runs SET stored = COALESCE(LENGTH(report), 0) + COALESCE(LENGTH(junit), 0) + (SELECT
    COALESCE(SUM(LENGTH(content)), 0) FROM evidence WHERE run = runs.id) + (SELECT COALESCE(SUM(LENGTH(about)), 0)
    FROM results WHERE run = runs.id) + (SELECT COALESCE(SUM(LENGTH(data)), 0) FROM events WHERE run = runs.id);
-- version 5
ALTER TABLE runs ADD COLUMN requirements INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN judged INTEGER NOT NULL DEFAULT 0;
UPDATE runs SET requirements = (SELECT COUNT(DISTINCT value) FROM results, json_each(about, '$.requirements') WHERE
    run = runs.id), judged = (SELECT COUNT(DISTINCT value) FROM results, json_each(about, '$.requirements') WHERE run
    = runs.id AND verdict IN ('pass', 'warn', 'fail')) WHERE state = 'finished';
-- version 6
ALTER TABLE evidence RENAME TO evidence_in_database;
CREATE TABLE evidence (run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, case_id TEXT NOT NULL, kind TEXT NOT
    NULL, digest TEXT NOT NULL, octets INTEGER NOT NULL, PRIMARY KEY (run, case_id, kind)) STRICT, WITHOUT ROWID;
CREATE INDEX evidence_by_digest ON evidence (digest);
CREATE TABLE evidence_unused (digest TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TRIGGER evidence_deleted AFTER DELETE ON evidence BEGIN INSERT OR IGNORE INTO evidence_unused (digest) VALUES
    (OLD.digest); END;
-- version 7
DROP TABLE evidence_in_database;
ALTER TABLE runs DROP COLUMN report;
ALTER TABLE runs DROP COLUMN junit;
-- version 8
ALTER TABLE runs ADD COLUMN outcome TEXT;
ALTER TABLE runs ADD COLUMN not_judged TEXT NOT NULL DEFAULT '[]';
-- version 9
CREATE INDEX runs_by_implementation ON runs (implementation);
-- version 10
ALTER TABLE runs ADD COLUMN summary TEXT;
UPDATE runs SET summary = (SELECT json_object('pass', COALESCE(SUM(verdict = 'pass'), 0), 'fail', COALESCE(SUM(verdict
    = 'fail'), 0), 'warn', COALESCE(SUM(verdict = 'warn'), 0), 'skip', COALESCE(SUM(verdict = 'skip'), 0),
    'inconclusive', COALESCE(SUM(verdict = 'inconclusive'), 0)) FROM results WHERE run = runs.id) WHERE state NOT IN
    ('created', 'waiting', 'running');
-- version 11
ALTER TABLE sign_in_codes ADD COLUMN limited INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN limited INTEGER NOT NULL DEFAULT 0;
ALTER TABLE certificates RENAME TO certificates_of_runs;
CREATE TABLE certificates (id TEXT PRIMARY KEY, run TEXT NOT NULL UNIQUE, document TEXT NOT NULL, issued TEXT NOT NULL
    DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))) STRICT;
INSERT INTO certificates (id, run, document, issued) SELECT id, run, document, issued FROM certificates_of_runs;
DROP TABLE certificates_of_runs;
-- version 12
CREATE TABLE certificate_log (place INTEGER PRIMARY KEY, certificate TEXT NOT NULL, kind TEXT NOT NULL, at TEXT NOT
    NULL, reason TEXT NOT NULL, entry TEXT NOT NULL, UNIQUE (certificate, kind)) STRICT;
-- version 13
ALTER TABLE runs ADD COLUMN statement TEXT;
-- version 14
CREATE TABLE members (id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL UNIQUE, role TEXT NOT NULL CHECK (role IN ('viewer', 'tester', 'certifier', 'administrator')),
    password TEXT, created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))) STRICT;
CREATE INDEX members_by_account ON members (account);
INSERT INTO members (account, name, role, created) SELECT id, name, 'administrator', created FROM accounts;
ALTER TABLE sign_in_codes ADD COLUMN member INTEGER REFERENCES members (id) ON DELETE CASCADE;
ALTER TABLE sign_in_codes ADD COLUMN role TEXT;
ALTER TABLE sessions ADD COLUMN member INTEGER REFERENCES members (id) ON DELETE CASCADE;
ALTER TABLE sessions ADD COLUMN id TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN created TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN client TEXT;
ALTER TABLE tokens ADD COLUMN member INTEGER REFERENCES members (id) ON DELETE CASCADE;
ALTER TABLE tokens ADD COLUMN role TEXT NOT NULL DEFAULT 'administrator';
ALTER TABLE tokens ADD COLUMN expires TEXT;
UPDATE sign_in_codes SET member = (SELECT id FROM members m WHERE m.account = sign_in_codes.account);
UPDATE sessions SET member = (SELECT id FROM members m WHERE m.account = sessions.account), id =
    lower(hex(randomblob(8)));
UPDATE tokens SET member = (SELECT id FROM members m WHERE m.account = tokens.account);
CREATE TABLE audit (id INTEGER PRIMARY KEY, at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), account
    INTEGER NOT NULL, member TEXT NOT NULL, action TEXT NOT NULL, path TEXT NOT NULL, about TEXT NOT NULL, status
    INTEGER NOT NULL, address TEXT NOT NULL) STRICT;
CREATE INDEX audit_by_account ON audit (account, id);
-- version 15
CREATE TABLE shares (id TEXT PRIMARY KEY, run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, hash BLOB NOT NULL
    UNIQUE, name TEXT NOT NULL, member TEXT NOT NULL, created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ',
    'now')), expires TEXT) STRICT;
CREATE INDEX shares_by_run ON shares (run);
-- version 16
ALTER TABLE runs ADD COLUMN token_hash BLOB;
ALTER TABLE runs ADD COLUMN agent TEXT;
ALTER TABLE runs ADD COLUMN resume_until TEXT;
ALTER TABLE runs ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE results ADD COLUMN record TEXT;
CREATE UNIQUE INDEX runs_by_token ON runs (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX runs_suspended ON runs (resume_until) WHERE resume_until IS NOT NULL;
-- version 17
CREATE TABLE services (name TEXT PRIMARY KEY, until TEXT NOT NULL) STRICT;
ALTER TABLE runs ADD COLUMN service TEXT;
ALTER TABLE runs ADD COLUMN asked TEXT;
-- version 18
CREATE TABLE waivers (id TEXT PRIMARY KEY, account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    implementation TEXT NOT NULL REFERENCES implementations (id) ON DELETE CASCADE, profile TEXT NOT NULL, cases TEXT
    NOT NULL, requirements TEXT NOT NULL, owner TEXT NOT NULL, reason TEXT NOT NULL, requested_by TEXT NOT NULL,
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), expires TEXT NOT NULL, granted_by TEXT,
    granted TEXT, ended_by TEXT, ended TEXT) STRICT;
CREATE INDEX waivers_by_account ON waivers (account);
ALTER TABLE runs ADD COLUMN waivers TEXT;
-- version 19
CREATE TABLE organisations (id TEXT PRIMARY KEY, account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL, address TEXT NOT NULL, requested_by TEXT NOT NULL, created TEXT NOT NULL DEFAULT
    (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), approved_by TEXT, approved TEXT, ended_by TEXT, ended TEXT) STRICT;
CREATE INDEX organisations_by_account ON organisations (account);
-- version 20
ALTER TABLE runs ADD COLUMN evidence_removed TEXT;
-- version 21
CREATE TABLE rejudged (run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, case_id TEXT NOT NULL, was TEXT NOT
    NULL, now TEXT NOT NULL, requirement TEXT NOT NULL, text TEXT NOT NULL, tester TEXT NOT NULL, at TEXT NOT NULL
    DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')), PRIMARY KEY (run, case_id)) STRICT;
-- version 22
ALTER TABLE runs ADD COLUMN guest TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN guest_hash BLOB;
CREATE UNIQUE INDEX runs_by_guest ON runs (guest_hash) WHERE guest_hash IS NOT NULL;
-- version 23
CREATE INDEX runs_by_stored ON runs (account, stored);
-- version 24
ALTER TABLE evidence ADD COLUMN bundle TEXT;
ALTER TABLE evidence ADD COLUMN bundle_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN bundled INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_unbundled ON runs (id) WHERE bundled = 0;
-- version 25
CREATE TABLE records (run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, case_id TEXT NOT NULL,
                      record TEXT NOT NULL, PRIMARY KEY (run, case_id)) STRICT, WITHOUT ROWID;
ALTER TABLE results DROP COLUMN record;
-- version 26
ALTER TABLE runs ADD COLUMN linger INTEGER NOT NULL DEFAULT 0;
ALTER TABLE results ADD COLUMN attempt INTEGER NOT NULL DEFAULT 1;
CREATE TABLE attempts (run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, case_id TEXT NOT NULL,
                       attempt INTEGER NOT NULL, verdict TEXT NOT NULL, axis TEXT NOT NULL, requirement TEXT NOT NULL,
                       reason TEXT NOT NULL, expected TEXT NOT NULL, observed TEXT NOT NULL,
                       duration_ms INTEGER NOT NULL, PRIMARY KEY (run, case_id, attempt)) STRICT, WITHOUT ROWID;
CREATE TABLE again (run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, case_id TEXT NOT NULL,
                    PRIMARY KEY (run, case_id)) STRICT, WITHOUT ROWID;
DROP TABLE records;
CREATE TABLE records (run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, case_id TEXT NOT NULL,
                      attempt INTEGER NOT NULL, record TEXT NOT NULL,
                      PRIMARY KEY (run, case_id, attempt)) STRICT, WITHOUT ROWID;
