# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Fixtures of the tests of impirun: real servers and clients that end with the test."""

import os
import pathlib
import sys

import peers
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tester"))


@pytest.fixture(name="impirun")
def fixture_impirun(bin_dir):
    """Path of the program."""
    return bin_dir / "impirun"


@pytest.fixture(name="player")
def fixture_player(root):
    """Path of the process that speaks the link."""
    return pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "impi" / "link-player"


@pytest.fixture(name="server")
def fixture_server(impirun):
    """Starts a server for so many clients."""
    started = []

    def start(clients, *options, env=None):
        started.append(peers.Server(impirun, clients, *options, env=env))
        return started[-1]

    yield start
    for server in started:
        server.kill()


@pytest.fixture(name="client")
def fixture_client(impirun, player):
    """Starts client `rank` of the server at `place`: options, then "--", then what the link player does."""
    started = []

    def start(rank, place, *words, env=None, without=()):
        words = [str(word) for word in words]
        split = words.index("--") if "--" in words else len(words)
        program = words[split + 1:] or ["table", "fini"]
        started.append(peers.Program([impirun, "-client", rank, place, *words[:split], player, *program], env,
                                     without))
        return started[-1]

    yield start
    for program in started:
        program.kill()
