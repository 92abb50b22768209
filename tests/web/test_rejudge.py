# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""`assayd --rejudge`: stored evidence under the checkers of today, without the system under test. What differs is
listed, told to the account, and no verdict or certificate is changed."""

import gzip
import hashlib
import subprocess

import pytest

from service import PATIENCE, evidence_file
from test_account import sign_in
from test_certificate import fixture_certify  # noqa: F401: the fixture `certify`

UNASKED = "the conversation on the wire breaks a rule that the case did not ask about (put)"


def rejudge(service, cases="all", statuses=(0, 1)):
    """Its exit status, one of these, and what it has printed."""
    done = subprocess.run([service.program, *service.place, "--rejudge", cases], capture_output=True, text=True,
                          timeout=PATIENCE, check=False)
    assert done.returncode in statuses, done.stderr
    return done.returncode, done.stdout


def execute(service, sql, *values):
    with service.database() as database:
        database.execute(sql, values)
    database.close()


@pytest.fixture(name="judged")
def fixture_judged(certify):
    """A service with one certified run, and its owner, whose run it is."""
    service, run = certify
    client, _ = sign_in(service, service.read_link(), name="Ada")
    return service, client, run(client)


def keep_checksum(octets, place, more):
    """TCP's, of the packet in which the octet at a place has become more: else it would count as damaged on its way."""
    packet = 0
    while packet + int.from_bytes(octets[packet + 4:packet + 8], "little") <= place:
        packet += int.from_bytes(octets[packet + 4:packet + 8], "little")
    packet += 28  # behind the head of its block
    assert octets[packet + 12:packet + 15] == b"\x08\0\x45" and octets[packet + 23] == 6  # Ethernet, IPv4, TCP
    tcp = packet + 34
    kept = int.from_bytes(octets[tcp + 16:tcp + 18], "big") - more * (256 if (place - tcp) % 2 == 0 else 1)
    octets[tcp + 16:tcp + 18] = (kept % 0xffff).to_bytes(2, "big")


def spoil(service, client, run):
    """Another capture in the place of the case's: in it, the system's put has another initiator than its HELLO."""
    octets = bytearray(client.get(f"/api/v1/runs/{run}/results/small/capture").body)
    hello = octets.index(b"PTL3")
    initiator = bytes(octets[hello + 8:hello + 24])
    put = octets.index(initiator, hello + 24)
    while octets[put - 4:put] != b"\0\0\0\1":
        put = octets.index(initiator, put + 1)
    octets[put + 15] ^= 1
    keep_checksum(octets, put + 15, 1 if octets[put + 15] & 1 else -1)
    digest = hashlib.sha256(octets).hexdigest()
    path = evidence_file(service.data, digest)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(bytes(octets)))
    execute(service, "UPDATE evidence SET digest = ?, octets = ? WHERE run = ? AND kind = 'capture'", digest,
            len(octets), run)


def differing(client, run=None):
    return client.get(f"/api/v1/rejudged{f'?run={run}' if run else ''}").json["verdicts"]


def test_nothing_differs(judged):
    service, client, state = judged
    status, said = rejudge(service)
    assert status == 0, said
    assert "1 runs, 1 results; 1 captures judged again" in said and "0 results differ" in said
    assert differing(client) == []
    assert client.get(f"/api/v1/runs/{state['id']}").json["verdict"] == "conforms"


def test_a_violation_that_was_not_seen(judged):
    """Told to the account and to the owner, and no more once the evidence says otherwise."""
    service, client, state = judged
    capture = client.get(f"/api/v1/runs/{state['id']}/results/small/capture").body
    spoil(service, client, state["id"])
    status, said = rejudge(service)
    assert status == 1 and f"run {state['id']}, case small: was pass, now fail: " in said, said
    assert f"certificate {state['certificate']} of Some Portals 1.0, portals-3.0: 1 of its verdicts" in said
    one, = differing(client)
    assert one == {**one, "run": state["id"], "case": "small", "was": "pass", "now": "fail", "mine": True,
                   "certificate": state["certificate"]}
    assert one["requirement"] and "initiator" in one["text"], one
    assert differing(client, state["id"]) == [one] and differing(client, "other") == []
    entry = client.get("/api/v1/audit").json["entries"][0]
    assert entry["action"] == "REJUDGE" and entry["path"] == f"/runs/{state['id']}"
    # What was judged, and certified, stays.
    assert client.get(f"/api/v1/runs/{state['id']}").json["verdict"] == "conforms"
    assert client.get(f"/api/v1/certificates/{state['certificate']}").status == 200
    execute(service, "UPDATE evidence SET digest = ?, octets = ? WHERE run = ? AND kind = 'capture'",
            hashlib.sha256(capture).hexdigest(), len(capture), state["id"])
    assert rejudge(service)[0] == 0 and differing(client) == []


def test_others_are_not_told(judged):
    service, client, state = judged
    spoil(service, client, state["id"])
    assert rejudge(service)[0] == 1
    link = client.post("/api/v1/sign-in-links", {"for": "new-account"}).json["link"]
    other, _ = sign_in(service, link, name="Eve")
    assert len(differing(client)) == 1 and differing(other) == [] and differing(other, state["id"]) == []


def test_an_accusation_that_the_checker_withdraws(judged):
    service, client, state = judged
    execute(service, "UPDATE results SET verdict = 'fail', reason = ?, requirement = 'P30-286' WHERE run = ?", UNASKED,
            state["id"])
    status, said = rejudge(service)
    assert status == 1 and "was fail, now cleared: P30-286: " in said, said
    # By the case's own word nothing can be said.
    execute(service, "UPDATE results SET reason = 'the portal differs' WHERE run = ?", state["id"])
    assert rejudge(service)[0] == 0


def test_a_case_that_turned_out_wrong(judged):
    service, client, state = judged
    rejudge(service, "other,another", (2,))  # no run has these
    status, said = rejudge(service, "other,small")
    assert status == 1 and "was pass, is unsettled: " in said and "1 certificates rest on them" in said, said
    assert [one["now"] for one in differing(client)] == ["unsettled"]


def test_a_case_that_is_another_one_now(judged, tmp_path):
    """That is counted, and accuses nobody."""
    service, client, state = judged
    assert "other ones today" not in rejudge(service)[1]
    file = tmp_path / "cases" / "portals-3.0" / "small.lua"
    file.write_text(file.read_text().replace('"Puts."', '"Puts something."'))
    status, said = rejudge(service)
    assert status == 0 and f"run {state['id']}: 1 of these cases are other ones today" in said, said
    assert differing(client) == []
