#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Sample captures beside the dissectors for Wireshark's own tree: portals.pcap, the conversations of wire/vectors that
break nothing, each by ports of its own and with checksums; impi.pcap, a job of LAM."""

import pathlib
import shutil
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / name) for name in ("tester", "damage")]

import conversation  # noqa: E402
import damage  # noqa: E402
import formats  # noqa: E402
import wires  # noqa: E402

OPENERS, EACH = range(40000, 40100), 100  # ports of those who connect, and how many a conversation may have
# messages of the same epoch and number as in another conversation; answers to what must not have been said in another
ALONE = {"barrier-in-disorder", "answers-of-what-went-elsewhere"}
APART = 60  # seconds between conversations


def by_other_ports(octets, added):
    """An IP packet without options, with so much added to the port of who connects."""
    ports = [port + added if port in OPENERS else port for port in struct.unpack_from("!HH", octets, 20)]
    return octets[:20] + struct.pack("!HH", *ports) + octets[24:]


def portals():
    """The packets of the sound conversations, one behind the other."""
    sound = [packets for packets, expected in (conversation.perform(ROOT, name) for name in conversation.names(ROOT)
                                                if name not in ALONE)
             if not expected]
    return [(seconds + number * APART, by_other_ports(octets, number * EACH))
            for number, packets in enumerate(sound) for seconds, octets in packets]


def main(folder):
    """Writes both into the folder."""
    path = folder / "portals.pcap"
    path.write_bytes(conversation.pcap(portals()))
    path.write_bytes(formats.pcap(wires.summed(damage.read(path)), unit=1000))
    shutil.copyfile(ROOT / "tests" / "captures" / "lam-impi.pcap", folder / "impi.pcap")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
