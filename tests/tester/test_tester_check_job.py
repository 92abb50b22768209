# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""`assay check` with several captures, those of the nodes of one job: they are judged as one, by time."""

import json
import struct
import subprocess

import pytest

HEAD = 24


@pytest.fixture(name="check")
def fixture_check(bin_dir):
    """Runs `assay check`: status, what it says, what it complains of."""
    def run(*words):
        done = subprocess.run([bin_dir / "assay", "check", *map(str, words)], capture_output=True, text=True,
                              timeout=300, check=False)
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture(name="capture")
def fixture_capture(root):
    """A capture of a whole job."""
    return root / "tests" / "captures" / "lam-impi.pcap"


def records(octets):
    """The packets of a little-endian pcap file, each with its time."""
    at = HEAD
    while at < len(octets):
        seconds, fraction, length = struct.unpack_from("<III", octets, at)
        yield (seconds, fraction), octets[at:at + 16 + length]
        at += 16 + length


@pytest.fixture(name="parts")
def fixture_parts(capture, tmp_path):
    """Three captures that have a part of its packets each; packets of one moment are in the same one."""
    octets = capture.read_bytes()
    parts = [bytearray(octets[:HEAD]) for _ in range(3)]
    last, turn = None, 0
    for when, record in records(octets):
        turn += when != last
        last = when
        parts[turn % 3] += record
    paths = [tmp_path / f"node-{i}.pcap" for i in range(3)]
    for path, part in zip(paths, parts):
        path.write_bytes(part)
    return paths


@pytest.mark.parametrize("option", [[], ["--job"]], ids=["", "--job"])
def test_parts_are_judged_like_the_whole(check, capture, parts, option):
    """Every finding, with the number that the packet has in the whole; in whatever order the parts are named. So is the
    job that is drawn."""
    whole = json.loads(check("--json", *option, capture)[1])
    assert whole.pop("captures") == [whole.pop("capture")] == [str(capture)] and whole["notes"]
    for order in (parts, parts[::-1]):
        status, said, error = check("--json", *option, *order)
        found = json.loads(said)
        assert found.pop("captures") == [str(path) for path in order] and found.pop("capture") == str(order[0])
        assert (status, error, found) == (0, "", whole)
    assert check(*option, *parts)[1] == check(*option, capture)[1]


def test_one_part_alone_is_not_the_whole(check, parts):
    """Which shows that the others were needed."""
    assert json.loads(check("--json", parts[0])[1])["remarks"]


def test_a_damaged_part(check, parts):
    """It is named; the others are read to their ends."""
    octets = parts[1].read_bytes()
    parts[1].write_bytes(octets[:-7])
    status, said, error = check("--job", *parts)
    assert status == 2 and error.startswith(f"assay check: {parts[1]}: offset ")
    assert error.endswith(": the file is cut off inside a packet\n")
    assert " 456 packets" in f" {said.splitlines()[-1]}"


def test_a_part_that_is_missing(check, parts):
    """Nothing is judged without it."""
    parts[2].unlink()
    status, said, error = check(*parts)
    assert (status, said) == (2, "")
    assert error == f"assay check: {parts[2]}: cannot be opened: No such file or directory\n"
