# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Launchers that libportals cannot join: their processes are told so, and do not go on as jobs of their own."""

import os
import pathlib
import shutil
import subprocess

import pytest

MPICH = shutil.which("mpirun.mpich")
LAUNCHERS = ("ASSAY_", "PMI_", "PMIX_", "OMPI_", "SLURM_", "FLUX_")


@pytest.fixture(name="run")
def fixture_run(root):
    """Runs the probe by a launcher, in an environment that no other launcher has touched."""

    out = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release"))

    def run(*launcher, what="ring", **environment):
        env = {key: value for key, value in os.environ.items() if not key.startswith(LAUNCHERS)}
        return subprocess.run([*launcher, out / "scenario" / "job-probe", what], capture_output=True, text=True,
                              timeout=180, check=False, env={**env, **environment})

    return run


SHOWN = [
    ({"PMI_RANK": "1", "PMI_SIZE": "2", "PMI_FD": "7"}, "rank 1 of 2 (PMI_RANK, PMI_SIZE)", "portalsrun"),
    ({"SLURM_PROCID": "0", "SLURM_NTASKS": "4"}, "rank 0 of 4 (SLURM_PROCID, SLURM_NTASKS)", "srun --mpi=pmix"),
    ({"OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "3"}, "rank 2 of 3 (OMPI_COMM_WORLD_RANK", "PMIX_"),
    ({"FLUX_TASK_RANK": "5", "FLUX_JOB_SIZE": "6"}, "rank 5 of 6 (FLUX_TASK_RANK", "flux run -o pmi=pmix"),
]


@pytest.mark.parametrize("environment, seen, remedy", SHOWN, ids=[next(iter(shown[0])) for shown in SHOWN])
def test_several_processes_without_a_way_to_each_other(run, environment, seen, remedy):
    """PtlInit fails; one line says what was seen, what is missing and what to do."""
    done = run(**environment)
    assert done.returncode != 0 and done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if line.startswith("portals: ")]
    assert len(lines) == 1 and seen in lines[0] and "no PMIx" in lines[0]
    assert remedy in lines[0] and "ASSAY_SINGLETON=1" in lines[0]
    alone = run(**environment, ASSAY_SINGLETON="1")
    assert (alone.returncode, alone.stdout) == (0, "rank 0 of 1: greetings from rank 0\n"), alone.stderr


@pytest.mark.parametrize("environment", [{}, {"PMI_RANK": "0", "PMI_SIZE": "1"}, {"SLURM_NTASKS": "4"},
                                         {"OMPI_COMM_WORLD_RANK": "x", "OMPI_COMM_WORLD_SIZE": "2"}])
def test_a_process_started_alone(run, environment):
    """Where nobody says that there are others, a process is a job of its own."""
    done = run(**environment)
    assert (done.returncode, done.stdout) == (0, "rank 0 of 1: greetings from rank 0\n"), done.stderr


def test_the_launcher_of_the_job_comes_first(run, bin_dir):
    """portalsrun inside another launcher's process: its own job counts."""
    done = run(bin_dir / "portalsrun", "-np", "2", PMI_RANK="1", PMI_SIZE="2")
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 2), done.stderr


@pytest.mark.skipif(MPICH is None, reason="mpirun.mpich (package mpich) is not installed; make deps installs it")
def test_mpirun_of_mpich(run):
    """A real launcher of PMI-1: the job fails, instead of being two worlds of one."""
    done = run(MPICH, "-np", "2")
    assert done.returncode != 0 and done.stdout == ""
    for rank in range(2):
        assert f"rank {rank} of 2 (PMI_RANK, PMI_SIZE)" in done.stderr
    alone = run(MPICH, "-np", "1")
    assert (alone.returncode, alone.stdout) == (0, "rank 0 of 1: greetings from rank 0\n"), alone.stderr
