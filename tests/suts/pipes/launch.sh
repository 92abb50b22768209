#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# launch.sh NP PROGRAM ARGS: starts a job of the library over pipes and returns before it has ended.

SIZE=$1
shift
SITE=$(mktemp -d) || exit 1
export SITE SIZE
rank=0
(
    while [ $rank -lt "$SIZE" ]; do
        RANK=$rank "$@" &
        rank=$((rank + 1))
    done
    wait
    rm -rf "$SITE"
) &
