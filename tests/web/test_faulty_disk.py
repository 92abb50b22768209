# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A loss of power, a disk that is full from any write on, and SIGKILL: whatever was shown as judged is there
afterwards, and nothing is taken for judged that is not. `make kills KILLS=100` does each of them a hundred times."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import threading

import pytest

from service import PATIENCE, Service, sqlite_only
from test_evidence import downloads, run_suite, wait_until

KILLS = int(os.environ.get("ASSAY_KILLS", "2"))
SEED = int(os.environ.get("ASSAY_SEED", "0")) or random.randrange(1 << 30)


@pytest.fixture(name="disk")
def fixture_disk(root, tmp_path, monkeypatch):
    """What faulty_disk.c is told by: disk(FAULTY_..=..) begins, disk() ends it for programs that start then."""
    out = os.environ.get("ASSAY_OUT", root / "build" / "release")
    library = os.path.abspath(os.path.join(out, "web", "faulty-disk.so"))
    if not os.path.exists(library) or "release" not in str(out):
        pytest.skip("a sanitizer must be the first library that is loaded")

    def disk(**words):
        for name in ("LD_PRELOAD", "FAULTY_ROOT", "FAULTY_SHADOW", "FAULTY_FULL_AT", "FAULTY_FREE"):
            monkeypatch.delenv(name, raising=False)
        if words:
            monkeypatch.setenv("LD_PRELOAD", library)
            monkeypatch.setenv("FAULTY_ROOT", str(tmp_path / "data"))
            for name, value in words.items():
                monkeypatch.setenv(name, str(value))

    return disk


def choose(name, number):
    """The same choice for the same seed."""
    print(f"ASSAY_SEED={SEED}")
    return random.Random(f"{SEED} {name} {number}")


def begin(service, client):
    """A run of the first suites, and its agent."""
    suites = list(dict.fromkeys(one["suite"] for one in client.get("/api/v1/profiles/portals-3.0/cases").json["cases"]))
    made = client.run(suite=",".join(suites[:3]), seed=7)
    return made["run"]["id"], service.agent(made["token"])


def follow(client, run, most):
    """What a reader is shown of the run, as it comes: {case: verdict}, at most so many."""
    shown = {}
    for _, kind, data in client.events(run):
        if kind == "result":
            shown[data["case"]] = data["verdict"]
        if len(shown) >= most:
            break
    return shown


def ask(data, sql):
    with sqlite3.connect(f"file:{data / 'assay.db'}?mode=ro", uri=True) as database:
        rows = database.execute(sql).fetchall()
    database.close()
    return rows


def restore(shadow, data, into):
    """The folder as a loss of power leaves it: names and contents that were synced, and no others."""
    into.mkdir()
    prefix = str(data).replace("/", "%")
    for listing in sorted((shadow / "folders").iterdir(), key=lambda path: len(path.name)):
        assert listing.name.startswith(prefix), listing
        folder = into.joinpath(*listing.name[len(prefix):].split("%")[1:])
        if not folder.is_dir():
            continue  # its own name was never synced
        for key, name in (line.split(" ", 1) for line in listing.read_text().splitlines()):
            below = shadow / "folders" / f"{listing.name}%{name}"
            if below.exists():
                (folder / name).mkdir(exist_ok=True)
            elif (shadow / "files" / key).exists():
                shutil.copyfile(shadow / "files" / key, folder / name)
            else:
                (folder / name).touch()


def check_shown(client, run, shown):
    """Each verdict that was shown stands there, with its evidence. The state of the run."""
    state = client.get(f"/api/v1/runs/{run}").json
    stored = {one["id"]: one for one in client.get(f"/api/v1/runs/{run}/results").json["results"]}
    assert {case: stored[case]["verdict"] for case in shown if case in stored} == shown
    for case, one in stored.items():
        for kind in one["evidence"]:
            assert client.get(f"/api/v1/runs/{run}/results/{case}/{kind}").status == 200, (case, kind)
    return state


def end_agent(agent):
    agent.send_signal(signal.SIGKILL)
    agent.wait(PATIENCE)
    agent.stderr.close()


