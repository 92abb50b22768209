# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""No octets whatever make the plugin read where it may not: damaged captures under a build with sanitisers."""

import os
import random
import subprocess

import pytest

from capture import Capture, Connection, vector
from wireshark import DECODE_AS

HEADERS = 40  # octets of IP and TCP that stay undamaged, so that the damage reaches the plugin
# How many there are is set by ASSAY_FUZZ_ROUNDS.
SEEDS = range(1, 1 + int(os.environ.get("ASSAY_FUZZ_ROUNDS", "6")))


def busy_capture(root, path, seed):
    """Many connections with valid and invalid messages, cut at random places."""
    chance = random.Random(seed)
    names = ["put", "put-noack-empty", "put-zeros", "put-ones", "ack", "ack-ones", "get", "get-ones", "reply",
             "reply-ones", "hello", "hello-ones", "barrier", "barrier-ones"]
    names += [f"invalid/{entry.stem}" for entry in sorted((root / "wire" / "vectors" / "invalid").glob("*.hex"))]
    capture = Capture()
    for number in range(40):
        connection = Connection(capture, ("127.0.0.1", 30000 + number), handshake=chance.random() < 0.5)
        for side, opening in enumerate(("hello", "hello-answer")):
            octets = vector(root, opening) + b"".join(vector(root, chance.choice(names)) for _ in range(12))
            while octets:
                cut = chance.randint(1, 200)
                if chance.random() < 0.05:
                    connection.skip(side, cut)
                else:
                    connection.send(side, octets[:cut], captured=None if chance.random() < 0.95 else HEADERS + cut // 2)
                octets = octets[cut:]
    add_lines(capture, chance)
    return capture.write(path)


def add_lines(capture, chance):
    """Connections with the interpreter protocol, cut at random places."""
    told = [b"1 5000 PtlInit", b"2 5000 @t1 PtlPut mem_desc=md", b"1 ok rc=PTL_OK", b"2 error syntax reason=x", b"!",
            b"", b"! crash signal=SIGSEGV function=PtlPut id=2", b"99999999999 ok rc=", b"3 4 @",
            bytes(range(128, 256))]
    for number in range(10):
        connection = Connection(capture, ("127.0.0.1", 20000 + number), ("127.0.0.1", 18181))
        connection.send(0, b"hello versions=1 role=interpreter\n")
        octets = b"\n".join(chance.choice(told) for _ in range(60))
        while octets:
            cut = chance.randint(1, 80)
            connection.send(chance.randrange(2), octets[:cut])
            octets = octets[cut:]


def damaged(path, seed):
    """The capture with two octets in a hundred changed behind the TCP header."""
    out = path.with_name(f"{path.stem}-{seed}.pcap")
    subprocess.run(["editcap", "-E", "0.02", "--seed", str(seed), "-o", str(HEADERS), str(path), str(out)], check=True,
                   capture_output=True, timeout=300)
    out.chmod(0o644)
    return out


def sound(done):
    """tshark ended in order, and neither a sanitiser nor one of Wireshark's own checks complained."""
    text = done.stdout + done.stderr
    assert done.returncode == 0, text[-4000:]
    for word in ("AddressSanitizer", "runtime error", "Dissector bug", "STATUS_ACCESS_VIOLATION"):
        assert word not in text, text[text.index(word) - 500:][:4000]


@pytest.mark.long
@pytest.mark.parametrize("preference", ["desegment:TRUE", "desegment:FALSE", "analyse:FALSE"])
def test_undamaged(tshark_asan, root, preference):
    path = busy_capture(root, tshark_asan.folder / "busy.pcap", seed=1)
    sound(tshark_asan.run("-n", "-2", "-V", "-r", path, "-o", f"portals.{preference}", *DECODE_AS, check=False))


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_damaged(tshark_asan, root, seed):
    """The seed is the test's parameter."""
    path = damaged(busy_capture(root, tshark_asan.folder / "busy.pcap", seed), seed)
    sound(tshark_asan.run("-n", "-2", "-V", "-r", path, *DECODE_AS, "-z", "portals,tree", "-z", "expert", check=False))
