# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A real assayd for tests, and a client of its HTTP interface.

    service = Service(bin_dir, folder)
    client = service.client("name")           # with an API token of its own
    client.get("/api/v1/runs").json
    service.kill(); service.start()           # SIGKILL, then again on the same data

Nothing waits longer than PATIENCE seconds; what is awaited is an event or the end of a process.
"""
import gzip
import http.client
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess

import pytest

import postgresql

PATIENCE = 180
# The tests that need not look into SQLite's file hold for both engines; `make web-postgresql` runs them with the other.
ON_POSTGRESQL = os.environ.get("ASSAY_WEB_DATABASE") == "postgresql"
sqlite_only = pytest.mark.skipif(ON_POSTGRESQL, reason="about SQLite's file")
SHARED = object()  # the server that all tests of a process share


class Answer:
    """One answer: status, headers (lower case), body, and the body as JSON where it is."""

    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.cookies = response.headers.get_all("Set-Cookie") or []
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """The code of a refusal."""
        return self.json["error"]["code"]


class Client:
    """Asks with an API token, with a cookie, or with neither. Remembers every exchange for whoever checks them."""

    exchanges = []

    def __init__(self, service, token=None, cookie=None, csrf=None):
        self.service, self.token, self.cookie, self.csrf = service, token, cookie, csrf

    def headers(self, more):
        headers = {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if self.cookie:
            headers["Cookie"] = f"assay_session={self.cookie}"
        if self.csrf:
            headers["X-Assay-CSRF"] = self.csrf
        return {**headers, **more}

    def ask(self, method, path, body=None, **more):
        headers = self.headers({key.replace("_", "-"): value for key, value in more.items()})
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            headers.setdefault("Content-Type", "application/json")
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=PATIENCE)
        connection.request(method, path, body, headers)
        answer = Answer(connection.getresponse())
        connection.close()
        self.exchanges.append((method, path, answer))
        return answer

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def post(self, path, body, **more):
        return self.ask("POST", path, body, **more)

    def delete(self, path, **more):
        return self.ask("DELETE", path, **more)

    def events(self, run, after=0):
        """Live events of a run as (number, kind, data), until the stream ends or whoever reads has enough."""
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=PATIENCE)
        connection.request("GET", f"/api/v1/runs/{run}/events", headers=self.headers({"Last-Event-ID": str(after)}))
        response = connection.getresponse()
        assert response.status == 200 and response.getheader("Content-Type") == "text/event-stream"
        event = {}
        try:
            for line in response:
                line = line.decode().rstrip("\n")
                if line and not line.startswith(":"):
                    name, value = line.split(": ", 1)
                    event[name] = value
                elif event:
                    yield int(event["id"]), event["event"], json.loads(event["data"])["data"]
                    event = {}
        finally:
            connection.close()

    def implementation(self, name="Some Portals", version="1.0"):
        answer = self.post("/api/v1/implementations", {"name": name, "version": version})
        if answer.status == 409:
            listed = self.get("/api/v1/implementations").json["implementations"]
            return next(one["id"] for one in listed if (one["name"], one["version"]) == (name, version))
        assert answer.status == 201, answer.body
        return answer.json["id"]

    def run(self, **order):
        """A new run that waits for its agent: what the service answered."""
        answer = self.post("/api/v1/runs", {"implementation": self.implementation(), "profile": "portals-3.0", **order})
        assert answer.status == 201, answer.body
        return answer.json

    def wait_over(self, run):
        """Follows a run to its end and returns its state."""
        for _ in self.events(run):
            pass
        return self.get(f"/api/v1/runs/{run}").json


class Service:
    """assayd on a free port, with a folder and a database of its own: `on` a PostgreSQL server, or None for SQLite;
    `beside` another service that it shares both with."""

    def __init__(self, bin_dir, folder, *options, on=SHARED, beside=None):
        self.program, self.bin_dir, self.data, self.options = bin_dir / "assayd", bin_dir, folder, options
        server = postgresql.server() if on is SHARED and ON_POSTGRESQL else None if on is SHARED else on
        self.url_of_database = beside.url_of_database if beside else server.new_database() if server else None
        self.place = ["--data", self.data, *(["--database", self.url_of_database] if self.url_of_database else [])]
        self.process, self.port, self.link, self.said = None, None, None, []
        self.listen = "127.0.0.1:0"
        self.start()

    def start(self, *options):
        self.process = subprocess.Popen(
            [self.program, "--listen", self.listen, *self.place, *self.options, *options],
            stdout=subprocess.PIPE, stderr=open(f"{self.data}.stderr", "ab"), text=True)
        first = self.process.stdout.readline()
        assert " listens at " in first, read_text(f"{self.data}.stderr")
        self.port = int(re.search(r":(\d+)$", first.strip()).group(1))
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def read_link(self):
        """The sign-in link, which the service prints after its address."""
        self.link = re.search(r"http\S+", self.process.stdout.readline()).group(0)
        return self.link

    def token(self, name="test"):
        return subprocess.run([self.program, *self.place, "--issue-token", name], check=True, text=True,
                              capture_output=True, timeout=PATIENCE).stdout.strip()

    def database(self):
        """A connection to its database, for those who know better than the service: with database() as .., then
        close."""
        if self.url_of_database:
            return postgresql.Connection(self.url_of_database)
        return sqlite3.connect(self.data / "assay.db")

    def client(self, name="test"):
        return Client(self, token=self.token(name))

    def agent(self, token, *template, server=None, url=None, options=()):
        """sut-agent with the bundled reference, or another template, and perhaps an own server."""
        words = template or [self.bin_dir / "portalsrun", "-np", "{np}", self.bin_dir / "interp-portals", "{args}"]
        own = ["--server", server] if server else []
        return subprocess.Popen([self.bin_dir / "sut-agent", "--quiet", "--url", url or self.url, *own, *options, "--",
                                 *words],
                                env={**os.environ, "ASSAY_TOKEN": token}, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def stop(self):
        """SIGTERM; the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.wait()

    def kill(self):
        self.process.kill()
        self.wait()

    def wait(self):
        status = self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()
        return status

    def end(self):
        """The end of a test: in order, and without a word from a sanitizer in all of its life."""
        if self.process.poll() is None:
            assert self.stop() == 0, read_text(f"{self.data}.stderr")
        said = read_text(f"{self.data}.stderr")
        assert "Sanitizer" not in said and "runtime error" not in said, said


