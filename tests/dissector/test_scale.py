# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""Large captures: twice as much takes about twice the time, whatever the connections have in common."""

import os
import struct
import subprocess

import pytest

from capture import Capture, Connection

SMALL = 16000  # streams
LONGEST = 60  # seconds of processor time
OFTEN = 3  # measured, of which the best counts: other programs run beside
RATIO_MAX = 3.2


def portals_id(nid, pid, rank):
    """The four ids of a process of group 7."""
    return struct.pack("!IIII", nid, pid, 7, rank)


def one_port(capture, count):
    """Processes of Portals on as many nodes, all of the same number, each with a stream to one and the same: as
    a program looks whose processes all listen at one port. They are more pairs than the checker remembers."""
    me = portals_id(0x7F000001, 50002, 1)
    for number in range(count):
        nid = 0x0A000000 + number + 1
        other = portals_id(nid, 50001, 2 + number)
        connection = Connection(capture, (".".join(str(octet) for octet in nid.to_bytes(4, "big")), 40000),
                                ("127.0.0.1", 50002), handshake=False)
        for side, (sender, peer) in enumerate(((other, me), (me, other))):
            connection.send(side, struct.pack("!IHH", 0x50544C33, 1, 0) + sender + peer + struct.pack("!II", 0, 2**20))
        connection.send(0, struct.pack("!I", 1) + other + me + struct.pack("!IIQQQQ", 4, 0, 5, 0, number + 1, 0))


def seconds(tshark, path):
    """Processor time that tshark takes to read the capture twice."""
    words = ["prlimit", f"--cpu={LONGEST}", "tshark", "-n", "-2", "-r", str(path), "-Y", "portals", "-T", "fields",
             "-e", "frame.number"]
    if os.getuid() == 0:
        words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *words]
    with subprocess.Popen(words, env=tshark.environment, cwd=tshark.folder, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as running:
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = status
    assert status == 0, f"tshark ended with {status} after {used.ru_utime} seconds"
    return used.ru_utime + used.ru_stime


@pytest.mark.long
def test_twice_as_many_streams(tshark, variant):
    """What tshark itself takes to begin is left out."""
    if variant == "asan":
        pytest.skip("a sanitizer takes time of its own")
    paths = [tshark.folder / f"scale-{size}.pcap" for size in range(3)]
    for size, path in enumerate(paths):
        capture = Capture()
        one_port(capture, SMALL * size)
        capture.write(path)
    taken = []
    for _ in range(OFTEN):
        empty, once, twice = (seconds(tshark, path) for path in paths)
        taken.append((twice - empty) / (once - empty))
        if taken[-1] < RATIO_MAX:
            return
    pytest.fail(f"twice as much took {taken} times as long")
