# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""ref-impl/examples/three_clients.py: the document's example of a job runs; its octets are those of the document."""

import subprocess
import sys

import pytest

LONG = 900
# Host by host: client 0 has three hosts of two processes, client 1 two of three, client 2 two of four.
HOSTS = [0, 0, 1, 1, 2, 2] + 3 * [3] + 3 * [4] + 4 * [5] + 4 * [6]
CLIENTS = 6 * [0] + 6 * [1] + 8 * [2]


@pytest.fixture(scope="module", name="shown")
def fixture_shown(bin_dir, root, variant, tmp_path_factory):
    """What the program printed, and the folder of octets."""
    if variant != "release":
        pytest.skip("programs are linked with the release library")
    folder = tmp_path_factory.mktemp("octets")
    script = root / "ref-impl" / "examples" / "three_clients.py"
    done = subprocess.run([sys.executable, script, "--bin", bin_dir, "--keep", folder], capture_output=True, text=True,
                          timeout=LONG, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, folder


def test_everybody_is_where_it_belongs(shown):
    """IMPI-018, IMPI-073, IMPI-094 and what follows it: ranks go client by client, host by host."""
    lines = [line for line in shown[0].splitlines() if line.startswith("rank ")]
    assert lines == [f"rank {rank:2} of 20: client {client} of 3, host {host} of 7"
                     for rank, (client, host) in enumerate(zip(CLIENTS, HOSTS))]


def test_octets_are_the_documents(shown):
    """What client 0 says first, and what all hear of the numbers of hosts and the lengths of packets (2.3.2, 2.3.5)."""
    said = (shown[1] / "client-0-says.bin").read_bytes()
    assert said[:32].hex(" ", 4) == ("41555448 00000004 00000002 00000000 0000162e 494d5049 00000004 00000000")
    for rank in range(3):
        heard = (shown[1] / f"client-{rank}-hears.bin").read_bytes()
        assert bytes.fromhex("434f4c4c 00000014 00001100 00000007 00000003 00000002 00000002") in heard
        assert bytes.fromhex("434f4c4c 00000014 00001300 00000007 00001f40 00000fa0 00000fa0") in heard
    assert shown[0].count("IMPI_C_NHOSTS") == 6
