# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Whom a certificate names: the issuer, by the service's options, and the organisation as a certifier of the service
has approved it for the account; both are signed. Certificates of the format before stay good."""

import copy
import json
import pathlib
import subprocess

import pytest

from service import PATIENCE, Client
from test_account import sign_in
from test_certificate import fixture_certify, verify  # noqa: F401

ISSUER = {"name": "Portals Board", "address": "1 Wire Lane, 00001 Network"}
OPTIONS = ("--issuer", ISSUER["name"], "--issuer-address", ISSUER["address"])
ORDER = {"name": "Example Ltd", "address": "2 Bus Road, 00002 Host"}
FIRST = pathlib.Path(__file__).resolve().parent / "certificate-1.json"
FIRST_KEY = "2KwYrDGYfZCu37uyLgLtwZRIUPiDSaYlJ7TXaJ5xD/I="


def states(client):
    return {one["name"]: one["state"] for one in client.get("/api/v1/organisations").json["organisations"]}


@pytest.fixture(name="people")
def fixture_people(certify):
    """A service that names its issuer, its owner and a vendor."""
    service, run = certify
    assert service.stop() == 0
    service.start(*OPTIONS)
    owner, _ = sign_in(service, service.read_link(), name="Ada")
    link = owner.post("/api/v1/sign-in-links", {"for": "new-account"}).json["link"]
    return service, run, owner, sign_in(service, link, name="Eve")[0]


def payload_of(run, client):
    certificate = client.get(f"/api/v1/certificates/{run(client)['certificate']}").json
    return certificate, certificate["payload"]


def test_only_what_is_approved_is_named(people, bin_dir, tmp_path):
    service, run, owner, eve = people
    made = eve.post("/api/v1/organisations", ORDER)
    assert made.status == 201 and states(eve) == states(owner) == {"Example Ltd": "requested"}
    certificate, payload = payload_of(run, eve)
    assert (payload["issuer"], payload["organisation"]) == (ISSUER, None)
    assert "vendor" not in payload["implementation"]
    (tmp_path / "one.json").write_text(json.dumps(certificate))
    said = verify(bin_dir, tmp_path / "one.json").stdout
    assert "organisation, approved by the issuer: none\n" in said, said
    assert owner.post(f"/api/v1/organisations/{made.json['id']}/approve", None).status == 204
    assert states(eve) == {"Example Ltd": "approved"}
    certificate, payload = payload_of(run, eve)
    assert {key: payload["organisation"][key] for key in ORDER} == ORDER and payload["organisation"]["approved"]
    assert certificate["format"] == "assay-certificate/2"
    (tmp_path / "one.json").write_text(json.dumps(certificate))
    done = verify(bin_dir, tmp_path / "one.json")
    assert done.returncode == 0, done
    assert "issuer: Portals Board, 1 Wire Lane, 00001 Network\n" in done.stdout
    assert "organisation, approved by the issuer: Example Ltd, 2 Bus Road, 00002 Host\n" in done.stdout
    for what, member in (("issuer", "address"), ("organisation", "name"), ("organisation", "address")):
        altered = copy.deepcopy(certificate)
        altered["payload"][what][member] += "!"
        asked = Client(service).post("/api/v1/certificates/verify", {"certificate": altered})
        assert asked.json["result"] == "altered"
    older = {**certificate, "format": "assay-certificate/1"}
    assert Client(service).post("/api/v1/certificates/verify", {"certificate": older}).json["result"] == "altered"


def test_who_approves(people):
    """No account approves for itself but the service's own; another name holds only from its approval."""
    service, _, owner, eve = people
    mine = eve.post("/api/v1/organisations", ORDER).json["id"]
    assert eve.post(f"/api/v1/organisations/{mine}/approve", None).code == "not_certifier"
    assert service.client().post(f"/api/v1/organisations/{mine}/approve", None).code == "not_certifier"  # a token
    link = owner.post("/api/v1/sign-in-links", {"for": "new-member", "role": "certifier"}).json["link"]
    certifier, _ = sign_in(service, link, name="Cleo")
    link = owner.post("/api/v1/sign-in-links", {"for": "new-member", "role": "tester"}).json["link"]
    tester, _ = sign_in(service, link, name="Tim")
    assert states(tester) == {} and tester.post(f"/api/v1/organisations/{mine}/approve", None).status == 403
    assert certifier.post(f"/api/v1/organisations/{mine}/approve", None).status == 204
    assert certifier.post(f"/api/v1/organisations/{mine}/approve", None).code == "no_organisation"
    other = eve.post("/api/v1/organisations", {**ORDER, "name": "Example Inc"}).json["id"]
    assert states(eve) == {"Example Ltd": "approved", "Example Inc": "requested"}
    third = eve.post("/api/v1/organisations", {**ORDER, "name": "Example AG"}).json["id"]
    assert states(eve) == {"Example Ltd": "approved", "Example AG": "requested"}
    assert certifier.post(f"/api/v1/organisations/{other}/approve", None).status == 404
    assert certifier.post(f"/api/v1/organisations/{third}/approve", None).status == 204
    assert states(eve) == {"Example Ltd": "ended", "Example AG": "approved"}
    fourth = eve.post("/api/v1/organisations", {**ORDER, "name": "Big Corp"}).json["id"]
    assert certifier.delete(f"/api/v1/organisations/{fourth}").status == 204
    assert eve.delete(f"/api/v1/organisations/{third}").status == 204
    assert states(eve) == {"Example Ltd": "ended", "Example AG": "ended", "Big Corp": "refused"}


@pytest.mark.parametrize("change", [{"name": ""}, {"address": ""}, {"name": "a\nb"}, {"name": "x\u202ey"}, {"more": 1},
                                    {"address": "x" * 301}])
def test_what_is_refused(service, client, change):
    assert client.post("/api/v1/organisations", {**ORDER, **change}).status == 400
    assert states(client) == {}


@pytest.mark.parametrize("words, named", [
    (("--issuer-address", "x"), "--issuer NAME is missing"), (("--issuer", ""), "--issuer: "),
    (("--issuer", "a\u202eb"), "--issuer: "), (("--issuer", "x" * 301), "--issuer: "),
    (("--issuer", "x", "--issuer-address", b"\xff"), "--issuer-address: ")])
def test_options(bin_dir, tmp_path, words, named):
    done = subprocess.run([bin_dir / "assayd", "--data", tmp_path, "--listen", "127.0.0.1:0", *words],
                          capture_output=True, timeout=PATIENCE, check=False)
    said = done.stderr.decode()
    assert done.returncode == 2 and named in said and said.count("\n") == 1, said


def test_a_certificate_of_format_1(bin_dir, tmp_path):
    """One that was issued before there was another."""
    (tmp_path / "key").write_text(FIRST_KEY)
    done = verify(bin_dir, FIRST, "--key", tmp_path / "key")
    assert done.returncode == 0 and "issuer" not in done.stdout and "organisation" not in done.stdout, done
    altered = json.loads(FIRST.read_text())
    for change in ({"format": "assay-certificate/2"}, {"payload": {**altered["payload"], "issuer": ISSUER}}):
        (tmp_path / "altered").write_text(json.dumps({**altered, **change}))
        assert verify(bin_dir, tmp_path / "altered").returncode == 1
