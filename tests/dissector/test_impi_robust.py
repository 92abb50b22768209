# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""No octets whatever make the IMPI part of the plugin read where it may not, or fail: cut off, damaged and forged
conversations under a build with sanitisers."""

import os
import pathlib
import random
import struct
import subprocess

import pytest

from capture import Capture, Connection
from impi_octets import TWO, channel, command, ints, packet, process, start
from test_robust import SEEDS, sound

LAM = pathlib.Path(__file__).resolve().parent.parent / "captures" / "lam-impi.pcap"
HEADERS = 66  # octets of Ethernet, IP and TCP of that capture, which stay undamaged
PACKETS_CUT = 1400  # octets of a channel that are cut off at each place


def streams(path):
    """The octets of each direction of a capture's TCP connections, in the order in which they begin."""
    octets = path.read_bytes()
    found, at = {}, 24
    while at < len(octets):
        captured = struct.unpack_from("<I", octets, at + 8)[0]
        frame = octets[at + 16:at + 16 + captured]
        at += 16 + captured
        tcp = 14 + (frame[14] & 15) * 4
        data = frame[tcp + (frame[tcp + 12] >> 4) * 4:14 + struct.unpack_from("!H", frame, 16)[0]]
        found.setdefault(frame[26:34] + frame[tcp:tcp + 4], bytearray()).extend(data)
    return [bytes(stream) for stream in found.values() if stream]


def no_failure(done):
    """Nothing complains, and no message was given up half-way."""
    sound(done)
    assert "[Malformed Packet: IMPI" not in done.stdout


def test_the_capture_has_six_directions():
    """Two clients and the server with each, two hosts."""
    directions = streams(LAM)
    assert len(directions) == 6 and sum(map(len, directions)) > 200000


@pytest.mark.long
@pytest.mark.parametrize("preference", ["desegment:TRUE", "desegment:FALSE"])
def test_every_truncation(tshark_asan, preference):
    """Each direction of the capture, ending after each of its octets, the connection closed behind it."""
    capture = Capture()
    for number, stream in enumerate(streams(LAM)):
        for kept in range(1, min(len(stream), PACKETS_CUT)):
            connection = Connection(capture, (f"127.0.{number}.2", 10000 + kept), ("127.0.0.9", 47000))
            connection.send(0, stream[:kept])
            connection.close()
    path = capture.write(tshark_asan.folder / "truncated.pcap")
    no_failure(tshark_asan.run("-n", "-2", "-r", path, "-o", f"impi.{preference}", "-d", "tcp.port==47000,impi", "-V",
                               "-O", "impi", check=False))


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_damaged(tshark_asan, seed):
    """One octet in two hundred of the capture changed; the seed is the test's parameter."""
    out = tshark_asan.folder / f"lam-{seed}.pcap"
    subprocess.run(["editcap", "-E", "0.005", "--seed", str(seed), "-o", str(HEADERS), str(LAM), str(out)], check=True,
                   capture_output=True, timeout=300)
    out.chmod(0o644)
    no_failure(tshark_asan.run("-n", "-2", "-V", "-r", out, "-z", "impi,tree", "-z", "expert", check=False))


def forged_packets(chance):
    """Packets in which each field may be anything, most of them well enough to be related to each other."""
    processes = [process("127.0.0.2", 65), process("127.0.0.2", 66), process("127.0.0.3", 67), bytes(24),
                 chance.randbytes(24)]
    made = []
    for _ in range(80):
        data = chance.randbytes(chance.choice([0, 1, 99, 100, 101]))
        fields = {"srqid": chance.randrange(3), "drqid": chance.randrange(3),
                  "msglen": chance.choice([len(data), 250, 0, 2**64 - 1, 2**32]), "tag": chance.choice([0, 1, -1]),
                  "cid": chance.choice([0, 1, 2**64 - 1])}
        if chance.random() < 0.03:
            fields["len"] = chance.choice([2**32 - 1, 2**31, len(data) + 1])
        made.append(packet(chance.choice(["DATA", "DATASYNC", "DATASYNC", "SYNCACK", "PROTOACK", "CANCEL", "CANCELYES",
                                          "CANCELNO"]), chance.choice(processes), chance.choice(processes), data,
                           **fields))
        if chance.random() < 0.01:
            made.append(packet(chance.choice(["FINI", 8, 2**32 - 1]), bytes(24), bytes(24)))
    return made


