# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Clients whose processes are on several nodes, started by Debian's Open MPI: impirun -client -launcher."""

import os
import pathlib
import shutil
import subprocess

import pytest

import waiting
from nodes import Nodes

DEADLINE = 180
MPIRUN = shutil.which("mpirun.openmpi")
PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "mpi"
pytestmark = pytest.mark.skipif(MPIRUN is None, reason="mpirun.openmpi (package openmpi-bin) is not installed; "
                                                       "make deps installs it")
# Clients, the own one, hosts, the own one; for each process of the world: two nodes of two ranks, and one of two.
IN_ROWS = ["2 0 3 0", "2 0 3 0", "2 0 3 1", "2 0 3 1", "2 1 3 2", "2 1 3 2"]
# The first four ranks are dealt to their nodes in turn, so that each has a host agent of its own.
IN_TURN = ["2 0 5 0", "2 0 5 1", "2 0 5 2", "2 0 5 3", "2 1 5 4", "2 1 5 4"]

# Connects to where processes are to come, and starts the launcher behind it.
SILENT_CONNECTIONS = """
import socket, subprocess, sys
places, port = sys.argv[sys.argv.index("-member") + 2].split(":")
silent = [socket.create_connection((places.split(",")[0], port)) for _ in range(300)]
sys.exit(subprocess.run(sys.argv[1:]).returncode)
"""


def environment():
    """That of this process, without what launchers leave behind."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("ASSAY_", "PMIX_", "OMPI_", "IMPI"))}
    return {**kept, "IMPI_AUTH_NONE": "1", "ASAN_OPTIONS": "detect_leaks=0"}


@pytest.fixture(name="nodes", scope="module")
def fixture_nodes():
    """Three nodes with a network between them."""
    nodes = Nodes(3)
    yield nodes
    nodes.end()


@pytest.fixture(name="program", scope="module")
def fixture_program(bin_dir, tmp_path_factory):
    """Compiles a program of the MPI library's tests."""
    folder = tmp_path_factory.mktemp("programs")

    def program(name):
        target = folder / pathlib.Path(name).stem
        if not target.exists():
            subprocess.run([bin_dir / "assay-mpicc", "-o", target, PROGRAMS / name, "-lm"], check=True,
                           timeout=DEADLINE)
        return target

    return program


@pytest.fixture(name="start")
def fixture_start(nodes, impirun, tmp_path):
    """Starts a job on the nodes: client 0 on the first two of them, and client 1, if there is one, on the third."""
    agent, started = nodes.launch_agent(tmp_path / "agent"), []

    def on(node, *words):
        process = subprocess.Popen([*nodes.enter(node), *map(str, words)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=environment())
        started.append(process)
        return process

    def start(clients, *command, launcher="", processes=4, before=""):
        server = on(0, impirun, "-server", clients, "-address", nodes.addresses[0])
        address = server.stdout.readline().strip()
        shared = (f"{before} {MPIRUN} --allow-run-as-root --oversubscribe -mca plm_rsh_agent {agent} -np {{np}} "
                  f"{launcher} -H ")
        places = (",".join(f"{address}:2" for address in nodes.addresses[:2]), f"{nodes.addresses[2]}:2")
        return [on(0 if client == 0 else 2, impirun, "-client", client, address, "-np", processes if client == 0 else 2,
                   "-launcher", shared + places[client], *command) for client in range(clients)] + [server]

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=DEADLINE)


def ends(jobs):
    """(status, output, errors) of each."""
    said = [job.communicate(timeout=DEADLINE) for job in jobs]
    return [(job.returncode, *texts) for job, texts in zip(jobs, said)]


def printed(jobs):
    """What a job prints that ends well."""
    outcome = ends(jobs)
    assert [status for status, _, _ in outcome] == [0] * len(jobs), outcome
    return "".join(out for _, out, _ in outcome[:-1])


def where(said):
    """Where the processes of the world are, from what where.c prints."""
    return [line.split(": ")[1] for line in said.splitlines() if line.startswith("world")]


def test_prints_what_it_prints_elsewhere(program, start, bin_dir):
    """Clients on two nodes and on one: the program does not notice."""
    path = program("programs/collectives.c")
    alone = subprocess.run([bin_dir / "portalsrun", "-np", "6", path], capture_output=True, text=True, check=True,
                           timeout=DEADLINE, env=environment()).stdout
    assert printed(start(2, path)) == alone


def test_one_agent_for_each_node(program, start):
    """Ranks in a row on a node share an agent, wherever the launcher puts them; or have as many as the user wants."""
    path = program("where.c")
    assert where(printed(start(2, path))) == IN_ROWS
    assert where(printed(start(2, path, launcher="--map-by node"))) == IN_TURN


def test_unidentified_connections_are_passed_over(program, start, tmp_path):
    """More connections than impirun keeps wait at its port and say nothing, before any process is started."""
    crowd = tmp_path / "crowd.py"
    crowd.write_text(SILENT_CONNECTIONS)
    path = program("where.c")
    assert where(printed(start(2, path, before=f"/usr/bin/python3 {crowd}"))) == IN_ROWS


def test_the_end_of_a_process_is_the_end_of_the_job(program, start):
    """A program that fails on another node gives impirun its status, and the other client learns of it."""
    script = 'test "$PMIX_RANK" = 3 && exit 3; exec "$0"'
    outcome = ends(start(2, "sh", "-c", script, program("programs/collectives.c")))
    assert [status for status, _, _ in outcome] == [3, 1, 1], outcome
    assert "ended without MPI_Finalize" in outcome[0][2]


def test_nothing_is_left_behind(start, program, tmp_path):
    """Who kills impirun ends launcher, agents and processes on all nodes."""
    path = tmp_path / f"waits-{os.getpid()}"
    shutil.copy(program("programs/hello.c"), path)
    ready = tmp_path / "ready"
    job = start(1, "sh", "-c", f"echo >>{ready}; exec cat /dev/zero >/dev/null", path)
    assert waiting.until(lambda: ready.exists() and len(ready.read_text(encoding="utf-8")) == 4, tmp_path, DEADLINE)
    left = waiting.named(str(path))
    assert len(left) > 4
    job[0].kill()
    assert waiting.ended(left, DEADLINE)


@pytest.mark.parametrize("launcher,status,words", [
    ("/does/not/exist", 127, "cannot run the launcher /does/not/exist: No such file or directory"),
    ("env -u PMIX_RANK", 1, "PMIX_RANK is not set"),
    ("env PMIX_RANK=7", 1, "the launcher has started rank 7, and -np says 2"),
    ("true", 1, "the launcher ended with status 0 when 0 of 2 processes had come"),
], ids=lambda value: value if isinstance(value, str) else None)
def test_launchers_that_will_not_do(launcher, status, words, server, impirun):
    """What goes wrong is said in a line."""
    address = server(1, env={"IMPI_AUTH_NONE": "1"}).place
    done = subprocess.run([impirun, "-client", "0", address, "-np", "2", "-launcher", launcher, "true"],
                          capture_output=True, text=True, timeout=DEADLINE, check=False, env=environment())
    assert (done.returncode, words in done.stderr) == (status, True), done
