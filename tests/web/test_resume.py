# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Runs that go on: after a connection that broke, after a service that was killed or ended, after a pause;
and with several agents."""

import contextlib
import socket
import threading

import pytest

from service import PATIENCE

SUITE = "movement"
LONG_SUITE = "match-entries"


class Relay:
    """What lies between a launch agent and its service, and can be cut: a listener whose connections go on to
    `service`, wherever that moves; as a context it ends with everything open."""

    def __init__(self, service):
        self.service, self.open, self.lock = service, [], threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.cut()

    def cut(self):
        """Breaks every connection that goes through."""
        with self.lock:
            for one in self.open:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            self.open.clear()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                here = self.listener.accept()[0]
                threading.Thread(target=self._pass, args=(here,), daemon=True).start()

    def _pass(self, here):
        try:
            there = socket.create_connection(("127.0.0.1", self.service.port))
        except OSError:  # no service: the caller sees its connection close
            here.close()
            return
        with self.lock:
            self.open += [here, there]
        back = threading.Thread(target=_copy, args=(there, here), daemon=True)
        back.start()
        _copy(here, there)
        back.join()
        here.close()
        there.close()


def _copy(source, sink):
    with contextlib.suppress(OSError):
        while octets := source.recv(65536):
            sink.sendall(octets)
    for one in (source, sink):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def running_agent(service, token, *options, url=None, template=(), jobs="1"):
    """An agent for as long as it is wanted. One case after the other, or all results of a suite might come at once, and
    the run be over before anything can befall it."""
    agent = service.agent(token, *template, url=url, options=("--jobs", jobs, *options))
    try:
        yield agent
    finally:
        agent.kill()
        agent.wait(PATIENCE)
        agent.stderr.close()


def told(client, run, least, after=0):
    """The cases that the run has told, from an event on, when there are so many."""
    cases, last = [], after
    for number, kind, data in client.events(run, after):
        last = number
        if kind == "result":
            cases.append((data["case"], data["verdict"]))
        if len(cases) == least:
            return cases, last
    raise AssertionError(f"the run ended after {len(cases)} results")


def wait_note(client, run, kind, after=0):
    """The number of the first such note behind an event."""
    return next(number for number, _, data in client.events(run, after) if data.get("kind") == kind)


def check_whole(client, run, before, suite=SUITE):
    """Every case of the suite has one result, in its order; what had been told is what it was; the report has all."""
    wanted = [one["id"] for one in client.get("/api/v1/profiles/portals-3.0/cases").json["cases"]
              if one["suite"] == suite]
    results = client.get(f"/api/v1/runs/{run}/results").json["results"]
    assert [one["id"] for one in results] == wanted
    assert [(one["id"], one["verdict"]) for one in results][:len(before)] == before
    report = client.get(f"/api/v1/runs/{run}/report.json").json
    assert [one["id"] for one in report["cases"]] == wanted
    assert not [one["reason"] for one in report["cases"] if one["verdict"] != "pass"]
    assert report["summary"]["pass"] == len(wanted) and report["verdict"] == "conforms"
    shown = client.get(f"/api/v1/runs/{run}").json
    assert (shown["state"], shown["verdict"], shown["resume_until"]) == ("finished", "conforms", None)


# Results are told in the order of the cases: where several run at once, those behind a slow one come all together. So
# many cases that a run is not over then.
@pytest.mark.parametrize("jobs,suite", (
    ("1", SUITE), pytest.param("2", "match-entries", marks=pytest.mark.long)))
def test_broken_connection_and_killed_service(own_service, jobs, suite):
    """The connection breaks, then the service is killed, then it is ended in order: one agent sees the run through."""
    service = own_service()
    client = service.client()
    made = client.run(suite=suite)
    run = made["run"]["id"]
    with Relay(service) as relay, running_agent(service, made["token"], url=relay.url, jobs=jobs) as agent:
        before, last = told(client, run, 2)
        relay.cut()
        more, last = told(client, run, 2, last)
        service.kill()
        service.start()
        still, last = told(client, run, 2, last)
        assert service.stop() == 0
        service.start()
        assert client.wait_over(run)["state"] == "finished"
        check_whole(client, run, before + more + still, suite)
        assert agent.wait(PATIENCE) == 0
    kinds = [data["kind"] for _, kind, data in client.events(run) if kind == "note"]
    assert (kinds.count("agent-connected"), kinds.count("agent-lost")) == (4, 3), kinds


def test_pause(own_service):
    """A paused run stops until it is resumed, also over a restart; its agent waits meanwhile."""
    service = own_service()
    client = service.client()
    made = client.run(suite=SUITE)
    run = made["run"]["id"]
    assert client.post(f"/api/v1/runs/{run}/resume", None).status == 409
    with Relay(service) as relay, running_agent(service, made["token"], url=relay.url) as agent:
        before, _ = told(client, run, 2)
        assert client.post(f"/api/v1/runs/{run}/pause", None).json == {"paused": True}
        assert client.post(f"/api/v1/runs/{run}/pause", None).status == 409
        wait_note(client, run, "paused")
        line = next(line for line in agent.stderr if "(503)" in line)
        assert "paused" in line
        service.kill()
        service.start()
        shown = client.get(f"/api/v1/runs/{run}").json
        assert (shown["state"], shown["paused"]) == ("waiting", True)
        assert client.post(f"/api/v1/runs/{run}/resume", None).json == {"paused": False}
        assert client.wait_over(run)["verdict"] == "conforms"
        assert agent.wait(PATIENCE) == 0
    check_whole(client, run, before)


def test_another_template_is_sent_away(own_service, bin_dir):
    """Only what the run has begun with goes on with it; another system under test is refused and spoils nothing."""
    service = own_service()
    client = service.client()
    made = client.run(suite=SUITE)
    run = made["run"]["id"]
    with running_agent(service, made["token"]):
        before, last = told(client, run, 2)
    other = (bin_dir / "portalsrun", "-np", "{np}", "--nal", "tcp", bin_dir / "interp-portals", "{args}")
    last = wait_note(client, run, "agent-lost", last)
    with running_agent(service, made["token"], template=other) as agent:
        assert agent.wait(PATIENCE) == 1
    wait_note(client, run, "agent-lost", last)
    with running_agent(service, made["token"]) as agent:
        assert client.wait_over(run)["verdict"] == "conforms"
        assert agent.wait(PATIENCE) == 0
    check_whole(client, run, before)
    with running_agent(service, made["token"]) as agent:
        assert "(410)" in agent.stderr.readline() and agent.wait(PATIENCE) == 3


def test_patience_ends(own_service):
    """A run whose agent does not come back is interrupted, and keeps what it has; with no patience it ends at once."""
    service = own_service("--limit", "agent-seconds=1")
    client = service.client()
    made = client.run(suite=SUITE)
    run = made["run"]["id"]
    with running_agent(service, made["token"]):
        before, _ = told(client, run, 2)
    shown = client.wait_over(run)
    assert shown["state"] == "interrupted" and "did not come back" in shown["problem"]
    results = client.get(f"/api/v1/runs/{run}/results").json["results"]
    assert [(one["id"], one["verdict"]) for one in results][:2] == before
    assert service.stop() == 0
    service.start("--limit", "agent-seconds=0")
    made = client.run(suite=SUITE)
    with running_agent(service, made["token"]):
        told(client, made["run"]["id"], 1)
    shown = client.wait_over(made["run"]["id"])
    assert (shown["state"], shown["verdict"]) == ("finished", "inconclusive") and "launch agent" in shown["problem"]


def test_deleted_and_cancelled_while_suspended(own_service):
    """A run that waits for its agent can be cancelled; its agent is told that it is over."""
    service = own_service()
    client = service.client()
    made = client.run(suite=SUITE)
    run = made["run"]["id"]
    with running_agent(service, made["token"]):
        told(client, run, 1)
    wait_note(client, run, "agent-lost")
    assert client.post(f"/api/v1/runs/{run}/cancel", None).status == 202
    assert client.wait_over(run)["state"] == "cancelled"
    with running_agent(service, made["token"]) as agent:
        assert agent.wait(PATIENCE) == 3 and "(410)" in agent.stderr.read()
    assert client.delete(f"/api/v1/runs/{run}").status == 204
    with running_agent(service, made["token"]) as agent:
        assert agent.wait(PATIENCE) == 3 and "(4" in agent.stderr.read()


def test_limits_hold_for_who_comes_back(own_service):
    """A suspended run takes no place; its agent waits until there is one."""
    service = own_service("--limit", "account-runs=1")
    client = service.client()
    first = client.run(suite=SUITE)
    run = first["run"]["id"]
    with (Relay(service) as relay, running_agent(service, first["token"], url=relay.url) as agent,
          contextlib.ExitStack() as other):
        before, last = told(client, run, 2)
        assert client.post(f"/api/v1/runs/{run}/pause", None).status == 202
        wait_note(client, run, "paused", last)
        assert "paused" in next(line for line in agent.stderr if "(503)" in line)
        assert client.get(f"/api/v1/runs/{run}").json["state"] == "waiting"
        second = client.run()
        other.enter_context(running_agent(service, second["token"]))
        wait_note(client, second["run"]["id"], "agent-connected")
        assert client.post(f"/api/v1/runs/{run}/resume", None).status == 202
        assert "(limit account-runs)" in next(line for line in agent.stderr if "waits for its turn" in line)
        assert client.post(f"/api/v1/runs/{second['run']['id']}/cancel", None).status == 202
        assert client.wait_over(run)["verdict"] == "conforms"
        assert agent.wait(PATIENCE) == 0
    check_whole(client, run, before)
    assert not client.get(f"/api/v1/runs/{run}").json["paused"]


@pytest.mark.parametrize("order", (("pause", "cancel"), ("cancel", "pause")))
def test_cancelled_beside_a_pause(own_service, order):
    """Whoever is told that a run is cancelled can rely on it, whatever else was asked for at the same moment."""
    service = own_service()
    client = service.client()
    made = client.run(suite=SUITE)
    run = made["run"]["id"]
    with running_agent(service, made["token"]):
        told(client, run, 1)
        statuses = {word: client.post(f"/api/v1/runs/{run}/{word}", None).status for word in order}
        assert statuses["cancel"] == 202
        assert client.wait_over(run)["state"] == "cancelled"
    shown = client.get(f"/api/v1/runs/{run}").json
    assert (shown["paused"], shown["resume_until"]) == (False, None)


# ---- several agents that share the cases of a run, each come by itself, as from another machine ----


def cancelled(client, run):
    client.post(f"/api/v1/runs/{run}/cancel", None)
    return client.wait_over(run)


def test_two_share_a_run(own_service):
    """Both execute cases, and both are told the verdict."""
    service = own_service()
    client = service.client()
    made = client.run(suite="events")
    run = made["run"]["id"]
    with running_agent(service, made["token"]) as first:
        before, last = told(client, run, 1)
        with running_agent(service, made["token"]) as second:
            last = wait_note(client, run, "agent-joined", last)
            assert client.wait_over(run)["verdict"] == "conforms"
            assert (first.wait(PATIENCE), second.wait(PATIENCE)) == (0, 0)
    check_whole(client, run, before, "events")
    begun = [data["text"].split()[1] for number, kind, data in client.events(run, last)
             if kind == "note" and data["kind"] == "job-started"]
    assert "1" in begun, "the second one counts its jobs anew"


def test_who_is_left_goes_on(own_service):
    """An agent is killed; the run goes on with the other one, and whoever comes then takes part again."""
    service = own_service()
    client = service.client()
    made = client.run(suite=LONG_SUITE)
    run = made["run"]["id"]
    with running_agent(service, made["token"]) as first:
        last = told(client, run, 1)[1]
        with running_agent(service, made["token"]) as second:
            last = wait_note(client, run, "agent-joined", last)
            first.kill()
            last = wait_note(client, run, "agent-connected", wait_note(client, run, "agent-lost", last))
            with running_agent(service, made["token"]) as third:
                wait_note(client, run, "agent-joined", last)
                assert cancelled(client, run)["state"] == "cancelled"
                assert (second.wait(PATIENCE), third.wait(PATIENCE)) == (1, 1)


def test_all_may_start_at_once(own_service):
    """Of agents that a cluster starts in the same moment one is looked at; the others wait for it, and take part."""
    service = own_service()
    client = service.client()
    made = client.run()  # every case: it lasts until all have come
    run = made["run"]["id"]
    with contextlib.ExitStack() as all_of_them:
        agents = [all_of_them.enter_context(running_agent(service, made["token"])) for _ in range(4)]
        last = 0
        for _ in agents[1:]:
            last = wait_note(client, run, "agent-joined", last)
        assert cancelled(client, run)["state"] == "cancelled"
        assert [agent.wait(PATIENCE) for agent in agents] == [1] * 4


def test_who_says_nothing_keeps_nobody_waiting(own_service):
    """A further agent that never says who it is does not keep the run from its end."""
    service = own_service("--limit", "agent-seconds=3600")
    client = service.client()
    made = client.run(suite="events")
    run = made["run"]["id"]
    with running_agent(service, made["token"]) as agent:
        told(client, run, 1)
        with silent(service, made["token"]):
            assert client.wait_over(run)["verdict"] == "conforms"
            assert agent.wait(PATIENCE) == 0


@contextlib.contextmanager
def silent(service, token):
    """A connection of an agent that says nothing."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE) as plain:
        plain.sendall(f"GET /connect HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: assay/1\r\n"
                      f"Authorization: Bearer {token}\r\n\r\n".encode())
        assert plain.recv(12) == b"HTTP/1.1 101"
        yield


