# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What the service allows at most: live views, runs, what runs hold. A refusal names the limit, and goes away when
there is room again. Who asks for little waits for nobody who asks for much."""

import concurrent.futures
import contextlib
import http.client
import json
import re
import select
import shutil
import socket
import subprocess
import time

import pytest

from service import PATIENCE, Client, read_text
from test_account import sign_in

ORDERS, KEPT, ROUNDS = 40, 64, 2
LARGE = """
case { id = "large", title = "A large put to a peer", purpose = "Puts.", suite = "s", chapter = "4.1",
  requirements = { "P30-286" }, wire = true,
  run = function(t)
    t:open {}
    local rank, peer = t.ranks[0], t:peer {}
    rank:region("buf", 3000000, { fill = "mix/3" })
    rank:bind {}
    rank:put { target = t.nid(peer.id), portal = 5 }
    t:expect("P30-286", t:accept(peer), "put", { portal = 5 })
  end }
"""


def refused(answer, status, code, limit):
    assert (answer.status, answer.code) == (status, code), answer.body
    assert f"(limit {limit})" in answer.json["error"]["message"]


def order(client):
    return client.post("/api/v1/runs", {"implementation": client.implementation(), "profile": "portals-3.0"})


def cancel(client, run):
    assert client.post(f"/api/v1/runs/{run}/cancel", None).status == 202
    assert client.wait_over(run)["state"] == "cancelled"


def other_account(service):
    """A second person's browser: the first link, when a token has made the owner already."""
    service.client()
    return sign_in(service, service.read_link(), name="Eve")[0]


@pytest.mark.parametrize("text", ["streams", "streams=", "streams=0", "streams=-1", "streams=1x", "=1", "stream=1",
                                  "streams=99999999999999999999", "capture-mib=257"])
def test_limits_that_are_none(bin_dir, tmp_path, text):
    done = subprocess.run([bin_dir / "assayd", "--listen", "127.0.0.1:0", "--data", tmp_path, "--limit", text],
                          capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and "--limit" in done.stderr, done


def test_limits_are_documented(bin_dir, root):
    """Names and defaults of --help stand in the manual."""
    said = subprocess.run([bin_dir / "assayd", "--help"], capture_output=True, text=True, timeout=PATIENCE).stdout
    manual = read_text(root / "web" / "man" / "assayd.8").split(".Ss Limits")[1].split(".Ss ")[0]
    limits = re.findall(r"^    ([a-z-]+) +(\d+) +\S", said, re.MULTILINE)
    assert len(limits) == 18
    for name, value in limits:
        assert name in re.sub(r"[ ,]+", " ", manual).split() and f"({value})" in manual, name


def open_stream(client, run):
    """A live view that stays open: its first event has come."""
    events = client.events(run)
    next(events)
    return events


def test_streams_of_one_account(own_service):
    """One account cannot take all live views: it is refused, and others are not."""
    service = own_service("--limit", "account-streams=2", "--limit", "streams=3")
    client, eve = service.client(), other_account(service)
    run = client.run()["run"]["id"]
    kept = [open_stream(client, run) for _ in range(2)]
    refused(client.get(f"/api/v1/runs/{run}/events"), 429, "too_many_streams", "account-streams")
    other = eve.run()["run"]["id"]
    kept.append(open_stream(eve, other))
    refused(eve.get(f"/api/v1/runs/{other}/events"), 429, "service_busy", "streams")
    assert client.post(f"/api/v1/runs/{run}/cancel", None).status == 202
    for events in kept[:2]:  # they end with the run and leave their places
        assert [kind for _, kind, _ in events][-1] == "finished"
    assert client.wait_over(run)["state"] == "cancelled"
    cancel(eve, other) if eve.get(f"/api/v1/runs/{other}").json["state"] == "waiting" else None
    del kept


def test_orders_at_once(own_service):
    """Many orders at the same moment do not get past the limit together, and those refused leave nothing behind; nor do
    those that are waiting for their agents, but in the database."""
    service = own_service("--limit", "account-items=2")
    client = service.client()
    client.implementation()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(order, [client] * 8))
    made = [answer.json["run"]["id"] for answer in answers if answer.status == 201]
    for answer in answers:
        if answer.status != 201:
            refused(answer, 413, "too_many_kept", "account-items")
    assert len(made) == 2 and not list((service.data / "runs").iterdir())
    assert len(client.get("/api/v1/runs").json["runs"]) == 2
    for run in made:
        cancel(client, run)


