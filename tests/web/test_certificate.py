# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A certificate is immutable: it stays whatever is deleted."""

import copy
import hashlib
import json
import shutil
import subprocess

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


def test_it_says_what_was_built(certify, bin_dir):
    """Digests of the program and of what it loads, by the launch agent; no folder of the vendor's machine."""
    service, run = certify
    client = service.client()
    payload = client.get(f"/api/v1/certificates/{run(client)['certificate']}").json["payload"]
    files = {one["name"]: one["sha256"] for one in payload["build"]["files"]}
    assert files["interp-portals"] == hashlib.sha256((bin_dir / "interp-portals").read_bytes()).hexdigest()
    lines = sorted(f"{one['sha256']}  {one['name']}\n" for one in payload["build"]["files"])
    assert payload["build"]["sha256"] == hashlib.sha256("".join(lines).encode()).hexdigest()
    assert payload["build"]["count"] == len(lines) and not [name for name in files if "/" in name]


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


def rotate(service):
    return subprocess.run([service.program, "--data", service.data, "--rotate-key"], capture_output=True, text=True,
                          timeout=PATIENCE)


def verify(bin_dir, *words):
    return subprocess.run([bin_dir / "assay", "verify", *words], capture_output=True, text=True, timeout=PATIENCE)


def test_keys_change(certify, bin_dir, tmp_path):
    """A certificate is good by the key after its own, and by the one before with what the service says later; a chain
    in which a signature is altered, or that lacks a link, leads nowhere."""
    service, run = certify
    client = service.client()

    def save(name, path):
        (tmp_path / name).write_bytes(client.get(path).body)
        return tmp_path / name

    first = save("first.json", f"/api/v1/certificates/{run(client)['certificate']}")
    keys = [save("key0.json", "/api/v1/key")]
    assert json.loads(keys[0].read_text())["chain"] == []
    assert rotate(service).returncode == 2  # it runs
    for i in (1, 2):
        assert service.stop() == 0
        done = rotate(service)
        assert (done.returncode, done.stderr) == (0, "") and "given way" in done.stdout
        service.start()
        keys.append(save(f"key{i}.json", "/api/v1/key"))
    last = save("last.json", f"/api/v1/certificates/{run(client)['certificate']}")
    proof = save("proof.json", f"/api/v1/certificates/{json.loads(first.read_text())['payload']['id']}/proof")
    assert verify(bin_dir, first, "--key", keys[0]).returncode == 0
    assert verify(bin_dir, first, "--key", keys[2], "--log", proof).returncode == 0
    assert verify(bin_dir, first, "--log", proof).returncode == 1
    assert verify(bin_dir, last, "--key", keys[0]).returncode == 1
    assert verify(bin_dir, last, "--key", keys[0], "--keys", keys[2]).returncode == 0
    assert verify(bin_dir, last, "--key", keys[0], "--keys", keys[1]).returncode == 1
    for document in (first, last):
        asked = client.post("/api/v1/certificates/verify", {"certificate": json.loads(document.read_text())})
        assert asked.json["result"] == "good"
    later = json.loads(keys[2].read_text())
    for half in (0, 1):
        altered = copy.deepcopy(later)
        altered["chain"][1][half]["signature"] = later["chain"][0][half]["signature"]
        (tmp_path / "altered.json").write_text(json.dumps(altered))
        assert verify(bin_dir, last, "--key", keys[0], "--keys", tmp_path / "altered.json").returncode == 1
        assert verify(bin_dir, first, "--key", tmp_path / "altered.json").returncode == 1


def test_a_change_of_keys_that_was_cut_off(certify):
    """The chain is written and the new key is not in its place: the next start puts it there. Without the new key the
    service does not start."""
    service, _ = certify
    assert service.stop() == 0
    old = (service.data / "signing.key").read_bytes()
    assert rotate(service).returncode == 0
    (service.data / "signing.key").rename(service.data / "signing.key.next")
    (service.data / "signing.key").write_bytes(old)
    service.start()
    assert (service.data / "signing.key").read_bytes() != old
    assert service.stop() == 0
    (service.data / "signing.key").write_bytes(old)
    done = subprocess.run([service.program, "--listen", "127.0.0.1:0", "--data", service.data], capture_output=True,
                          text=True, timeout=PATIENCE)
    assert done.returncode == 2 and "keys.json" in done.stderr
