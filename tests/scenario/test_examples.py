# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The programs of chapter 5, and the two of the thesis on Intercept (ref-impl/examples), over real jobs."""

import os
import pathlib
import re
import subprocess

import pytest

DEADLINE = 300
STRIPE = 4096
BLOCK = 7 * STRIPE + 123
SERVERS = 4


@pytest.fixture(name="command")
def fixture_command(root, bin_dir):
    """The command line of a job of so many ranks of an example."""
    examples = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "examples"

    def command(ranks, name, *arguments):
        return [str(bin_dir / "portalsrun"), "-np", str(ranks), str(examples / name), *map(str, arguments)]

    return command


@pytest.fixture(name="run")
def fixture_run(command):
    """Runs an example to its end; nothing on stderr and status 0 unless another is wanted. What it printed."""

    def run(*words, status=0, **environment):
        done = subprocess.run(command(*words), capture_output=True, text=True, timeout=DEADLINE, check=False,
                              env={**os.environ, **environment})
        assert done.returncode == status, done.stderr
        if status == 0:
            # A network that spoils its traffic says in the end how much.
            assert (lost(done.stderr) > 0) if "ASSAY_FAULT" in environment else (done.stderr == "")
            return sorted(done.stdout.splitlines())
        return done.stderr

    return run


def lost(text):
    """How many messages were lost, as the networks of a job say; nothing else may stand there."""
    said = re.compile(r"portals: interface 0: fault \(seed \d+\): of \d+ messages (\d+) dropped, .*")
    assert all(said.fullmatch(line) for line in text.splitlines()), text
    return sum(int(number) for number in said.findall(text))


def octet_at(place):
    """What the clients write at a place of the file."""
    return (place * 2654435761 >> 13 ^ place >> 20) & 0xFF


def stripes_of(rank, length):
    """What the store of one server must hold."""
    held = bytearray()
    for first in range(rank * STRIPE, length, SERVERS * STRIPE):
        held += bytes(octet_at(place) for place in range(first, min(first + STRIPE, length)))
    return bytes(held)


class FileServer:
    """A job of SERVERS file servers that runs while the test does."""

    def __init__(self, line, environment):
        self.process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, **environment})
        self.addresses = {}
        while len(self.addresses) < SERVERS:
            said = re.fullmatch(r"server (\d+): (\d+:\d+:\d+)\n", self.process.stdout.readline())
            assert said, self.process.communicate(timeout=DEADLINE)
            self.addresses[int(said[1])] = said[2]

    def end(self):
        """Waits until the servers have ended by themselves: requests and refused messages of each."""
        out, err = self.process.communicate(timeout=DEADLINE)
        assert (self.process.returncode, err) == (0, "")
        last = re.findall(r"^server (\d+): (\d+) requests from clients, (\d+) messages refused$", out, re.MULTILINE)
        return {int(rank): (int(requests), int(refused)) for rank, requests, refused in last}


@pytest.fixture(name="file_server")
def fixture_file_server(command):
    """Starts a file server; takes it away if the test did not see it to its end."""
    started = []

    def start(folder, clients, **environment):
        started.append(FileServer(command(SERVERS, "file_server", folder, clients), environment))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.process.terminate()
            server.process.communicate(timeout=DEADLINE)


@pytest.mark.parametrize("clients, network", [(1, "tcp"), (3, "tcp"), (3, "shm")])
def test_file_server(run, file_server, tmp_path, clients, network):
    """Four servers fill and empty the memory of each client at offsets of their own, and let nobody else in
    (P30-330, P30-331); what the clients wrote is on the four disks, stripe by stripe."""
    server = file_server(tmp_path, clients, ASSAY_NAL=network)
    lines = run(clients, "file_client", *[server.addresses[rank] for rank in range(SERVERS)], ASSAY_NAL=network)
    assert lines == [f"client {i}: wrote {BLOCK} octets, read {BLOCK * (clients + 1)} as written, refused 2 messages"
                     for i in range(clients)]
    # A client opens, writes, reads twice and closes; two more messages of it are refused.
    asked = {rank: (5, 2) if rank < clients else (0, 0) for rank in range(SERVERS)}
    assert server.end() == asked
    for rank in range(SERVERS):
        assert (tmp_path / f"stripes.{rank}").read_bytes() == stripes_of(rank, BLOCK * clients)


def test_file_server_is_one(run, file_server, tmp_path):
    """Whichever server is asked, the file is the same, also for an application that comes later."""
    server = file_server(tmp_path, 4)
    for rank in (3, 1):
        assert len(run(2, "file_client", server.addresses[rank])) == 2
    assert {rank: requests for rank, (requests, _) in server.end().items()} == {0: 0, 1: 10, 2: 0, 3: 10}


