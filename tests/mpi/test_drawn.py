# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Some of the programs that are drawn by lot; `make drawn` runs many, and beside them other MPIs."""

import pytest

import drawn


@pytest.fixture(scope="module", name="program")
def fixture_program(bin_dir, tmp_path_factory):
    """It with this library."""
    return drawn.compiled(bin_dir / "assay-mpicc", tmp_path_factory.mktemp("drawn"))


@pytest.mark.parametrize("seed", range(1, 5))
def test_same_everywhere(bin_dir, program, seed):
    """Over each network and on Puma's descriptors it prints the same, and as clients of IMPI if it has no windows."""
    processes, jobs = drawn.ours(bin_dir, program, seed, 40)
    assert all(what and len(what.splitlines()) == processes for what in jobs.values())
    assert not drawn.differing(jobs), jobs
