# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""`assay check` notes what comes late or never, with its time, and accuses nobody; where the capture may lack
what is waited for, it says nothing."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "dissector"))

import conversation  # noqa: E402 pylint: disable=wrong-import-position
from capture import Capture, Connection, vector  # noqa: E402 pylint: disable=wrong-import-position
from impi_octets import TWO, channel, packet, process, start  # noqa: E402 pylint: disable=wrong-import-position

A, B = process("127.0.0.2", 65), process("127.0.0.3", 67)


def waits(check, capture, pauses=None, without=()):
    """What is noted of a capture whose packets are a millisecond apart, but for the pauses before some of them."""
    packets, now = [], 0.0
    for number, (octets, _) in enumerate(capture.packets, 1):
        now += (pauses or {}).get(number, 0.001)
        packets += [] if number in without else [(now, octets)]
    status, result, error = check(conversation.pcap(packets))
    assert (status, error, result["breaches"]) == (0, "", [])
    return [(wait["packet"], wait["answer"], wait["seconds"], wait["what"], wait["wanted"]) for wait in result["waits"]]


@pytest.fixture(name="stream")
def fixture_stream():
    """A put and a get of rank 0, and in packets of their own what answers them."""
    capture = Capture()
    connection = Connection(capture)
    asked = connection.send(0, vector(ROOT, "stream"))
    connection.send(1, vector(ROOT, "hello-answer"))
    return capture, asked, connection.send(1, vector(ROOT, "ack")), connection.send(1, vector(ROOT, "reply"))


def test_in_time(check, stream):
    capture, _, _, _ = stream
    assert waits(check, capture) == []


@pytest.mark.parametrize("pause,noted", [(0.9, False), (2.5, True)])
def test_late(check, stream, pause, noted):
    """The reply comes after the pause; the acknowledgement before it."""
    capture, asked, _, reply = stream
    found = waits(check, capture, {reply: pause})
    assert [(wait[0], wait[1], round(wait[2], 1)) for wait in found] == ([(asked, reply, 2.5)] if noted else [])


def test_never(check, stream):
    """Nothing tells that the reply was sent."""
    capture, asked, _, reply = stream
    found = waits(check, capture, without={reply})
    assert [(wait[0], wait[1], *wait[3:]) for wait in found] == [(asked, None, "get", "reply")]
    assert 0 < found[0][2] < 0.01


def test_what_may_be_missing(check, stream):
    """The acknowledgement is not there, and the reply behind it tells so."""
    capture, _, acknowledgement, _ = stream
    assert waits(check, capture, without={acknowledgement}) == []


@pytest.fixture(name="job")
def fixture_job():
    """A job of two hosts with packets of 100 octets, and their channel; side 1 is A's host, side 0 is B's."""
    capture = Capture()
    start(capture, TWO, datalen=100)
    return channel(capture, TWO, 1, 0)


@pytest.mark.parametrize("begin", [0, 40])
def test_captured_behind_its_answer(check, job, begin):
    """A message, or its last octets: it may have been answered where it was not yet known."""
    asked, at = packet("DATASYNC", A, B, b"x", srqid=7), job.sequence[1]
    if begin:
        job.segment(1, asked[:begin], at=at)
    job.skip(1, len(asked))
    job.send(0, packet("SYNCACK", B, A, srqid=7, drqid=9))
    job.segment(1, asked[begin:], at=at + begin)
    assert waits(check, job.capture) == []


def test_synchronous_message(check, job):
    """Without its SYNCACK, and with it."""
    asked = job.send(1, packet("DATASYNC", A, B, b"x", srqid=7))
    assert [(wait[0], wait[1], *wait[3:]) for wait in waits(check, job.capture)] == [
        (asked, None, "synchronous message", "SYNCACK")]
    job.send(0, packet("SYNCACK", B, A, srqid=7, drqid=9))
    assert waits(check, job.capture) == []


def test_a_window_that_stays_shut(check, job):
    """A long message is acknowledged, and its rest does not come; then it does."""
    asked = job.send(1, packet("DATASYNC", A, B, bytes(100), srqid=7, msglen=150))
    job.send(0, packet("SYNCACK", B, A, srqid=7, drqid=9))
    assert [(wait[0], wait[1], wait[3]) for wait in waits(check, job.capture)] == [(asked, None, "long message")]
    job.send(1, packet("DATA", A, B, bytes(50), srqid=7, drqid=9, msglen=150))
    assert waits(check, job.capture) == []


def test_text(bin_dir, tmp_path, stream):
    """Lines for people."""
    capture, asked, _, reply = stream
    path = tmp_path / "late.pcap"
    path.write_bytes(conversation.pcap([(number * 3.0, octets) for number, (octets, _) in enumerate(capture.packets)]))
    text = subprocess.run([bin_dir / "assay", "check", path], capture_output=True, text=True, timeout=300,
                          check=False).stdout
    wanted = f"note: packet {asked}: a request waits for its answer, which comes in packet {reply}, 9.000 s later\n"
    assert wanted in text
