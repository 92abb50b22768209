# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Numerical libraries that Debian has: what is solved, transformed and multiplied, and their tests."""

from library import OF_JOBS, Library

# What a test program of SPOOLES finds to be wrong is printed as an error, which rounding alone may leave.
NO_ERROR = r"error[^\n=:]*[=:] *-?(0\.0000e\+00|\d\.\d+e-1\d)"
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
# Its own harness compares what each test prints; what it says of a test that differs begins with "not ok".
PETSC = """
export PETSC_DIR="$PWD" PETSC_ARCH=made
./configure --with-cc="$MPICC" --with-cxx=0 --with-fc=0 --with-x=0 --with-debugging=0 --with-shared-libraries=0 \\
    --with-mpiexec="$PORTALSRUN" COPTFLAGS='-w -O1'
make -j2 libs
for search in 'vec_is_sf_t*' 'vec_vec_tutorials*' 'ksp_ksp_tutorials-ex2_*' 'snes_tutorials-ex19_*'; do
    printf "make -C %s -f gmakefile.test test PETSC_DIR=%s PETSC_ARCH=made TIMEOUT=300 search='%s'\\n" \\
        "$PWD" "$PWD" "$search"
done >made/compared
"""
FFTW = """
./configure -q --enable-mpi --disable-fortran --disable-doc MPICC="$MPICC" CFLAGS='-w -O1'
make -s -j2
"""
HYPRE = """
cd src
./configure -q --with-MPI --disable-fortran CC="$MPICC" CXX="$MPICXX" CFLAGS='-w -O1'
make -s -j2
make -s -C test ij struct
"""
AT_THE_END = r"^At top right: +c1, c2 = +\S+ +4\.163e\+11"
COMPARED = r"\A(?s:(?!.*^not ok (?!diff-vec_vec_tutorials-ex3_1\b)).*)^ ok diff-"  # that one wants a window system
PASSED = r"^SUCCESS: (?!.*\bfail)"

# The benchmark compares with transforms of its own, and ends with another status where they differ.
VERIFIED = ""
SOLVED = r"^Final (GMRES )?Relative Residual Norm = \d\.\d+e-(0[7-9]|1\d)"

ALL = (
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
    Library("petsc", "made", PETSC, (("compared", OF_JOBS, "", COMPARED),)),
    Library("fftw3", "mpi", FFTW, tuple(
        ("mpi-bench", processes, f"--verify {problem}", VERIFIED) for processes in (3, 4)
        for problem in ("64x64", "ob30x21", "16x12x10", "irf40x36", "ok8e01x9o11x12", "32x17v3"))),
    Library("hypre", "src/test", HYPRE, (
        ("ij", 4, "-n 12 12 12 -P 2 2 1 -solver 1", SOLVED),
        ("ij", 4, "-n 14 9 11 -P 1 4 1 -solver 3", SOLVED),
        ("ij", 3, "-27pt -n 9 9 9 -P 3 1 1 -solver 0", SOLVED),
        ("struct", 4, "-n 10 10 10 -P 2 2 1 -solver 10", SOLVED),
        ("struct", 8, "-n 6 7 8 -P 2 2 2 -solver 0", SOLVED))),
)
