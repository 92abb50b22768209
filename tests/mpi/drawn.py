# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""MPI programs drawn by lot (drawn/drawn.h) print the same with this library, over each network, on Puma's descriptors
and as clients of IMPI, as with Open MPI and MPICH. Run by `make drawn`.

Each seed is another program, and those of every second one access windows too, over each network. Where one differs,
`drawn SEED STEPS [windows] told` tells after which step. A library that prints something else each time is compared
with no more than one that fails: Open MPI 4.1 does either with most windows.
"""

import argparse
import collections
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from clients import printed

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "tests" / "mpi" / "drawn").glob("*.c"))
DEADLINE = 300
OTHERS = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"], "mpich": ["mpirun.mpich"]}


def compiled(compiler, folder):
    """The program."""
    program = pathlib.Path(folder) / f"drawn-{pathlib.Path(compiler).name}"
    subprocess.run([compiler, "-O1", "-w", "-I", ROOT, "-o", program, *SOURCES], check=True)
    return program


def said(command):
    """What a job prints; None where it fails."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=DEADLINE,
                              check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else None


def said_again(expected, command):
    """What it prints; None where that is not what is expected, nor the same when it is asked again."""
    what = said(command)
    return what if what == expected or said(command) == what else None


def shape_of(lot, processes):
    """A layout of so many processes on two clients or more."""
    cuts = sorted(lot.sample(range(1, processes), lot.randint(1, processes - 1)))
    return tuple(end - begin for begin, end in zip((0, *cuts), (*cuts, processes)))


def words_of(seed, steps):
    """The arguments of one program."""
    return (str(seed), str(steps), *(["windows"] if seed % 2 == 0 else []))


def ours(binaries, program, seed, steps):
    """Jobs of one program with this library: name -> what it prints, and how many processes they have."""
    lot = random.Random(seed)
    processes, words = lot.randint(2, 8), words_of(seed, steps)
    shape = shape_of(lot, processes)
    job = [binaries / "portalsrun", "-np", processes, program, *words]
    jobs = {network: said([*job[:1], "--nal", network, *job[1:]]) for network in ("shm", "tcp", "intercept")}
    jobs["MPI as Puma had it"] = said(["env", "ASSAY_MPI=puma", *job])
    if "windows" in words:
        return processes, jobs
    try:
        jobs[f"clients of {shape}"] = printed(binaries / "impirun", program, shape, *words)
    except (AssertionError, subprocess.TimeoutExpired):
        jobs[f"clients of {shape}"] = None
    return processes, jobs


def differing(jobs):
    """Those that say something else than the first one, or nothing."""
    first = next(iter(jobs.values()))
    return [name for name, what in jobs.items() if what is None or what != first]


def main():
    """Says which programs differ; 1 when one does."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="where the programs of the build are")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=100, help="how many")
    parser.add_argument("--steps", type=int, default=200, help="of each program")
    arguments = parser.parse_args()
    wrong, failed = 0, collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        own = compiled(arguments.bin / "assay-mpicc", folder)
        others = {name: compiled(f"mpicc.{name}", folder) for name in OTHERS if shutil.which(f"mpicc.{name}")}
        for seed in range(arguments.first, arguments.first + arguments.seeds):
            processes, jobs = ours(arguments.bin, own, seed, arguments.steps)
            first = next(iter(jobs.values()))
            theirs = {name: said_again(first, [*OTHERS[name], "-np", processes, program,
                                               *words_of(seed, arguments.steps)]) for name, program in others.items()}
            failed.update(name for name, what in theirs.items() if not what)
            jobs = {**{name: what for name, what in theirs.items() if what}, **jobs}
            different = differing(jobs)
            wrong += bool(different)
            if different:
                print(f"seed {seed}, {processes} processes: {', '.join(different)} say other than {next(iter(jobs))}",
                      flush=True)
    compared = ", ".join(f"{name} ({arguments.seeds - failed[name]})" for name in others) or "nobody"
    print(f"{arguments.seeds} programs of {arguments.steps} steps, compared with {compared}: {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
