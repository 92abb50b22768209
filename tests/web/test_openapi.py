# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""specs/openapi.json against the table of routes and against what the service really answers."""

import json
import re
import subprocess

import jsonschema
import pytest

from service import PATIENCE, Client

SHAPED = {"GET", "POST", "DELETE"}


@pytest.fixture(scope="module")
def document(root):
    return json.loads((root / "specs" / "openapi.json").read_text())


@pytest.fixture(scope="module")
def routes(bin_dir):
    """(method, pattern, who, body limit) of every row of the service's table."""
    lines = subprocess.run([bin_dir / "assayd", "--list-routes"], check=True, capture_output=True, text=True,
                           timeout=PATIENCE).stdout.splitlines()
    return [tuple(line.split()) for line in lines]


def operations(document):
    return {(method.upper(), path): operation for path, methods in document["paths"].items() for method,
            operation in methods.items()}


def test_same_routes(document, routes):
    assert len(routes) > 40
    assert {(method, path) for method, path, _, _ in routes} == set(operations(document))


def test_audit_log_has_words_for_every_change(root, routes):
    """Who reads the log on the account's page sees what was done, and no route; nothing is in it of who is nobody."""
    page = (root / "web" / "pages" / "assets" / "account_people.js").read_text()
    changes = {f"{method} {path}" for method, path, who, _ in routes if method != "GET" and who != "anyone"}
    worded = set(re.findall(r'"([A-Z]+ /api/[^"]+)": "', page))
    assert changes and changes <= worded, changes - worded
    assert worded <= {f"{method} {path}" for method, path, _, _ in routes}


def test_same_rights_and_bodies(document, routes):
    """Who may ask, and whether there is a body, stand the same in both."""
    described = operations(document)
    for method, path, who, limit in routes:
        operation = described[method, path]
        assert (operation.get("security") == []) == (who == "anyone"), (method, path)
        assert ("requestBody" in operation) == (limit != "0"), (method, path)
    ids = [operation["operationId"] for operation in described.values()]
    assert len(ids) == len(set(ids))


def test_served_as_it_is(nobody, document):
    assert nobody.get("/openapi.json").json == document


def check(document, method, path, answer):
    """Compares one answer with the document: status, content type, shape."""
    found = None
    for (known, pattern), operation in operations(document).items():
        literal = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(pattern))
        if known == ("GET" if method == "HEAD" else method) and re.fullmatch(literal, path.split("?")[0]):
            found = operation if found is None or "{" not in pattern else found
    assert found, (method, path)
    described = found["responses"].get(str(answer.status))
    assert described, f"{method} {path}: status {answer.status} is not described"
    if "content" not in described:
        assert answer.body == b"", (method, path)
        return
    kind = answer.headers["content-type"]
    if path.startswith("/assets/"):
        return
    assert kind in described["content"], (method, path, kind)
    if kind == "application/json":
        schema = {**described["content"][kind]["schema"], "components": document["components"]}
        jsonschema.validate(answer.json, schema, cls=jsonschema.Draft202012Validator,
                            format_checker=jsonschema.FormatChecker())


