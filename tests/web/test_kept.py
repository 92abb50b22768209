# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Answers about runs that are over are compressed, tagged and kept; what has changed or is no longer allowed is not."""

import gzip
import json

import pytest

from service import Client
from test_account import sign_in
from test_evidence import run_suite

PAGES = ("", "/results", "/report.html")


@pytest.fixture(scope="module")
def run(service, client):
    """A run that is over."""
    return run_suite(service, client)


def decoded(answer):
    """The octets that an answer stands for."""
    return gzip.decompress(answer.body) if answer.headers.get("content-encoding") == "gzip" else answer.body


@pytest.mark.parametrize("page", PAGES)
def test_compressed_and_tagged(client, run, page):
    """Who takes gzip gets it, who has the answer is told so, the first time and each time after that."""
    path = f"/api/v1/runs/{run}{page}"
    plain = client.get(path)
    assert plain.status == 200 and "content-encoding" not in plain.headers
    packed = [client.get(path, Accept_Encoding="br, gzip;q=0.8") for _ in range(2)]
    refusing = client.get(path, Accept_Encoding="gzip;q=0, identity")
    assert all(decoded(one) == plain.body for one in (*packed, refusing))
    assert packed[0].headers == packed[1].headers | {"date": packed[0].headers["date"]}
    assert packed[0].headers["content-encoding"] == "gzip" and "content-encoding" not in refusing.headers
    assert packed[0].headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    assert len(packed[0].body) < len(plain.body) and packed[0].headers["etag"] != plain.headers["etag"]
    for tag in (plain.headers["etag"], f'"other", {plain.headers["etag"]}', f'W/{plain.headers["etag"]}'):
        again = client.get(path, If_None_Match=tag)
        assert (again.status, again.body) == (304, b"")
        assert again.headers["etag"] == plain.headers["etag"] and "content-security-policy" in again.headers
    assert client.get(path, If_None_Match='"other"').status == 200
    head = client.ask("HEAD", path)
    assert (head.status, head.body, head.headers["content-length"]) == (200, b"", str(len(plain.body)))


@pytest.mark.parametrize("path", ["/", "/sign-in", "/assets/style.css", "/assets/main.js", "/openapi.json",
                                  "/book/portals-3.0"])
def test_what_is_the_same_for_all_is_compressed_too(service, client, path):
    """The frame of the pages, what they are made of, and books: to whoever asks, with the policy of the plain."""
    browser = sign_in(service, client.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])[0]
    plain = browser.get(path)
    packed = [one.get(path, Accept_Encoding="gzip") for one in (browser, browser, client)]
    assert all(one.status == 200 and decoded(one) == plain.body for one in (plain, *packed))
    assert all(one.headers["content-encoding"] == "gzip" and len(one.body) < len(plain.body) for one in packed)
    for name in ("content-type", "content-security-policy", "cache-control", "vary"):
        assert {one.headers[name] for one in packed} == {plain.headers[name]}, name
    for one in (plain, packed[0]):
        coding = "gzip" if one is not plain else ""
        again = browser.get(path, If_None_Match=one.headers["etag"], Accept_Encoding=coding)
        assert (again.status, again.body) == (304, b"")
    assert plain.headers["etag"] != packed[0].headers["etag"]


def test_not_asked_for_again(own_service):
    """What is kept is answered without the database: a change behind the service's back is not seen."""
    service = own_service()
    client = service.client()
    run = run_suite(service, client)
    paths = [f"/api/v1/runs/{run}/results", f"/api/v1/runs/{run}", "/api/v1/runs"]
    before = [client.get(path).body for path in paths]
    with service.database() as database:
        database.execute("UPDATE results SET title = 'changed'")
        database.execute("UPDATE runs SET problem = 'changed'")
    database.close()
    assert [client.get(path).body for path in paths] == before


def test_kept_for_its_account_alone(service, client, run):
    other = sign_in(service, service.link, name="Mallory")[0]  # the owner was made by a token
    for page in PAGES:
        path = f"/api/v1/runs/{run}{page}"
        assert (client.get(path).status, other.get(path).status, client.get(path).status) == (200, 404, 200)
        assert Client(service).get(path).status == 401
    assert other.get("/api/v1/runs").json["runs"] == []


def states(client):
    return {one["id"]: (one["state"], one["total"]) for one in client.get("/api/v1/runs").json["runs"]}


def test_lists_change_with_their_runs(own_service):
    """A list shows each change of a run at once: it is made, begins, ends, is deleted."""
    service = own_service()
    client = service.client()
    assert states(client) == {}
    first = client.run()["run"]["id"]
    assert states(client) == {first: ("waiting", 0)}
    assert client.post(f"/api/v1/runs/{first}/cancel", None).status == 202
    client.wait_over(first)
    assert states(client)[first] == ("cancelled", 0)
    second = run_suite(service, client)
    listed = {one["id"]: one for one in client.get("/api/v1/runs").json["runs"]}
    assert listed[second]["state"] == "finished" and listed[second]["total"] > 0
    assert sum(listed[second]["summary"].values()) == listed[second]["total"]
    assert listed[second] == {key: value for key, value in client.get(f"/api/v1/runs/{second}").json.items()
                              if key in listed[second]}
    only = client.get(f"/api/v1/runs?implementation={listed[second]['implementation']['id']}").json["runs"]
    assert len(only) == 2 and client.get("/api/v1/runs?implementation=none").json["runs"] == []
    for page in PAGES:
        assert client.get(f"/api/v1/runs/{second}{page}").status == 200
    assert client.delete(f"/api/v1/runs/{second}").status == 204
    assert list(states(client)) == [first]
    assert [client.get(f"/api/v1/runs/{second}{page}").status for page in PAGES] == [404] * len(PAGES)


def test_nobody_is_known_any_longer_than_allowed(own_service):
    """A token that is revoked, a session that is ended, an account that is removed: refused from then on."""
    service = own_service()
    owner = sign_in(service, service.read_link(), name="Ada")[0]
    made = owner.post("/api/v1/tokens", {"name": "spare"}).json
    spare = Client(service, token=made["token"])
    assert spare.get("/api/v1/runs").status == 200
    assert owner.delete(f"/api/v1/tokens/{made['id']}").status == 204
    assert spare.get("/api/v1/runs").status == 401
    browser = sign_in(service, owner.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])[0]
    assert browser.get("/api/v1/runs").status == 200
    assert Client(service, token=browser.cookie).get("/api/v1/runs").status == 401
    assert browser.delete("/api/v1/session").status == 200
    assert browser.get("/api/v1/runs").status == 401
    eve = sign_in(service, owner.post("/api/v1/sign-in-links", {"for": "new-account"}).json["link"], name="Eve")[0]
    assert eve.get("/api/v1/runs").status == 200
    account = next(one["id"] for one in owner.get("/api/v1/accounts").json["accounts"] if one["name"] == "Eve")
    assert owner.delete(f"/api/v1/accounts/{account}").status == 204
    assert eve.get("/api/v1/runs").status == 401


def test_a_kept_answer_is_what_is_described(client, run):
    """The same JSON, kept or not."""
    first, second = (json.loads(client.get(f"/api/v1/runs/{run}/results").body) for _ in range(2))
    assert first == second and first["results"]
