#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Asks the compiler which constants <portals.h> lacks and prints a line for make: MISSING := -DNO_name ...
# Needs CC and FLAGS in the environment. Most headers have them all, so all are tried at once first.

names='PTL_FAIL PTL_NOINIT PTL_SEGV PTL_NOSPACE PTL_INIT_DUP PTL_INIT_INV PTL_INV_PSIZE PTL_INV_ASIZE PTL_INV_NI PTL_INV_ME
PTL_INV_MD PTL_INV_EQ PTL_INV_HANDLE PTL_INV_PROC PTL_INV_PTINDEX PTL_PT_INV_INDEX PTL_AC_INV_INDEX PTL_INV_SR_INDX
PTL_INV_SR_INDEX PTL_INV_REG PTL_ILL_MD PTL_ML_TOOLONG PTL_NOUPDATE PTL_EQ_EMPTY PTL_EQ_DROPPED PTL_ADDR_UNKNOWN'

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# compiles TEXT: whether <portals.h> and then TEXT is a C program
compiles() {
    printf '#include <portals.h>\n%s\n' "$1" > "$folder/probe.c"
    $CC $FLAGS -w -c -o "$folder/probe.o" "$folder/probe.c" 2> "$folder/errors"
}

# use NAME: a use of the constant
use() {
    case $1 in
    PTL_MD_NONE) echo "ptl_handle_md_t probe_$1(void) { ptl_handle_md_t x = $1; return x; }" ;;
    *) echo "long long probe_$1 = (long long)$1;" ;;
    esac
}

if ! compiles ''; then
    echo "portals.h cannot be compiled; set PORTALS_CFLAGS (for example -I/opt/portals/include):" >&2
    cat "$folder/errors" >&2
    exit 1
fi

all=$(for name in $names PTL_MD_NONE; do use "$name"; done)
missing=
if ! compiles "$all"; then
    for name in $names PTL_MD_NONE; do
        compiles "$(use "$name")" || missing="$missing -DNO_$name"
    done
    echo "note: this portals.h has no$(echo "$missing" | sed 's/-DNO_//g')" >&2
fi
echo "MISSING :=$missing"
