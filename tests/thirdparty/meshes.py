# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Libraries that Debian has for meshes and graphs whose parts move from process to process, and their tests."""

from library import OF_JOBS, Library

# The source is that of a repository: its version stands in files that releases have, and its configure script is made.
P4EST = """
echo 2.2 >.tarball-version
echo 2.2 >sc/.tarball-version
./bootstrap
./configure -q --enable-mpi --disable-shared CC="$MPICC" F77="$MPIF77" CFLAGS='-w -O1'
make -s -j2
make -s -j2 check TESTS=
"""
# For its parser it needs flex and bison. It wants several threads to call MPI only where it is told that they may.
SCOTCH = """
cd src
sed -e 's/^CC[PD]\\b.*/CCP = $(MPICC)\\nCCD = $(MPICC)/' -e 's/ -DSCOTCH_PTHREAD_MPI//' -e 's/-O3/-w -O1/' \\
    Make.inc/Makefile.inc.x86-64_pc_linux2 >Makefile.inc
make -s ptscotch
cd check
data=$PWD/data
bin=$(cd ../../bin && pwd)
for name in band check coarsen grow induce redist; do
    "$MPICC" -w -O1 -DSCOTCH_PTSCOTCH -DSCOTCH_RENAME -DIDXSIZE64 -I../../include "test_scotch_dgraph_$name.c" \\
        -L../../lib -lptscotch -lscotch -lptscotcherr -lz -lm -lrt -pthread -o "test_$name"
    printf '%s\\n' "set -e" "$PORTALSRUN -np 3 $PWD/test_$name $data/bump.grf" \\
        "$PORTALSRUN -np 3 $PWD/test_$name $data/bump_b100000.grf" >"dgraph_$name"
done
printf '%s\\n' "set -e" "$PORTALSRUN -np 3 $bin/dgscat -r1 -c $data/m16x16.grf part_%r.grf" \\
    "$PORTALSRUN -np 3 $bin/dggath -r1 -c part_%r.grf whole.grf" "cmp $data/m16x16.grf whole.grf" >scattered
printf '%s\\n' "set -e" "$PORTALSRUN -np 4 $bin/dgtst $data/small_%r.grf" \\
    "$PORTALSRUN -np 4 $bin/dgord $data/small_%r.grf order -vt" \\
    "$PORTALSRUN -np 4 $bin/dgpart 50 $data/small_%r.grf parts -vmt" \\
    "$PORTALSRUN -np 3 $bin/dgpart 9 $data/bump_b100000.grf parts -Cd -vmt" >parts
"""
# They look themselves at what they have done, and abort where it is wrong.
CHECKED = ""
BOTH = ("balance balance_seeds balance_type brick coarsen conn_complete conn_reduce conn_transformation connrefine "
        "ghost iterate join lnodes load loadsave nodes partition partition_corr plex quadrants replace search subcomm "
        "valid wrap").split()
ONE = ("p4est_test_comm p4est_test_complete_subtree p4est_test_hash p4est_test_order p6est_test_all "
       "p8est_test_edge_face_corners p8est_test_face_transform p8est_test_periodic").split()
CORE = "allgather arrays builtin keyvalue node_comm notify reduce search sort sortb".split()

ALL = (
    Library("scotch", "src/check", SCOTCH, (
        *((f"dgraph_{name}", OF_JOBS, "", CHECKED) for name in "band check coarsen grow induce redist".split()),
        ("scattered", OF_JOBS, "", CHECKED), ("parts", OF_JOBS, "", CHECKED))),
    Library("p4est", ".", P4EST, tuple(
        (program, processes, "", CHECKED) for program, processes in (
            *((f"test/p{sides}est_test_{name}", 3) for sides in (4, 8) for name in BOTH),
            *((f"test/{name}", 4) for name in ONE),
            *((f"sc/test/sc_test_{name}", 5) for name in CORE)))),
)