def test_items_of_an_account(own_service):
    service = own_service("--limit", "account-items=1")
    client = service.client()
    run = client.run()["run"]["id"]
    answer = client.post("/api/v1/implementations", {"name": "another", "version": "1"})
    refused(answer, 429, "too_many_implementations", "account-items")
    cancel(client, run)
    refused(order(client), 413, "too_many_kept", "account-items")
    assert client.delete(f"/api/v1/runs/{run}").status == 204
    cancel(client, client.run()["run"]["id"])


def test_octets_of_a_run_and_of_an_account(own_service):
    """A run ends when its evidence has no more room, and says why; an account whose runs are too large makes no new one
    before it has deleted some. What was told is what is stored."""
    service = own_service("--limit", "run-mib=1", "--limit", "account-mib=1")
    client = service.client()
    made = client.run()
    run = made["run"]["id"]
    agent = service.agent(made["token"])
    state = client.wait_over(run)
    agent.communicate(timeout=PATIENCE)
    assert state["state"] == "finished" and state["verdict"] == "inconclusive", state
    assert "evidence of this run has reached 1.0 MiB" in state["problem"] and state["certificate"] is None
    results = client.get(f"/api/v1/runs/{run}/results").json["results"]
    evidence = sum(len(client.get(f"/api/v1/runs/{run}/results/{one['id']}/{kind}").body)
                   for one in results for kind in one["evidence"])
    # What was said before the first case is evidence too, some kilobytes; it belongs to no result.
    assert (1 << 20) - (1 << 14) <= evidence <= (1 << 20) + (1 << 18) and state["stored"] > evidence
    assert len(results) < state["total"]
    refused(order(client), 413, "too_much_kept", "account-mib")
    assert client.delete(f"/api/v1/runs/{run}").status == 204
    cancel(client, client.run()["run"]["id"])


def test_octets_of_a_capture(own_service, root, tmp_path, monkeypatch):
    """Traffic beyond the limit is judged and not kept, and the run says so."""
    cases = tmp_path / "cases"
    (cases / "portals-3.0").mkdir(parents=True)
    (cases / "lib").symlink_to(root / "tester" / "cases" / "lib")
    (cases / "portals-3.0" / "large.lua").write_text(LARGE)
    monkeypatch.setenv("ASSAY_CASES", str(cases))
    service = own_service("--limit", "capture-mib=1")
    client = service.client()
    made = client.run()
    run = made["run"]["id"]
    agent = service.agent(made["token"])
    state = client.wait_over(run)
    agent.communicate(timeout=PATIENCE)
    assert (state["verdict"], state["summary"]["pass"]) == ("conforms", 1), state
    base = f"/api/v1/runs/{run}/results/large"
    assert 1 << 19 < len(client.get(f"{base}/capture").body) <= 1 << 20
    assert "more traffic than a capture may hold" in client.get(f"{base}/transcript").body.decode()
    notes = [data["text"] for _, kind, data in client.events(run) if kind == "note" and data["kind"] == "warning"]
    assert any("large.pcapng ends before the case does" in text for text in notes), notes


def until_refused(ask):
    """How many requests are answered before one is refused, in how many seconds, and that answer."""
    begun, count = time.monotonic(), 0
    while (answer := ask()).status == 200:
        count += 1
        assert count < 1000
    return count, time.monotonic() - begun, answer


