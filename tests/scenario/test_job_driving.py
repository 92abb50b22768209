# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Threads that wait, poll and compute at once, on interfaces that come and go: whoever drives the network, all messages
come (P30-008)."""

import os
import pathlib
import subprocess

import pytest

DEADLINE = 240


@pytest.fixture(name="probe")
def fixture_probe(bin_dir, root):
    """Runs a probe as a job, and wants every rank to end well."""
    folder = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "scenario"

    def probe(nal, *numbers, count=3, program="drive-probe", **environment):
        done = subprocess.run(
            [bin_dir / "portalsrun", "-np", str(count), *nal, folder / program, *map(str, numbers)],
            env={**os.environ, **environment}, capture_output=True, text=True, timeout=DEADLINE, check=False,
        )
        errors = [line for line in done.stderr.splitlines() if ": fault (seed" not in line]
        assert (done.returncode, errors) == (0, [])
        assert sorted(done.stdout.splitlines()) == [f"rank {rank}: all came" for rank in range(count)]

    return probe


@pytest.mark.parametrize("wait", ["adaptive", "sleep", "spin"])
@pytest.mark.parametrize("nal", ["shm", "tcp"])
def test_all_at_once(probe, nal, wait):
    """Each way of waiting, over each network."""
    probe(("--nal", nal), 3, 200, ASSAY_WAIT=wait)


@pytest.mark.parametrize("wait", ["adaptive", "sleep", "spin"])
@pytest.mark.parametrize("nal", ["shm", "tcp", "intercept"])
def test_what_was_sent_leaves(probe, nal, wait):
    """Though its sender looks for nothing any more: any number of short messages, held back or not."""
    probe(("--nal", nal), 60, count=2, program="leave-probe", ASSAY_WAIT=wait)


def test_alone(probe):
    """A process that sends to itself."""
    probe((), 2, 200, count=1)


def test_mixed(probe):
    """Shared memory and TCP together, as without any choice."""
    probe((), 3, 200)


def test_traced(probe, tmp_path):
    """Under a wrapper that callers do not drive through."""
    probe(("--nal", "shm"), 2, 40, ASSAY_TRACE=str(tmp_path))


def test_repaired(probe):
    """Over a network that loses messages, made reliable."""
    probe(("--nal", "tcp"), 1, 40, ASSAY_RELIABLE="1", ASSAY_FAULT="drop=0.02,seed=7")