# What each version of the schema has added to runs.
COLUMNS = {2: ("role",), 3: ("server",), 4: ("stored",), 5: ("requirements", "judged"),
           8: ("outcome", "not_judged"), 10: ("summary",), 13: ("statement",),
           16: ("token_hash", "agent", "resume_until", "paused"), 17: ("service", "asked"), 18: ("waivers",),
           20: ("evidence_removed",), 22: ("guest", "guest_hash"), 24: ("bundled",), 26: ("linger",)}
TO_DATABASE = """
    DROP TABLE rejudged;
    DROP TABLE organisations;
    DROP TABLE waivers;
    DROP TABLE services;
    DROP INDEX runs_by_token;
    DROP INDEX runs_by_guest;
    DROP INDEX runs_by_stored;
    DROP INDEX runs_unbundled;
    DROP INDEX runs_suspended;
    DROP TABLE records;
    DROP TABLE again;
    DROP TABLE attempts;
    ALTER TABLE results DROP COLUMN attempt;
    DROP TABLE shares;
    DROP TABLE audit;
    ALTER TABLE sessions DROP COLUMN member;
    ALTER TABLE sessions DROP COLUMN id;
    ALTER TABLE sessions DROP COLUMN created;
    ALTER TABLE sessions DROP COLUMN client;
    ALTER TABLE tokens DROP COLUMN member;
    ALTER TABLE tokens DROP COLUMN role;
    ALTER TABLE tokens DROP COLUMN expires;
    ALTER TABLE sign_in_codes DROP COLUMN member;
    ALTER TABLE sign_in_codes DROP COLUMN role;
    DROP TABLE members;
    DROP TABLE certificate_log;
    ALTER TABLE sign_in_codes DROP COLUMN limited;
    ALTER TABLE sessions DROP COLUMN limited;
    DROP INDEX runs_by_implementation;
    DROP TABLE evidence_unused;
    DROP TABLE evidence;
    CREATE TABLE evidence (run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, case_id TEXT NOT NULL,
                           kind TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (run, case_id, kind)) STRICT;
    ALTER TABLE runs ADD COLUMN report BLOB;
    ALTER TABLE runs ADD COLUMN junit BLOB;
"""


def evidence_file(data, digest):
    """The file of a digest below a data folder, packed by gzip."""
    return data / "evidence" / digest[:2] / f"{digest[2:]}.gz"


def go_back(data, version):
    """Makes of a data folder, whose service has ended, what a service of an earlier schema (1 to 5) would have left:
    evidence and reports in the database, and no columns of later versions."""
    with sqlite3.connect(data / "assay.db") as database:
        rows = [(gzip.decompress(evidence_file(data, digest).read_bytes()), run, case_id, kind)
                for digest, run, case_id, kind in
                database.execute("SELECT digest, run, case_id, kind FROM evidence")]
        database.executescript(TO_DATABASE)
        for content, run, case_id, kind in rows:
            if kind in ("preflight", "source"):
                continue  # no such service has kept them
            if case_id:
                database.execute("INSERT INTO evidence (content, run, case_id, kind) VALUES (?, ?, ?, ?)",
                                 (content, run, case_id, kind))
            else:
                database.execute(f"UPDATE runs SET {kind} = ? WHERE id = ?", (content, run))
        for name in (name for later, names in COLUMNS.items() if later > version for name in names):
            database.execute(f"ALTER TABLE runs DROP COLUMN {name}")
        database.execute(f"PRAGMA user_version = {version}")
    database.close()
    shutil.rmtree(data / "evidence")


def read_text(path):
    with open(path, errors="replace") as file:
        return file.read()
