#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Usage: serve.sh BUILD-FOLDER
# Starts the service on the data of `make demo` (empty if that was never run) and prints a sign-in link. PORT=N chooses the
# port, HOST=ADDR the address.
set -eu

build=${1:-build}
mkdir -p "$build/demo"
exec "$build/bin/assayd" --listen "${HOST:-127.0.0.1}:${PORT:-8080}" --data "$build/demo/data" --sign-in-link
