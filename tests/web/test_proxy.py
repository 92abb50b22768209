# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Behind a reverse proxy: what a trusted one says is believed, what others say is not."""

import subprocess

import pytest

from service import PATIENCE, Client
from test_account import code_of, sign_in

HTTPS = "https://certify.example.org/sign-in?code="


def link(owner, **headers):
    """The link that a request with such headers is given."""
    answer = owner.post("/api/v1/sign-in-links", {"for": "this-account"}, **headers)
    assert answer.status == 201, answer.body
    return answer.json["link"]


@pytest.fixture(name="owner", scope="module")
def fixture_owner(bin_dir, tmp_path_factory):
    """The owner's browser at a service that trusts the address from which the tests come."""
    from service import Service
    service = Service(bin_dir, tmp_path_factory.mktemp("proxy") / "data", "--proxy", "10.0.0.0/8", "--proxy",
                      "127.0.0.1")
    yield sign_in(service, service.read_link(), name="Ada")[0]
    service.end()


@pytest.mark.parametrize("headers", [
    {"Forwarded": "for=192.0.2.60;proto=https;host=certify.example.org"},
    {"Forwarded": 'for="[2001:db8:cafe::17]:4711"; Proto=HTTPS; host="certify.example.org"'},
    {"Forwarded": "for=evil;proto=http;host=evil.example.com, for=_hidden;proto=https;host=certify.example.org"},
    {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "certify.example.org", "X-Forwarded-For": "192.0.2.60"},
    {"X-Forwarded-Proto": "http, https", "X-Forwarded-Host": "evil.example.com,certify.example.org"}])
def test_a_trusted_proxy_is_believed(owner, headers):
    """Scheme and host of links are those that the client has used; its own words, left of the proxy's, are not."""
    headers = {name.replace("-", "_"): value for name, value in headers.items()}
    made = link(owner, **headers)
    assert made.startswith(HTTPS)
    answer = Client(owner.service).post("/api/v1/session", {"code": code_of(made)}, **headers)
    assert answer.status == 201 and answer.cookies[0].endswith("; Secure")
    assert "strict-transport-security" in answer.headers


def test_what_a_proxy_leaves_out(owner):
    """Without the headers the connection speaks for itself; a host that is none is not taken over."""
    assert link(owner).startswith(f"http://127.0.0.1:{owner.service.port}/sign-in")
    assert link(owner, X_Forwarded_Proto="https").startswith(f"https://127.0.0.1:{owner.service.port}/")
    bad = owner.post("/api/v1/sign-in-links", {"for": "this-account"}, X_Forwarded_Host="a b<c>")
    assert (bad.status, bad.code) == (400, "bad_host")


def test_others_are_not_believed(own_service):
    service = own_service("--proxy", "127.0.0.2", "--proxy", "2001:db8::/32")
    owner = sign_in(service, service.read_link(), name="Ada")[0]
    made = link(owner, Forwarded="proto=https;host=evil.example.com", X_Forwarded_Proto="https",
                X_Forwarded_Host="evil.example.com")
    assert made.startswith(f"http://127.0.0.1:{service.port}/")
    cookie = Client(service).post("/api/v1/session", {"code": code_of(made)}, X_Forwarded_Proto="https").cookies[0]
    assert "Secure" not in cookie


def test_requests_count_for_the_client(own_service):
    """The limit is that of the address for which the proxy speaks, over several proxies, whatever the client says
    itself."""
    service = own_service("--proxy", "127.0.0.0/8", "--proxy", "10.1.0.0/16", "--limit", "address-requests=3")
    nobody = Client(service)

    def asked(forwarded):
        return nobody.get("/healthz", X_Forwarded_For=forwarded).status

    said = [f"203.0.113.{i}, 192.0.2.1, 10.1.2.3" for i in range(9)]
    assert [asked(one) for one in said][-1] == 429
    assert asked("192.0.2.2, 10.1.2.3") == 200 and asked("192.0.2.1") == 429


@pytest.mark.parametrize("text", ["", "x", "127.0.0.1/33", "::1/129", "127.0.0.1/", "127.0.0.1/-1", "10.0.0.0/8x"])
def test_no_address(bin_dir, tmp_path, text):
    done = subprocess.run([bin_dir / "assayd", "--listen", "127.0.0.1:0", "--data", tmp_path / "data", "--proxy", text],
                          capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 2 and "--proxy" in done.stderr and len(done.stderr.splitlines()) == 1
