# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The log of certificates: it only grows, shows what is in it, and says what is revoked. The tree is made here once
more, by the definition of RFC 9162, section 2.1."""

import contextlib
import hashlib
import json
import subprocess

import pytest

from service import PATIENCE, Client
from test_account import sign_in
from test_certificate import fixture_certify  # noqa: F401: the fixture `certify`


def leaf(text):
    return hashlib.sha256(b"\0" + text.encode()).digest()


def tree(leaves):
    """The hash of a list of leaves."""
    if len(leaves) < 2:
        return leaves[0] if leaves else hashlib.sha256(b"").digest()
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    return hashlib.sha256(b"\1" + tree(leaves[:half]) + tree(leaves[half:])).digest()


def canonical(document):
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@pytest.fixture
def logged(certify):
    """The owner's browser, and six certificates of it: a list whose tree is not even."""
    service, run = certify
    owner, _ = sign_in(service, service.read_link(), name="Ada")
    first = run(owner)["certificate"]
    assert service.stop() == 0
    with service.database() as database:
        document = json.loads(database.execute("SELECT document FROM certificates").fetchone()[0])
        for number in range(5):
            document["payload"]["id"] = f"copy{number}"
            database.execute("INSERT INTO certificates (id, run, document) VALUES (?, ?, ?)",
                             (f"copy{number}", f"run{number}", json.dumps(document, indent=2)))
    database.close()
    service.start()
    return service, owner, first


def verify(service, tmp_path, certificate, proof, key):
    """assay verify CERTIFICATE --key KEY --log PROOF: its status, and all that it has said."""
    files = {"certificate": certificate, "proof": proof, "key": key}
    for name, document in files.items():
        (tmp_path / name).write_text(json.dumps(document, indent=3))
    done = subprocess.run([service.bin_dir / "assay", "verify", tmp_path / "certificate", "--key", tmp_path / "key",
                           "--log", tmp_path / "proof"], capture_output=True, text=True, timeout=PATIENCE, check=False)
    return done.returncode, done.stdout + done.stderr


def test_every_certificate_is_in_it(logged):
    """Also those that an earlier version has issued; each path leads to the root that the head names."""
    service, _, first = logged
    nobody = Client(service)
    log = nobody.get("/api/v1/log").json
    entries = [json.loads(text) for text in log["entries"]]
    assert [one["certificate"] for one in entries] == [first, *(f"copy{number}" for number in range(5))]
    assert {one["kind"] for one in entries} == {"issued"}
    assert log["head"]["payload"]["size"] == 6
    assert log["head"]["payload"]["root"] == tree([leaf(text) for text in log["entries"]]).hex()
    document = nobody.get(f"/api/v1/certificates/{first}").json
    assert entries[0]["sha256"] == hashlib.sha256(canonical(document).encode()).hexdigest()
    for index, one in enumerate(entries):
        proof = nobody.get(f"/api/v1/certificates/{one['certificate']}/proof").json
        assert (proof["issued"]["entry"], proof["issued"]["index"]) == (log["entries"][index], index)
        assert proof["head"]["payload"]["root"] == log["head"]["payload"]["root"] and proof["revoked"] is None


def test_it_only_grows(logged):
    """What was in it stands at its place, whatever comes after and through a restart."""
    service, owner, first = logged
    before = owner.get("/api/v1/log").json["entries"]
    assert owner.post(f"/api/v1/certificates/{first}/revoke", {"reason": "The case was wrong."}).status == 204
    assert service.stop() == 0
    service.start()
    after = owner.get("/api/v1/log").json["entries"]
    assert after[:6] == before and len(after) == 7
    last = json.loads(after[6])
    assert (last["kind"], last["certificate"], last["reason"]) == ("revoked", first, "The case was wrong.")


def grown(before, after, size, path):
    """Whether a list with the root `after`, of `size` leaves, began with that of `before`: (size, root). By RFC 9162,
    section 2.1.4.2."""
    first, root = before
    if first == size:
        return path == [] and root == after
    if first & (first - 1) == 0:
        path = [root, *path]
    if not path:
        return False
    at, last = first - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old = new = path[0]
    for one in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            old, new = hashlib.sha256(b"\1" + one + old).digest(), hashlib.sha256(b"\1" + one + new).digest()
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            new = hashlib.sha256(b"\1" + new + one).digest()
        at, last = at >> 1, last >> 1
    return last == 0 and old == root and new == after


