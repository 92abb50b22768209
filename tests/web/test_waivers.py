# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Waivers in the service: asked for by an account, granted by the owner, on the certificate (specs/waivers.md)."""

import shutil

import pytest

from service import PATIENCE
from test_account import sign_in

CASES = """
local function one(id, requirement, code)
  case { id = id, title = "A barrier", purpose = "Waits.", suite = "s", chapter = "3.5",
    requirements = { requirement },
    run = function(t) t:open {} t:rc(requirement, t.ranks[0]:PtlNIBarrier {}, code) end }
end
one("good", "P30-091", "PTL_OK")
one("bad", "P30-092", "PTL_NOSPACE")
"""
ORDER = {"profile": "portals-3.0", "owner": "Ada, Example Ltd", "reason": "mended in 2.1", "expires": "2999-12-31"}


@pytest.fixture(name="service")
def fixture_service(root, tmp_path, monkeypatch, own_service):
    """A service whose profile has a case that the reference fails."""
    cases = tmp_path / "cases"
    (cases / "portals-3.0").mkdir(parents=True)
    shutil.copytree(root / "tester" / "cases" / "lib", cases / "lib")
    (cases / "portals-3.0" / "cases.lua").write_text(CASES)
    monkeypatch.setenv("ASSAY_CASES", str(cases))
    return own_service()


@pytest.fixture(name="people")
def fixture_people(service):
    """The service's owner, and a vendor."""
    owner, _ = sign_in(service, service.read_link(), name="Ada")
    link = owner.post("/api/v1/sign-in-links", {"for": "new-account"}).json["link"]
    return owner, sign_in(service, link, name="Eve")[0]


def judge(service, client):
    made = client.run()
    agent = service.agent(made["token"])
    state = client.wait_over(made["run"]["id"])
    agent.wait(PATIENCE)
    agent.stderr.close()
    return state


def listed(client):
    return {one["id"]: one["state"] for one in client.get("/api/v1/waivers").json["waivers"]}


def test_from_the_failure_to_the_certificate(service, people):
    """Only what is granted counts, and for runs from then on; it stands on the certificate, and ends."""
    owner, eve = people
    assert judge(service, eve)["outcome"]["name"] == "does-not-conform"
    order = {**ORDER, "implementation": eve.implementation()}
    made = eve.post("/api/v1/waivers", {**order, "cases": "good, bad"})
    waiver = made.json["id"]
    assert made.status == 201 and listed(eve) == listed(owner) == {waiver: "requested"}
    assert judge(service, eve)["outcome"]["name"] == "does-not-conform"
    assert eve.post(f"/api/v1/waivers/{waiver}/grant", None).status == 403
    assert owner.post(f"/api/v1/waivers/{waiver}/grant", None).status == 204
    assert owner.post(f"/api/v1/waivers/{waiver}/grant", None).status == 404
    state = judge(service, eve)
    assert state["outcome"]["name"] == "conforms-in-part" and state["summary"]["fail"] == 1
    assert (state["waivers"][0]["waived"], state["waivers"][0]["not_needed"]) == (["bad"], ["good"])
    payload = eve.get(f"/api/v1/certificates/{state['certificate']}").json["payload"]
    found = payload["waivers"][0]
    assert {key: found[key] for key in ("id", "owner", "reason", "expires", "granted_by", "waived")} == {
        "id": waiver, "owner": ORDER["owner"], "reason": ORDER["reason"], "expires": ORDER["expires"],
        "granted_by": "Ada", "waived": ["bad"]}
    verified = eve.post("/api/v1/certificates/verify", {"certificate": eve.get(
        f"/api/v1/certificates/{state['certificate']}").json})
    assert verified.json["result"] == "good"
    assert eve.delete(f"/api/v1/waivers/{waiver}").status == 204 and listed(eve) == {waiver: "ended"}
    assert eve.delete(f"/api/v1/waivers/{waiver}").status == 404
    assert judge(service, eve)["outcome"]["name"] == "does-not-conform"


