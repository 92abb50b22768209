# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The sources of small MPI programs that Debian has (package mpich-doc) compile unchanged, and do what they do there.

Those that need MPI-2 (processes that start others, one-sided communication, files) are left out.
"""

import os
import pathlib
import re
import subprocess

import pytest

FOLDER = pathlib.Path("/usr/share/doc/mpich/examples")
DEADLINE = 300
# What differs from run to run, or from machine to machine.
VARIES = re.compile(r"wall clock time = .*|(?<=is approximately )\S+, Error is \S+")


def run(*command, **options):
    """What a command printed, line by line, in no order; it must succeed."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=DEADLINE,
                          check=False, env=dict(os.environ), **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return sorted(VARIES.sub("...", line) for line in (done.stdout + done.stderr).splitlines())


@pytest.mark.parametrize("name, given", [("hellow", ""), ("srtest", ""), ("cpi", ""), ("icpi", "1000\n0\n")])
def test_program(bin_dir, tmp_path, name, given):
    """The same lines as with MPICH."""
    source = FOLDER / f"{name}.c"
    if not source.exists():
        pytest.skip(f"{source} is not there; package mpich-doc has it")
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    run(bin_dir / "assay-mpicc", "-w", "-o", ours, source, "-lm")
    run("mpicc.mpich", "-w", "-o", theirs, source, "-lm")
    said = run(bin_dir / "portalsrun", "-np", 3, ours, input=given)
    assert said == run("mpirun.mpich", "-np", 3, theirs, input=given)


@pytest.mark.parametrize("name", ["pmandel", "developers/crashtest", "developers/exittest", "developers/mpiexectest"])
def test_compiles(bin_dir, tmp_path, name):
    """Programs that want a user, or to crash, compile."""
    source = FOLDER / f"{name}.c"
    if not source.exists():
        pytest.skip(f"{source} is not there; package mpich-doc has it")
    assert run(bin_dir / "assay-mpicc", "-w", "-o", tmp_path / "program", source, "-lm") == []