def test_it_is_shown_to_have_grown(logged):
    """Whoever has kept an earlier head sees that what it stood for is still there, and notices where it is not."""
    service, owner, first = logged
    nobody = Client(service)
    assert owner.post(f"/api/v1/certificates/{first}/revoke", {"reason": "The case was wrong."}).status == 204
    leaves = [leaf(text) for text in nobody.get("/api/v1/log").json["entries"]]
    for size in range(1, 8):
        answer = nobody.get(f"/api/v1/log/since/{size}").json
        path = [bytes.fromhex(one) for one in answer["path"]]
        before = (size, bytes.fromhex(answer["before"]["root"]))
        after = bytes.fromhex(answer["head"]["payload"]["root"])
        assert before == (size, tree(leaves[:size])) and after == tree(leaves)
        assert grown(before, after, 7, path)
        other = [*leaves[:size - 1], leaf("another")]
        assert not grown((size, tree(other)), after, 7, path)
    for size in (0, 8, "x", 2**70):
        assert nobody.get(f"/api/v1/log/since/{size}").code == "no_entry"


def test_offline(logged, tmp_path):
    """`assay verify --log` follows the path, and finds what is altered, left out or of another certificate."""
    service, owner, first = logged
    nobody = Client(service)
    key = nobody.get("/api/v1/key").json
    document = nobody.get(f"/api/v1/certificates/{first}").json
    address = f"/api/v1/certificates/{first}/proof"
    proof = nobody.get(address).json
    status, said = verify(service, tmp_path, document, proof, key)
    assert status == 0 and "entry 1 of 6 in the log" in said and "good: " in said, said
    other = nobody.get("/api/v1/certificates/copy3/proof").json
    wrong = {"is not about this certificate": other,
             "is not in the log": {**proof, "issued": {**proof["issued"], "path": other["issued"]["path"]}},
             "is not in the log: ": {**proof, "issued": {**proof["issued"], "index": 1}},
             "was altered after": {**proof, "head": {**proof["head"], "payload": {
                 **proof["head"]["payload"], "size": 7}}}}
    for words, altered in wrong.items():
        status, said = verify(service, tmp_path, document, altered, key)
        assert status == 1 and words in said, said
    status, said = verify(service, tmp_path, document, document, key)
    assert status == 2 and "not a proof" in said, said
    assert owner.post(f"/api/v1/certificates/{first}/revoke", {"reason": "The case was wrong."}).status == 204
    status, said = verify(service, tmp_path, document, nobody.get(address).json, key)
    assert status == 1 and "revoked at " in said and "The case was wrong." in said, said
    assert verify(service, tmp_path, document, proof, key)[0] == 0  # an older proof does not know


def test_revoked(logged):
    """By the owner alone, once; shown wherever the certificate is; the certificate itself stays as it is."""
    service, owner, first = logged
    nobody = Client(service)
    address = f"/api/v1/certificates/{first}"
    order = {"reason": "It was issued for another version."}
    before = nobody.get(address)
    eve, _ = sign_in(service, owner.post("/api/v1/sign-in-links", {"for": "new-account"}).json["link"], name="Eve")
    token = Client(service, token=owner.post("/api/v1/tokens", {"name": "ci"}).json["token"])
    assert nobody.post(f"{address}/revoke", order).status == 401
    assert [one.post(f"{address}/revoke", order).status for one in (eve, token)] == [403, 403]
    assert owner.post("/api/v1/certificates/none/revoke", order).status == 404
    assert owner.post(f"{address}/revoke", {"reason": ""}).status == 400
    assert "conforms" in nobody.get(f"/certificates/{first}/badge.svg").body.decode()
    assert owner.post(f"{address}/revoke", order).status == 204
    assert owner.post(f"{address}/revoke", order).status == 409
    assert nobody.get(address).body == before.body
    verified = nobody.post("/api/v1/certificates/verify", {"certificate": before.json}).json
    assert verified["result"] == "revoked" and order["reason"] in verified["message"]
    with contextlib.closing(service.database()) as database:
        with database:
            database.execute("ALTER TABLE certificate_log RENAME TO away")
        asked = nobody.post("/api/v1/certificates/verify", {"certificate": before.json})
        with database:
            database.execute("ALTER TABLE away RENAME TO certificate_log")
    assert asked.status == 500  # and not "good", when nobody can tell
    badge = nobody.get(f"/certificates/{first}/badge.svg")
    assert "revoked" in badge.body.decode() and badge.headers["content-type"] == "image/svg+xml"
    assert badge.headers["cross-origin-resource-policy"] == "cross-origin"
    assert nobody.get("/certificates/none/badge.svg").status == 404
