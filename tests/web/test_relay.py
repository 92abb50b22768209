# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The launch agent as the way to a service that is reached by TLS, or from the agent's machine alone: interpreters
connect to the agent. Without a library on the vendor's side."""

import contextlib
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys

import pytest

from service import PATIENCE
from test_life import exchange, tls

CASE = "smoke-put"  # of two processes
RELAY_MOST = 512
# A tunnel that notes the request and what it was told, then carries octets.
CARRY = """
import os, select, socket, sys
far = socket.create_connection((sys.argv[1], int(sys.argv[2])))
ways = {0: far.fileno(), far.fileno(): 1}
while True:
    for ready in select.select(list(ways), [], [])[0]:
        octets = os.read(ready, 65536)
        if not octets:
            sys.exit(0)
        with open(sys.argv[3], "ab") as log:
            log.write(octets)
        os.write(ways[ready], octets)
"""


@pytest.fixture(name="secure", params=["DNS:localhost"])
def fixture_secure(request, own_service, tmp_path, monkeypatch):
    """A service that speaks TLS, by that name; whoever has SSL_CERT_FILE trusts its certificate."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-addext",
                    f"subjectAltName={request.param}", "-days", "2", "-keyout", key, "-out", cert], check=True,
                   capture_output=True, timeout=PATIENCE)
    service = own_service("--tls-cert", cert, "--tls-key", key)
    service.context = ssl.create_default_context(cafile=cert)
    service.context.check_hostname = False
    monkeypatch.setitem(os.environ, "SSL_CERT_FILE", str(cert))
    return service


def make_run(service):
    owner = service.token()
    with tls(service, service.context) as plain:
        made = exchange(plain, b"POST /api/v1/implementations", owner, b'{"name": "N", "version": "1"}')
    order = f'{{"implementation": "{made["id"]}", "profile": "portals-3.0", "case": "{CASE}"}}'
    with tls(service, service.context) as plain:
        return exchange(plain, b"POST /api/v1/runs", owner, order.encode())


def test_by_tls(secure):
    """The agent takes the https address as it is; the commands of the run name it."""
    made = make_run(secure)
    assert [one for one in made["commands"] if "sut-agent --url https://localhost" in one["text"]]
    agent = secure.agent(made["token"], url=f"https://localhost:{secure.port}")
    assert (agent.communicate(timeout=PATIENCE)[1], agent.returncode) == ("", 0)


@pytest.mark.parametrize("secure", ["IP:127.0.0.1"], indirect=True)
def test_by_tls_at_an_address(secure):
    """A service without a name: its certificate has the address."""
    agent = secure.agent(make_run(secure)["token"], url=f"https://127.0.0.1:{secure.port}")
    assert (agent.communicate(timeout=PATIENCE)[1], agent.returncode) == ("", 0)


def test_a_certificate_that_is_not_good(secure, monkeypatch):
    """Whom nobody vouches for is not spoken with."""
    token = make_run(secure)["token"]
    monkeypatch.delitem(os.environ, "SSL_CERT_FILE")
    agent = secure.agent(token, url=f"https://localhost:{secure.port}")
    said = agent.communicate(timeout=PATIENCE)[1]
    assert agent.returncode == 3 and "self-signed certificate" in said and "has ended before the service" in said, said


def test_a_certificate_for_somebody_else(secure):
    token = make_run(secure)["token"]
    agent = secure.agent(token, url=f"https://127.0.0.1:{secure.port}")
    said = agent.communicate(timeout=PATIENCE)[1]
    assert agent.returncode == 3 and "ip address mismatch" in said.lower(), said


def test_by_a_command_of_ones_own(client, service, tmp_path):
    """Interpreters reach the agent at the address that it was told, and the service hears its own name."""
    (tmp_path / "carry.py").write_text(CARRY)
    made = client.run(case=CASE)
    tunnel = f"{sys.executable} {tmp_path}/carry.py {{host}} {{port}} '{tmp_path}/log'"
    agent = service.agent(made["token"], options=("--tunnel", tunnel, "--relay", "127.0.0.2:0"))
    assert (agent.communicate(timeout=PATIENCE)[1], agent.returncode) == ("", 0)
    log = (tmp_path / "log").read_text(errors="replace")
    assert log.count("GET /connect ") >= 3 and "--manager 127.0.0.2" not in log
    assert set(re.findall(r"Host: (\S+)", log)) == {f"127.0.0.1:{service.port}"}


def test_without_a_command(client, service):
    """Compute nodes reach the agent's machine and nothing else: plain HTTP goes through the agent, too."""
    made = client.run(case=CASE)
    agent = service.agent(made["token"], options=("--relay", "127.0.0.2:0"))
    assert (agent.communicate(timeout=PATIENCE)[1], agent.returncode) == ("", 0)


