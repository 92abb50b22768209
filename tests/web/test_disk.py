# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A disk that gets full: what could not be stored is not taken for judged, by nobody, and every state can be left."""

import contextlib
import os
import sqlite3
import subprocess

import pytest

from service import PATIENCE, Service, sqlite_only
from waiting import until


@pytest.fixture
def small_disk(tmp_path):
    """A file system of eight mebioctets."""
    folder = tmp_path / "disk"
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"cannot mount a small file system: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", folder], check=False)


@pytest.fixture
def service(bin_dir, small_disk):
    one = Service(bin_dir, small_disk / "data")
    yield one
    one.end()


def fill(folder):
    """Takes the room that there is now, and not what the service gives up meanwhile: the file that has it."""
    ballast = folder / "ballast"
    with open(ballast, "wb", buffering=0) as file:
        system = os.statvfs(folder)
        for octets in range(system.f_bavail * system.f_frsize, 0, -system.f_frsize):
            try:
                os.posix_fallocate(file.fileno(), 0, octets)
                break
            except OSError:  # somebody else has taken a part of it
                pass
    return ballast


def begin(service, client):
    """A run of the whole profile whose agent has connected, of which some results are there."""
    made = client.run()
    agent = service.agent(made["token"])
    count = 0
    for _, kind, _ in client.events(made["run"]["id"]):
        count += kind == "result"
        if count == 2:
            break
    return made["run"]["id"], agent


def test_a_run_ends_where_it_cannot_be_stored(service, small_disk):
    """The agent does not leave with 0, the run is over and says why, while the disk is still full; what there is can be
    read, and the run can be deleted. When there is room again, everything goes on."""
    client = service.client()
    run, agent = begin(service, client)
    ballast = fill(small_disk)
    code = agent.wait(PATIENCE)
    assert code == 1, agent.stderr.read()
    agent.stderr.close()
    state = client.wait_over(run)
    assert (state["state"], state["verdict"]) == ("finished", "inconclusive"), state
    assert "could not be stored" in state["problem"] and "disk is full" in state["problem"]
    assert "could not be stored" in state["storage_problem"] and state["certificate"] is None
    results = client.get(f"/api/v1/runs/{run}/results").json["results"]
    assert 2 <= len(results) < state["total"]
    fill(small_disk)
    health = client.get("/healthz")
    assert (health.status, health.json["status"], health.json["disk"]["state"]) == (200, "disk-full", "full")
    order = {"implementation": client.implementation(), "profile": "portals-3.0"}
    assert client.post("/api/v1/runs", order).status == 507
    assert client.post(f"/api/v1/runs/{run}/cancel", None).status == 409
    ballast.unlink()
    assert client.delete(f"/api/v1/runs/{run}").status == 204
    assert client.get("/healthz").json["status"] == "good"
    assert client.post("/api/v1/runs", order).status == 201


@sqlite_only
def test_what_is_new_is_refused(service, small_disk):
    """With 507, until there is room again."""
    client = service.client()
    fill(small_disk)
    statuses = {client.post("/api/v1/implementations", {"name": f"n{i}" + "x" * 90, "version": "1",
                                                        "notes": "y" * 3900}).status for i in range(40)}
    assert 507 in statuses and statuses <= {201, 507}
    assert client.get("/api/v1/implementations").status == 200


def test_a_state_that_nobody_executes_can_be_left(own_service):
    """A run that the database shows under way though nobody executes it: it can be cancelled, then deleted."""
    service = own_service()
    client = service.client()
    run = client.run()["run"]["id"]
    assert client.post(f"/api/v1/runs/{run}/cancel", None).status == 202
    assert client.wait_over(run)["state"] == "cancelled"
    assert until(lambda: not list((service.data / "runs").iterdir()), service.data / "runs", PATIENCE)
    with service.database() as database:
        database.execute("UPDATE runs SET state = 'running', ended = NULL")
    database.close()
    assert client.get("/healthz").json["queue"]["under_way"] == 0
    assert client.post(f"/api/v1/runs/{run}/cancel", None).status == 202
    assert client.wait_over(run)["state"] == "cancelled"
    assert client.post(f"/api/v1/runs/{run}/cancel", None).status == 409
    assert client.delete(f"/api/v1/runs/{run}").status == 204


@sqlite_only
def test_a_database_that_refuses_is_not_a_full_disk(own_service):
    """What could not be stored for another reason is told with that reason."""
    one = own_service()
    client = one.client()
    run, agent = begin(one, client)
    with contextlib.closing(sqlite3.connect(one.data / "assay.db", isolation_level=None)) as database:
        database.execute("CREATE TRIGGER refuse BEFORE INSERT ON results BEGIN SELECT RAISE(ABORT, 'no'); END")
        code = agent.wait(PATIENCE)
        assert code == 1, agent.stderr.read()
        agent.stderr.close()
        state = client.wait_over(run)
        database.execute("DROP TRIGGER refuse")
    assert "could not be stored" in state["problem"] and "database failed" in state["problem"], state
    assert "disk is full" not in state["problem"] + state["storage_problem"] and state["certificate"] is None
    assert "database failed" in state["storage_problem"]