def forged_commands(chance):
    """Commands with any label, length and values."""
    labels = [0x1000, 0x1100, 0x1200, 0x1300, 0x2000, 0x2100, 0x2200, 0x3000, 0x3100, 0x1250, 0, -1]
    made = [command("AUTH", ints(chance.choice([0, 1, 2, 3, -1])))]
    for _ in range(40):
        code = chance.choice(["COLL", "COLL", "COLL", "IMPI", "AUTH", "DONE", "FINI", "XYZW"])
        payload = ints(chance.choice(labels), chance.choice([0, 1, 3, 7, -1])) + chance.randbytes(
            chance.choice([0, 1, 4, 8, 16, 24, 48]))
        length = chance.choice([-1, 2**31 - 1, len(payload) + 1]) if chance.random() < 0.02 else None
        made.append(command(code, payload[chance.choice([0, 0, 0, 4, 7]):], length))
    return made


def send_in_pieces(connection, side, octets, chance):
    """Cuts at random places; some pieces are lost, some cut by the capture, some sent twice."""
    while octets:
        cut = chance.randint(1, 300)
        fate = chance.random()
        if fate < 0.02:
            connection.skip(side, min(cut, len(octets)))
        else:
            connection.send(side, octets[:cut], captured=None if fate > 0.04 else 40 + cut // 2)
        if fate > 0.98:
            connection.segment(side, octets[:cut], at=connection.sequence[side] - len(octets[:cut]))
        octets = octets[cut:]


def busy_capture(path, seed):
    """A sound start-up, so that much is known, then forged packets and forged start-ups."""
    chance = random.Random(seed)
    capture = Capture()
    start(capture, TWO, datalen=100, ackmark=2, hiwater=4)
    for number in range(12):
        connection = channel(capture, TWO, 1, 0, 41000 + number)
        for side in (0, 1):
            send_in_pieces(connection, side, b"".join(forged_packets(chance)), chance)
        connection.finish(chance.randrange(2))
    for number in range(12):
        connection = Connection(capture, ("127.0.0.7", 42000 + number), ("127.0.0.1", 47000 + number % 2))
        for side in (0, 1):
            send_in_pieces(connection, side, b"".join(forged_commands(chance)[side:]), chance)
        connection.close()
    return capture.write(path)


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_forged(tshark_asan, seed):
    """The seed is the test's parameter."""
    path = busy_capture(tshark_asan.folder / f"forged-{seed}.pcap", seed)
    for preference in ("desegment:TRUE", "desegment:FALSE", "analyse:FALSE", "limit:0"):
        no_failure(tshark_asan.run("-n", "-2", "-V", "-r", path, "-o", f"impi.{preference}", "-z", "impi,tree", "-z",
                                   "expert", check=False))


@pytest.mark.long
@pytest.mark.parametrize("kind", ["channels", "links"])
def test_memory(tshark, variant, kind):
    """Four thousand connections, each with just what makes it look like IMPI: a megaoctet of capture must not take
    gigaoctets of memory."""
    if variant == "asan":
        pytest.skip("a sanitizer's own memory is counted too")
    capture = Capture()
    for i in range(4000):
        host = f"10.1.{i >> 8}.{i & 255}"
        if kind == "channels":
            opening = ints(3) + packet("DATA", process("10.0.0.1", 7), process("10.0.0.2", 8), tag=1)
            Connection(capture, (host, 40000), ("10.0.0.2", 30000)).send(0, opening)
        else:
            Connection(capture, ("10.0.0.2", 40000), (host, 30000)).send(0, command("AUTH", ints(1)))
    path = capture.write(tshark.folder / f"memory-{kind}.pcap")
    command_words = ["tshark", "-n", "-2", "-r", str(path), "-Y", "impi", "-T", "fields", "-e", "frame.number"]
    if os.getuid() == 0:
        command_words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command_words]
    with open(tshark.folder / f"memory-{kind}.out", "w+", encoding="ascii") as out:
        process_id = subprocess.Popen(command_words, env=tshark.environment, cwd=tshark.folder, stdout=out,
                                      stderr=subprocess.DEVNULL).pid
        _, status, used = os.wait4(process_id, 0)
        out.seek(0)
        shown = len(out.readlines())
    assert status == 0 and shown == 4000
    assert used.ru_maxrss < 800_000  # kB; of which the half is tshark itself and what it keeps of a connection