def test_file_server_wrong_calls(run, tmp_path):
    """A folder that is not there, and words that are missing, are said."""
    assert "stripes." in run(1, "file_server", tmp_path / "nowhere", 1, status=1)
    assert "FOLDER CLIENTS" in run(1, "file_server", tmp_path, status=2)
    assert "NID:PID:GID" in run(1, "file_client", "somewhere", status=2)


def test_watch_drop(run):
    """What nobody waits for is logged with its length and none of its octets, and is not dropped (P30-332)."""
    lines = run(3, "watch_drop")
    assert lines == sorted([
        "unexpected put from rank 1: portal 3, bits 0x5eed, 40 octets, 0 taken",
        "unexpected put from rank 2: portal 3, bits 0x5eed, 40 octets, 0 taken",
        "unexpected get from rank 1: portal 3, bits 0x5eee, 40 octets, 0 taken",
        "unexpected get from rank 2: portal 3, bits 0x5eef, 40 octets, 0 taken",
        "watched 4, discarded 0",
    ])


def test_watch_drop_with_a_threshold(run):
    """The threshold bounds what is watched; what comes later is dropped and counted."""
    lines = run(4, "watch_drop", 4)
    assert "watched 4, discarded 2" in lines
    assert len(lines) == 5


@pytest.mark.parametrize("network, misalign", [("intercept", 0), ("intercept", 3), ("tcp", 1)])
def test_bandwidth(run, network, misalign):
    """The thesis's program: a long message arrives as it was sent, aligned or not, and its figures agree."""
    lines = run(2, "bandwidth", "-l", 1, "-m", misalign, ASSAY_NAL=network)
    said = "\n".join(lines)
    took = re.search(r"Sent 1048576 bytes in ([\d.]+) ms\.", said)
    rate = re.search(r"Bandwidth: ([\d.]+) MB/s", said)
    assert took and rate, said
    assert float(took[1]) * float(rate[1]) == pytest.approx(1000, rel=1e-3)
    assert "Received 1048576 bytes, as they were sent." in lines
    start, moved = (int(re.search(label + r": 0x([0-9a-f]+)", said)[1], 16)
                    for label in ("Buffer address", r"Buffer address \+ misalignment"))
    assert (start % 4096, moved - start) == (0, misalign)


def test_ping_pong(run):
    """The thesis's program: thirty pings, of which it says the least, the most and the average."""
    said = dict(line.split(": ") for line in run(2, "ping_pong", ASSAY_NAL="intercept") if ": " in line)
    least, most = int(said["Minimum latency"]), int(said["Maximum latency"])
    average, tries = re.fullmatch(r"(\d+) \((\d+) tries\)", said["Average"]).groups()
    assert 0 < least <= int(average) <= most
    assert tries == "30"


def test_measurements_wrong_calls(run):
    """Options that are none, and another number of ranks, are said."""
    assert "[-l MB] [-m OCTETS]" in run(2, "bandwidth", "-l", "x", status=2)
    assert "[-l MB] [-m OCTETS]" in run(1, "bandwidth", status=2)
    assert "-np 2 ping_pong" in run(3, "ping_pong", status=2)


def judge_mpi(lines, ranks):
    """Every rank has received in each phase what was sent, and in the first two as the phase says."""
    seen = {}
    for line in lines:
        said = re.fullmatch(r"rank (\d+): (\w+): (\d+) messages in order: (\d+) expected, (\d+) short and (\d+) long "
                            r"unexpected", line)
        assert said, line
        seen[int(said[1]), said[2]] = tuple(map(int, said.groups()[2:]))
    total = 48 * ranks
    assert set(seen) == {(rank, phase) for rank in range(ranks) for phase in ("expected", "unexpected", "race")}
    for rank in range(ranks):
        assert seen[rank, "expected"] == (total, total, 0, 0)
        assert seen[rank, "unexpected"][:2] == (total, 0)
        assert all(seen[rank, "unexpected"][2:]), "short and long messages"
        assert seen[rank, "race"][0] == total == sum(seen[rank, "race"][1:])


#= PUMA-153
@pytest.mark.parametrize("network", ["tcp", "shm"])
@pytest.mark.parametrize("ranks, seed", [(1, 1), (2, 2), (3, 3), (5, 4)])
def test_mpi(run, ranks, seed, network):
    """Short and long messages, expected, unexpected and in a race: none is lost, doubled or out of order (P30-334)."""
    judge_mpi(run(ranks, "mpi", seed, ASSAY_NAL=network), ranks)


@pytest.mark.parametrize("seed", [1, 2])
def test_mpi_over_a_bad_line(run, seed):
    """The same where messages are lost, doubled and reordered below what makes a line reliable."""
    judge_mpi(run(3, "mpi", seed, ASSAY_RELIABLE="1", ASSAY_FAULT=f"drop=0.05,dup=0.05,reorder=0.05,seed={seed}"), 3)