@pytest.mark.parametrize("tunnel, why", [("false", ", by false has ended before the service answered"),
                                         ("no-such-program {host}", "cannot execute")])
def test_a_command_that_ends(client, service, tunnel, why):
    made = client.run()
    client.post(f"/api/v1/runs/{made['run']['id']}/cancel", None)
    agent = service.agent(made["token"], options=("--tunnel", tunnel))
    said = agent.communicate(timeout=PATIENCE)[1]
    assert agent.returncode == 3 and why in said, said


def test_the_relay_lets_only_interpreters_in(client, service):
    """It is no way to the pages of the service, and ends with the agent."""
    made = client.run()
    with socket.create_server(("127.0.0.2", 0)) as free:
        place = free.getsockname()
    agent = service.agent(made["token"], "sleep", "{np}", "{args}", options=("--relay", "127.0.0.2:%d" % place[1]))
    next(event for event in client.events(made["run"]["id"]) if event[2].get("kind") == "agent-connected")
    with socket.create_connection(place, timeout=PATIENCE) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert plain.makefile("rb").read().startswith(b"HTTP/1.1 400 ")
    client.post(f"/api/v1/runs/{made['run']['id']}/cancel", None)
    agent.communicate(timeout=PATIENCE)


def test_the_relay_carries_so_many(client, service):
    """One more than it may is refused with the reason, which the agent's terminal has too; who leaves makes room."""
    made = client.run()
    assert client.post(f"/api/v1/runs/{made['run']['id']}/pause", None).status == 202
    with socket.create_server(("127.0.0.2", 0)) as free:
        place = free.getsockname()
    agent = service.agent(made["token"], options=("--relay", "127.0.0.2:%d" % place[1]))
    assert "is paused" in agent.stderr.readline()
    with contextlib.ExitStack() as held:
        for _ in range(RELAY_MOST + 1):  # the agent, who asks again and again, may have had one
            held.enter_context(socket.create_connection(place, timeout=PATIENCE))
        assert b" 503 " in ask_relay(place)
    refused = "a connection was refused: the relay of sut-agent carries 512 connections, as many as it may"
    assert any(refused in line for line in agent.stderr)
    while b" 503 " in (said := ask_relay(place)):
        pass
    assert said.startswith(b"HTTP/1.1 400 ")
    client.post(f"/api/v1/runs/{made['run']['id']}/cancel", None)
    agent.communicate(timeout=PATIENCE)


def ask_relay(place):
    """What it answers to somebody who is no interpreter."""
    with socket.create_connection(place, timeout=PATIENCE) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\n\r\n")
        return plain.recv(4096)  # what comes at once


@pytest.mark.parametrize("words, why", [(("--url", "https://"), "--url is missing"),
                                        (("--url", "ftp://x:1"), "--url is missing"),
                                        (("--url", "https://x", "--tunnel", "'a"), "--tunnel: a quote is not closed"),
                                        (("--url", "https://x", "--relay", "7440"), "is not HOST:PORT")])
def test_words_that_are_wrong(bin_dir, words, why):
    done = subprocess.run([bin_dir / "sut-agent", *words, "--token", "t" * 20, "--", "true"], capture_output=True,
                          text=True, timeout=PATIENCE)
    assert done.returncode in (2, 3) and why in done.stderr and len(done.stderr.splitlines()) == 1
