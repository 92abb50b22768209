#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# assay-mpicc: compiles and links programs with Assay's MPI. All arguments go to the C compiler; see assay-mpicc(1).
set -eu

# Ends, after what was printed.
lost() {
    echo "assay-mpicc: standard output cannot be written, and some of it is lost" >&2
    exit 2
}

case "${1:-}" in
--help)
    cat 2>/dev/null <<'TEXT' || lost
usage: assay-mpicc [-show] [ARGUMENT...]

Calls the C compiler with the arguments, and adds what programs need to find mpi.h and to be linked with the MPI library.

  -show       print the command instead of running it
  --help      print this text
  --version   print the version

Environment: ASSAY_MPICC_CC names another compiler than cc.
Exit status: that of the compiler; 2 when mpi.h or the libraries are missing.
TEXT
    exit 0
    ;;
--version)
    echo "assay-mpicc @VERSION@" 2>/dev/null || lost
    exit 0
    ;;
esac

# Where it is installed, header and libraries are beside its folder; in a build tree they are where they were made.
here=$(dirname "$(readlink -f "$0")")
if [ -f "$here/../include/assay-mpi/mpi.h" ]; then
    include=$(readlink -f "$here/../include/assay-mpi")
    lib=$(readlink -f "$here/../lib")
    flags=""
else
    include="@TREE_INCLUDE@"
    lib="@TREE_LIB@"
    flags="@TREE_FLAGS@"
fi
for file in "$include/mpi.h" "$lib/libassay-mpi.a" "$lib/libportals.a"; do
    if [ ! -f "$file" ]; then
        echo "assay-mpicc: $file is missing; install again, or build it with make" >&2
        exit 2
    fi
done

# Libraries are only for calls that link: those with something to link, that do not stop before.
show=no
links=no
language=
for argument do
    shift
    case "$argument" in
    -show)
        show=yes
        continue
        ;;
    -c | -S | -E | -M | -MM | -fsyntax-only)
        links=never
        ;;
    -x*)
        # What follows is in this language, but for the libraries.
        language="-x none"
        ;;
    -?*) ;;
    *)
        [ "$links" = never ] || links=yes
        ;;
    esac
    set -- "$@" "$argument"
done

set -- "${ASSAY_MPICC_CC:-cc}" ${flags:+"$flags"} -I"$include" "$@"
if [ "$links" = yes ] || { [ "$show" = yes ] && [ "$links" != never ]; }; then
    # shellcheck disable=SC2086  # two words, or none
    set -- "$@" $language "$lib/libassay-mpi.a" "$lib/libportals.a" -lpthread -ldl
fi
if [ "$show" = yes ]; then
    echo "$@" 2>/dev/null || lost
    exit 0
fi
exec "$@"