@sqlite_only
@pytest.mark.parametrize("number", range(KILLS))
def test_power_is_lost(disk, bin_dir, tmp_path, number):
    """In the middle of a run: from what was synced alone the service starts, and has all that it has shown."""
    data, shadow = tmp_path / "data", tmp_path / "shadow"
    for name in ("files", "folders"):
        (shadow / name).mkdir(parents=True)
    disk(FAULTY_SHADOW=shadow)
    service = Service(bin_dir, data)
    client = service.client()
    disk()
    run, agent = begin(service, client)
    shown = follow(client, run, choose("power", number).randint(1, 12))
    service.kill()
    end_agent(agent)
    restored = Service.__new__(Service)
    restore(shadow, data, tmp_path / "restored")
    restored.__init__(bin_dir, tmp_path / "restored")
    again = type(client)(restored, token=client.token)
    assert check_shown(again, run, shown)["state"] in ("waiting", "finished")
    assert shown
    with sqlite3.connect(tmp_path / "restored" / "assay.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()
    restored.end()


@sqlite_only
def test_power_is_lost_behind_a_bundle(disk, bin_dir, tmp_path):
    """As soon as the database says that evidence lies in a bundle, and its files are removed: all of it was synced."""
    data, shadow = tmp_path / "data", tmp_path / "shadow"
    for name in ("files", "folders"):
        (shadow / name).mkdir(parents=True)
    disk(FAULTY_SHADOW=shadow)
    service = Service(bin_dir, data, "--limit", "bundle-minutes=0")
    client = service.client()
    disk()
    run = run_suite(service, client)
    wait_until(lambda: ask(data, "SELECT 1 FROM runs WHERE bundled = 1") and
               not ask(data, "SELECT 1 FROM evidence_unused"), client)
    got = downloads(client, run)
    service.kill()
    restored = Service.__new__(Service)
    restore(shadow, data, tmp_path / "restored")
    restored.__init__(bin_dir, tmp_path / "restored")
    assert downloads(type(client)(restored, token=client.token), run) == got
    restored.end()


@pytest.mark.parametrize("number", range(KILLS))
def test_killed_while_packing(bin_dir, tmp_path, number):
    """By SIGKILL at any moment after the end of a run, whose evidence is packed then: nothing of it is lost."""
    service = Service(bin_dir, tmp_path / "data")
    client = service.client()
    run = run_suite(service, client)
    got = downloads(client, run)
    service.stop()
    service.start("--limit", "bundle-minutes=0")
    threading.Event().wait(choose("packing", number).random() / 2)
    service.kill()
    service.start()
    assert downloads(client, run) == got
    service.end()


@pytest.mark.parametrize("number", range(KILLS))
def test_killed(bin_dir, tmp_path, number):
    """By SIGKILL, while several read: nothing that was shown is lost, and the service starts again at once."""
    service = Service(bin_dir, tmp_path / "data")
    client = service.client()
    run, agent = begin(service, client)
    shown = follow(client, run, choose("kill", number).randint(1, 20))
    service.kill()
    end_agent(agent)
    service.start()
    assert check_shown(client, run, shown)["state"] in ("waiting", "finished")
    service.end()


# The writes from which on the disk is full: at 57 a run cannot begin, from 59 on neither what it begins with nor its
# end can be written down.
@pytest.mark.parametrize("at", [57, 59, *(choose("full", number).randint(1, 500) for number in range(KILLS))])
def test_full_from_any_write_on(disk, bin_dir, tmp_path, at):
    """No write has room from some time on: the agent leaves with 0 only if all of the run is stored; what was shown is
    there; and as soon as there is room again every state can be left, and another run is good."""
    free = tmp_path / "free"
    service = Service(bin_dir, tmp_path / "data")
    client = service.client()
    assert service.stop() == 0
    disk(FAULTY_FULL_AT=at, FAULTY_FREE=free)
    try:
        service.start()
    except AssertionError:
        assert service.wait() == 2  # not even the start had room, and said so
        disk()
        service.start()
    disk()
    order = {"implementation": "none", "profile": "portals-3.0"}
    answer = client.post("/api/v1/implementations", {"name": "Some Portals", "version": "1.0"})
    assert answer.status in (201, 500, 507)
    if answer.status == 201:
        check_full(service, client, {**order, "implementation": answer.json["id"]}, free)
    free.touch()
    run, agent = begin(service, client)
    assert client.wait_over(run)["state"] == "finished" and agent.wait(PATIENCE) == 0
    agent.stderr.close()
    service.end()


def check_full(service, client, order, free):
    """One run while there is no room, or less and less."""
    suite = client.get("/api/v1/profiles/portals-3.0/cases").json["cases"][0]["suite"]
    made = client.post("/api/v1/runs", {**order, "suite": suite, "seed": 7})
    assert made.status in (201, 500, 507), made.body
    if made.status != 201:
        return
    run = made.json["run"]["id"]
    agent = service.agent(made.json["token"], options=("--patience", "3"))  # where the run cannot even begin
    try:
        status = agent.wait(10)
    except subprocess.TimeoutExpired:  # the service has asked it to wait, as a run that cannot begin may do later
        free.touch()
        status = agent.wait(PATIENCE)
    agent.stderr.close()
    state = client.get(f"/api/v1/runs/{run}").json
    results = client.get(f"/api/v1/runs/{run}/results").json["results"]
    if status == 0:
        assert state["state"] == "finished" and len(results) == state["total"] and state["verdict"] == "conforms", state
    assert client.get("/healthz").status in (200, 503)
    free.touch()
    client.post(f"/api/v1/runs/{run}/cancel", None)
    state = client.wait_over(run)
    assert state["state"] in ("finished", "cancelled", "interrupted")
    assert state["certificate"] is None
    assert client.delete(f"/api/v1/runs/{run}").status == 204
