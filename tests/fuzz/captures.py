#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""captures.py FOLDER: captures of the hand-written conversations and of an IMPI session, the first inputs of the fuzzer
of capture files, one of them in every tunnel and behind every link layer; and the same session as the fuzzer of the
IMPI checkers takes it."""

import pathlib
import random
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "tester"), str(ROOT / "tests" / "damage")]
# pylint: disable=wrong-import-position
import conversation  # noqa: E402
import damage  # noqa: E402
import network  # noqa: E402
import paths  # noqa: E402
import wires  # noqa: E402


def around(folder, name):
    """The packets of one capture as others carry them."""
    packets, _ = conversation.perform(ROOT, name)
    plain = folder / "plain"
    plain.write_bytes(conversation.pcap(packets))
    packets = damage.read(plain)
    plain.unlink()
    for number, (_, carried, _) in enumerate(wires.around(packets)):
        damage.write(folder / f"capture-around-{number}", carried)
    for number, link in enumerate(network.LINKS):
        damage.write(folder / f"capture-link-{number}", network.linked(packets, link))
    for number, (_, spread, _) in enumerate(paths.paths(wires.summed(packets), random.Random(name))):
        damage.write(folder / f"capture-paths-{number}", spread)


def main(folder):
    """One file for each conversation, of changing formats."""
    links = list(conversation.LINKS)
    for number, name in enumerate(conversation.names(ROOT)):
        packets, _ = conversation.perform(ROOT, name, six=number % 5 == 0)
        make = conversation.pcapng if number % 2 else conversation.pcap
        order = ">" if number % 3 else "<"
        (folder / f"capture-{name}").write_bytes(make(packets, links[number % len(links)], order))
    around(folder, "put-acknowledged")
    sides = [conversation.vector(ROOT, f"impi-{who}/session.hex") for who in ("client", "server")]
    packets, pieces = [], [b"\0"]
    link = conversation.Connection(packets, ("127.0.0.1", 40000), ("127.0.0.1", 6000))
    for at in range(0, max(map(len, sides)), 32):
        for side, octets in enumerate(sides):
            part = octets[at:at + 32]
            pieces.append(bytes([side, len(part)]) + part)
            if part:
                link.send(side, part)
    (folder / "capture-impi").write_bytes(conversation.pcap(packets))
    (folder / "impi-check").write_bytes(b"".join(pieces))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
