# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Interfaces of other languages to MPI that Debian has, and their tests."""

from library import Library

# Of all that Boost has only what its tests of MPI include and link.
BOOST = """
mkdir made
for folder in libs/*/include libs/numeric/*/include; do
    cp -r "$folder/boost" .
done
for file in libs/mpi/src/*.cpp libs/serialization/src/*.cpp; do
    "$MPICXX" -w -O1 -I. -c "$file" -o "made/$(basename "$file" .cpp).o"
done
ar rc made/libboost.a made/*.o
for name in NAMES; do
    "$MPICXX" -w -O1 -I. "libs/mpi/test/$name.cpp" made/libboost.a -o "made/$name"
done
"""
NAMES = ("all_gather_test all_reduce_test all_to_all_test block_nonblock_test broadcast_stl_test broadcast_test "
         "cartesian_topology_test gather_test graph_topology_test groups_test is_mpi_op_test non_blocking_any_source "
         "nonblocking_test pointer_test reduce_test ring_test scan_test scatter_test sendrecv_test "
         "skeleton_content_test version_test wait_all_vector_test wait_any_test mt_init_test mt_level_test")
NO_ERRORS = r"No errors detected"

ALL = (
    Library("boost1.81", "made", BOOST.replace("NAMES", NAMES), tuple(
        (name, 4, "", NO_ERRORS) for name in NAMES.split())),
)