def test_it_is_for_one_implementation_and_for_a_time(service, people):
    owner, eve = people
    other = eve.implementation("Another", "1")
    ids = [eve.post("/api/v1/waivers", {**ORDER, "implementation": which, "requirements": "P30-092",
                                        "expires": until}).json["id"]
           for which, until in ((other, "2999-01-01"), (eve.implementation(), "2020-01-01"))]
    assert owner.post(f"/api/v1/waivers/{ids[0]}/grant", None).status == 204
    assert owner.post(f"/api/v1/waivers/{ids[1]}/grant", None).status == 404  # its time is over
    assert listed(eve) == {ids[0]: "granted", ids[1]: "expired"}
    state = judge(service, eve)
    assert state["outcome"]["name"] == "does-not-conform" and state["waivers"] is None


def test_a_run_that_goes_on_keeps_its_waivers(service, people):
    """The service is killed before the agent comes; what the run was made with holds, whatever has ended since."""
    owner, eve = people
    waiver = eve.post("/api/v1/waivers", {**ORDER, "implementation": eve.implementation(), "cases": "bad"}).json["id"]
    assert owner.post(f"/api/v1/waivers/{waiver}/grant", None).status == 204
    made = eve.run()
    service.kill()
    service.start()
    assert eve.delete(f"/api/v1/waivers/{waiver}").status == 204
    agent = service.agent(made["token"])
    state = eve.wait_over(made["run"]["id"])
    assert agent.wait(PATIENCE) == 0
    agent.stderr.close()
    assert state["outcome"]["name"] == "conforms-in-part" and state["waivers"][0]["waived"] == ["bad"]


@pytest.mark.parametrize("change, code", [
    ({"cases": "none-such"}, "no_case"), ({"cases": "", "requirements": "none-such"}, "no_requirement"),
    ({"profile": "none"}, "no_profile"), ({"cases": " , "}, "bad_waiver"), ({"expires": "2999-99-99"}, "bad_waiver"),
    ({"implementation": "none"}, "no_implementation"), ({"owner": ""}, "bad_field"), ({"reason": 1}, "bad_field"),
])
def test_what_is_refused(service, people, change, code):
    _, eve = people
    order = {**ORDER, "implementation": eve.implementation(), "cases": "bad", **change}
    answer = eve.post("/api/v1/waivers", order)
    assert answer.status in (400, 404) and answer.code == code, answer.body
    assert listed(eve) == {}


def test_who_may(service, people):
    """A tester asks for none; nobody sees another's."""
    owner, eve = people
    link = eve.post("/api/v1/sign-in-links", {"for": "new-member", "role": "tester"}).json["link"]
    tester, _ = sign_in(service, link, name="Tim")
    order = {**ORDER, "implementation": eve.implementation(), "cases": "bad"}
    assert tester.post("/api/v1/waivers", order).status == 403
    waiver = eve.post("/api/v1/waivers", order).json["id"]
    assert listed(tester) == {waiver: "requested"} and tester.delete(f"/api/v1/waivers/{waiver}").status == 403
    link = owner.post("/api/v1/sign-in-links", {"for": "new-account"}).json["link"]
    mallory, _ = sign_in(service, link, name="Mallory")
    assert listed(mallory) == {} and mallory.delete(f"/api/v1/waivers/{waiver}").status == 404
    assert owner.delete(f"/api/v1/waivers/{waiver}").status == 204


def test_what_is_over_takes_no_room(service, people):
    """200 may be open; who ends one may ask for another, and 200 of those that are over are kept."""
    _, eve = people
    order = {**ORDER, "implementation": eve.implementation(), "cases": "bad"}
    made = [eve.post("/api/v1/waivers", order).json["id"] for _ in range(200)]
    full = eve.post("/api/v1/waivers", order)
    assert full.status == 404 and "200 waivers that are not over: end one" in str(full.body)
    for waiver in made:
        assert eve.delete(f"/api/v1/waivers/{waiver}").status == 204
    more = [eve.post("/api/v1/waivers", order).json["id"] for _ in range(2)]
    assert eve.delete(f"/api/v1/waivers/{more[0]}").status == 204
    last = eve.post("/api/v1/waivers", order).json["id"]
    states = listed(eve)
    assert states.pop(more[1]) == states.pop(last) == "requested"
    assert len(states) == 200 and set(states.values()) == {"ended"} and more[0] in states
