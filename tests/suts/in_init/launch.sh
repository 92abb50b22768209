#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# launch.sh BIN CLIENT SERVER NP HOSTS ARGS: a client whose processes know nothing of IMPI before MPI_Init. BIN is where
# interp-in-init, in-init-place and the reference's impirun are; ARGS are those of the interpreter.

bin=$1 client=$2 server=$3 np=$4 hosts=$5
shift 5

SITE=$(mktemp -d) || exit 1
trap 'rm -rf "$SITE"' EXIT
trap 'kill $(jobs -p) 2> /dev/null' TERM
IN_INIT_CLIENT="exec $bin/impirun -client $client $server -np $np -hosts $hosts $bin/in-init-place"
export SITE IN_INIT_CLIENT

processes=
rank=0
while [ $rank -lt "$np" ]; do
    RANK=$rank "$bin/interp-in-init" "$@" &
    processes="$processes $!"
    rank=$((rank + 1))
done
status=0
for process in $processes; do
    if ! wait "$process"; then
        status=1
        kill $processes 2> /dev/null
    fi
done
exit $status
