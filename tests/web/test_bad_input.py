# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What is wrong is told clearly, with the right status, and harms nothing."""

import http.client
import itertools
import json
import select
import socket
import time

import pytest

from service import PATIENCE, Client

IMPLEMENTATIONS = "/api/v1/implementations"


@pytest.mark.parametrize("body, code", [
    (b"", "bad_json"), (b"{", "bad_json"), (b"[]", "bad_json"), (b"nul", "bad_json"), (b"\xff\xfe", "bad_json"),
    (b'{"name":"a","name":"b","version":"1"}', "bad_json"),
    (b"[" * 5000, "bad_json"),
    (b'{"version":"1"}', "missing_field"), (b'{"name":null,"version":"1"}', "missing_field"),
    (b'{"name":"","version":"1"}', "bad_field"), (b'{"name":7,"version":"1"}', "bad_field"),
    (b'{"name":"a\\u0000b","version":"1"}', "bad_json"), (b'{"name":"a\\nb","version":"1"}', "bad_field"),
    (b'{"name":"a\\u202eb","version":"1"}', "bad_field"), (b'{"name":"a\\u0085b","version":"1"}', "bad_field"),
    (b'{"name":"a\\u200bb","version":"1"}', "bad_field"), (b'{"name":"a\\udb40\\udc41","version":"1"}', "bad_field"),
    (json.dumps({"name": "x" * 101, "version": "1"}).encode(), "bad_field"),
    (b'{"name":"a","version":"1","colour":"red"}', "unknown_field"),
])
def test_bodies(client, body, code):
    answer = client.post(IMPLEMENTATIONS, body, Content_Type="application/json")
    assert (answer.status, answer.code) == (400, code), answer.body


@pytest.mark.parametrize("order, status, code", [
    ({"profile": "portals-9"}, 400, "nothing_to_run"), ({"suite": "no-such-suite"}, 400, "nothing_to_run"),
    ({"suite": "ids,no-such-suite"}, 400, "nothing_to_run"), ({"suite": "ids,"}, 400, "nothing_to_run"),
    ({"case": "no-such-case"}, 400, "nothing_to_run"), ({"profile": "../../etc"}, 400, "nothing_to_run"),
    ({"implementation": "aaaaaaaaaaaaaaaa"}, 404, "no_implementation"), ({"seed": -1}, 400, "bad_field"),
    ({"seed": 1.5}, 400, "bad_field"),
])
def test_runs_that_cannot_be(client, order, status, code):
    """Nothing of a refused run stays behind."""
    before = client.get("/api/v1/runs").json
    answer = client.post("/api/v1/runs", {"implementation": client.implementation(), "profile": "portals-3.0", **order})
    assert (answer.status, answer.code) == (status, code), answer.body
    assert client.get("/api/v1/runs").json == before


LONG = "\ufdfa" * 150  # three octets each: whatever a message is cut to, some of these texts are cut in a character


@pytest.mark.parametrize("end", ["", "x", "xx"])
def test_what_is_told_is_text(client, end):
    """A refusal that repeats a long name is JSON, and so is what the audit log keeps of one."""
    name = end + LONG
    order = {"implementation": client.implementation(), "profile": "portals-3.0"}
    for wrong in ({"case": name}, {"suite": name[:80]}, {"statement": {"profile": "portals-3.0", "limits": {name: 1}}},
                  {"statement": {"profile": "portals-3.0", name: 1}}):
        answer = client.post("/api/v1/runs", {**order, **wrong})
        assert (answer.status, bool(answer.json["error"]["message"])) == (400, True), answer.body
    order.update(owner="Ada", reason="known", expires="2999-12-31")
    for wrong in ({"cases": name}, {"requirements": name}):
        assert client.post("/api/v1/waivers", {**order, **wrong}).status == 400
    assert client.post("/api/v1/organisations", {"name": name[:60], "address": "here"}).status == 201
    noted = client.get("/api/v1/audit").json["entries"][0]["about"]
    assert len(noted) > 30 and name.startswith(noted)


