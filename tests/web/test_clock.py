# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The time of day jumps, forward and back, by hours and days: of the whole machine (service, launch agent, system
under test), or of the database's server where that has a clock of its own. libfaketime makes it jump."""

import contextlib
import datetime
import json
import os
import pathlib

import pytest

import postgresql
from service import ON_POSTGRESQL, PATIENCE, Client, Service, read_text
from test_account import sign_in
from test_evidence import wait_until
from test_resume import SUITE, check_whole, running_agent, told

DAY, CASE = 86400, "smoke-put"
LIBRARY = next(iter(sorted(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))), None)
pytestmark = [
    pytest.mark.skipif(LIBRARY is None, reason="libfaketime is not installed"),
    pytest.mark.skipif(os.environ.get("ASSAY_VARIANT", "release") in ("asan", "tsan"),
                       reason="a sanitizer wants to be preloaded first"),
]


class Clock:
    """What time it is for the processes that were started with `variables`: so many seconds off."""

    def __init__(self, folder):
        self.file = folder / "clock"
        self.variables = {"LD_PRELOAD": str(LIBRARY), "FAKETIME_TIMESTAMP_FILE": str(self.file),
                          "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}
        self.jump(0)

    def jump(self, seconds):
        """To so many seconds from the true time, for all of them at once."""
        fresh = self.file.with_suffix(".new")
        fresh.write_text(f"{seconds:+d}")
        fresh.chmod(0o644)
        fresh.rename(self.file)
        self.off = seconds


def hours_off(text):
    """How many hours from the true time that is."""
    return (datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
            - datetime.datetime.now(datetime.timezone.utc)).total_seconds() / 3600


@contextlib.contextmanager
def jumping_server():
    """A PostgreSQL server with a clock of its own, and that."""
    one = postgresql.Server(lambda folder: Clock(folder).variables)
    try:
        yield one, Clock(one.folder)
    finally:
        one.end()


@pytest.fixture(name="machine")
def fixture_machine(bin_dir, tmp_path, monkeypatch):
    """A service on a machine whose clock jumps, with all that is started on it, and the clock. PostgreSQL runs on it,
    too."""
    with contextlib.ExitStack() as stack:
        server, clock = stack.enter_context(jumping_server()) if ON_POSTGRESQL else (None, Clock(tmp_path))
        for name, value in clock.variables.items():
            monkeypatch.setenv(name, value)
        service = Service(bin_dir, tmp_path / "data", on=server)
        stack.callback(service.end)
        yield service, clock


def test_a_run_goes_through(machine):
    """Jumps between its cases and within them change no verdict, no duration, no order."""
    service, clock = machine
    client = service.client()
    made = client.run(suite=SUITE)
    run, last, jumps = made["run"]["id"], 0, [3 * DAY, -2 * DAY, 7200, -7200, 400 * DAY, 0]
    with running_agent(service, made["token"]) as agent:
        for off in jumps:
            last = told(client, run, 1, last)[1]
            clock.jump(off)
        state = client.wait_over(run)
        assert agent.wait(PATIENCE) == 0
    check_whole(client, run, [])
    results = client.get(f"/api/v1/runs/{run}/results").json["results"]
    assert all(0 <= one["duration_ms"] < 60000 for one in results)
    assert sum(one["duration_ms"] for one in results) > 0 and state["started"] and state["ended"]
    for one in results[:8]:
        events = client.get(f"/api/v1/runs/{run}/results/{one['id']}/ladder").json
        times = [event["time"] for event in events]
        assert times == sorted(times) and 0 <= times[0] and times[-1] < 60000
    for off, way in ((DAY, "forward"), (0, "back")):  # those above may all have come between two of its looks
        clock.jump(off)
        wait_until(lambda words=f"jumped {way} by": words in said(service), client)
    assert service.stop() == 0


def said(service):
    return read_text(f"{service.data}.stderr")


@pytest.mark.parametrize("jump", [2 * DAY, -2 * DAY])
def test_who_is_waited_for_is_waited_for(machine, jump):
    """Runs that wait for their agents are neither given up nor waited for during days."""
    service, clock = machine
    client = service.client()
    made = [client.run(case=CASE), client.run(case=CASE)]
    runs = [f"/api/v1/runs/{one['run']['id']}" for one in made]
    assert client.post(f"{runs[1]}/pause", None).status == 202
    clock.jump(jump)
    wait_until(lambda: 0 < hours_off(client.get(runs[0]).json["resume_until"]) - jump / 3600 < 1, client)
    states = [client.get(run).json for run in runs]
    assert [(state["state"], state["paused"]) for state in states] == [("waiting", False), ("waiting", True)]
    assert 160 < hours_off(states[1]["resume_until"]) - jump / 3600 < 169
    assert client.post(f"{runs[1]}/resume", None).status == 202
    for one, run in zip(made, runs):
        with running_agent(service, one["token"]) as agent:
            assert agent.wait(PATIENCE) == 0
        assert client.get(run).json["verdict"] == "conforms"


def test_sessions(machine):
    """Whoever is signed in stays so through a jump of days; a session that only seems to be over is good again when
    the clock is right."""
    service, clock = machine
    browser, _ = sign_in(service, service.read_link(), name="Ada")
    token = service.client("agent")
    for off in (2 * DAY, -2 * DAY, 0):
        clock.jump(off)
        assert browser.get("/api/v1/runs").status == token.get("/api/v1/runs").status == 200
    clock.jump(3650 * DAY)
    wait_until(lambda: browser.get("/api/v1/runs").status == 401, token)
    wait_until(lambda: "jumped forward by" in said(service), token)
    assert token.get("/api/v1/runs").status == 200
    clock.jump(0)
    wait_until(lambda: browser.get("/api/v1/runs").status == 200, token)


def executing(client, run):
    with client.service.database() as database:
        row = database.execute("SELECT service, resume_until FROM runs WHERE id = ?", (run,)).fetchone()
    database.close()
    return row


@pytest.fixture(name="shared")
def fixture_shared(bin_dir, tmp_path):
    """Clients of two services on a database whose server has a clock of its own, and the clock."""
    with jumping_server() as (server, clock), contextlib.ExitStack() as stack:
        first = Service(bin_dir, tmp_path / "data", "--instance", "a", on=server)
        stack.callback(first.end)
        second = Service(bin_dir, tmp_path / "data", "--instance", "b", beside=first)
        stack.callback(second.end)
        client = first.client()
        yield [client, Client(second, token=client.token)], clock


@pytest.mark.long
def test_leases(shared):
    """The service that executes a run keeps it, though by the database's time its lease has ended days ago. When it
    dies the other one has the run soon, though by that time the lease is good for days."""
    two, clock = shared
    made = two[0].run()  # every case: it is not over before the test is
    run = made["run"]["id"]
    with running_agent(two[0].service, made["token"]):
        last = told(two[0], run, 1)[1]
        for count, off in enumerate((2 * DAY, 9 * DAY, DAY, 0)):
            clock.jump(off)
            for client in two:
                wait_until(lambda one=client: said(one.service).count("jumped") > count, client)
            last = told(two[0], run, 1, last)[1]
            assert executing(two[1], run) == ("a", None)
        assert not {"agent-lost", "agent-gone"} & {data.get("kind") for data in notes(two[1], run, last)}
        two[0].service.kill()
        clock.jump(-2 * DAY)
        wait_until(lambda: executing(two[1], run)[0] is None, two[1])
    assert "service that executed the run is gone" in str(notes(two[1], run))
    assert two[1].post(f"/api/v1/runs/{run}/cancel", None).status == 202


def notes(client, run, last=None):
    """What it has told as notes, up to an event, or as far as the database has it."""
    with client.service.database() as database:
        rows = database.execute("SELECT data FROM events WHERE run = ? AND kind = 'note' AND seq <= ?",
                                (run, last or 1 << 40)).fetchall()
    database.close()
    return [json.loads(row[0]) for row in rows]
