# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""The dissector and `assay check` say the same of the same octets: they share the checkers, not the way there."""

import collections
import json
import subprocess

import pytest

from capture import Capture, Connection
from impi_octets import TWO, channel, command, ints, start
from test_impi_violations import CHANNEL, CLIENT, CLOSINGS, SPREAD


def moved(number):
    """The job TWO with ports of its own, and its server's address."""
    clients = [[(address, port + 10 * number, pids) for address, port, pids in client] for client in TWO]
    return clients, ("127.0.0.1", 20000 + number)


def lonely(capture, number):
    """A client of a job of one that has joined a server of its own."""
    connection = Connection(capture, ("127.0.0.9", 30000 + number), ("127.0.0.1", 20000 + number))
    connection.send(0, command("AUTH", ints(1)))
    connection.send(1, ints(0, 0))
    connection.send(0, command("IMPI", ints(0)))
    connection.send(1, command("IMPI", ints(1)))
    return connection


@pytest.fixture(scope="module")
def everything(tshark):
    """All violations of the tests in one capture, each in a job of its own."""
    capture = Capture()
    for number, (_, _, messages) in enumerate(CLIENT):
        connection = lonely(capture, number)
        for octets in messages:
            connection.send(0, octets)
        connection.close()
    for number, (_, _, messages) in enumerate(SPREAD, len(CLIENT)):
        connection = lonely(capture, number)
        connection.send(0, command("COLL", ints(0x1000, 0, 0)))
        for octets in messages:
            connection.send(1, octets)
        connection.close()
    rows = [(packets, 0) for _, _, packets in CHANNEL] + [row[2:] for row in CLOSINGS]
    for number, (packets, closer) in enumerate(rows, len(CLIENT) + len(SPREAD)):
        clients, server = moved(number)
        start(capture, clients, server=server, port=30000 + 10 * number, datalen=100, ackmark=2, hiwater=4)
        connection = channel(capture, clients, 1, 0, 50000 + number)
        for side, octets in packets:
            connection.send(side, octets)
        connection.finish(closer)
        connection.finish(1 - closer)
    return capture.write(tshark.folder / "everything.pcap")


def by_dissector(tshark, path, field):
    """(packet, requirement) -> how often."""
    found = tshark.fields(path, "frame.number", field, shown=field)
    return collections.Counter((int(number), requirement) for (number,), told in found for requirement in told)


def by_checker(bin_dir, path, kind):
    """The same from `assay check`; `kind` is its list of violations or of notes."""
    done = subprocess.run([bin_dir / "assay", "check", "--json", path], capture_output=True, text=True, timeout=300,
                          check=False)
    told = json.loads(done.stdout)[kind]
    return collections.Counter((finding["packet"], finding["requirement"]) for finding in told)


def test_both_say_the_same(tshark, bin_dir, everything):
    checked = by_checker(bin_dir, everything, "breaches")
    assert sum(checked.values()) >= len(CLIENT) + len(SPREAD) + len(CHANNEL) + len(CLOSINGS)
    assert by_dissector(tshark, everything, "impi.requirement") == checked


def test_both_note_the_same(tshark, bin_dir, everything):
    checked = by_checker(bin_dir, everything, "notes")
    assert sum(checked.values()) >= len(CHANNEL)
    assert by_dissector(tshark, everything, "impi.noted") == checked
