#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# assay-mpicc: compiles and links programs with Assay's MPI. All arguments go to the C compiler; see assay-mpicc(1).
set -eu

case "${1:-}" in
--help | -help)
    cat <<'TEXT'
usage: assay-mpicc [-show] [ARGUMENT...]

Calls the C compiler with the arguments, and adds what programs need to find mpi.h and to be linked with the MPI library.

  -show       print the command instead of running it
  --help      print this text
  --version   print the version of the compiler

ASSAY_MPICC_CC names another compiler than cc.
TEXT
    exit 0
    ;;
esac

# Where it is installed, headers and libraries are beside its folder; in a build tree they are where they were made.
here=$(dirname "$(readlink -f "$0")")
if [ -f "$here/../include/mpi.h" ]; then
    include=$(readlink -f "$here/../include")
    lib=$(readlink -f "$here/../lib")
    flags=""
else
    include="@TREE_INCLUDE@"
    lib="@TREE_LIB@"
    flags="@TREE_FLAGS@"
fi
if [ ! -f "$include/mpi.h" ] || [ ! -f "$lib/libassay-mpi.a" ]; then
    echo "assay-mpicc: there is no mpi.h in $include, or no libassay-mpi.a in $lib; install again" >&2
    exit 2
fi

# Libraries are only for calls that link: those with something to link, that do not stop before.
show=no
links=no
for argument do
    shift
    case "$argument" in
    -show | --show | -showme)
        show=yes
        continue
        ;;
    -c | -S | -E | -M | -MM | -fsyntax-only)
        links=never
        ;;
    -*) ;;
    *)
        [ "$links" = never ] || links=yes
        ;;
    esac
    set -- "$@" "$argument"
done

set -- "${ASSAY_MPICC_CC:-cc}" ${flags:+"$flags"} -I"$include" "$@"
if [ "$links" = yes ] || { [ "$show" = yes ] && [ "$links" != never ]; }; then
    set -- "$@" "$lib/libassay-mpi.a" "$lib/libportals.a" -lpthread -ldl
fi
if [ "$show" = yes ]; then
    echo "$@"
    exit 0
fi
exec "$@"
