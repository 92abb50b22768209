# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""A job of the reference implementation, captured on the loopback interface while it runs.

Where that is allowed the job has a network namespace of its own, so that nothing else on the machine gets into the
capture.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys

import pytest

from waiting import until
from wireshark import LIVE

RANKS = 3
DEADLINE = 300
MARK = "the job has ended"
SEND_MARK = f"import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'{MARK}', ('127.0.0.1', 9))"


class Network:
    """A loopback interface: one of its own, or the machine's. `enter` is the beginning of commands that use it."""

    def __init__(self):
        self.enter = []
        self.holder = subprocess.Popen(["unshare", "-n", "sh", "-c", "ip link set lo up && echo up && exec cat"],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       text=True)
        if self.holder.stdout.readline() == "up\n":
            self.enter = ["nsenter", "-t", str(self.holder.pid), "-n"]

    def close(self) -> None:
        """Ends the process that keeps the namespace alive."""
        self.holder.communicate(timeout=DEADLINE)


class Dumpcap:
    """A capture that is known to hold everything up to its end."""

    def __init__(self, network: Network, path: pathlib.Path):
        self.network, self.path = network, path
        self.process = subprocess.Popen([*network.enter, "dumpcap", "-q", "-i", "lo", "-f", "tcp or udp", "-B", "256",
                                         "-w", str(path)], stderr=subprocess.PIPE, text=True)

    def begun(self) -> str:
        """Waits until it captures; returns why not, or nothing."""
        said = ""
        for line in self.process.stderr:
            said += line
            if line.startswith("File:"):
                return ""
        self.process.wait(DEADLINE)
        return said or "dumpcap ended without a word"

    def end(self) -> None:
        """Sends a packet of its own and stops when that is in the file: so is everything before it, if dumpcap, which
        tells, has kept up with the network."""
        subprocess.run([*self.network.enter, sys.executable, "-c", SEND_MARK], check=True, timeout=DEADLINE)
        assert until(lambda: MARK.encode() in self.path.read_bytes(), self.path, DEADLINE), "it does not reach its end"
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=DEADLINE)
        assert re.search(r"received/dropped on interface .*: \d+/0 ", said), said
        self.path.chmod(0o644)


@pytest.fixture(scope="module")
def network():
    """Where the job runs."""
    made = Network()
    yield made
    made.close()


@pytest.fixture(scope="module")
def job_capture(tshark, network, bin_dir, build):
    """The traffic of a job of three ranks."""
    return job_captured(tshark, network, bin_dir, build, "job.pcapng")


@pytest.fixture(scope="module")
def numbered_capture(tshark, network, bin_dir, build):
    """The same with numbered messages, some of them sent again."""
    return job_captured(tshark, network, bin_dir, build, "numbered.pcapng", ASSAY_RELIABLE="1",
                        ASSAY_FAULT="dup=0.3,seed=5")


def job_captured(tshark, network, bin_dir, build, name, **env):
    """Runs the job with a capture."""
    traffic = pathlib.Path(os.environ.get("ASSAY_OUT", build / "release")) / "test" / "traffic"
    capture = Dumpcap(network, tshark.folder / name)
    reason = capture.begun()
    if reason:
        pytest.skip(f"the loopback interface cannot be captured here: {reason.strip()}")
    done = subprocess.run([*network.enter, bin_dir / "portalsrun", "-np", str(RANKS), "--nal", "tcp", traffic],
                          capture_output=True, text=True, timeout=DEADLINE, check=False, env={**os.environ, **env})
    capture.end()
    assert done.returncode == 0, done.stderr
    return capture.path


def test_every_message_is_there(tshark, job_capture):
    """Each rank: two puts and their acknowledgements, a get and its reply, two barriers of two rounds."""
    infos = tshark.info(job_capture, *LIVE)
    told = [info for info in infos if not info.startswith("[TCP ")]  # such as a segment sent again
    infos = [info.split(" ", 1)[0] for info in told]
    assert {verb: infos.count(verb) for verb in ("PUT", "ACK", "GET", "REPLY", "BARRIER")} == {
        "PUT": 2 * RANKS, "ACK": 2 * RANKS, "GET": RANKS, "REPLY": RANKS, "BARRIER": 2 * 2 * RANKS}
    assert set(infos) == {"HELLO", "PUT", "ACK", "GET", "REPLY", "BARRIER"}


def test_nothing_is_wrong(tshark, job_capture):
    wrong = "portals.requirement or portals.cut or portals.lost or portals.unasked or portals.echo_differs or " \
            "portals.barrier.wrong_partner or portals.barrier.surplus_round or (portals and _ws.malformed)"
    assert tshark.shown(job_capture, wrong, *LIVE) == []


def test_every_request_is_answered(tshark, job_capture):
    requests = tshark.fields(job_capture, "portals.operation", "portals.response_in",
                             arguments=LIVE, shown="portals.operation in {1,3}")
    for operations, answers in requests:
        assert len(answers) == sum(int(operation, 0) in (1, 3) for operation in operations) > 0
    assert " 1048576 octets" in "".join(tshark.info(job_capture, *LIVE))


def test_barriers_are_complete(tshark, job_capture):
    found = tshark.fields(job_capture, "portals.sequence", "portals.barrier.message", "portals.barrier.total",
                          arguments=LIVE, shown="portals.barrier.message")
    counted = {}
    for cells in found:
        for sequence, message, total in zip(*cells):
            counted.setdefault(sequence, []).append((int(message), int(total)))
    assert counted == {sequence: [(n, 6) for n in range(1, 7)] for sequence in ("1", "2")}


def test_numbered_messages(tshark, numbered_capture):
    """What is sent again is shown as that, and is neither a second request nor a second answer."""
    infos = tshark.info(numbered_capture, *LIVE)
    whole = " | ".join(infos)
    for verb in ("NUMBER", "ACKNOWLEDGE", "PUT", "BARRIER"):
        assert f"{verb} " in whole
    assert "(sent again)" in whole
    wrong = "portals.requirement or portals.cut or portals.lost or portals.unasked or portals.echo_differs or " \
            "portals.barrier.wrong_partner or portals.barrier.surplus_round or (portals and _ws.malformed)"
    assert tshark.details(numbered_capture, *LIVE, shown=wrong) == ""
