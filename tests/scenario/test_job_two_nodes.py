# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A job over two nodes: memory within each, TCP between them.

The nodes are network namespaces (nodes.py); Debian's Open MPI starts the job on both. What the kernel lists as TCP
connections of the job shows which way the messages went.
"""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from nodes import Nodes

DEADLINE = 180
MPIRUN = shutil.which("mpirun.openmpi")
pytestmark = pytest.mark.skipif(MPIRUN is None, reason="mpirun.openmpi (package openmpi-bin) is not installed; "
                                                       "make deps installs it")


@pytest.fixture(name="nodes", scope="module")
def fixture_nodes():
    """Two nodes with a network between them."""
    nodes = Nodes(2)
    yield nodes
    nodes.end()


@pytest.fixture(name="mesh")
def fixture_mesh(nodes, root, tmp_path):
    """Runs a job of four ranks, two on each node, in which everybody sends to everybody; gives, for each rank, how many
    TCP connections the job has within its node and beyond it."""
    agent = nodes.launch_agent(tmp_path / "agent")
    probe = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "scenario" / "job-probe"

    def mesh(**environment):
        env = {key: value for key, value in os.environ.items() if not key.startswith(("ASSAY_", "PMIX_", "OMPI_"))}
        env["ASAN_OPTIONS"] = "detect_leaks=0"  # libpmix keeps memory until the end of the process
        passed = [word for name in environment for word in ("-x", name)]
        done = subprocess.run([*nodes.enter(0), MPIRUN, "--allow-run-as-root", "--oversubscribe", "-np", "4",
                               "-H", ",".join(f"{address}:2" for address in nodes.addresses), *passed,
                               "-mca", "plm_rsh_agent", agent, probe, "mesh"], capture_output=True, text=True,
                              timeout=DEADLINE, check=False, env={**env, **environment})
        assert done.returncode == 0, done.stdout + done.stderr
        told = re.findall(r"^rank (\d): (\d+) connections within the node, (\d+) beyond it$", done.stdout, re.MULTILINE)
        assert sorted(rank for rank, _, _ in told) == ["0", "1", "2", "3"], done.stdout + done.stderr
        return [(int(within), int(beyond)) for _, within, beyond in sorted(told)]

    return mesh


def test_memory_within_nodes_and_tcp_between_them(mesh):
    """Each of two ranks is connected with both of the other node: at least four connections; none within a node."""
    assert all(within == 0 and beyond >= 4 for within, beyond in mesh())


def test_a_network_that_is_named_is_the_only_one(mesh):
    """The same job over TCP alone is connected within the nodes too, which shows that this is seen."""
    assert all(within >= 1 and beyond >= 4 for within, beyond in mesh(ASSAY_NAL="tcp"))


def test_the_trace_of_a_mixed_job_is_sound(mesh, bin_dir, tmp_path):
    """What went through memory and what went over TCP stand alike in the traces, and break no rule of the binding."""
    traces = tmp_path / "traces"
    traces.mkdir()
    mesh(ASSAY_TRACE=str(traces))
    captures = sorted(traces.iterdir())
    assert len(captures) == 4
    for capture in captures:
        done = subprocess.run([bin_dir / "assay", "check", capture], capture_output=True, text=True, timeout=DEADLINE,
                              check=False)
        assert done.returncode == 0, done.stdout + done.stderr
