# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Numerical libraries that Debian has, whose own test programs say whether their results are right.

Each is built in a copy of its source by a few lines of shell, to which MPICC, MPICXX and MPIF90 are the compilers.
"""

import os
import pathlib
import re
import shutil
import subprocess
import threading

# What a test program of SPOOLES finds to be wrong is printed as an error, which rounding alone may leave.
NO_ERROR = r"error[^\n=:]*[=:] *-?(0\.0000e\+00|\d\.\d+e-1\d)"
WRONG = r"error[^\n=:]*[=:].*[1-9]\.\d+e(\+|-0)|\bFAIL"
SPOOLES = """
make -s lib CC="$MPICC" CFLAGS='-w -O1'
cd MPI/src
rm -f IV_Bcast.c  # it does not declare what it uses, and nobody needs it
"$MPICC" -w -O1 -c *.c
ar rc ../spoolesMPI.a *.o
cd ../drivers
for name in Graph_Bcast IVL_Bcast IVL_allgather IVL_alltoall IV_allgather Gather MMM SplitInpMtx SplitDenseMtx \\
    ScatterInpMtx ScatterDenseMtx; do
    "$MPICC" -w -O1 -o "test$name" "test$name.c" ../spoolesMPI.a ../../spooles.a -lm
done
"""
# It asks for MPI 2.0, but uses nothing of it.
SUNDIALS = """
sed -i 's/MPI 2.0.0/MPI/' cmake/tpl/SundialsMPI.cmake
cmake -S . -B made -DENABLE_MPI=ON -DMPI_C_COMPILER="$MPICC" -DBUILD_SHARED_LIBS=OFF -DEXAMPLES_INSTALL=OFF \\
    -DBUILD_ARKODE=OFF -DBUILD_CVODES=OFF -DBUILD_IDA=OFF -DBUILD_IDAS=OFF -DBUILD_KINSOL=OFF
make -C made cvAdvDiff_non_p cvAdvDiff_diag_p cvDiurnal_kry_p cvDiurnal_kry_bbd_p test_nvector_mpi \\
    test_nvector_mpimanyvector_parallel1 test_nvector_mpimanyvector_parallel2 test_nvector_mpiplusx \\
    test_sunlinsol_spgmr_parallel
"""
AT_THE_END = r"^At top right: +c1, c2 = +\S+ +4\.163e\+11"
PASSED = r"^SUCCESS: (?!.*\bfail)"


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
        compilers = {name.upper(): str(self.bin / f"assay-{name}") for name in ("mpicc", "mpicxx", "mpif90")}
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


ALL = {library.name: library for library in (
    Library("spooles", "MPI/drivers", SPOOLES, (
        ("testIV_allgather", 4, "1 stdout 10000 10101", NO_ERROR),
        ("testIVL_allgather", 4, "1 stdout 1000 10101", NO_ERROR),
        ("testIVL_Bcast", 4, "1 stdout 1000 200 1 10101", NO_ERROR),
        ("testIVL_alltoall", 4, "1 stdout 10 10101", NO_ERROR),
        ("testGraph_Bcast", 4, "1 stdout 3 1000 5000 1 10101", NO_ERROR),
        ("testGather", 4, "1 stdout 2 200 40 40 1 1010101", NO_ERROR),
        ("testMMM", 4, "1 stdout 30 30 200 4 2 2 2 2 10101 0.5 2.0", NO_ERROR),
        ("testSplitInpMtx", 4, "1 stdout 20 100 10101 3 2", NO_ERROR),
        ("testSplitDenseMtx", 4, "1 stdout 2 100 4 4 1 10101", NO_ERROR),
        ("testScatterInpMtx", 4, "1 stdout 20 100 10101 3 2 1", NO_ERROR),
        ("testScatterDenseMtx", 4, "1 stdout 2 100 4 4 1 10101 1", NO_ERROR))),
    Library("sundials", "made/examples", SUNDIALS, (
        ("cvode/parallel/cvAdvDiff_non_p", 2, "", r"^At t = 5\.00  max.norm\(u\) =  3\.99\d+e-05"),
        ("cvode/parallel/cvAdvDiff_diag_p", 4, "", r"^At t = 5\.00  max.norm\(u\) =  [34]\.\d+e-05"),
        ("cvode/parallel/cvDiurnal_kry_p", 4, "", AT_THE_END),
        ("cvode/parallel/cvDiurnal_kry_bbd_p", 4, "", AT_THE_END),
        ("nvector/parallel/test_nvector_mpi", 4, "5000 4 0 0", PASSED),
        ("nvector/mpimanyvector/test_nvector_mpimanyvector_parallel1", 2, "1000 200 0", PASSED),
        ("nvector/mpimanyvector/test_nvector_mpimanyvector_parallel2", 2, "1000 200 200 0", PASSED),
        ("nvector/mpiplusx/test_nvector_mpiplusx", 4, "1000 0", PASSED),
        ("sunlinsol/spgmr/parallel/test_sunlinsol_spgmr_parallel", 4, "100 1 1 50 1e-3 0", PASSED))),
)}
