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
# It is linked with what it has in place of ScaLAPACK, which ends the program where it is called; ICNTL(13) lets one
# process have the last part of a matrix, so that nobody calls it. What it solves are matrices of a grid, whose
# right-hand sides are the sums of their rows: each unknown is 1.
MUMPS = r"""
awk '/SUBROUTINE blacs_gridinit/ { on = 1 } on' libseq/mpi.f >stubs.f
"$MPIF90" -w -c stubs.f
sed -e "s|^CC *=.*|CC = $MPICC|" -e "s|^F[CL] *=.*|FC = $MPIF90\nFL = $MPIF90|" -e 's|^OPTC *=.*|OPTC = -w -O1 -I.|' \
    -e 's|^OPTF *=.*|OPTF = -w -O1 -fallow-argument-mismatch|' -e "s|^SCALAP *=.*|SCALAP = $PWD/stubs.o|" \
    -e 's|^INCPAR *=.*|INCPAR =|' -e 's|^LIBPAR *=.*|LIBPAR = $(SCALAP) $(LAPACK)|' \
    Make.inc/Makefile.inc.generic >Makefile.inc
make -s -j2 d
cd examples
cat >grid.awk <<'END'
BEGIN { for (i = 0; i < g; i++) for (j = 0; j < g; j++) { r = i * g + j + 1; put(r, r, 5)
    if (i) put(r, r - g, sym ? -1 : -1.5); if (i < g - 1) put(r, r + g, -1)
    if (j) put(r, r - 1, sym ? -1 : -1.25); if (j < g - 1) put(r, r + 1, sym ? -1 : -0.75) }
    print g * g; print m; for (k = 1; k <= m; k++) print e[k]; for (r = 1; r <= g * g; r++) print b[r] }
function put(r, c, v) { if (!sym || c <= r) e[++m] = r " " c " " v; b[r] += v }
END
cat >ones.awk <<'END'
sub(/^ +Solution is/, "") { for (i = 1; i <= NF; i++) ones += $i > 1 - 1e-9 && $i < 1 + 1e-9 }
END { print ones + 0, "ones" }
END
for sym in 0 1 2; do
    sed -e "s/%SYM = 0/%SYM = $sym/" -e 's/^      mumps_par%JOB = 6/      mumps_par%ICNTL(13) = 1\n&/' \
        dsimpletest.F >"solve$sym.F"
    "$MPIF90" -w -fallow-argument-mismatch -I../include -o "solve$sym" "solve$sym.F" -L../lib -ldmumps -lmumps_common \
        -L../PORD/lib -lpord ../stubs.o -llapack -lblas
    for size in 1 3 4 8; do
        printf '%s\n' "awk -v g=80 -v sym=$sym -f $PWD/grid.awk | $PORTALSRUN -np $size $PWD/solve$sym >said" \
            "awk -f $PWD/ones.awk said" >"grid${sym}_$size"
    done
done
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
    Library("mumps", "examples", MUMPS, tuple(
        (f"grid{symmetry}_{processes}", OF_JOBS, "", r"\A6400 ones$") for symmetry in (0, 1, 2)
        for processes in (1, 3, 4, 8))),
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
