# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The life of the service: starting where it cannot, being killed in a run, ending in order, two runs at once."""

import json
import os
import resource
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import time

import pytest

from service import PATIENCE, Client, read_text, sqlite_only
from waiting import until

SLOW_SUITE_LEAST = 3


def refused(program, *words):
    """Starts assayd where it cannot start: its one line."""
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
    assert done.returncode == 2, done
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("assayd: "), done.stderr
    return lines[0]


def test_wrong_usage(bin_dir, tmp_path):
    assayd = bin_dir / "assayd"
    assert "--data" in refused(assayd, "--listen", "127.0.0.1:0")
    assert "--listen" in refused(assayd, "--data", tmp_path)
    for listen in ("nowhere", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:x", ":80", "localhost:80"):
        assert "--listen" in refused(assayd, "--listen", listen, "--data", tmp_path)
    assert "--tls" in refused(assayd, "--listen", "127.0.0.1:0", "--data", tmp_path, "--tls-cert", "x")
    for word in ("--help", "--version"):
        assert subprocess.run([assayd, word], capture_output=True, timeout=PATIENCE).returncode == 0


def test_port_in_use(bin_dir, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = refused(bin_dir / "assayd", "--listen", f"127.0.0.1:{port}", "--data", tmp_path / "data")
    assert f"127.0.0.1:{port}" in line and "port" in line


def test_data_folder_that_cannot_be_used(bin_dir, tmp_path):
    listen = ("--listen", "127.0.0.1:0", "--data")
    (tmp_path / "file").write_text("not a folder")
    assert "file" in refused(bin_dir / "assayd", *listen, tmp_path / "file")
    assert "missing" in refused(bin_dir / "assayd", *listen, tmp_path / "missing" / "data")
    (tmp_path / "garbage").mkdir()
    (tmp_path / "garbage" / "assay.db").write_bytes(b"this is no database at all" * 100)
    assert "assay.db" in refused(bin_dir / "assayd", *listen, tmp_path / "garbage")
    (tmp_path / "key").mkdir()
    (tmp_path / "key" / "signing.key").write_bytes(b"short")
    assert "signing.key" in refused(bin_dir / "assayd", *listen, tmp_path / "key")
    assert (tmp_path / "key" / "signing.key").read_bytes() == b"short"
    assert refused(bin_dir / "assayd", *listen, "/proc/data")


@sqlite_only
def test_newer_schema_is_left_alone(own_service):
    service = own_service()
    service.stop()
    with service.database() as database:
        database.execute("PRAGMA user_version = 99")
    line = refused(service.program, "--listen", "127.0.0.1:0", "--data", service.data)
    assert "99" in line and "newer" in line
    with service.database() as database:
        assert database.execute("PRAGMA user_version").fetchone() == (99,)


def test_one_service_a_data_folder(own_service):
    service = own_service()
    assert "another assayd" in refused(service.program, "--listen", "127.0.0.1:0", "--data", service.data)


def test_broken_tls_files(bin_dir, tmp_path):
    (tmp_path / "bad.pem").write_text("-----BEGIN NONSENSE-----\n")
    for cert in ("bad.pem", "missing.pem"):
        done = subprocess.run([bin_dir / "assayd", "--listen", "127.0.0.1:0", "--data", tmp_path / "data", "--tls-cert",
                               tmp_path / cert, "--tls-key", tmp_path / "bad.pem"], capture_output=True, text=True,
                              timeout=PATIENCE)
        assert done.returncode == 2 and cert in done.stderr


def test_https(own_service, tmp_path):
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2",
                    "-keyout", key, "-out", cert], check=True, capture_output=True, timeout=PATIENCE)
    service = own_service("--tls-cert", cert, "--tls-key", key)
    context = ssl.create_default_context(cafile=cert)
    context.check_hostname = False
    with context.wrap_socket(socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE)) as secure:
        secure.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = b"".join(iter(lambda: secure.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 200") and b"Strict-Transport-Security" in answer
    greet_as_agent(service, context)
    assert service.stop() == 0


def greet_as_agent(service, context):
    """An agent that comes through a tunnel meets the engine: hello, welcome, the first command."""
    owner = service.token()
    with tls(service, context) as plain:
        body = json.dumps({"name": "N", "version": "1"}).encode()
        made = exchange(plain, b"POST /api/v1/implementations", owner, body)
    with tls(service, context) as plain:
        run = exchange(plain, b"POST /api/v1/runs", owner, json.dumps({"implementation": made["id"],
                                                                       "profile": "portals-3.0"}).encode())
    assert any("sut-agent --url https://localhost" in one["text"] for one in run["commands"])
    with tls(service, context) as agent:
        agent.sendall(b"GET /connect HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: assay/1\r\n"
                      b"Authorization: Bearer " + run["token"].encode() + b"\r\n\r\n"
                      b"hello versions=1 role=agent name=x/1 pid=1 host=h template=x\n")
        stream = agent.makefile("rb")
        assert stream.readline().startswith(b"HTTP/1.1 101")
        while stream.readline().strip():
            pass
        assert stream.readline() == b"welcome version=1\n"
        assert b" start " in stream.readline()
        socket.socket.shutdown(agent, socket.SHUT_WR)
        agent.settimeout(5)  # no patience of the service's is as short
        assert stream.read() == b""


def tls(service, context):
    return context.wrap_socket(socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE))


def exchange(connection, line, token, body):
    connection.sendall(line + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
                       b"Authorization: Bearer " + token.encode() + b"\r\n"
                       b"Content-Length: %d\r\n\r\n" % len(body) + body)
    head, answer = b"".join(iter(lambda: connection.recv(4096), b"")).split(b"\r\n\r\n", 1)
    assert b" 201 " in head.splitlines()[0], (head, answer)
    return json.loads(answer)


def results_until(client, run, least):
    """Follows a run until it has that many results; their ids."""
    seen = []
    for _, kind, data in client.events(run):
        if kind == "result":
            seen.append(data["case"])
        if len(seen) >= least:
            return seen
    raise AssertionError(f"the run ended after {len(seen)} results")


def test_killed_in_a_run(own_service):
    """SIGKILL in a run whose agent is gone as well: at the next start the run waits for it, every result that was told
    is there with its evidence, and a new run works. Without patience the run is interrupted."""
    service = own_service()
    client = service.client()
    made = client.run()
    run = made["run"]["id"]
    agent = service.agent(made["token"], options=("--patience", "0"))
    told = results_until(client, run, SLOW_SUITE_LEAST)
    service.kill()
    assert agent.wait(PATIENCE) != 0
    agent.stderr.close()
    service.start()
    state = client.get(f"/api/v1/runs/{run}").json
    assert state["state"] == "waiting" and state["resume_until"]
    assert service.stop() == 0
    service.start("--limit", "agent-seconds=0")
    state = client.get(f"/api/v1/runs/{run}").json
    assert state["state"] == "interrupted" and state["verdict"] is None and state["problem"] and state["ended"]
    stored = client.get(f"/api/v1/runs/{run}/results").json["results"]
    assert [one["id"] for one in stored][:len(told)] == told
    for one in stored:
        assert set(one["evidence"]) == {"transcript", "capture", "ladder"}
        capture = client.get(f"/api/v1/runs/{run}/results/{one['id']}/capture")
        assert capture.body[:4] == b"\x0a\x0d\x0d\x0a"
    kinds = [kind for _, kind, _ in client.events(run)]
    assert kinds[-1] == "finished" and kinds.count("result") == len(stored)
    assert not list((service.data / "runs").iterdir())
    case = client.get("/api/v1/profiles/portals-3.0/cases").json["cases"][0]["id"]
    again = client.run(case=case)
    agent = service.agent(again["token"])
    assert client.wait_over(again["run"]["id"])["verdict"] == "conforms"
    assert agent.wait(PATIENCE) == 0
    agent.stderr.close()


def test_ended_in_order_in_a_run(own_service):
    """SIGTERM in a run: status 0, the run waits for the next start, live views end."""
    service = own_service()
    client = service.client()
    made = client.run()
    agent = service.agent(made["token"], options=("--patience", "0"))
    results_until(client, made["run"]["id"], 1)
    waiting = client.run()["run"]["id"]
    view = client.events(made["run"]["id"])
    next(view)
    assert service.stop() == 0
    for _ in view:
        pass
    agent.wait(PATIENCE)
    agent.stderr.close()
    service.start()
    for run in (made["run"]["id"], waiting):
        state = client.get(f"/api/v1/runs/{run}").json
        assert state["state"] == "waiting" and state["resume_until"]


def test_events_are_replayed_from_any_point(own_service):
    service = own_service()
    client = service.client()
    cases = client.get("/api/v1/profiles/portals-3.0/cases").json["cases"]
    made = client.run(case=cases[0]["id"])
    run = made["run"]["id"]
    agent = service.agent(made["token"])
    live = list(client.events(run))
    assert agent.wait(PATIENCE) == 0
    agent.stderr.close()
    assert live == list(client.events(run))
    middle = live[len(live) // 2][0]
    assert [event for event in live if event[0] > middle] == list(client.events(run, after=middle))
    assert [number for number, _, _ in live] == sorted({number for number, _, _ in live})
    assert [kind for _, kind, _ in live][-2:] == ["result", "finished"]


def test_two_runs_at_once(own_service):
    """Two runs of three suites side by side: each gets its own results and no others."""
    service = own_service()
    client = service.client()
    profiles = {one["id"]: one for one in client.get("/api/v1/profiles").json["profiles"]}
    suites = [{one["id"]} for one in profiles["portals-3.0"]["suites"]][:3]
    suites = [suites[0] | suites[1], suites[2]]
    runs = [client.run(suite=",".join(suite)) for suite in suites]
    agents = [service.agent(made["token"]) for made in runs]
    for made, suite, agent in zip(runs, suites, agents):
        run = made["run"]["id"]
        state = client.wait_over(run)
        assert state["verdict"] == "conforms", state
        results = client.get(f"/api/v1/runs/{run}/results").json["results"]
        assert {one["suite"] for one in results} == suite and state["total"] == len(results)
        assert json.loads(client.get(f"/api/v1/runs/{run}/report.json").body)["summary"]["pass"] == len(results)
        assert agent.wait(PATIENCE) == 0
        agent.stderr.close()


def test_cancelled_run_stops_the_agent(own_service):
    service = own_service()
    client = service.client()
    made = client.run()
    run = made["run"]["id"]
    agent = service.agent(made["token"])
    results_until(client, run, 1)
    assert client.post(f"/api/v1/runs/{run}/cancel", None).status == 202
    assert client.wait_over(run)["state"] == "cancelled"
    agent.wait(PATIENCE)
    agent.stderr.close()
    assert client.get(f"/api/v1/runs/{run}/certificate").status == 404
    assert client.get(f"/api/v1/runs/{run}/results").json["results"]


def test_unknown_peer_address(bin_dir, tmp_path):
    assert "--peer-address" in refused(bin_dir / "assayd", "--listen", "127.0.0.1:0", "--data", tmp_path,
                                       "--peer-address", "here")


def test_issue_token_on_a_running_service(own_service):
    service = own_service()
    assert Client(service, token=service.token()).get("/api/v1/session").json["account"]["name"] == "owner"


def test_output_that_is_no_text(own_service, bin_dir):
    """What a job prints need not be UTF-8, and a long line is cut somewhere: neither costs a run its notes or results,
    and each note can be read."""
    service = own_service()
    client = service.client()
    case = client.get("/api/v1/profiles/portals-3.0/cases").json["cases"][0]["id"]
    made = client.run(case=case)
    run = made["run"]["id"]
    script = ('printf "gr\\374n \\355\\240\\200 \\300\\257\\n"; printf "x"; printf "\\303\\244%.0s" $(seq 600); echo; '
              'exec "$@"')
    agent = service.agent(made["token"], "sh", "-c", script, "sh", bin_dir / "portalsrun", "-np", "{np}",
                          bin_dir / "interp-portals", "{args}")
    state = client.wait_over(run)
    assert (state["verdict"], state["problem"], state["storage_problem"]) == ("conforms", "", ""), state
    printed = [data["text"] for _, kind, data in client.events(run) if kind == "note" and data["kind"] == "output"]
    assert printed[0] == "gr?n ??? ??" and printed[1].startswith("xää") and set(printed[1]) == set("xä")
    assert agent.wait(PATIENCE) == 0
    agent.stderr.close()


@sqlite_only
def test_nothing_is_begun_while_it_ends(own_service):
    """SIGTERM while a run cannot be put away yet: who asks meanwhile is told to come again; the end is in order."""
    service = own_service()
    client = service.client()
    made = client.run()
    agent = service.agent(made["token"], options=("--patience", "0"))
    results_until(client, made["run"]["id"], 1)
    holder = sqlite3.connect(service.data / "assay.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    service.process.send_signal(signal.SIGTERM)
    late = time.monotonic() + PATIENCE
    while (answer := client.get("/healthz")).status != 503:
        assert time.monotonic() < late, "it goes on as if nothing were"
    assert answer.code == "ending" and int(answer.headers["retry-after"]) > 0
    holder.execute("ROLLBACK")
    holder.close()
    assert service.wait() == 0
    agent.wait(PATIENCE)
    agent.stderr.close()


@sqlite_only
def test_end_while_the_database_is_held(own_service):
    """A run ends while another program holds the database for longer than the service waits: the end is written
    afterwards. A run that stays under way for ever could be neither read as a report nor deleted."""
    service = own_service()
    client = service.client()
    made = client.run()
    run = made["run"]["id"]
    agent = service.agent(made["token"], options=("--patience", "0"))
    results_until(client, run, 1)
    holder = sqlite3.connect(service.data / "assay.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    assert client.post(f"/api/v1/runs/{run}/cancel", None).status == 202
    said = f"{service.data}.stderr"
    assert until(lambda: "locked" in read_text(said), said, PATIENCE), "the service has not tried"
    late = time.monotonic() + PATIENCE
    holder.execute("ROLLBACK")
    holder.close()
    while client.get(f"/api/v1/runs/{run}").json["state"] != "cancelled":
        assert time.monotonic() < late, "the end of the run was not written"
    agent.communicate(timeout=PATIENCE)


def test_many_silent_connections(own_service):
    """As many connections as the service takes, with the usual number of descriptors: the run that is under way still
    writes its files, and is judged."""
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    silent = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, usual[1]), usual[1]))
    try:
        service = own_service_with(own_service, 1024)
        client = service.client()
        made = client.run(suite="events")
        run = made["run"]["id"]
        agent = service.agent(made["token"])
        results_until(client, run, 1)
        silent = [socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE) for _ in range(1100)]
        agent.wait(PATIENCE)
        agent.stderr.close()
    finally:
        for one in silent:
            one.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)
    state = client.wait_over(run)
    results = client.get(f"/api/v1/runs/{run}/results").json["results"]
    assert (state["verdict"], state["problem"]) == ("conforms", ""), state
    assert all(set(one["evidence"]) == {"transcript", "capture", "ladder"} for one in results)


def own_service_with(start, descriptors):
    """A service that is started with a lower limit of descriptors than the test itself has."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, hard))
    try:
        return start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_profiles_behind_links(own_service, root, tmp_path, monkeypatch):
    """Where cases are is no matter: a folder may be a link to one."""
    folder = tmp_path / "cases"
    folder.mkdir()
    for entry in (root / "tester" / "cases").iterdir():
        (folder / entry.name).symlink_to(entry)
    monkeypatch.setenv("ASSAY_CASES", str(folder))
    profiles = own_service().client().get("/api/v1/profiles").json["profiles"]
    assert {one["id"] for one in profiles} == {"portals-3.0", "portals-3.2", "portals-3.3", "impi-0.0",
                                             "intercept-1.0"}
    assert all(one["cases"] for one in profiles)
