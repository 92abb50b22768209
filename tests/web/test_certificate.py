# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A certificate is immutable: it stays whatever is deleted."""

import shutil

import pytest

from service import PATIENCE, Client
from test_account import sign_in

SMALL = """
case { id = "small", title = "A put to a peer", purpose = "Puts.", suite = "s", chapter = "4.1",
  requirements = { "P30-286" }, wire = true,
  run = function(t)
    t:open {}
    local rank, peer = t.ranks[0], t:peer {}
    rank:region("buf", 100, { fill = "mix/3" })
    rank:bind {}
    rank:put { target = t.nid(peer.id), portal = 5 }
    t:expect("P30-286", t:accept(peer), "put", { portal = 5 })
  end }
"""


@pytest.fixture(name="certify")
def fixture_certify(root, tmp_path, monkeypatch, own_service):
    """A service whose profile has one case, and certify(client): a run of it that is certified."""
    cases = tmp_path / "cases"
    (cases / "portals-3.0").mkdir(parents=True)
    shutil.copytree(root / "tester" / "cases" / "lib", cases / "lib")
    (cases / "portals-3.0" / "small.lua").write_text(SMALL)
    monkeypatch.setenv("ASSAY_CASES", str(cases))
    service = own_service()

    def certify(client):
        made = client.run()
        agent = service.agent(made["token"])
        state = client.wait_over(made["run"]["id"])
        assert agent.wait(PATIENCE) == 0
        agent.stderr.close()
        assert state["verdict"] == "conforms" and state["certificate"], state
        return state

    return service, certify


def test_it_outlives_its_run_and_its_account(certify):
    service, run = certify
    owner, _ = sign_in(service, service.read_link(), name="Ada")
    eve, _ = sign_in(service, owner.post("/api/v1/sign-in-links", {"for": "new-account"}).json["link"], name="Eve")
    state = run(eve)
    address = f"/api/v1/certificates/{state['certificate']}"
    before = eve.get(address)
    assert eve.get(f"/api/v1/runs/{state['id']}/certificate").body == before.body
    assert eve.delete(f"/api/v1/runs/{state['id']}").status == 204
    assert eve.get(f"/api/v1/runs/{state['id']}").status == 404
    assert Client(service).get(address).body == before.body
    account = next(one["id"] for one in owner.get("/api/v1/accounts").json["accounts"] if one["name"] == "Eve")
    assert owner.delete(f"/api/v1/accounts/{account}").status == 204
    assert Client(service).get(address).body == before.body
    verified = Client(service).post("/api/v1/certificates/verify", {"certificate": before.json})
    assert verified.json["result"] == "good"


def test_the_preflight_can_be_read(certify):
    """Also where the start has failed: what the launcher printed then is in it."""
    service, run = certify
    client = service.client()
    good = run(client)
    assert good["preflight"] is True
    assert "preflight" in client.get(f"/api/v1/runs/{good['id']}/preflight").body.decode()
    made = client.run()
    agent = service.agent(made["token"], "sh", "-c", "echo this launcher knows no such option; exit 3")
    state = client.wait_over(made["run"]["id"])
    assert agent.wait(PATIENCE) == 1
    agent.stderr.close()
    assert state["verdict"] == "inconclusive" and state["preflight"] is True, state
    said = client.get(f"/api/v1/runs/{state['id']}/preflight")
    assert said.status == 200 and "this launcher knows no such option" in said.body.decode(), said.body
