#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Usage: demo.sh BUILD-FOLDER
# Certifies the bundled reference implementation of Portals 3.0 through the service, as a vendor would certify an own one:
# starts assayd, makes an API token, runs `assay certify` against it, says where everything is. Real processes, real HTTP.
# Exit status: that of `assay certify`.
set -eu

build=${1:-build}
data=$build/demo/data
report=$build/demo/report
log=$build/demo/assayd.log

mkdir -p "$build/demo"
rm -rf "$report"

"$build/bin/assayd" --listen 127.0.0.1:0 --data "$data" >"$log" 2>&1 &
service=$!
trap 'kill $service 2>/dev/null || true; wait $service 2>/dev/null || true' EXIT INT TERM

# The service says its address as soon as it accepts connections; when it cannot start it ends, and its log says why.
url=
tries=0
while [ -z "$url" ]; do
    kill -0 $service 2>/dev/null || { cat "$log" >&2; exit 2; }
    url=$(sed -n 's/^assayd .* listens at //p' "$log")
    tries=$((tries + 1))
    [ $tries -le 200 ] || { echo "demo: assayd did not start within 10 seconds" >&2; exit 2; }
    [ -n "$url" ] || sleep 0.05
done

token=$("$build/bin/assayd" --data "$data" --issue-token demo)
echo "The service listens at $url; its data is in $data."

status=0
ASSAY_API_TOKEN=$token "$build/bin/assay" certify --url "$url" --profile portals-3.0 \
    --implementation "Assay reference" --release "$("$build/bin/assayd" --version | cut -d' ' -f2)" --report "$report" -- \
    "$build/bin/portalsrun" -np '{np}' "$build/bin/interp-portals" '{args}' >"$build/demo/certify.log" || status=$?

# What the command printed, from the counts on: cases by verdict, places, and the verdict as last line.
if [ "$status" -eq 2 ]; then
    cat "$build/demo/certify.log"
    exit 2
fi
run=$(sed -n 's/^run \([a-z0-9]*\) of .*/\1/p' "$build/demo/certify.log")
grep -v -E '^(pass|skip) ' "$build/demo/certify.log" | grep -E '^(fail|warn|inconclusive) ' || true
grep -E '^[0-9]+ pass, ' "$build/demo/certify.log"
echo "report      $report/report.json"
echo "junit       $report/junit.xml"
echo "captures    $report/cases/ ($(find "$report/cases" -name '*.pcapng' | wc -l) files)"
[ -f "$report/certificate.json" ] && "$build/bin/assay" verify "$report/certificate.json" | sed 's/^/certificate /'
echo "show it     make serve, then http://127.0.0.1:${PORT:-8080}/runs/$run"
tail -n 1 "$build/demo/certify.log"
exit "$status"
