# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Conformance statements: what is declared for a run is held by the engine, and stands on run and certificate."""

import json
import subprocess

import pytest

from service import PATIENCE
from test_certificate import fixture_certify  # noqa: F401: the fixture `certify`

DECLARED = {"profile": "portals-3.0", "limits": {"match_entries": 64}}


@pytest.mark.parametrize("statement, words", [
    ({"profile": "portals-3.0", "limits": {"match_entries": -1}}, "match_entries"),
    ({"profile": "portals-3.0", "limits": {"warp": 9}}, "warp"),
    ({"profile": "impi-0.0"}, "profile"),
    ({"limits": {}}, "profile"),
    ({"profile": "portals-3.0", "limts": {}}, "limts"),
])
def test_refused(service, client, statement, words):
    """With what is wrong, and without a word of the service's own files."""
    answer = client.post("/api/v1/runs", {"implementation": client.implementation(), "profile": "portals-3.0",
                                          "statement": statement})
    assert (answer.status, answer.code) == (400, "bad_statement"), answer.body
    said = answer.json["error"]["message"]
    assert said.startswith("statement") and words in said and str(service.data) not in said, said
    assert not list((service.data / "runs").glob("*.statement"))


def test_no_object(client):
    order = {"implementation": client.implementation(), "profile": "portals-3.0", "statement": "none"}
    assert client.post("/api/v1/runs", order).code == "bad_field"


def test_on_run_and_certificate(certify, tmp_path):
    """Given by the API, and by `assay certify --statement`; without one there is none."""
    service, run = certify
    client = service.client()
    plain = run(client)
    assert plain["statement"] is None
    assert "statement" not in client.get(f"/api/v1/certificates/{plain['certificate']}").json["payload"]
    made = client.run(statement=DECLARED)
    assert made["run"]["statement"] == DECLARED
    agent = service.agent(made["token"])
    state = client.wait_over(made["run"]["id"])
    assert agent.wait(PATIENCE) == 0
    agent.stderr.close()
    assert state["statement"] == DECLARED and not list((service.data / "runs").glob("*.statement"))
    certificate = client.get(f"/api/v1/certificates/{state['certificate']}").json
    assert certificate["payload"]["statement"] == DECLARED
    verified = client.post("/api/v1/certificates/verify", {"certificate": certificate}).json
    assert verified["result"] == "good"
    assert certified(service, client, tmp_path, json.dumps(DECLARED)).returncode == 0
    assert client.get("/api/v1/runs").json["runs"][0]["statement"] == DECLARED
    broken = certified(service, client, tmp_path, "{")
    assert broken.returncode == 2 and "statement.json:1" in broken.stderr, broken.stderr


def certified(service, client, folder, text):
    """assay certify with the statement in a file."""
    (folder / "statement.json").write_text(text)
    bin_dir = service.bin_dir
    return subprocess.run([bin_dir / "assay", "certify", "--url", service.url, "--token", client.token, "--profile",
                           "portals-3.0", "--statement", folder / "statement.json", "--", bin_dir / "portalsrun",
                           "-np", "{np}", bin_dir / "interp-portals", "{args}"], capture_output=True, text=True,
                          timeout=PATIENCE, check=False)
