# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""IMPI jobs of the reference implementation, captured on the loopback interface while they run."""

import os
import pathlib
import re
import subprocess

import pytest

from test_live import DEADLINE, Dumpcap, Network

WRONG = "impi.requirement or impi.cut or impi.lost or impi.broken or impi.unknown or impi.shape or _ws.malformed"
LIMITS = ("-datalen", "1000", "-ackmark", "3", "-hiwater", "5")


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
    """Runs one of the programs p2p_*.c as a job of two clients, the second one of two hosts, with a capture."""
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


@pytest.mark.parametrize("name", ["modes", "cancel"])
def test_nothing_is_wrong(tshark, job_capture, name):
    assert tshark.read(job_capture(name), "-Y", f"impi && ({WRONG})", "-T", "fields", "-e", "frame.number", "-e",
                       "_ws.expert.message") == ""


def test_the_whole_job_is_seen(tshark, job_capture):
    """Two clients in start-up, and the channels between the host of one and the two of the other."""
    infos = tshark.info(job_capture("modes"), shown="impi")
    assert sum(info.startswith("AUTH") for info in infos) == 2
    assert sum(bool(re.match(r"FINI  client \d -> server", info)) for info in infos) == 2
    assert {info for info in infos if "has connected" in info} <= {"host 1 has connected", "host 2 has connected"}
    assert "COLL H_NPROCS 1; 1, 1" in " | ".join(infos)


def test_every_request_is_answered(tshark, job_capture):
    for name in ("modes", "cancel"):
        text = tshark.read(job_capture(name), "-Y", "impi.pk_type in {1,4}", "-T", "fields", "-e", "impi.pk_type",
                           "-e", "impi.response_in")
        asked = sum(line.split("\t")[0].count("0x00000004") for line in text.splitlines())
        answered = sum(len([part for part in line.split("\t")[1].split(",") if part]) for line in text.splitlines())
        assert answered >= asked and answered > 0


def test_long_messages_are_put_together(tshark, job_capture):
    lengths = tshark.read(job_capture("modes"), "-Y", "impi.reassembled.length", "-T", "fields", "-e",
                          "impi.reassembled.length")
    assert lengths and all(int(part) > 1000 for line in lengths.split() for part in line.split(","))


def test_no_pair_goes_beyond_hiwater(tshark, job_capture):
    text = tshark.read(job_capture("modes"), "-Y", "impi.flow.unacked", "-T", "fields", "-e", "impi.flow.unacked")
    assert max(int(part) for line in text.split() for part in line.split(",")) == 5
