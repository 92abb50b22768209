#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# probe.sh portals|mpi: asks the compiler which constants <portals.h> or <mpi.h> lacks and prints a line for make:
# MISSING_portals := -DNO_name ... Needs CC and FLAGS in the environment. Most headers have them all, so all are tried at once first.
# Names of later texts are asked for the other way round: -DHAS_name, and nothing is said of a header without them.

library=$1
case $library in
portals)
    names='PTL_FAIL PTL_NOINIT PTL_SEGV PTL_NOSPACE PTL_INIT_DUP PTL_INIT_INV PTL_INV_PSIZE PTL_INV_ASIZE PTL_INV_NI PTL_INV_ME
    PTL_INV_MD PTL_INV_EQ PTL_INV_HANDLE PTL_INV_PROC PTL_INV_PTINDEX PTL_PT_INV_INDEX PTL_AC_INV_INDEX PTL_INV_SR_INDX
    PTL_INV_SR_INDEX PTL_INV_REG PTL_ILL_MD PTL_ML_TOOLONG PTL_NOUPDATE PTL_EQ_EMPTY PTL_EQ_DROPPED PTL_ADDR_UNKNOWN PTL_MD_NONE'
    later='PTL_INUSE PTL_MD_INUSE'
    help='set PORTALS_CFLAGS (for example -I/opt/portals/include)' ;;
mpi)
    names='MPI_SIGNED_CHAR MPI_LONG_LONG_INT MPI_LONG_LONG MPI_UNSIGNED_LONG_LONG MPI_UB MPI_LB MPI_TAG_UB MPI_HOST MPI_IO
    MPI_WTIME_IS_GLOBAL IMPI_CLIENT_SIZE IMPI_CLIENT_COLOR IMPI_HOST_SIZE IMPI_HOST_COLOR'
    later=
    help='set MPICC to your compiler for MPI programs (for example /opt/mpi/bin/mpicc), or MPI_CFLAGS' ;;
esac

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# compiles TEXT: whether the header and then TEXT is a C program
compiles() {
    printf '#include <%s.h>\n%s\n' "$library" "$1" > "$folder/probe.c"
    $CC $FLAGS -w -c -o "$folder/probe.o" "$folder/probe.c" 2> "$folder/errors"
}

# use NAME: a use of the constant
use() {
    case $1 in
    PTL_MD_NONE) echo "ptl_handle_md_t probe_$1(void) { ptl_handle_md_t x = $1; return x; }" ;;
    PTL_*) echo "long long probe_$1 = (long long)$1;" ;;
    MPI_TAG_UB | MPI_HOST | MPI_IO | MPI_WTIME_IS_GLOBAL | IMPI_*) echo "int probe_$1(void) { int x = $1; return x; }" ;;
    *) echo "MPI_Datatype probe_$1(void) { MPI_Datatype x = $1; return x; }" ;;
    esac
}

if ! compiles ''; then
    echo "$library.h cannot be compiled; $help:" >&2
    cat "$folder/errors" >&2
    exit 1
fi

all=$(for name in $names; do use "$name"; done)
missing=
if ! compiles "$all"; then
    for name in $names; do
        compiles "$(use "$name")" || missing="$missing -DNO_$name"
    done
    echo "note: this $library.h has no$(echo "$missing" | sed 's/-DNO_//g')" >&2
fi
present=
for name in $later; do
    compiles "$(use "$name")" && present="$present -DHAS_$name"
done
echo "MISSING_$library :=$missing$present"
