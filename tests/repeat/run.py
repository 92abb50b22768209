#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Runs the whole suite against the reference many times and compares: a case whose verdict changes is flaky, which is a
defect of the case or of the reference. Status 1 when a verdict differs from that of the first run, when the reference
does not conform, or when no run was short enough. With --network the jobs run over that network; with --faults its
cables have these faults, other ones in each run."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

import profile_table  # noqa: E402

RUN_SECONDS = 1800


def template_of(binaries: pathlib.Path, network: str) -> list:
    """How the reference is started, over a network where one is given."""
    words = list(profile_table.load()[0]["roles"][0]["reference"])
    if network:
        words[words.index("{np}") + 1:1 + words.index("{np}")] = ["--nal", network]
    return [binaries / word if (binaries / word).exists() else word for word in words]


def run_suite(given: argparse.Namespace, seed: int, report: pathlib.Path) -> dict:
    """The report of one run."""
    binaries = given.bin.resolve()
    command = [binaries / "assay", "run", "--seed", seed, "--jobs", given.jobs, "--report", report, "--",
               *template_of(binaries, given.network)]
    faults = {"ASSAY_INTERCEPT_FAULTS": f"{given.faults},seed={seed}"} if given.faults else {}
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=RUN_SECONDS, check=False, env={**os.environ, **faults})
    try:
        return json.loads((report / "report.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.exit(f"seed {seed}: no report (status {done.returncode}): {error}\n{done.stdout[-2000:]}")


def compare(first: dict, report: dict, seed: int) -> int:
    """Prints every case whose verdict differs from the first run's; how many."""
    before = {case["id"]: case["verdict"] for case in first["cases"]}
    changed = [case for case in report["cases"] if case["verdict"] != before.get(case["id"])]
    for case in changed:
        print(f"seed {seed}: {case['id']}: {case['verdict']} instead of {before.get(case['id'])}: {case['reason']}")
    return len(changed) + abs(len(report["cases"]) - len(before))


def main() -> int:
    """Runs, compares, tells."""
    parser = argparse.ArgumentParser(description="run the whole suite again and again, and compare the verdicts")
    parser.add_argument("--bin", required=True, type=pathlib.Path, help="the folder of the programs")
    parser.add_argument("--seconds", type=float, default=60, help="how long the quickest run may take")
    parser.add_argument("--network", default="", help="the network of the jobs, as portalsrun --nal takes it")
    parser.add_argument("--faults", default="", help="of the cables of the network intercept, without a seed")
    parser.add_argument("--jobs", default=1, type=int, help="cases that are judged at once")
    parser.add_argument("repeats", type=int, help="how often")
    given = parser.parse_args()
    first, different, durations = None, 0, []
    for seed in range(1, given.repeats + 1):
        with tempfile.TemporaryDirectory() as folder:
            report = run_suite(given, seed, pathlib.Path(folder))
        first = first or report
        different += compare(first, report, seed)
        durations.append(report["duration_ms"] / 1000)
        print(f"seed {seed}: {report['verdict']}, {report['summary']}, {durations[-1]:.1f} s", flush=True)
    print(f"{given.repeats} runs of {len(first['cases'])} cases, {different} verdicts that differ, "
          f"{min(durations):.1f} to {max(durations):.1f} s")
    good = first["verdict"] == "conforms" and not different and min(durations) < given.seconds
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
