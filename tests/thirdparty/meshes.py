# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Libraries that Debian has for meshes whose parts move from process to process, and their tests."""

from library import Library

# The source is that of a repository: its version stands in files that releases have, and its configure script is made.
P4EST = """
echo 2.2 >.tarball-version
echo 2.2 >sc/.tarball-version
./bootstrap
./configure -q --enable-mpi --disable-shared CC="$MPICC" F77="$MPIF77" CFLAGS='-w -O1'
make -s -j2
make -s -j2 check TESTS=
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
    Library("p4est", ".", P4EST, tuple(
        (program, processes, "", CHECKED) for program, processes in (
            *((f"test/p{sides}est_test_{name}", 3) for sides in (4, 8) for name in BOTH),
            *((f"test/{name}", 4) for name in ONE),
            *((f"sc/test/sc_test_{name}", 5) for name in CORE)))),
)
