#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Proves the cases: each mutant breaks one requirement in the reference and must be caught by a case that names it.

A mutant is a patch in tests/mutants/ with a head of three kinds of lines before the first `---`:

    mutant: threshold-never-falls
    breaks: P30-142
    why: one sentence that says what a user of such a library would suffer

For each mutant the reference is copied, patched, built and judged by every case that names the requirement. Caught
means: at least one of these cases fails and gives that requirement as the broken one. The same cases must pass with the
unchanged reference, or nothing is proven.

usage: run.py --build DIR [--jobs N] [--json FILE] [NAME...]
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ["Makefile", "ref-impl", "wire", "interpreter"]
TARGETS = ["portalsrun", "interp-portals", "sut-agent"]
RUN_SECONDS = 180


class Mutant:
    """One patch and what it says about itself."""

    def __init__(self, path: pathlib.Path):
        self.path = path
        self.fields = {}
        for line in path.read_text().splitlines():
            if line.startswith("--- "):
                break
            key, colon, value = line.partition(":")
            if colon:
                self.fields[key.strip()] = value.strip()
        missing = [key for key in ("mutant", "breaks", "why") if not self.fields.get(key)]
        if missing:
            sys.exit(f"{path}: the head lacks {', '.join(missing)}")
        self.name = self.fields["mutant"]
        self.requirement = self.fields["breaks"]
        if self.name != path.stem:
            sys.exit(f"{path}: the mutant calls itself {self.name}; the file must have the same name")


def command(arguments, cwd, what):
    """Runs a command that must succeed; its output only shows when it does not."""
    done = subprocess.run(arguments, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=RUN_SECONDS * 4, check=False)
    if done.returncode != 0:
        line = " ".join(map(str, arguments))
        raise RuntimeError(f"{what}: {line} ended with {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


def make_base(place: pathlib.Path):
    """A copy of the reference and the interpreter, built once; mutants start from its objects."""
    place.mkdir(parents=True)
    for name in FOLDERS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, place / name, symlinks=True)
        else:
            shutil.copy2(source, place / name)
    build(place)


def build(place: pathlib.Path):
    command(["make", "-s", *[f"build/bin/{target}" for target in TARGETS]], place, "build")


def judge(assay: pathlib.Path, place: pathlib.Path, case: str, report: pathlib.Path) -> dict:
    """Runs one case against the reference in `place` and returns its entry of the report."""
    binaries = place / "build" / "bin"
    arguments = [str(assay), "run", "--profile", "portals-3.0", "--case", case, "--seed", "1",
                 "--report", str(report), "--", str(binaries / "portalsrun"), "-np", "{np}", str(binaries / "interp-portals"), "{args}"]
    environment = dict(os.environ, ASSAY_AGENT=str(binaries / "sut-agent"))
    done = subprocess.run(arguments, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=RUN_SECONDS, check=False)
    path = report / "report.json"
    if not path.exists():
        raise RuntimeError(f"case {case} left no report (status {done.returncode})\n{done.stdout[-2000:]}")
    entries = [entry for entry in json.loads(path.read_text())["cases"] if entry["id"] == case]
    return entries[0] if entries else {"id": case, "verdict": "inconclusive", "requirement": "",
                                       "reason": done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""}


def try_mutant(mutant: Mutant, base: pathlib.Path, assay: pathlib.Path, cases: list) -> dict:
    """Patches, builds, judges. The result says which cases caught it and by which requirement each case failed."""
    with tempfile.TemporaryDirectory(prefix=f"mutant-{mutant.name}-", dir=base.parent) as folder:
        place = pathlib.Path(folder) / "tree"
        shutil.copytree(base, place, symlinks=True)
        command(["patch", "-p1", "-s", "--no-backup-if-mismatch", "-i", str(mutant.path)], place, "patch")
        build(place)
        verdicts = {}
        for case in cases:
            entry = judge(assay, place, case, pathlib.Path(folder) / f"report-{case}")
            verdicts[case] = entry
    caught = [case for case, entry in verdicts.items()
              if entry["verdict"] == "fail" and entry.get("requirement") == mutant.requirement]
    others = {case: f"{entry['verdict']} {entry.get('requirement', '')}: {entry.get('reason', '')}"
              for case, entry in verdicts.items() if case not in caught}
    return {"mutant": mutant.name, "breaks": mutant.requirement, "why": mutant.fields["why"], "caught_by": caught,
            "others": others}


def main() -> int:
    parser = argparse.ArgumentParser(description="prove the cases with mutants of the reference")
    parser.add_argument("--build", required=True, help="the build folder; build/bin/assay must exist in it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", help="write the result here as well")
    parser.add_argument("names", nargs="*", help="only these mutants")
    options = parser.parse_args()

    folder = pathlib.Path(options.build).resolve()
    assay = folder / "bin" / "assay"
    listed = json.loads(command([str(assay), "cases", "--profile", "portals-3.0", "--json"], ROOT, "cases"))
    by_requirement = {}
    for case in listed:
        for requirement in case["requirements"]:
            by_requirement.setdefault(requirement, []).append(case["id"])

    mutants = [Mutant(path) for path in sorted((ROOT / "tests" / "mutants").glob("*.patch"))]
    if options.names:
        unknown = set(options.names) - {mutant.name for mutant in mutants}
        if unknown:
            sys.exit(f"no mutant named {', '.join(sorted(unknown))} in tests/mutants")
        mutants = [mutant for mutant in mutants if mutant.name in options.names]
    if not mutants:
        sys.exit("tests/mutants holds no mutant")

    work = folder / "mutants"
    shutil.rmtree(work, ignore_errors=True)
    base = work / "base"
    make_base(base)

    wanted = sorted({case for mutant in mutants for case in by_requirement.get(mutant.requirement, [])})
    broken = []
    for case in wanted:
        entry = judge(assay, base, case, work / "unchanged" / case)
        if entry["verdict"] not in ("pass", "warn"):
            broken.append(f"{case}: {entry['verdict']} {entry.get('reason', '')}")
    if broken:
        print("the unchanged reference does not pass, so nothing is proven:\n  " + "\n  ".join(broken))
        return 1

    results = []
    with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
        futures = {pool.submit(try_mutant, mutant, base, assay, by_requirement.get(mutant.requirement, [])): mutant
                   for mutant in mutants}
        for future in concurrent.futures.as_completed(futures):
            mutant = futures[future]
            try:
                results.append(future.result())
            except (RuntimeError, subprocess.TimeoutExpired) as problem:
                results.append({"mutant": mutant.name, "breaks": mutant.requirement, "why": mutant.fields["why"],
                                "caught_by": [], "others": {}, "problem": str(problem)})

    results.sort(key=lambda result: result["mutant"])
    width = max(len(result["mutant"]) for result in results)
    print(f"{'mutant':<{width}}  breaks   caught by")
    for result in results:
        print(f"{result['mutant']:<{width}}  {result['breaks']}  {', '.join(result['caught_by']) or 'NOBODY'}")
        if not result["caught_by"]:
            if "problem" in result:
                print("    " + result["problem"].replace("\n", "\n    "))
            for case, what in result["others"].items():
                print(f"    {case}: {what}")
    survivors = [result["mutant"] for result in results if not result["caught_by"]]
    print(f"{len(results)} mutants, {len(results) - len(survivors)} caught, {len(survivors)} survived")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=2) + "\n")
    shutil.rmtree(base, ignore_errors=True)
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
