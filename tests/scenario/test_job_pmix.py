# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The same binary under a PMIx launcher: Debian's openmpi mpirun, which knows nothing of Portals."""

import os
import pathlib
import shutil
import subprocess

import pytest

MPIRUN = shutil.which("mpirun.openmpi")
SANITIZED = os.environ.get("ASSAY_VARIANT", "release") in ("asan", "tsan")


@pytest.mark.skipif(MPIRUN is None, reason="mpirun.openmpi (package openmpi-bin) is not installed")
@pytest.mark.parametrize("count", [1, 3, 5])
def test_ring_under_mpirun(root, count):
    """Ranks are those of PMIx, and every rank reaches the next one."""
    probe = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "scenario" / "job-probe"
    env = {key: value for key, value in os.environ.items() if not key.startswith("ASSAY_")}
    if SANITIZED:
        env["ASAN_OPTIONS"] = "detect_leaks=0"  # libpmix keeps memory until the end of the process
    done = subprocess.run(
        [MPIRUN, "--allow-run-as-root", "--oversubscribe", "-np", str(count), str(probe), "ring"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=env,
    )
    assert done.returncode == 0, done.stderr
    lines = [f"rank {i} of {count}: greetings from rank {(i - 1) % count}" for i in range(count)]
    assert sorted(done.stdout.splitlines()) == lines
