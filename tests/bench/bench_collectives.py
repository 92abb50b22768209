#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""bench_collectives.py: collective operations and one-sided communication beside Open MPI and MPICH, in the same run.

Jobs of two and of four processes on this machine, of each library in turn, round after round; and of two clients of
four processes, which only this library can start. `make bench-collectives` runs it. What is not installed is left out.
"""

import argparse
import pathlib
import shutil
import statistics
import tempfile

from bench_mpi import between, run

SOURCE = pathlib.Path(__file__).with_name("bench_collectives.c")
LAYOUTS = (2, 4)
ROUNDS = 3


def launchers(folder, program, temporary):
    """What starts a job of each library: name, and a command without the number of processes."""
    yield "assay", lambda size: [folder / "portalsrun", "-np", size, program]
    for name, options in (("openmpi", ["--allow-run-as-root", "--oversubscribe"]), ("mpich", [])):
        compiled = pathlib.Path(temporary) / name
        if shutil.which(f"mpirun.{name}") and run([f"mpicc.{name}", "-O2", "-o", compiled, SOURCE]) is not None:
            yield name, lambda size, name=name, options=options, compiled=compiled: [
                f"mpirun.{name}", *options, "-np", size, compiled]


def read(said):
    """The figures of one job: (operation, octets) and microseconds."""
    rows = (line.split() for line in (said or "").splitlines())
    return {(name, int(octets)): float(time) for name, octets, time in rows}


def medians(jobs):
    """The median of the rounds of each operation."""
    return {row: statistics.median(job[row] for job in jobs if row in job) for job in jobs for row in job}


def table(title, figures):
    """Prints one layout: an operation a line, a library a column, and ours as a part of each other's."""
    names = list(figures)
    print(f"\n{title}\n{'':28}" + "".join(f"{name + ' us':>14}" for name in names)
          + "".join(f"{'/ ' + name:>11}" for name in names[1:]))
    for row, ours in figures["assay"].items():
        others = [figures[name].get(row) for name in names[1:]]
        size = "8" if row[1] == 8 else "1 MiB"
        print(f"{row[0]:20} {size:>7}{ours:14.2f}" + "".join(f"{time:14.2f}" if time else f"{'-':>14}"
                                                             for time in others)
              + "".join(f"{ours / time:11.2f}" if time else f"{'-':>11}" for time in others))


def clients(folder, program):
    """A job of two clients of four processes."""
    return between(folder, program, "collectives", size="4")


def main():
    """Runs all jobs in rounds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of portalsrun and impirun")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each job is run")
    parser.add_argument("program", type=pathlib.Path, help="bench_collectives.c, compiled with this library")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        libraries = dict(launchers(arguments.bin, arguments.program, temporary))
        jobs = {(size, name): [] for size in LAYOUTS for name in libraries}
        apart = []
        for _ in range(arguments.rounds):
            for (size, name), done in jobs.items():
                done.append(read(run(libraries[name](size))))
            apart.append(read(clients(arguments.bin, arguments.program)))
    for size in LAYOUTS:
        table(f"{size} processes on this machine", {name: medians(jobs[size, name]) for name in libraries})
    table("2 clients of 4 processes, IMPI", {"assay": medians(apart)})
    if not all(job for done in [*jobs.values(), apart] for job in done):
        raise SystemExit("a job did not run")


if __name__ == "__main__":
    main()
