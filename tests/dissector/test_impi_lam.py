# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""A job of another implementation: LAM/MPI 7.1.4 over loopback. The numbers are the capture's own, counted by hand."""

import collections
import pathlib
import shutil
import subprocess

import pytest

CAPTURE = pathlib.Path(__file__).resolve().parent.parent / "captures" / "lam-impi.pcap"
LABELS = ["C_VERSION", "C_NHOSTS", "C_NPROCS", "C_DATALEN", "C_TAGUB", "C_COLL_XSIZE", "C_COLL_MAXLINEAR", "H_IPV6",
          "H_PORT", "H_NPROCS", "H_ACKMARK", "H_HIWATER", "P_IPV6", "P_PID"]


@pytest.fixture(scope="module")
def lam(tshark):
    """The capture where tshark may read it."""
    path = tshark.folder / CAPTURE.name
    shutil.copy(CAPTURE, path)
    path.chmod(0o644)
    return path


def test_nothing_is_malformed_or_lost(tshark, lam):
    assert tshark.shown(lam, "_ws.malformed or impi.cut or impi.lost or impi.unknown or impi.shape") == []


def test_every_octet_is_understood(tshark, lam):
    """All packets with data are IMPI, or a part of a message that another packet completes."""
    assert tshark.shown(lam, "tcp.len > 0 && !impi && !tcp.reassembled_in") == []


def test_messages(tshark, lam):
    found = collections.Counter(name for packet in tshark.fields(lam, "impi.message", shown="impi.message")
                                for name in packet[0])
    assert found == {"AUTH": 2, "CHOICE": 2, "KEY": 2, "IMPI": 4, "COLL": 56, "DONE": 4, "FINI": 4, "DATA": 62,
                     "DATASYNC": 2, "SYNCACK": 2, "PROTOACK": 5}


def test_the_order_of_labels(tshark, lam):
    for client in (0, 1):
        infos = tshark.info(lam, shown="impi")
        told = [info.split()[1] for info in infos if info.startswith("COLL") and f"  client {client} -> server" in info]
        assert told == LABELS


def test_values(tshark, lam):
    shown = "impi.label == 0x2100 && impi.client"
    assert tshark.fields(lam, "impi.client", "impi.h_port", shown=shown) == [[["0", "1"], ["43233", "38971"]]] * 2
    assert tshark.fields(lam, "impi.key", shown="impi.key") == [[["5678"]]] * 2
    assert tshark.fields(lam, "impi.host_rank", shown="impi.host_rank") == [[["1"]]]


def test_the_long_message(tshark, lam):
    """150000 octets in three packets, two of them ending in one segment."""
    found = tshark.fields(lam, "frame.number", "impi.pk_len", "impi.reassembled.length", "impi.first_in",
                          shown="impi.pk_msglen == 150000")
    assert found == [[["216"], ["65536"], [], []], [["228"], ["65536", "18928", "4"], ["150000"], ["216", "216"]]]


def test_acknowledgements(tshark, lam):
    found = tshark.fields(lam, "frame.number", "impi.request_in", "impi.time", shown="impi.pk_type == SYNCACK")
    assert found == [[["210"], ["208"], ["0.050246000"]], [["224"], ["216"], ["0.050557000"]]]


def test_flow_control(tshark, lam):
    """ackmark is 10, hiwater 20: never more than these are under way."""
    sent = tshark.fields(lam, "impi.flow.sent", "impi.flow.unacked", shown="impi.src.rank == 0 && impi.dest.rank == 3")
    numbers = [int(number) for packet in sent for number in packet[0]]
    assert numbers == list(range(1, 53))
    assert all(0 <= int(number) <= 20 for packet in sent for number in packet[1])
    acks = tshark.fields(lam, "impi.flow.acks", shown="impi.pk_type == PROTOACK")
    assert [packet[0] for packet in acks] == [[str(number)] for number in range(1, 6)]


def test_what_is_remarkable(tshark, lam):
    """Readings that it takes, what is only reconstructed, and a guess, each told once for its connection, direction or
    pair of processes: the form of addresses, the srqid 0, pk_len of packets without data, what is left in other fields
    of these, data in the order of the machine, MPI_Reduce in the context of point-to-point messages."""
    found = {int(number): told for (number,), told in tshark.fields(lam, "frame.number", "impi.noted",
                                                                    shown="impi.noted")}
    assert found == {114: ["IMPI-007"], 117: ["IMPI-007"], 200: ["IMPI-114"], 210: ["IMPI-120", "IMPI-121"],
                     222: ["IMPI-114"], 242: ["IMPI-122"], 257: ["IMPI-002"], 425: ["IMPI-114"],
                     429: ["IMPI-114", "IMPI-223"], 443: ["IMPI-120", "IMPI-124"], 445: ["IMPI-124"]}
    assert "reading eager_request_identifier=zero (the first of 48)" in tshark.experts(lam)


def test_what_it_breaks(tshark, lam, bin_dir):
    """Nothing that these octets can prove; the offline checker says the same."""
    assert tshark.fields(lam, "frame.number", "impi.requirement", shown="impi.requirement") == []
    done = subprocess.run([bin_dir / "assay", "check", CAPTURE], capture_output=True, text=True, timeout=300,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