def test_costly_requests_in_a_minute(own_service):
    """Making and cancelling runs has a limit of its own; what the account asks for beside that is not concerned."""
    service = own_service("--limit", "account-costly=4")
    client = service.client()
    count, seconds, answer = 0, time.monotonic(), order(client)
    while answer.status in (201, 202):
        count += 1
        assert count < 1000
        made = answer.json.get("run")
        answer = client.post(f"/api/v1/runs/{made['id']}/cancel", None) if made else order(client)
    assert 4 <= count <= 4 + (time.monotonic() - seconds) / 15 + 1
    refused(answer, 429, "too_many_requests", "account-costly")
    assert 1 <= int(answer.headers["retry-after"]) <= 15
    assert client.get("/api/v1/runs").status == 200


def test_cases_are_read_once(own_service, root, tmp_path, monkeypatch):
    """The service reads a profile's cases when it is first asked for them, and no more after that: making a run reads
    no file of a case, and a run judges by what the service shows, whatever becomes of the files meanwhile."""
    cases = tmp_path / "cases"
    (cases / "portals-3.0").mkdir(parents=True)
    shutil.copytree(root / "tester" / "cases" / "lib", cases / "lib")
    (cases / "portals-3.0" / "large.lua").write_text(LARGE)
    monkeypatch.setenv("ASSAY_CASES", str(cases))
    service = own_service()
    client = service.client()
    assert len(client.get("/api/v1/profiles/portals-3.0/cases").json["cases"]) == 1
    for path in cases.rglob("*.lua"):
        path.write_text("this is no Lua any more")
    made = client.run()
    agent = service.agent(made["token"])
    state = client.wait_over(made["run"]["id"])
    agent.communicate(timeout=PATIENCE)
    assert (state["verdict"], state["summary"]["pass"]) == ("conforms", 1), state


@pytest.mark.parametrize("limit, share", [("account-requests", 3), ("address-requests", 6)])
def test_requests_in_a_minute(own_service, limit, share):
    """So many at once, after that one in its share of the minute, as Retry-After says; others are not concerned."""
    service = own_service("--limit", "account-requests=20", "--limit", "address-requests=10")
    client, nobody = service.client(), Client(service)
    ways = {"account-requests": lambda: client.get("/api/v1/runs"), "address-requests": lambda: nobody.get("/healthz")}
    ask = ways.pop(limit)
    count, seconds, answer = until_refused(ask)
    assert 60 / share <= count <= 60 / share + seconds / share + 1
    refused(answer, 429, "too_many_requests", limit)
    assert 1 <= int(answer.headers["retry-after"]) <= share
    assert ways.popitem()[1]().status == 200
    late = time.monotonic() + PATIENCE
    while ask().status != 200:
        assert time.monotonic() < late


@pytest.mark.long
def test_a_run_is_not_spoiled_by_the_limit_of_requests(own_service):
    """However many processes it connects."""
    service = own_service("--limit", "address-requests=1")
    client = service.client()
    made = client.run(suite="events")
    agent = service.agent(made["token"])
    state = client.wait_over(made["run"]["id"])
    agent.communicate(timeout=PATIENCE)
    assert (state["verdict"], state["problem"]) == ("conforms", ""), state


def drop_by_drop(service, octets):
    """Says the beginning of a request, then octet after octet until the connection is closed: after how long."""
    begun = time.monotonic()
    with socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE) as connection:
        connection.sendall(octets)
        connection.settimeout(0.1)
        while time.monotonic() - begun < PATIENCE:
            try:
                connection.sendall(b"x")
                if connection.recv(4096) == b"":
                    return time.monotonic() - begun
            except TimeoutError:
                continue
            except ConnectionError:
                return time.monotonic() - begun
    return None


