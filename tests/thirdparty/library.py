# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A library of others, whose own test programs say whether their results are right.

It is built in a copy of its source by a few lines of shell, to which MPICC, MPICXX and MPIF90 are the compilers, and
PORTALSRUN is the launcher.
"""

import os
import pathlib
import re
import shutil
import subprocess
import threading

# What a test program of SPOOLES finds to be wrong is printed as an error, which rounding alone may leave. PETSc repeats
# at its end which tests were not ok, and has said so before.
WRONG = r"error[^\n=:]*[=:].*[1-9]\.\d+e(\+|-0)|(?<!# )\bFAIL"

# In place of a number of processes: the program is lines of shell, which start its jobs.
OF_JOBS = 0


class Library:
    """One library: its recipe, and what its programs are run with."""

    def __init__(self, name, folder, recipe, runs):
        self.name, self.folder, self.recipe, self.runs = name, folder, recipe, runs
        self.source = self.work = self.built = None
        self.bin, self.lock = pathlib.Path(), threading.Lock()

    def __call__(self, source, work, bin_dir):
        self.source, self.work, self.bin = source, work / self.name, pathlib.Path(bin_dir)
        return self

    def set_up(self):
        """Nothing: what nobody asks for is not built."""

    def listed(self):
        """The runs: `name/program`, processes, arguments."""
        for program, processes, arguments, _ in self.runs:
            yield f"{self.name}/{program}", str(processes), arguments.split()

    def build(self):
        """Builds it from a new copy; False, with what was said in a file beside it, when that fails."""
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.source, self.work, symlinks=True)
        compilers = {name.upper(): str(self.bin / f"assay-{name}") for name in ("mpicc", "mpicxx", "mpif77", "mpif90")}
        compilers["PORTALSRUN"] = str(self.bin / "portalsrun")
        with open(self.work.with_suffix(".log"), "w", encoding="utf-8") as log:
            return subprocess.run(["sh", "-ec", self.recipe], cwd=self.work, env={**os.environ, **compilers},
                                  stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False).returncode == 0

    def compile(self, name):
        """(program, "") or (None, ""): the library is built once."""
        with self.lock:
            if self.built is None:
                self.built = self.build()
        return (self.work / self.folder / name.split("/", 1)[1] if self.built else None), ""

    def is_good(self, name, status, said):
        """What the program says of itself, in each of its lines about that."""
        wanted = next(row[3] for row in self.runs if f"{self.name}/{row[0]}" == name)
        return status == 0 and bool(re.search(wanted, said, re.M)) and not re.search(WRONG, said)
