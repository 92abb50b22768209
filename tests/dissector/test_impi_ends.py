# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""How connections of IMPI end: a FIN behind octets of every message, in every state, as the dissector and `assay check`
tell it. Each end has a job of its own, all of them in one capture."""

import json
import subprocess

import pytest

import impi_octets
from capture import FIN, ACK_FLAG, PSH, Capture, Connection
from impi_octets import channel, command, packet, process, start
from test_impi_agreement import moved

RULES = ("command-cut", "closed-inside")
WITHIN = (1, 3, 4, 7, 8, 12, 128)  # octets of a message behind which a FIN comes
KNOWN = 6  # octets by which a connection is known to be one of IMPI


class End(Exception):
    """The job has ended, in the packet of this number."""


def whole_job(capture, number):
    """A job of two clients up to the end of its channel."""
    clients, server = moved(number)
    links = start(capture, clients, server=server, port=30000)
    one, two = process("127.0.0.3", 67), process("127.0.0.2", 65)
    host = channel(capture, clients, 1, 0, 40000)
    host.send(0, packet("DATA", one, two, b"12345"))
    host.send(1, packet("DATASYNC", two, one, b"123", srqid=5))
    host.send(0, packet("SYNCACK", one, two, srqid=5, drqid=9))
    host.send(0, packet("FINI", one, two))
    host.send(1, packet("FINI", two, one))
    host.finish(0)
    host.finish(1)
    for link in links:
        link.send(0, command("FINI"))


def ending(message, octets, together):
    """A Connection that sends the message of this number, counted over the whole job, only so far, and then a FIN: in
    a packet of its own, or with the octets. What it has done stands in `seen`."""
    seen = []

    class Ending(Connection):
        """What is sent is counted, and whether it opens the connection."""

        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            self.begun = self.sequence[0]

        def send(self, side, data, captured=None):
            seen.append((len(data), side == 0 and self.sequence[0] == self.begun))
            if message is None or len(seen) <= message:
                return super().send(side, data, captured)
            if together:
                raise End(self.segment(side, data[:octets], flags=PSH | ACK_FLAG | FIN))
            super().send(side, data[:octets])
            raise End(self.finish(side))

    return Ending, seen


@pytest.fixture(name="ended", scope="module")
def fixture_ended(tshark):
    """The capture; the packets with an end inside a message, and those with one behind a message, with their places."""
    patch, capture = pytest.MonkeyPatch(), Capture()
    kind, lengths = ending(None, 0, False)
    patch.setattr(impi_octets, "Connection", kind)
    whole_job(Capture(), 0)
    inside, behind = {}, {}
    for message, (length, first) in enumerate(list(lengths)):
        for octets in [*[place for place in WITHIN if place < length], length]:
            number = len(inside) + len(behind)
            patch.setattr(impi_octets, "Connection", ending(message, octets, number % 2)[0])
            with pytest.raises(End) as end:
                whole_job(capture, number)
            (inside if octets < length else behind)[end.value.args[0]] = (message, octets, length,
                                                                                first)
    patch.undo()
    return capture.write(tshark.folder / "ends.pcap"), inside, behind


def of_checker(bin_dir, path):
    """The packets in which `assay check` tells of an end inside a message."""
    done = subprocess.run([bin_dir / "assay", "check", "--json", path], capture_output=True, text=True, timeout=60,
                          check=False)
    return {finding["packet"] for finding in json.loads(done.stdout)["breaches"] if finding["rule"] in RULES}


def of_dissector(tshark, path):
    """The same of the dissector."""
    shown = " || ".join(f"impi.breach.{rule}".replace("-", "_") for rule in RULES)
    return {int(number) for (number,), in tshark.fields(path, "frame.number", shown=shown)}


def test_an_end_inside_a_message_is_told_and_no_other(tshark, bin_dir, ended):
    """By both, in the packet with the FIN. What of a connection's first message was sent must tell what it is."""
    path, inside, behind = ended
    wanted = {number for number, (_, octets, _, first) in inside.items() if octets >= KNOWN or not first}
    assert len(wanted) > 200 and len(inside) - len(wanted) == 8 and len(behind) > 40
    for told in (of_checker(bin_dir, path), of_dissector(tshark, path)):
        assert [inside[number] for number in sorted(wanted - told)] == []
        assert [(inside | behind)[number] for number in sorted(told - wanted)] == []