def test_a_request_that_comes_drop_by_drop(own_service):
    """In its headers or in its body: the connection ends. Those on which a whole request has come do not: a live view,
    an agent's."""
    service = own_service("--limit", "request-seconds=1")
    client = service.client()
    watched = client.run()["run"]["id"]
    view = open_stream(client, watched)
    made = client.run(suite="events")
    agent = service.agent(made["token"])
    results = [event for event in client.events(made["run"]["id"]) if event[1] == "result"]
    assert len(results) > 10 and agent.wait(PATIENCE) == 0
    agent.stderr.close()
    head = b"POST /api/v1/implementations HTTP/1.1\r\nHost: x\r\n"
    for octets in (head + b"X-Much: ", head + b"Content-Type: application/json\r\nContent-Length: 8000\r\n\r\n{"):
        seconds = drop_by_drop(service, octets)
        assert seconds is not None and seconds >= 0.9
    assert client.post(f"/api/v1/runs/{watched}/cancel", None).status == 202
    assert [kind for _, kind, _ in view][-1] == "finished"


def test_links_and_sessions_of_an_account(own_service):
    """Of more than fifty unused links, and of more than fifty sessions, the oldest is no longer good."""
    service = own_service()
    client = service.client()
    links = [client.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"] for _ in range(51)]
    code = re.search(r"code=([\w-]+)$", links[0]).group(1)
    assert Client(service).post("/api/v1/session", {"code": code}).status == 401
    browsers = [sign_in(service, link)[0] for link in links[1:]]
    assert browsers[0].get("/api/v1/runs").status == 200
    sign_in(service, client.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    assert browsers[0].get("/api/v1/runs").status == 401 and browsers[1].get("/api/v1/runs").status == 200


def connections(service, count):
    return [http.client.HTTPConnection("127.0.0.1", service.port, timeout=PATIENCE) for _ in range(count)]


@contextlib.contextmanager
def nobody_writes(service):
    """Whoever wants to write to the service's database waits meanwhile."""
    with contextlib.closing(service.database()) as database:
        database.execute("LOCK TABLE runs IN EXCLUSIVE MODE" if service.url_of_database else "BEGIN IMMEDIATE")
        yield


def order_many(service, client):
    """So many runs are ordered, each by a connection of its own; the answers have not come yet."""
    orders = connections(service, ORDERS)
    body = json.dumps({"implementation": client.implementation(), "profile": "portals-3.0"})
    headers = client.headers({"Content-Type": "application/json"})
    return orders, lambda: [order.request("POST", "/api/v1/runs", body, headers) for order in orders]


def test_small_requests_wait_for_nobody(own_service):
    """Each thread of the server has some connections that were there before, and one or two of those that order."""
    service = own_service()
    client, eve = service.client(), other_account(service)
    kept = connections(service, KEPT)
    orders, order = order_many(service, client)

    def ask(connection, path="/api/v1/implementations"):
        connection.request("GET", path, headers=eve.headers({}))
        answer = connection.getresponse()
        assert answer.read() and answer.status == 200

    for connection in kept:
        ask(connection)
    with nobody_writes(service):
        order()
        for connection in kept * ROUNDS:
            ask(connection)
        ask(kept[0], "/api/v1/runs")  # what is read aside has its turn, too
        assert not select.select([one.sock for one in orders], [], [], 0)[0], "they have not waited"
    answers = [one.getresponse() for one in orders]
    assert {(answer.status, "commands" in json.loads(answer.read())) for answer in answers} == {(201, True)}


def test_whoever_waits_is_answered_when_the_service_is_stopped(own_service):
    """Orders that are under way are finished, the others told to come back; the service ends in order."""
    service = own_service()
    orders, order = order_many(service, service.client())
    with nobody_writes(service):
        order()
        for one in connections(service, ORDERS):
            one.request("GET", "/healthz")
            assert one.getresponse().status == 200
        service.process.terminate()
        late = time.monotonic() + PATIENCE
        while Client(service).get("/healthz").status == 200:
            assert time.monotonic() < late, "it lets somebody in, and has been told to end"
    assert {one.getresponse().status for one in orders} <= {201, 503}
    assert service.wait() == 0
