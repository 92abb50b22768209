# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What one short message costs: instructions, system calls, allocations. Counted, not timed: times swing on a machine
that others use, these do not.

A bound that is exceeded says that a change has made messages dearer. If that was meant, because the message now does
something that it has to do, say so in the change, and raise the bound to the new figure and a tenth; if not, look with
`callgrind_annotate --inclusive=yes` at what is called more often, or at what is called at all. When a change makes
messages cheaper, lower the bound: else the gain is lost again without anybody seeing it.
"""

import os
import pathlib
import re
import subprocess

import pytest

DEADLINE = 120

# What a function and all that it calls takes, in instructions, for each call of the second one.
INSTRUCTIONS = {
    "cost_portals": [
        ("PtlPut", "PtlPut", 705),
        ("PtlGet", "PtlGet", 435),
        ("brief_step", "brief_step", 880),
    ],
    "cost_mpi": [
        ("PMPI_Send", "PMPI_Send", 1130),
        ("PMPI_Recv", "PMPI_Recv", 665),
        ("PMPI_Irecv", "PMPI_Irecv", 565),
        ("PMPI_Isend", "PMPI_Isend", 1390),
    ],
}

# System calls and allocations for each message, in both processes together. Over shared memory there is no system call
# but to wake somebody, which a busy machine makes necessary now and then. Over TCP there is one to send and one to
# receive, fewer where several messages have come; looking whether any has is not counted.
CALLS = {
    ("cost_portals", "shm"): {"put": (0.5, 0.1), "put_ack": (0.5, 0.1), "get": (0.5, 0.1)},
    ("cost_portals", "tcp"): {"put": (1.2, 1.2), "put_ack": (2.4, 2.2), "get": (2.4, 2.2)},
    ("cost_mpi", "shm"): {"unexpected": (0.7, 0.2), "expected": (0.7, 0.2)},
    ("cost_mpi", "tcp"): {"unexpected": (2.6, 1.2), "expected": (2.6, 1.2)},
}


@pytest.fixture(name="job")
def fixture_job(bin_dir, root, variant):
    """Runs a program as a job of two that never sleeps, under a command if there is one."""
    if variant != "release":
        pytest.skip("what the release build costs")
    folder = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "bench"

    def job(program, network, *under):
        done = subprocess.run([bin_dir / "portalsrun", "-np", "2", "--nal", network, *under, folder / program],
                              env={**os.environ, "ASSAY_WAIT": "spin"}, capture_output=True, text=True,
                              timeout=DEADLINE, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return job


def called(profile):
    """Of a profile of callgrind: function -> how often it was called, and what that took with all that it called."""
    names, found, callee, count = {}, {}, None, 0
    for line in profile.read_text(encoding="utf-8", errors="replace").splitlines():
        named = re.match(r"(c?fn)=\((\d+)\)(?: (.*))?$", line)
        if named:
            kind, number, name = named.groups()
            if name:
                names[number] = re.split("['.]", name)[0]
            if kind == "cfn":
                callee = names[number]
        elif line.startswith("calls="):
            count = int(line[6:].split()[0])
        elif count:
            calls, cost = found.get(callee, (0, 0))
            found[callee] = (calls + count, cost + int(line.split()[1]))
            count = 0
    return found


def measure(job, folder, program):
    """What each function of the list takes, over shared memory."""
    job(program, "shm", "valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/%p")
    ranks = [called(profile) for profile in folder.iterdir()]

    def total(function, what):
        return sum(rank.get(function, (0, 0))[what] for rank in ranks)

    for function, message, _ in INSTRUCTIONS[program]:
        assert total(message, 0) >= 500, f"{message} was hardly called: what is counted has another name now"
        yield function, total(function, 1) / total(message, 0)


@pytest.mark.parametrize("program", INSTRUCTIONS)
def test_instructions(job, tmp_path, program):
    """Instructions of a message of each kind."""
    taken = dict(measure(job, tmp_path, program))
    dearer = [f"{function} takes {taken[function]:.0f} instructions, more than {most}"
              for function, _, most in INSTRUCTIONS[program] if taken[function] > most]
    assert not dearer, f"messages have become dearer; {__doc__}"


@pytest.mark.parametrize("program, network", CALLS)
def test_calls(job, program, network):
    """System calls and allocations of a message of each kind."""
    taken = {}
    for line in job(program, network).splitlines():
        kind, _, calls, allocations = line.split()
        before = taken.get(kind, (0, 0))
        taken[kind] = (before[0] + float(calls), before[1] + float(allocations))
    dearer = [f"{kind}: {taken[kind][0]:.2f} system calls and {taken[kind][1]:.2f} allocations, more than {most}"
              for kind, most in CALLS[program, network].items()
              if taken[kind][0] > most[0] or taken[kind][1] > most[1]]
    assert not dearer, f"messages have become dearer; {__doc__}"
