-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
--
-- Everything that the service remembers. PRAGMA user_version holds the number of the schema, 1 here; database.c executes this text
-- once, in one transaction, in an empty database. A later version adds its steps there and never edits this file's past.
--
-- Times are ISO 8601 texts in UTC. Ids that appear in addresses are random texts. Secrets are stored as hashes only.

CREATE TABLE accounts (
    id      INTEGER PRIMARY KEY,
    name    TEXT NOT NULL UNIQUE,
    owner   INTEGER NOT NULL DEFAULT 0,     -- the first account; may invite others
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;

-- A one-time link: signs in to an account, or, where account is NULL, makes one.
CREATE TABLE sign_in_codes (
    hash    BLOB PRIMARY KEY,
    account INTEGER REFERENCES accounts (id) ON DELETE CASCADE,
    expires TEXT NOT NULL
) STRICT;

CREATE TABLE sessions (
    hash    BLOB PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    csrf    TEXT NOT NULL,
    expires TEXT NOT NULL
) STRICT;

CREATE TABLE tokens (
    id      TEXT PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name    TEXT NOT NULL,
    hash    BLOB NOT NULL UNIQUE,
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;

CREATE TABLE implementations (
    id      TEXT PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name    TEXT NOT NULL,
    version TEXT NOT NULL,
    vendor  TEXT NOT NULL,
    notes   TEXT NOT NULL,
    created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    UNIQUE (account, name, version)
) STRICT;

CREATE TABLE runs (
    id             TEXT PRIMARY KEY,
    account        INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    implementation TEXT NOT NULL REFERENCES implementations (id) ON DELETE CASCADE,
    profile        TEXT NOT NULL,
    suite          TEXT,                    -- NULL: all
    case_id        TEXT,                    -- NULL: all
    seed           INTEGER NOT NULL,
    state          TEXT NOT NULL CHECK (state IN ('created', 'waiting', 'running', 'finished', 'interrupted', 'cancelled')),
    verdict        TEXT,                    -- NULL until the run is over
    problem        TEXT NOT NULL DEFAULT '',
    total          INTEGER NOT NULL DEFAULT 0,
    created        TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    started        TEXT,
    ended          TEXT,
    report         BLOB,
    junit          BLOB
) STRICT;
CREATE INDEX runs_by_account ON runs (account, created);

CREATE TABLE results (
    run         TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position    INTEGER NOT NULL,
    case_id     TEXT NOT NULL,
    title       TEXT NOT NULL,
    suite       TEXT NOT NULL,
    chapter     TEXT NOT NULL,
    verdict     TEXT NOT NULL,
    axis        TEXT NOT NULL,
    requirement TEXT NOT NULL,
    reason      TEXT NOT NULL,
    expected    TEXT NOT NULL,
    observed    TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    about       TEXT NOT NULL,              -- JSON: the case as it was when it was judged (purpose, requirements, source)
    PRIMARY KEY (run, case_id)
) STRICT;

-- kind: transcript, capture, ladder
CREATE TABLE evidence (
    run     TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    case_id TEXT NOT NULL,
    kind    TEXT NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (run, case_id, kind)
) STRICT;

-- What happened in a run, in order: replayed to whoever looks later.
CREATE TABLE events (
    run  TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    seq  INTEGER NOT NULL,
    at   TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    kind TEXT NOT NULL,
    data TEXT NOT NULL,                     -- JSON
    PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE certificates (
    id       TEXT PRIMARY KEY,
    run      TEXT NOT NULL UNIQUE REFERENCES runs (id) ON DELETE CASCADE,
    document TEXT NOT NULL,                 -- the signed JSON, exactly as it is handed out
    issued   TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;