def test_what_is_no_text(client):
    """Octets that are no UTF-8 name nothing, in paths and in questions."""
    for octets in ("%ff", "a%c3", "%ed%a0%80", "%c0%af"):
        for method, path in (("GET", f"/api/v1/runs/{octets}"), ("DELETE", f"/api/v1/tokens/{octets}"),
                             ("GET", f"/api/v1/certificates/{octets}"), ("GET", f"/shared/{octets}")):
            assert client.ask(method, path).status == 404, (method, path)
        assert client.get(f"/api/v1/runs?implementation={octets}").json == {"runs": []}
        assert client.get(f"/api/v1/rejudged?run={octets}").status == 200


def test_unknown_ids(client):
    for path in ("/api/v1/runs/x", "/api/v1/runs/x/results", "/api/v1/runs/x/results/y", "/api/v1/runs/x/report.json",
                 "/api/v1/runs/x/events", "/api/v1/certificates/x", "/api/v1/profiles/x/cases", "/api/v1/nothing",
                 "/api/v1/profiles/portals-3.0/cases/x", "/api/v1/implementations/x", "/assets/../schema.sql",
                 "/assets/schema.sql", "/assets/page.html", "/api/v1/profiles/openapi/requirements",
                 "/api/v1/runs/%00/results", "/api/v1/runs/" + "x" * 300, "/api/v1/runs/"):
        answer = client.get(path)
        assert answer.status == 404, (path, answer.status)
        assert answer.json["error"]["message"]


def test_wrong_methods(client):
    answer = client.ask("PUT", "/api/v1/runs", {})
    assert (answer.status, answer.headers["allow"], answer.code) == (405, "GET, HEAD, POST", "method")
    assert client.ask("PATCH", "/healthz").headers["allow"] == "GET, HEAD"
    head = client.ask("HEAD", "/healthz")
    assert (head.status, head.body) == (200, b"")


def test_sizes_and_types(service, client):
    big = json.dumps({"name": "x" * 9000, "version": "1"}).encode()
    assert client.post(IMPLEMENTATIONS, big, Content_Type="application/json").status == 413
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=PATIENCE)
    connection.putrequest("POST", IMPLEMENTATIONS)
    connection.putheader("Authorization", f"Bearer {client.token}")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", str(1 << 40))
    connection.endheaders()
    assert connection.getresponse().status == 413  # before a single octet of the body was sent
    assert client.post(IMPLEMENTATIONS, b"{}", Content_Type="text/plain").status == 415
    assert client.ask("DELETE", "/api/v1/tokens/x", b"surplus").status == 413
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=PATIENCE)
    connection.putrequest("POST", IMPLEMENTATIONS)
    connection.putheader("Authorization", f"Bearer {client.token}")
    connection.putheader("Content-Type", "application/json")
    connection.endheaders()
    assert connection.getresponse().status == 411
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=PATIENCE)
    connection.request("POST", IMPLEMENTATIONS, iter([b'{"name":"', b"x" * 20000, b'"}']), encode_chunked=True,
                       headers={
        "Authorization": f"Bearer {client.token}", "Content-Type": "application/json", "Transfer-Encoding": "chunked"})
    assert connection.getresponse().status == 413


def said(service, octets):
    """What the service answers to octets, until it closes the connection."""
    answered = b""
    with socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE) as raw:
        raw.sendall(octets)
        try:
            while more := raw.recv(4096):
                answered += more
        except ConnectionResetError:
            pass
    return answered


@pytest.mark.parametrize("octets", [b"abc\r\n\r\n", b"GET / HTTP/1.1\r\nHost: " + b"x" * 60000 + b"\r\n\r\n",
                                    b"GET " + b"/a" * 40000 + b" HTTP/1.1\r\n\r\n"])
