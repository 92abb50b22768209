#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Installs the Debian packages that the build and the tests need and that this machine lacks, and says which.
# As root it installs directly, otherwise through sudo. `deps.sh --list` only prints what is missing.
set -eu

build="gcc make pkg-config libmicrohttpd-dev libjansson-dev libsqlite3-dev libpq-dev libsodium-dev libssl-dev liblua5.4-dev libcurl4-openssl-dev zlib1g-dev libzstd-dev
libpmix-dev libglib2.0-dev wireshark-dev python3"
tests="clang clang-format clang-tidy llvm libclang-rt-14-dev tshark wireshark-common openmpi-bin libopenmpi-dev mpich
libmpich-dev mpich-doc chromium chromium-driver python3-pytest python3-selenium python3-hypothesis python3-jsonschema
postgresql python3-psycopg2 nginx caddy gfortran mandoc man-db curl ca-certificates openssl git patch xxd util-linux procps
iproute2 valgrind libfaketime zstd"

missing=""
for package in $build $tests; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done

# axe-core judges the pages (tests/browser/test_states.py, which is skipped without it). Debian does not have it.
axe=build/npm
if [ "${1:-}" != --list ] && [ ! -d "$axe/node_modules/axe-core" ] && command -v npm >/dev/null 2>&1; then
    timeout 20 npm install --fetch-retries=0 --silent --no-audit --no-fund --prefix "$axe" axe-core@4 >/dev/null 2>&1 || echo "deps: no axe-core from npm"
fi

if [ -z "$missing" ]; then
    echo "deps: every Debian package is there"
    exit 0
fi
echo "deps: missing:$missing"
[ "${1:-}" = --list ] && exit 1

if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
else
    echo "deps: run this as root, or install sudo: the packages above must be installed" >&2
    exit 1
fi
echo "deps: installing them"
$as_root apt-get update -q
# shellcheck disable=SC2086  # the list is meant to be split
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
