# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Programs of collective operations print the same on every layout of their processes: one client of eight, eight
clients of one, and everything between. Run by `make layouts`.

A layout is an order of clients, each with its number of processes: there are 128 of eight processes. They go through
every threshold: short and long messages within a client, few clients and trees of many, clients of one process and of
more, ranks that are masters and ranks that are not.
"""

import argparse
import itertools
import pathlib
import subprocess
import sys
import tempfile

from clients import printed

PROGRAMS = ("collectives", "collective_sizes", "exchange_sizes", "reduce_in_place")
FOLDER = pathlib.Path(__file__).resolve().parent / "programs"
DEADLINE = 600


def layouts(processes):
    """All of them, as tuples, those with few clients first."""
    for cuts in range(processes):
        for ends in itertools.combinations(range(1, processes), cuts):
            bounds = (0, *ends, processes)
            yield tuple(end - begin for begin, end in itertools.pairwise(bounds))


def main():
    """Says which layouts differ; 1 when one does."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="where the programs of the build are")
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every Nth layout only")
    parser.add_argument("programs", nargs="*", default=PROGRAMS)
    arguments = parser.parse_args()
    chosen, wrong = list(layouts(arguments.processes))[::arguments.every], 0
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.programs:
            program = pathlib.Path(folder) / name
            source = next(FOLDER.glob(f"**/{name}.c"))
            subprocess.run([arguments.bin / "assay-mpicc", "-O1", "-o", program, source], check=True)
            alone = subprocess.run([arguments.bin / "portalsrun", "-np", str(arguments.processes), program], check=True,
                                   capture_output=True, text=True, timeout=DEADLINE).stdout
            different = [shape for shape in chosen if printed(arguments.bin / "impirun", program, shape) != alone]
            wrong += len(different)
            print(f"{name}: {len(chosen) - len(different)} of {len(chosen)} layouts print the {len(alone.splitlines())}"
                  f" lines of one job{''.join(f'; not {shape}' for shape in different)}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
