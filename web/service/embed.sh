#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Usage: embed.sh FILE... >assets.S
# Writes an assembler file that includes the files and makes the table `asset_table` of web/service/asset.h.
set -eu

echo '    .section .rodata'
i=0
for file in "$@"; do
    printf 'name%d: .asciz "%s"\n    .balign 16\nbegin%d: .incbin "%s"\nend%d: .byte 0\n' \
        "$i" "$(basename "$file")" "$i" "$file" "$i"
    i=$((i + 1))
done
echo '    .section .data.rel.ro, "aw"'
echo '    .balign 8'
echo '    .globl asset_table'
echo '    .hidden asset_table'
echo 'asset_table:'
j=0
while [ "$j" -lt "$i" ]; do
    echo "    .quad name$j, begin$j, end$j - begin$j"
    j=$((j + 1))
done
echo '    .quad 0, 0, 0'
echo '    .section .note.GNU-stack, "", %progbits'
