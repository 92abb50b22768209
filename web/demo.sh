#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
#
# Usage: demo.sh BUILD-FOLDER
# Certifies the bundled reference implementation through the service, as a vendor would certify an own one: each role of
# each profile of the table (`assay profiles --templates`), with its own server where it can bring one. Starts assayd,
# makes an API token, runs `assay certify` for each, says where everything is. Real processes, real HTTP. The last line
# is "conforms" when all do.
# Exit status: the worst of `assay certify`.
set -eu

build=${1:-build}
data=$build/demo/data
reports=$build/demo/report
log=$build/demo/assayd.log

mkdir -p "$build/demo"
rm -rf "$reports"
mkdir "$reports"

: >"$log" # what an earlier service said must not be taken for this one's word
"$build/bin/assayd" --listen 127.0.0.1:0 --data "$data" >"$log" 2>&1 &
service=$!
trap 'kill $service 2>/dev/null || true; wait $service 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM

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
release=$("$build/bin/assayd" --version | cut -d' ' -f2)
worst=0
outcome=conforms
echo "The service listens at $url; its data is in $data."

# certify WHAT NAME PROFILE [--server WORDS] -- TEMPLATE...: one certification and what came of it: counts, what was not
# passed, which pairs of implementations interoperate, places, verdict.
certify() {
    what=$1 report=$reports/$2 said=$build/demo/$2.log profile=$3 status=0
    shift 3
    printf '\n%s\n' "$what: certified under $profile, which takes up to six minutes"
    ASSAY_API_TOKEN=$token "$build/bin/assay" certify --url "$url" --profile "$profile" --implementation "Assay reference" \
        --release "$release" --report "$report" "$@" >"$said" 2>&1 || status=$?
    [ "$status" -le "$worst" ] || worst=$status
    if [ "$status" -gt 1 ]; then
        cat "$said"
        outcome=inconclusive
        return
    fi
    grep -E '^(fail|warn|inconclusive) ' "$said" | sed 's/^/  /' || true
    sed -n '/^ *server: /,/^[^ ]/{/^ /p}' "$said"
    echo "  cases       $(sed -n 's/^\([0-9]* pass, .*\)/\1/p' "$said")"
    echo "  report      $report/report.html"
    echo "  data        $report/report.json"
    echo "  junit       $report/junit.xml"
    echo "  captures    $report/cases/ ($(find "$report/cases" -name '*.pcapng' | wc -l) files)"
    if [ -f "$report/certificate.json" ]; then
        "$build/bin/assay" verify "$report/certificate.json" | sed 's/^/  certificate /'
    fi
    echo "  show it     make serve, then http://127.0.0.1:${PORT:-8080}/runs/$(sed -n 's/^run \([a-z0-9]*\) of .*/\1/p' "$said")"
    verdict=$(tail -n 1 "$said")
    echo "  verdict     $verdict"
    if [ "$verdict" != conforms ] && [ "$outcome" != "does not conform" ]; then
        outcome=$verdict
    fi
}

# A name for files, and the words that a template stands for: `assay profiles` has quoted them for a shell.
tab=$(printf '\t')
"$build/bin/assay" profiles --templates >"$build/demo/templates"
while IFS=$tab read -r profile role title server template <&3; do
    name=$profile
    [ "$role" = - ] || name=$profile-$role
    eval "set -- $template"
    if [ "$server" = - ]; then
        certify "$title" "$name" "$profile" -- "$@" </dev/null
    else
        certify "$title" "$name" "$profile" --server "$server" -- "$@" </dev/null
    fi
done 3<"$build/demo/templates"

echo
echo "$outcome"
exit "$worst"
