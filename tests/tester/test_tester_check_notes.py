# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What `assay check` notes of an IMPI job without calling it a violation: readings, reconstructed requirements, what
looks wrong. A job of LAM holds five kinds; jobs made by hand hold the others, and a job in order holds none."""

import json
import pathlib
import re
import struct

import pytest

import conversation
import impi_job
from impi_job import Job, command, packet, traffic

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LAM = ROOT / "tests" / "captures" / "lam-impi.pcap"
# Packet, requirement, rule, how often, between which processes; counted by hand in the capture's octets.
LAM_NOTES = [
    (114, "IMPI-007", "address-form", 3, None),
    (117, "IMPI-007", "address-form", 3, None),
    (200, "IMPI-114", "srqid-zero", 3, [9605, 9586]),
    (210, "IMPI-120", "length-without-data", 8, None),
    (210, "IMPI-121", "unused-syncack", 2, None),
    (222, "IMPI-114", "srqid-zero", 48, [9586, 9605]),
    (242, "IMPI-122", "unused-protoack", 5, None),
    (257, "IMPI-002", "native-order", 46, [9586, 9605]),
    (425, "IMPI-114", "srqid-zero", 4, [9586, 9604]),
    (429, "IMPI-114", "srqid-zero", 4, [9604, 9586]),
    (429, "IMPI-223", "reduce-context", 2, [9604, 9586]),
    (443, "IMPI-120", "length-without-data", 1, None),
    (443, "IMPI-124", "unused-fini", 1, None),
    (445, "IMPI-124", "unused-fini", 1, None),
]


def rules(result):
    """The notes' rules and requirements, in their order."""
    return [(note["rule"], note["requirement"]) for note in result["notes"]]


def test_lam_is_not_free_of_faults(check):
    status, result, _ = check(LAM.read_bytes())
    assert (status, result["breaches"]) == (0, [])
    assert [(note["packet"], note["requirement"], note["rule"], note["times"], note.get("processes"))
            for note in result["notes"]] == LAM_NOTES
    assert {note["severity"] for note in result["notes"]} == {"note"}


def test_readings_are_those_of_the_profile(check):
    """A note names the reading as the profile's switches have it, for one of the switch's requirements."""
    switches = json.loads((ROOT / "specs" / "impi-0.0.switches.json").read_text(encoding="utf-8"))["switches"]
    known = {f"{switch['name']}={reading['value']}": switch["requirements"]
             for switch in switches for reading in switch["readings"]}
    told = {note["reading"]: note["requirement"] for note in check(LAM.read_bytes())[1]["notes"] if "reading" in note}
    assert sorted(told) == ["eager_request_identifier=zero", "ipv4_form=compatible"]
    table = re.sub(r'"\s*"', "", (ROOT / "wire" / "impi" / "violations.c").read_text(encoding="utf-8"))
    all_told = re.findall(r'"(IMPI-\d+)",\s*"([a-z0-9_]+=[a-z0-9_]+)"', table)
    assert len(all_told) >= 6
    for requirement, reading in [*all_told, *((told[name], name) for name in told)]:
        assert requirement in known[reading], reading


def test_what_is_printed(check):
    """Notes stand behind the violations, each with its class in front, and are counted apart."""
    status, text, _ = check(LAM.read_bytes(), "--")
    lines = text.splitlines()
    assert status == 0 and all(line.startswith("note: packet ") for line in lines[:-1])
    assert (lines[2] == "note: packet 200: 127.0.0.1:43914 -> 127.0.0.2:43233: DATA: IMPI-114 (srqid-zero): short "
            "messages have the pk_srqid 0, so that none can be told from another: they cannot be cancelled: reading "
            "eager_request_identifier=zero; 3 times from process 9605 to 9586")
    assert lines[-1].endswith(", 145 messages: 0 violations, 14 notes")


@pytest.mark.parametrize("cut", [1, 1000])
def test_a_job_in_order(check, cut):
    job = Job(cut).start()
    traffic(job)
    result = check(job.end())[1]
    assert (result["breaches"], result["notes"]) == ([], [])


def test_a_note_beside_a_violation(check):
    """Only the violation makes the status 1."""
    job = Job().start()
    job.send(0, 1, 1, srqid=1, tag=40001)
    job.send(0, 1, 1, srqid=2, reserved=5)
    job.send(2, 0)
    status, result, _ = check(job.end())
    assert status == 1
    assert [(each["rule"], each["severity"]) for each in result["breaches"]] == [("tag-range", "breach")]
    assert rules(result) == [("reserved-used", "IMPI-118")]
    assert result["notes"][0]["reading"] == "reserved_field=anything"