@pytest.fixture(scope="module")
def answered(service, client):
    """Walks through everything that can be asked for, once as a vendor does, once as somebody who is wrong."""
    Client.exchanges.clear()
    profile = "/api/v1/profiles/portals-3.0"
    case = client.get(f"{profile}/cases").json["cases"][0]["id"]
    # A profile of few cases: the whole of it is run, so that there is a certificate.
    made = client.run(case=case)
    run = f"/api/v1/runs/{made['run']['id']}"
    agent = service.agent(made["token"])
    client.wait_over(made["run"]["id"])
    agent.wait(PATIENCE)
    agent.stderr.close()
    result = f"{run}/results/{case}"
    token = client.post("/api/v1/tokens", {"name": "one"}).json["id"]
    alone = client.implementation("Alone", "1")
    nobody = Client(service)
    for path in ("/healthz", "/openapi.json", "/download/assay-interpreter.tar.gz", "/favicon.ico",
                 "/assets/style.css", "/connect",
                 "/api/v1/session", "/api/v1/key", "/api/v1/certificates/none",
                 "/api/v1/certificates/none/proof", "/api/v1/log", "/api/v1/log/since/0",
                 "/certificates/none/badge.svg",
                 "/book", "/book/portals-3.0", "/book/portals-3.0/P30-137",
                 "/sign-in", "/verify",
                 "/certificates/x", "/",
                 "/api/v1/runs"):
        nobody.get(path)
    for path in ("/metrics", "/api/v1/session", "/api/v1/sessions", "/api/v1/members", "/api/v1/audit",
                 "/api/v1/rejudged", "/api/v1/tokens", "/api/v1/profiles", f"{profile}/cases",
                 f"{profile}/cases/{case}",
                 f"{profile}/requirements", f"{profile}/cases/{case}/history", f"{profile}/matrix",
                 f"{run}/compare/{made['run']['id']}", f"{run}/compare/{made['run']['id']}/cases/{case}",
                 "/api/v1/implementations", f"/api/v1/implementations/{alone}",
                 "/api/v1/runs", run,
                 f"{run}/results", result, f"{result}/transcript", f"{result}/capture", f"{result}/ladder",
                 f"{result}/packets", f"{result}/packets?skip=x", f"{result}/packets/1", f"{result}/packets/none",
                 f"{run}/report.json",
                 f"{run}/report.html",
                 f"{run}/requirements.csv", f"{run}/report.zip", f"{run}/shares",
                 f"{run}/junit.xml", f"{run}/preflight", f"{run}/certificate",
                 "/", "/account", "/implementations/new", "/runs/new",
                 "/runs/x",
                 "/runs/x/cases/y", "/runs/x/compare/y", "/profiles/x/matrix", "/replay", "/replay/x",
                 "/profiles/x", "/profiles/x/cases/y", "/api/v1/runs/x", "/api/v1/runs/x/events"):
        client.get(path)
    nobody.post("/api/v1/session", {"code": "wrong"})
    client.post("/api/v1/session", {"cod": 1})
    client.post("/api/v1/sign-in-links", {"for": "this-account"})
    client.post("/api/v1/sign-in-links", {"for": "nobody"})
    client.post("/api/v1/implementations", {"name": "Alone", "version": "1"})
    client.post("/api/v1/runs", {"implementation": alone, "profile": "none"})
    client.post(f"{run}/cancel", None)
    client.post(f"{run}/finish", None)
    client.post(f"{result}/again", None)
    client.post(f"{run}/results/none/again", None)
    other = f"/api/v1/runs/{client.run()['run']['id']}"
    for word in ("resume", "pause", "pause", "resume", "finish", "cancel"):
        client.post(f"{other}/{word}", None)
    client.post("/api/v1/certificates/verify", {"certificate": {}})
    client.post("/api/v1/certificates/none/revoke", {"reason": "a token may not"})
    nobody.get("/met/none")
    share = client.post(f"{run}/shares", {"name": "somebody"}).json
    nobody.get(share["link"].removeprefix(service.url))
    client.post(f"{run}/shares", {"days": 1})
    client.delete(f"{run}/shares/{share['id']}")
    client.delete(f"{run}/shares/{share['id']}")
    nobody.get(share["link"].removeprefix(service.url))
    order = {"name": "Example Ltd", "address": "2 Bus Road"}
    organisation = client.post("/api/v1/organisations", order).json["id"]
    client.post("/api/v1/organisations", {"name": "Example Ltd"})
    client.get("/api/v1/organisations")
    client.post(f"/api/v1/organisations/{organisation}/approve", None)
    client.delete(f"/api/v1/organisations/{organisation}")
    client.delete(f"/api/v1/organisations/{organisation}")
    client.get("/api/v1/waivers")
    client.get("/waivers")
    order = {"implementation": alone, "profile": "portals-3.0", "owner": "Ada", "reason": "known", "cases": case,
             "expires": "2999-12-31"}
    waiver = client.post("/api/v1/waivers", order).json["id"]
    client.post("/api/v1/waivers", {**order, "cases": "none"})
    client.post("/api/v1/waivers", {**order, "implementation": "none"})
    client.get("/api/v1/waivers")
    client.post(f"/api/v1/waivers/{waiver}/grant", None)
    client.delete(f"/api/v1/waivers/{waiver}")
    client.delete(f"/api/v1/waivers/{waiver}")
    client.post("/api/v1/password", {"password": "a token may not"})
    client.post("/api/v1/members/1", {"role": "viewer"})
    client.post("/api/v1/members/x", {"role": "viewer"})
    client.post("/api/v1/members/1", {"role": "king"})
    client.delete("/api/v1/members/1")
    client.delete("/api/v1/sessions/none")
    client.get("/api/v1/accounts")
    client.delete("/api/v1/accounts/77")
    client.delete("/api/v1/accounts/1")
    client.delete(f"/api/v1/tokens/{token}")
    client.delete(f"/api/v1/implementations/{alone}")
    client.delete(run)
    client.delete(run)
    client.delete("/api/v1/session")
    client.delete("/api/v1/sessions")
    return list(Client.exchanges)


def test_answers_are_as_described(document, answered):
    for method, path, answer in answered:
        check(document, method, path, answer)


def test_every_route_was_asked(document, answered, routes):
    """All but the two that other tests follow live: events, and a certificate that is there."""
    asked = {(method, path.split("?")[0]) for method, path, _ in answered}
    for method, pattern, _, _ in routes:
        literal = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(pattern))
        assert any(method == known and re.fullmatch(literal, path) for known, path in asked), (method, pattern)


def test_case_tells_what_it_has_caught(client, build):
    """A case's page shows the mutants of the reference that prove it, by proofs that are not stale."""
    proofs = json.loads((build / "share" / "proofs.json").read_text())
    proven = ((name, proof) for name, proof in proofs.items() if proof["breaks"].startswith("P30-"))
    name, proof = next(proven, (None, None))
    if not name:
        pytest.skip("all proofs are stale: run `make mutants`")
    case = client.get(f"/api/v1/profiles/portals-3.0/cases/{next(iter(proof['caught_by']))}").json
    assert {"mutant": name, "breaks": proof["breaks"], "why": proof["why"]} in case["mutants"]