def test_what_is_no_http(service, nobody, octets):
    """Garbage and endless headers get an error or a closed connection; others are served on."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE) as raw:
        raw.sendall(octets)
        try:
            answer = raw.recv(100)
        except ConnectionResetError:
            answer = b""
    assert answer == b"" or int(answer.split()[1]) >= 400
    assert nobody.get("/healthz").json["status"] == "good"


@pytest.mark.parametrize("headers, body", [
    ("Content-Length: 2\r\nTransfer-Encoding: chunked", "0\r\n\r\n"), ("Content-Length: 2\r\nContent-Length: 3", "{}"),
    ("Transfer-Encoding: identity", "{}"), ("Transfer-Encoding: gzip, chunked", "0\r\n\r\n"),
    ("Content-Length : 2", "{}"), ("Content-Length: 2\r\nHost: other.example", "{}"),
])
def test_where_a_request_ends(service, headers, body):
    """What a proxy could read in another way is refused, and nothing behind it is taken for a request."""
    asked = (f"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{headers}\r\n\r\n{body}"
             "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    answered = said(service, asked.encode())
    assert answered.count(b"HTTP/1.1 ") == answered.count(b"HTTP/1.1 400") == 1, answered
    assert b'"framing"' in answered


@pytest.mark.parametrize("version, headers, status", [
    ("1.1", "", 400), ("1.1", "Host: x\r\nHost: x\r\n", 400), ("1.1", "Host: x y\r\n", 400),
    ("1.1", "Host: x, y\r\n", 400), ("1.1", "Host: x@y\r\n", 400), ("1.2", "", 400),
    ("1.0", "", 200), ("1.1", "Host:\r\n", 200), ("1.1", "Host: [::1]:8080\r\n", 200),
])
def test_whom_a_request_is_for(service, version, headers, status):
    """A request of HTTP/1.1 names one host (RFC 9112, section 3.2)."""
    answered = said(service, f"GET /healthz HTTP/{version}\r\n{headers}Connection: close\r\n\r\n".encode())
    assert answered.startswith(b"HTTP/1.1 %d " % status)
    assert (b'"framing"' in answered) == (status == 400)


@pytest.mark.parametrize("target, status", [
    ("?" + "&".join(f"a{number}=1" for number in range(4000)), 414), ("?" + "&" * 12000, 414), ("?" + "&" * 64, 414),
    ("?a=" + "x" * 20000, 414), ("?" + "x" * 9000, 414), ("/" + "x" * 9000, 414), ("?" + "&" * 63, 200),
    ("?" + "x" * 8000, 200),
], ids=lambda value: str(value)[:20])
def test_long_targets(service, target, status):
    """More than any page asks for is refused, and at once: the connection does not wait until it is too old."""
    begun = time.monotonic()
    answered = said(service, f"GET /healthz{target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert answered.startswith(b"HTTP/1.1 %d " % status)
    assert (b'"uri_too_long"' in answered) == (status == 414)
    assert time.monotonic() - begun < 5


def test_who_begins_and_says_no_more(service, nobody):
    """Connections that begin something and stay silent keep nobody else from being served."""
    silent = [socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE) for _ in range(50)]
    for one, octets in zip(silent, [b"", b"G", b"GET / HTTP/1.1\r\n", b"\x16\x03\x01\x02\x00\x01",
                                    b"\x00\r\n\r\n"] * 10):
        one.sendall(octets)
    assert nobody.get("/healthz").json["status"] == "good"
    for one in silent:
        one.close()
    assert nobody.get("/healthz").json["status"] == "good"


BEGUN = {"nothing": b"", "a line": b"GET / HTTP/1.1\r\n",
         "half a body": b"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                        b"Content-Length: 10\r\n\r\n{ab"}


def test_who_says_half_is_let_go(service, client):
    """A request that stays unfinished is closed within seconds, also when the client has closed its own half, and long
    before a connection whose request was answered and that asks no more; a live view that is silent meanwhile stays."""
    run = client.run()["run"]["id"]
    events = client.events(run)
    next(events)
    silent = []
    idle = http.client.HTTPConnection("127.0.0.1", service.port, timeout=PATIENCE)
    idle.request("GET", "/healthz")
    assert idle.getresponse().read()
    for octets, half in itertools.product(BEGUN.values(), (True, False)):
        silent.append(socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE))
        silent[-1].sendall(octets)
        if half:
            silent[-1].shutdown(socket.SHUT_WR)
    for one in silent:
        assert one.recv(100) == b""
        one.close()
    assert not select.select([idle.sock], [], [], 0)[0]  # open still
    idle.close()
    assert client.post(f"/api/v1/runs/{run}/cancel", None).status == 202
    assert [kind for _, kind, _ in events][-1] == "finished"


def test_everything_else_needs_signing_in(nobody):
    for path in ("/api/v1/runs", "/api/v1/implementations", "/api/v1/tokens", "/api/v1/profiles",
                 "/api/v1/runs/x/results"):
        answer = nobody.get(path)
        assert (answer.status, answer.code) == (401, "sign_in")
        assert nobody.get(path, Authorization="Bearer api_wrong").status == 401
        assert nobody.get(path, Authorization="Basic eDp5").status == 401


def test_headers_of_every_answer(nobody, client):
    """Pages, data and refusals all carry the same protection."""
    for answer in (nobody.get("/sign-in"), nobody.get("/assets/style.css"), client.get("/api/v1/runs"),
                   nobody.get("/nothing")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
    assert client.get("/api/v1/runs").headers["cache-control"] == "no-store"
    asset = nobody.get("/assets/style.css")
    assert nobody.get("/assets/style.css", If_None_Match=asset.headers["etag"]).status == 304


def test_errors_for_people_are_pages(nobody):
    answer = nobody.get("/nothing", Accept="text/html,*/*")
    assert answer.status == 404 and answer.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("headers, status", [
    ({}, 400), ({"Connection": "Upgrade"}, 400), ({"Upgrade": "assay/1"}, 400),
    ({"Connection": "Upgrade", "Upgrade": "assay/2", "Authorization": "Bearer " + "x" * 20}, 426),
    ({"Connection": "Upgrade", "Upgrade": "assay/1"}, 401),
    ({"Connection": "Upgrade", "Upgrade": "assay/1", "Authorization": "Bearer short"}, 401),
    ({"Connection": "Upgrade", "Upgrade": "assay/1", "Authorization": "Bearer " + "x" * 40}, 401),
    ({"Connection": "Upgrade", "Upgrade": "assay/1", "Authorization": "Bearer " + "x" * 400}, 401),
])
def test_connecting_wrongly(nobody, headers, status):
    """The first line of the body tells a person why (specs/interpreter.md, section 1)."""
    answer = nobody.get("/connect", **headers)
    assert answer.status == status
    first = answer.body.decode().splitlines()[0]
    assert len(first) > 20 and answer.headers["content-type"].startswith("text/plain")


def test_run_that_cannot_begin(service, client):
    """A second agent with the same token, and anybody after the run, is sent away when it cannot begin."""
    made = client.run()
    agent = service.agent(made["token"], "/no/such/program")
    for _, kind, data in client.events(made["run"]["id"]):
        if kind == "note" and data["kind"] == "agent-connected":
            second = service.agent(made["token"])
            assert second.wait(PATIENCE) == 3
            said = second.stderr.read()
            assert "run is over" in said.lower() or "no further launch agent" in said
    agent.wait(PATIENCE)
    agent.stderr.close()
    state = client.wait_over(made["run"]["id"])
    assert state["state"] == "finished" and state["verdict"] == "inconclusive"
    assert "/no/such/program" in state["problem"]
    assert client.ask("GET", "/connect", Connection="Upgrade", Upgrade="assay/1",
                      Authorization=f"Bearer {made['token']}").status == 410


def test_only_runs_that_are_over_are_deleted(service, client):
    """Or that nobody executes: a run under way has to be cancelled first."""
    waiting, made = client.run()["run"]["id"], client.run()
    assert client.delete(f"/api/v1/runs/{waiting}").status == 204
    run = made["run"]["id"]
    agent = service.agent(made["token"])
    for _, kind, data in client.events(run):
        if kind == "note" and data["kind"] == "agent-connected":
            break
    assert client.delete(f"/api/v1/runs/{run}").code == "run_under_way"
    assert client.post(f"/api/v1/runs/{run}/cancel", None).status == 202
    assert client.wait_over(run)["state"] == "cancelled"
    assert client.post(f"/api/v1/runs/{run}/cancel", None).code == "run_over"
    assert client.delete(f"/api/v1/runs/{run}").status == 204
    agent.communicate(timeout=PATIENCE)
    assert agent.returncode == 1  # it was told the end


def test_unknown_token_names_nobody(service):
    assert Client(service, token="api_" + "A" * 43).get("/api/v1/session").json["account"] is None
