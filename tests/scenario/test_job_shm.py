# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""portalsrun --nal shm: jobs through shared memory, whose processes die in all manners. Nothing is left behind."""

import os
import pathlib
import signal
import subprocess
import time

import pytest

from waiting import until

DEADLINE = 180
PLACE = pathlib.Path("/dev/shm")


def names() -> set[str]:
    """The names of shared memory that are there now."""
    return {entry.name for entry in PLACE.glob("assay-shm-*")}


def none_stays(before) -> bool:
    """Whether no name has come since to stay: those of jobs that run beside this test go by themselves."""
    new = names() - before
    return until(lambda: not new & names(), PLACE, DEADLINE)


@pytest.fixture(name="job")
def fixture_job(bin_dir, root):
    """Starts the probe as a job through shared memory."""
    probe = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "scenario" / "job-probe"

    def job(count, *arguments, nal=("--nal", "shm"), **env):
        return subprocess.Popen(
            [bin_dir / "portalsrun", "-np", str(count), *nal, probe, *map(str, arguments)],
            env={**os.environ, **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return job


def end_of(job: subprocess.Popen) -> tuple[int, str, str]:
    """Exit status and output of a job."""
    out, err = job.communicate(timeout=DEADLINE)
    return job.returncode, out, err


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_ring(job, count):
    """Every rank greets the next one, whatever their number (P30-003, P30-059, P30-090)."""
    status, out, err = end_of(job(count, "ring"))
    assert (status, err) == (0, "")
    lines = [f"rank {i} of {count}: greetings from rank {(i - 1) % count}" for i in range(count)]
    assert sorted(out.splitlines()) == lines


@pytest.mark.parametrize("count", [2, 3])
def test_storm(job, count):
    """All to all at once, with acknowledgements: nobody locks anybody out."""
    status, out, err = end_of(job(count, "storm", 2000))
    assert (status, err) == (0, "")
    assert sorted(out.splitlines()) == [f"rank {i}: all came" for i in range(count)]


def test_by_the_environment(job):
    """ASSAY_NAL names the network where the launcher does not."""
    status, out, _ = end_of(job(2, "ring", nal=(), ASSAY_NAL="shm"))
    assert (status, len(out.splitlines())) == (0, 2)


@pytest.mark.parametrize("what,status", [("killed", 137), ("delivered", 137), ("noleave", 1)])
def test_deaths(job, what, status):
    """A process that dies or just ends is no obstacle, and what it had delivered stays delivered."""
    before = names()
    got, out, _ = end_of(job(2, what))
    assert got == status
    if what == "delivered":
        assert "rank 0: delivered stays delivered" in out
    assert none_stays(before)


def test_nothing_is_left_when_all_are_killed(job):
    """SIGKILL for everybody at once, the launcher too: the memory had no name any more."""
    before = names()
    running = job(3, "killed")
    os.kill(running.pid, signal.SIGKILL)
    running.wait(timeout=DEADLINE)
    running.stdout.close()
    running.stderr.close()
    # Those that it killed on the way into the job may have left names; the next job removes them.
    done = end_of(job(2, "ring"))
    assert done[0] == 0
    end = time.monotonic() + DEADLINE
    while names() - before and time.monotonic() < end:
        assert end_of(job(1, "ring"))[0] == 0
    assert none_stays(before)
