# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""PostgreSQL instead of SQLite: the same tables, clear errors, a server that is started anew."""

import os
import re
import sqlite3
import subprocess

import pytest

import postgresql
from service import PATIENCE, Client, Service
from test_evidence import downloads, run_suite
from test_resume import SUITE, check_whole, running_agent, told

KINDS = {"BIGINT": "INTEGER", "BYTEA": "BLOB", "TEXT": "TEXT"}


@pytest.fixture(name="server", scope="module")
def fixture_server():
    """A server that the tests may stop."""
    one = postgresql.Server()
    yield one
    one.end()


@pytest.fixture(name="service", scope="module")
def fixture_service(bin_dir, server, tmp_path_factory):
    """A service whose database is there."""
    one = Service(bin_dir, tmp_path_factory.mktemp("postgresql") / "data", on=server)
    yield one
    one.end()


def columns(rows):
    """Triples of table, column and whether it must have a value, with the type as SQLite calls it."""
    return {(table, column, KINDS.get(kind.upper(), kind.upper()), bool(needed))
            for table, column, kind, needed in rows}


def test_same_tables(bin_dir, service, tmp_path):
    """Whatever an engine's schema began with, both have come to the same columns and indices."""
    other = Service(bin_dir, tmp_path / "data", on=None)
    other.end()
    with sqlite3.connect(other.data / "assay.db") as database:
        ours = columns(database.execute(
            "SELECT m.name, c.name, c.type, c.\"notnull\" OR c.pk FROM sqlite_schema m, pragma_table_info(m.name) c "
            "WHERE m.type = 'table'"))
        indices = {row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'index'")}
    database.close()
    with service.database() as connection:
        theirs = columns(connection.execute(
            "SELECT table_name, column_name, data_type, is_nullable = 'NO' FROM information_schema.columns "
            "WHERE table_schema = 'public' AND table_name <> 'schema_version' AND column_name <> 'rowid'"))
        their_indices = {row[0] for row in connection.execute("SELECT indexname FROM pg_indexes")}
    connection.close()
    assert ours == theirs
    assert {name for name in indices if not name.startswith("sqlite_")} <= their_indices


def test_server_is_started_anew(server, service):
    """What is asked meanwhile is to be asked again, and says so; afterwards connections are made anew."""
    client = service.client()
    assert client.get("/api/v1/runs").status == 200
    server.tell("stop", "-m", "fast")
    answer = client.post("/api/v1/implementations", {"name": "A", "version": "1"})
    assert (answer.status, answer.code, answer.headers["retry-after"]) == (503, "database_away", "5")
    server.begin()
    statuses = {client.post("/api/v1/implementations", {"name": "A", "version": str(number)}).status
                for number in range(20)}
    assert statuses <= {201, 503} and client.get("/api/v1/runs").status == 200
    assert client.post("/api/v1/implementations", {"name": "B", "version": "1"}).status == 201


@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_who_reads_does_not_notice(server, service, how):
    """What is only read is asked for anew by the service itself, on a new connection, however the old one ended."""
    client = service.client()
    assert client.get("/api/v1/implementations").status == 200
    server.tell("stop", "-m", how)
    server.begin()
    assert [client.get("/api/v1/implementations").status for _ in range(8)] == [200] * 8


def test_a_run_outlives_the_server(server, service):
    """The database is away for a moment in the middle of a run: the run goes on, and nothing of it is missing."""
    client = service.client()
    made = client.run(suite=SUITE)
    run = made["run"]["id"]
    with running_agent(service, made["token"]) as agent:
        before, _ = told(client, run, 2)
        server.tell("stop", "-m", "immediate")
        server.begin()
        assert agent.wait(PATIENCE) == 0
    assert {client.get(f"/api/v1/runs/{run}").status for _ in range(64)} == {200}
    assert client.wait_over(run)["state"] == "finished"
    check_whole(client, run, before)


@pytest.mark.parametrize("url, told", [
    ("postgresql://nobody@/none?host=/nowhere", r"PostgreSQL: connection to server .*/nowhere.* failed"),
    ("mysql://here/assay", r"--database: not a URL such as postgresql://"),
])
def test_what_is_no_database(bin_dir, tmp_path, url, told):
    """The service does not start, and says why in a line."""
    done = subprocess.run([bin_dir / "assayd", "--listen", "127.0.0.1:0", "--data", tmp_path / "data", "--database",
                           url], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2 and re.fullmatch(f"assayd: {told}.*\n", done.stderr)


def test_backup_is_pg_dumps(bin_dir, tmp_path):
    """What copies a folder says that the database is not in it."""
    done = subprocess.run([bin_dir / "assayd", "--data", tmp_path, "--database", "postgresql:///assay", "--backup",
                           tmp_path / "copy"], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2 and "pg_dump" in done.stderr


# The man page's way, with a halt between the two, in which a run is deleted.
COPYING = """pg_dump --dbname="$1" --file="$3/dump.sql" && echo dumped && read -r _ &&
    cp -a "$2/evidence" "$2/signing.key" "$3/data/" """


def test_copied_while_a_run_is_deleted(server, service, bin_dir, tmp_path):
    """Database and files are copied one after the other; what is in the first is in the second too, since the lock
    keeps evidence until both are done."""
    client = service.client()
    run = run_suite(service, client)
    before = downloads(client, run)
    (tmp_path / "data").mkdir(mode=0o700)
    with subprocess.Popen(["flock", "-s", service.data / "lock.evidence", "sh", "-c", COPYING, "sh",
                           service.url_of_database, service.data, tmp_path], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True, env={**os.environ, "LC_ALL": "C"}) as copying:
        assert copying.stdout.readline() == "dumped\n"
        assert client.delete(f"/api/v1/runs/{run}").status == 204
        assert service.stop() == 0
        service.start()  # removes what no run has
        copying.communicate("go on\n", timeout=PATIENCE)
    assert copying.returncode == 0
    copy = Service(bin_dir, tmp_path / "data", on=Restored(server, tmp_path / "dump.sql"))
    other = Client(copy, token=client.token)
    assert downloads(other, run) == before
    assert other.get("/api/v1/key").body == client.get("/api/v1/key").body
    inspected = subprocess.run([copy.program, *copy.place, "--inspect"], capture_output=True, text=True,
                               timeout=PATIENCE, check=False)
    assert (inspected.returncode, inspected.stderr) == (0, ""), inspected.stdout
    copy.end()


class Restored:
    """A server, for a service whose database is read from a dump."""

    def __init__(self, server, dump):
        self.server, self.dump = server, dump

    def new_database(self):
        url = self.server.new_database()
        subprocess.run(["psql", "--quiet", "--set=ON_ERROR_STOP=1", f"--dbname={url}", f"--file={self.dump}"],
                       check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE)
        return url
