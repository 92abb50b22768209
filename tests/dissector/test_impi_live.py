# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""IMPI jobs of the reference implementation, captured on the loopback interface while they run."""

import json
import os
import pathlib
import re
import subprocess

import pytest

from test_live import DEADLINE, Dumpcap, Network
from wireshark import LIVE

WRONG = ("impi.requirement", "impi.cut", "impi.lost", "impi.broken", "impi.unknown", "impi.shape", "_ws.malformed")
FIELDS = ("_ws.col.Info", "impi.pk_type", "impi.response_in", "impi.reassembled.length", "impi.flow.unacked", *WRONG)
LIMITS = ("-datalen", "4000", "-ackmark", "3", "-hiwater", "5")


@pytest.fixture(scope="module")
def network():
    """Where the jobs run."""
    made = Network()
    yield made
    made.close()


def clients_run(network, bin_dir, program, shape):
    """The server and one client for each (processes, hosts), which runs the program and its arguments; says how all of
    them ended, the server last."""
    environment = {**os.environ, "IMPI_AUTH_NONE": "1", "IMPI_AUTH_KEY": "5678"}
    impirun = [*network.enter, bin_dir / "impirun"]
    server = subprocess.Popen([*impirun, "-server", str(len(shape))], stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL, env=environment)
    started = [server]
    try:
        address = server.stdout.readline().strip()
        for rank, (processes, hosts) in enumerate(shape):
            started.insert(-1, subprocess.Popen(
                [*impirun, "-client", str(rank), address, "-np", str(processes), "-hosts", str(hosts), *LIMITS,
                 *program], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment))
        return [process.wait(timeout=DEADLINE) for process in started]
    finally:
        for process in started:
            process.kill()
            process.communicate()


@pytest.fixture(scope="module")
def job_capture(tshark, network, bin_dir, build, tmp_path_factory):
    """Runs a program of tests/mpi/p2p as a job of two clients, the second one of two hosts, with a capture."""
    folder = pathlib.Path(os.environ.get("ASSAY_OUT", build / "release")) / "mpi"
    made = {}
    meeting = tmp_path_factory.mktemp("impi") / "meeting"
    os.mkfifo(meeting)

    def capture_of(name):
        if name not in made:
            capture = Dumpcap(network, tshark.folder / f"impi-{name}.pcapng")
            reason = capture.begun()
            if reason:
                pytest.skip(f"the loopback interface cannot be captured here: {reason.strip()}")
            ended = clients_run(network, bin_dir, (folder / f"p2p_{name}", meeting), ((1, 1), (2, 2)))
            capture.end()
            assert ended == [0, 0, 0]
            made[name] = capture.path
        return made[name]

    return capture_of


@pytest.fixture(scope="module")
def told(tshark, job_capture):
    """For each packet of such a job that is IMPI: field -> values. Read once, for these captures are large."""
    made = {}

    def told_of(name):
        if name not in made:
            found = tshark.fields(job_capture(name), *FIELDS, arguments=LIVE, shown="impi")
            made[name] = [dict(zip(FIELDS, packet)) for packet in found]
        return made[name]

    return told_of


def numbers(packets, field):
    """All values of a field."""
    return [int(value, 0) for packet in packets for value in packet[field]]


@pytest.mark.parametrize("name", ["modes", "cancel"])
def test_nothing_is_wrong(told, name):
    assert [packet for packet in told(name) if any(packet[field] for field in WRONG)] == []


def test_the_whole_job_is_seen(told):
    """Two clients in start-up, and the channels between the host of one and the two of the other."""
    infos = " | ".join(";".join(packet["_ws.col.Info"]) for packet in told("modes"))
    assert infos.count("AUTH NONE KEY  client") == 2
    assert len(re.findall(r"FINI  client \d -> server", infos)) == 2
    assert set(re.findall(r"host \d has connected", infos)) == {"host 1 has connected", "host 2 has connected"}
    assert "COLL H_NPROCS 1; 1, 1" in infos


def test_every_cancel_request_is_answered(told):
    """One link for each of the answered, and as many as there are answers."""
    types = numbers(told("cancel"), "impi.pk_type")
    asked = sum(kind == 4 for kind in types)
    assert asked > 0 and asked == sum(kind in (5, 6) for kind in types)
    cancels = [packet for packet in told("cancel") if packet["impi.pk_type"] == ["0x00000004"]]
    assert cancels and all(packet["impi.response_in"] for packet in cancels)


def test_long_messages_are_put_together(told):
    lengths = numbers(told("modes"), "impi.reassembled.length")
    assert lengths and min(lengths) > 4000


def test_pairs_reach_hiwater_and_stop(told):
    assert max(numbers(told("modes"), "impi.flow.unacked")) == 5


@pytest.mark.parametrize("name", ["modes", "cancel"])
def test_the_offline_checker_finds_nothing(job_capture, bin_dir, name):
    """Neither a violation nor anything worth a note."""
    done = subprocess.run([bin_dir / "assay", "check", "--json", job_capture(name)], capture_output=True, text=True,
                          timeout=DEADLINE, check=False)
    told = json.loads(done.stdout)
    assert (done.returncode, told["breaches"], told["notes"], told["remarks"]) == (0, [], [], [])
    assert told["impi"]["links"] == 2 and told["impi"]["channels"] == 2
