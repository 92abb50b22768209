# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The four attributes of IMPI in a real job: a client of one process, one of four on two hosts, one of two."""

import os
import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parent / "where.c"
DEADLINE = 300
CLIENTS = ((1, 1), (4, 2), (2, 1))  # processes, hosts
# Clients, the own one, hosts, the own one; for each process of the world.
WORLD = ["3 0 4 0", "3 1 4 1", "3 1 4 1", "3 1 4 2", "3 1 4 2", "3 2 4 3", "3 2 4 3"]
# Within the own client.
CLIENT = ["1 0 1 0", "1 0 2 0", "1 0 2 0", "1 0 2 1", "1 0 2 1", "1 0 1 0", "1 0 1 0"]
# Without rank 0 there are two clients and three hosts.
REST = ["0 0 0 0", "2 0 3 0", "2 0 3 0", "2 0 3 1", "2 0 3 1", "2 1 3 2", "2 1 3 2"]


def test_where_processes_are(bin_dir, tmp_path):
    """What each process reads."""
    program = tmp_path / "where"
    subprocess.run([bin_dir / "assay-mpicc", "-Wall", "-Werror", "-o", program, SOURCE], check=True, timeout=DEADLINE)
    environment = {**os.environ, "IMPI_AUTH_NONE": "1"}
    with subprocess.Popen([bin_dir / "impirun", "-server", str(len(CLIENTS))], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, env=environment) as server:
        address = server.stdout.readline().strip()
        jobs = [subprocess.Popen([bin_dir / "impirun", "-client", str(rank), address, "-np", str(processes), "-hosts",
                                  str(hosts), program], stdout=subprocess.PIPE, text=True, env=environment)
                for rank, (processes, hosts) in enumerate(CLIENTS)]
        said = [job.communicate(timeout=DEADLINE)[0] for job in jobs]
        assert [job.returncode for job in jobs] + [server.wait(timeout=DEADLINE)] == [0, 0, 0, 0]
    lists = {"world": WORLD, "client": CLIENT, "rest": REST}
    expected = [f"{what} {rank}: {values}" for what in lists for rank, values in enumerate(lists[what])]
    assert "".join(said).splitlines() == expected
