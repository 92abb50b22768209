# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A program as an IMPI job of several clients."""

import os
import subprocess

DEADLINE = 600


def printed(impirun, program, shape, *words):
    """What it prints with these arguments, client after client, each of which has so many processes; all end well."""
    environment, jobs = {**os.environ, "IMPI_AUTH_NONE": "1"}, []
    with subprocess.Popen([impirun, "-server", str(len(shape))], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, env=environment) as server:
        address = server.stdout.readline().strip()
        for rank, processes in enumerate(shape):
            command = [impirun, "-client", str(rank), address, "-np", str(processes), program,
                       *words]
            jobs.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                         env=environment))
        said = [job.communicate(timeout=DEADLINE) for job in jobs]
        assert [job.returncode for job in jobs] == [0] * len(shape), said
        assert server.wait(timeout=DEADLINE) == 0
    return "".join(out for out, _ in said)
