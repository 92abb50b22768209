#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# @NAME@: compiles and links programs with Assay's MPI. All arguments go to the compiler; see assay-mpicc(1).
set -eu

# Ends, after what was printed.
lost() {
    echo "@NAME@: standard output cannot be written, and some of it is lost" >&2
    exit 2
}

case "${1:-}" in
--help)
    cat 2>/dev/null <<'TEXT' || lost
usage: @NAME@ [-show] [ARGUMENT...]

Calls the @LANGUAGE@ compiler with the arguments, and adds what programs need to find @HEADER@ and to be linked with the MPI
library.

  -show       print the command instead of running it
  --help      print this text
  --version   print the version

Environment: @VARIABLE@ names another compiler than @COMPILER@.
Exit status: that of the compiler; 2 when @HEADER@ or the libraries are missing.
TEXT
    exit 0
    ;;
--version)
    echo "@NAME@ @VERSION@" 2>/dev/null || lost
    exit 0
    ;;
esac

# Where it is installed, header and libraries are beside its folder; in a build tree they are where they were made.
here=$(dirname "$(readlink -f "$0")")
if [ -f "$here/../include/assay-mpi/@HEADER@" ]; then
    include=$(readlink -f "$here/../include/assay-mpi")
    lib=$(readlink -f "$here/../lib")
    flags=""
else
    include="@TREE_INCLUDE@"
    lib="@TREE_LIB@"
    flags="@TREE_FLAGS@"
fi
for file in "$include/@HEADER@" @LIBRARIES@; do
    if [ ! -f "$file" ]; then
        echo "@NAME@: $file is missing; install again, or build it with make" >&2
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

set -- "${@VARIABLE@:-@COMPILER@}" ${flags:+"$flags"} @COMPILER_FLAGS@ -I"$include" "$@"
if [ "$links" = yes ] || { [ "$show" = yes ] && [ "$links" != never ]; }; then
    # shellcheck disable=SC2086  # two words, or none
    set -- "$@" $language @LIBRARIES@ -lpthread -ldl
fi
if [ "$show" = yes ]; then
    echo "$@" 2>/dev/null || lost
    exit 0
fi
exec "$@"