def test_labels_at_once(check):
    """A client that does not wait for the number of clients."""
    job = Job()
    for link in job.links:
        job.say(link, 0, command(b"AUTH", 1))
        job.say(link, 1, bytes(8))
    job.say(job.links[0], 0, command(b"IMPI", 0))
    job.say(job.links[0], 0, command(b"COLL", 0x1000, 0, 0))
    job.say(job.links[0], 0, command(b"COLL", 0x1100, 1))
    result = check(conversation.pcap(job.packets))[1]
    assert rules(result) == [("label-at-once", "IMPI-043")]
    assert result["notes"][0]["times"] == 2 and result["notes"][0]["reading"] == "labels_before_size=at_once"


@pytest.mark.parametrize("how,noted", [("closed", 0), ("reset", 0), ("half", 1), ("open", 2)])
def test_the_end_before_channels_are_closed(check, how, noted):
    """A client says FINI although one of its hosts has not closed; in order, or after a reset, nothing is noted."""
    job = Job().start()
    traffic(job)
    if how == "closed":
        job.close()
    elif how == "half":
        job.channel.finish(1, len(job.packets) / 1000)
    elif how == "reset":
        job.channel.segment(0, flags=conversation.RST)
    job.finish()
    result = check(conversation.pcap(job.packets))[1]
    assert [rule for rule, _ in rules(result)] == ["fini-before-closed"] * noted


def test_the_end_without_a_barrier(check):
    """Both hosts say FINI and no master has heard of the other one's MPI_Finalize: told once."""
    job = Job().start()
    traffic(job)
    job.close(barrier=False)
    result = check(conversation.pcap(job.packets))[1]
    assert (result["breaches"], rules(result)) == ([], [("finalize-barrier", "IMPI-237")])
    assert result["notes"][0]["times"] == 2


def test_a_smaller_first_packet(check):
    """Less than the 8 octets that were negotiated, before the acknowledgement of a long message."""
    job = Job().start()
    job.send(1, 1, 5, 20, srqid=1)
    result = check(conversation.pcap(job.packets))[1]
    assert (result["breaches"], rules(result)) == ([], [("first-packet-smaller", "IMPI-149")])
    assert result["notes"][0]["reading"] == "first_packet=smaller"


def test_data_in_reverse_needs_evidence(check):
    """Eight messages and four values, whatever the segments are; one message that says otherwise is enough against."""
    for values, noted in [(range(1, 9), 1), (range(1, 8), 0), ([7, 8, 9] * 3, 0), ([*range(1, 9), 3 << 24], 0)]:
        job = Job(50).start()
        for number, value in reversed(list(enumerate(values, 1))):
            job.send(0, 1, 4, srqid=number, data=struct.pack("<I", value))
            if number % 2:
                job.send(2, 0)
        result = check(conversation.pcap(job.packets))[1]
        assert [rule for rule, _ in rules(result)] == ["native-order"] * noted, values


def test_the_form_of_an_address(check, monkeypatch):
    """Told once for each client that gives the other form."""
    compatible = [bytes(12) + host[12:] for host in impi_job.HOSTS]
    monkeypatch.setattr(impi_job, "VALUES", {**impi_job.VALUES, 0x2000: compatible, 0x3000: compatible})
    job = Job().start()
    result = check(job.end())[1]
    assert (result["breaches"], rules(result)) == ([], [("address-form", "IMPI-007")] * 2)
    assert [note["times"] for note in result["notes"]] == [2, 2]


def test_other_jobs_are_counted_apart(check):
    """The same on two channels is told twice, and each has its own count."""
    job = Job().start()
    again = conversation.Connection(job.packets, ("127.0.0.2", 42001), impi_job.LISTENS[0], 1)
    job.say(again, 0, struct.pack("!i", 1))
    for _ in range(3):
        job.say(again, 0, packet(0, 1, tag=7, cid=1))
    job.send(0, 1, srqid=1, tag=7, cid=1)
    result = check(conversation.pcap(job.packets))[1]
    assert [(note["rule"], note["times"]) for note in result["notes"]] == [
        ("collective-tag", 3), ("srqid-zero", 3), ("collective-tag", 1)]