def test_another_system_may_not(own_service, bin_dir):
    """An agent that starts something else is sent away, and the run goes on without it."""
    service = own_service()
    client = service.client()
    made = client.run(suite=LONG_SUITE)
    run = made["run"]["id"]
    other = (bin_dir / "portalsrun", "-np", "{np}", "--nal", "tcp", bin_dir / "interp-portals", "{args}")
    with running_agent(service, made["token"]):
        told(client, run, 1)
        with running_agent(service, made["token"], template=other) as second:
            assert second.wait(PATIENCE) == 1
        last = told(client, run, 2)[1]
        told(client, run, 2, last)
        cancelled(client, run)
    kinds = [data["kind"] for _, kind, data in client.events(run) if kind == "note"]
    assert "agent-joined" not in kinds and kinds.count("warning") == 1, kinds


def test_no_more_than_there_are_lanes(own_service):
    """The run has sixteen at most: those that an agent offers, and those that come."""
    service = own_service()
    client = service.client()
    made = client.run(suite=LONG_SUITE)
    run = made["run"]["id"]
    with running_agent(service, made["token"], jobs="16"):
        wait_note(client, run, "agent-connected")
        told(client, run, 1)
        with running_agent(service, made["token"]) as second:
            assert "(409)" in second.stderr.readline() and second.wait(PATIENCE) == 3
        cancelled(client, run)
