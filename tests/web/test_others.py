# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Nobody gets at what is somebody else's: every operation that openapi.json describes is tried with the ids of another
account, by an account of its own, and by nobody. An operation that comes later is tried too."""

import json
import re

import pytest

from service import Client
from test_account import sign_in
from test_evidence import run_suite

# What is the same for everybody; any other word in braces needs an id of the victim's.
PUBLIC = {"profile": "portals-3.0", "name": "style.css", "certificate": "none", "lesson": "short-put",
          "packet": "1"}
# What ends the session of whoever asks for it, or makes what is his own.
OWN = {("delete", "/api/v1/session"), ("delete", "/api/v1/sessions")}
REFUSED = {403, 404}


@pytest.fixture(scope="module")
def described(root):
    """(method, path, operation) of all that only some may ask for."""
    document = json.loads((root / "specs" / "openapi.json").read_text())
    return [(method, path, operation) for path, methods in document["paths"].items()
            for method, operation in methods.items() if operation.get("security") != [] and (method, path) not in OWN]


@pytest.fixture(scope="module")
def ada(service):
    """Somebody who has one of each, and what it is called."""
    browser = sign_in(service, service.link, name="Ada Victim")[0]
    run = run_suite(service, browser)
    state = browser.get(f"/api/v1/runs/{run}").json
    token = browser.post("/api/v1/tokens", {"name": "Victim's token"}).json["id"]
    case = browser.get(f"/api/v1/runs/{run}/results").json["results"][0]["id"]
    account = next(str(one["id"]) for one in browser.get("/api/v1/accounts").json["accounts"])
    member = str(browser.get("/api/v1/members").json["members"][0]["id"])
    session = browser.get("/api/v1/sessions").json["sessions"][0]["id"]
    browser.ids = {"run": run, "other": run, "implementation": state["implementation"]["id"], "token": token,
                   "case": case, "account": account, "member": member, "session": session}
    browser.ids["share"] = browser.post(f"/api/v1/runs/{run}/shares", {"name": "Victim's link"}).json["id"]
    browser.ids["waiver"] = browser.post("/api/v1/waivers", {
        "implementation": browser.ids["implementation"], "profile": "portals-3.0", "cases": case,
        "owner": "Victim's owner", "reason": "why", "expires": "2999-12-31"}).json["id"]
    browser.ids["organisation"] = browser.post("/api/v1/organisations", {
        "name": "Victim's firm", "address": "Victim's street"}).json["id"]
    browser.words = [run, browser.ids["implementation"], token, "Victim"]
    return browser


@pytest.fixture(scope="module")
def mallory(service, ada):
    link = ada.post("/api/v1/sign-in-links", {"for": "new-account"}).json["link"]
    return sign_in(service, link, name="Mallory")[0]


def bodies(operation, ids, document):
    """A body that fits the schema, with the victim's ids where one is asked for; None where there is none."""
    if "requestBody" not in operation:
        return None
    name = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
    schema = document["components"]["schemas"][name]
    return {key: value_of(key, schema["properties"][key], ids) for key in schema["required"]}


def value_of(key, schema, ids):
    if key in ids or key in PUBLIC:
        return ids.get(key, PUBLIC.get(key))
    if "enum" in schema:
        return schema["enum"][0]
    return {"object": {}, "integer": 1, "array": []}.get(schema.get("type"), "2099-01-01")


def asked(described, root, ids):
    """Each operation as a request: method, path with the ids, body, whether it names something of the victim's, whether
    it is a page."""
    document = json.loads((root / "specs" / "openapi.json").read_text())
    for method, path, operation in described:
        words = re.findall(r"{(\w+)}", path)
        unknown = set(words) - set(ids) - set(PUBLIC)
        assert not unknown, f"{path}: say in this test what {unknown} is"
        filled = re.sub(r"{(\w+)}", lambda found: {**ids, **PUBLIC}[found.group(1)], path)
        private = any(word in ids and word != "case" for word in words)
        yield method.upper(), filled, bodies(operation, ids, document), private, "303" in operation["responses"]


def everything(browser):
    """What somebody sees of his own."""
    run = browser.ids["run"]
    return [browser.get(path).body for path in ("/api/v1/runs", "/api/v1/implementations", "/api/v1/tokens",
                                                "/api/v1/accounts", f"/api/v1/runs/{run}",
                                                f"/api/v1/runs/{run}/results", f"/api/v1/runs/{run}/report.json",
                                                f"/api/v1/runs/{run}/shares", "/api/v1/waivers",
                                                "/api/v1/organisations")]


def test_another_account(root, described, ada, mallory):
    """Refused, or answered without a word of the victim's; and nothing of the victim's is another afterwards."""
    requests = list(asked(described, root, ada.ids))
    assert len(requests) > 40 and sum(private for *_, private, _ in requests) > 15
    before = [json.loads(body) for body in everything(ada)]
    for method, path, body, private, page in requests:
        answer = mallory.ask(method, path, body)
        where = f"{method} {path}: {answer.status} {answer.body[:300]}"
        if private and not page:
            assert answer.status in REFUSED, where
        if path == "/api/v1/audit":  # which tells mallory of these very requests
            assert {one["account"] for one in answer.json["entries"]} == {"Mallory"}
            continue
        said = answer.body.decode(errors="replace")
        assert not [word for word in ada.words if word in said.replace(path, "")], where
    after = [json.loads(body) for body in everything(ada)]
    before[3], after[3] = ([one for one in listed["accounts"] if one["name"] != "Mallory"] for listed in
                           (before[3], after[3]))
    # Who runs the service sees what mallory has asked of it.
    after[-1] = {**after[-1], "organisations": [one for one in after[-1]["organisations"] if one["mine"]]}
    assert after == before


def test_nobody(service, root, described, ada):
    """Whoever is not signed in is sent to sign in."""
    for method, path, body, _, page in asked(described, root, ada.ids):
        answer = Client(service).ask(method, path, body)
        assert answer.status == (303 if page else 401), (method, path, answer.status)


def test_no_browser_is_used_by_another_site(root, described, ada):
    """What changes something is refused without the session's own CSRF token, which no other site can read."""
    forged = Client(ada.service, cookie=ada.cookie)
    before = everything(ada)
    for method, path, body, *_ in asked(described, root, ada.ids):
        if method == "GET":
            continue
        assert forged.ask(method, path, body).status == 403, (method, path)
        forged.csrf = "0" * 48
        assert forged.ask(method, path, body).status == 403, (method, path)
        forged.csrf = None
    assert everything(ada) == before
