#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Proves the cases: each mutant breaks one requirement in the reference and must be caught by a case that names it.

A mutant is a patch in tests/mutants/ with a head of three kinds of lines before the first `---`:

    mutant: threshold-never-falls
    breaks: P30-142
    why: one sentence that says what a user of such a library would suffer

For each mutant the reference is copied, patched, built and judged by every case that names the requirement. Caught
means: at least one of these cases fails and gives that requirement as the broken one, or warns of it: a demand that is
no more than a recommendation, or that has other known readings, cannot be broken otherwise. The unchanged reference
must pass the whole suite, or nothing is proven.

Who catches whom is kept in tests/mutants/proofs.json, which `assay cases` shows and the lint `proofs` holds to the
patches. A run brings it up to date; with --check a run only says where it is out of date.
"""

import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MUTANTS = ROOT / "tests" / "mutants"
PROOFS = MUTANTS / "proofs.json"
FOLDERS = ["Makefile", "ref-impl", "wire", "interpreter"]
RUN_SECONDS = 300
SUITE_SECONDS = 1200
OF_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")


@dataclasses.dataclass(frozen=True, eq=False)
class Profile:
    """How the reference is judged by a specification: what is built, and the template for each role of a system under
    test ("" where there is but one)."""

    name: str
    programs: tuple
    templates: dict


PROFILES = {
    "P30": Profile("portals-3.0", ("portalsrun", "interp-portals", "sut-agent"),
                   {"": ("portalsrun", "-np", "{np}", "interp-portals", "{args}")}),
    "IMPI": Profile("impi-0.0", ("impirun", "interp-mpi", "sut-agent"),
                    {"server": ("impirun", "-server", "{clients}", "{options}"),
                     "client": ("impirun", "-client", "{client}", "{server}", "-np", "{np}", "-hosts", "{hosts}",
                                "interp-mpi", "{args}")}),
}


class Problem(Exception):
    """Something that keeps a mutant, or everything, from being judged."""


class Mutant:
    """One patch and what it says about itself."""

    def __init__(self, path: pathlib.Path):
        self.path = path
        self.fields = {}
        octets = path.read_bytes()
        for line in octets.decode().splitlines():
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
        self.profile = PROFILES.get(self.requirement.rsplit("-", 1)[0])
        if not self.profile:
            sys.exit(f"{path}: no profile is known that demands {self.requirement}")
        self.digest = hashlib.sha256(octets).hexdigest()
        if self.name != path.stem:
            sys.exit(f"{path}: the mutant calls itself {self.name}; the file must have the same name")


def command(arguments, cwd, what):
    """Runs a command that must succeed; its output only shows when it does not."""
    environment = {name: value for name, value in os.environ.items() if name not in OF_MAKE}
    done = subprocess.run([str(word) for word in arguments], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=environment, text=True, timeout=RUN_SECONDS * 2, check=False)
    if done.returncode != 0:
        raise Problem(f"{what}: {' '.join(map(str, arguments))} ended with {done.returncode}\n{done.stdout[-3000:]}")
    return done.stdout


def build(place: pathlib.Path, jobs: int, programs):
    """Brings the programs of the tree at `place` up to date. What a make around us was told is not for this one."""
    command(["make", "-s", f"-j{jobs}", "B=build", "VARIANT=release", "V=0",
             *[f"build/bin/{name}" for name in sorted(programs)]], place, "build")


def sources(top: pathlib.Path) -> dict:
    """Every file that the build of the reference needs, by its path below `top`."""
    found = {}
    for name in FOLDERS:
        inside = [top / name] if (top / name).is_file() else (top / name).rglob("*")
        found.update({path.relative_to(top): path for path in inside if path.is_file()})
    return found


def refresh_base(place: pathlib.Path, jobs: int, programs):
    """A copy of the reference and the interpreter, built; mutants start from its objects. What has not changed since
    the last run is not built again."""
    wanted, present = sources(ROOT), sources(place)
    for name in present.keys() - wanted.keys():
        present[name].unlink()
    for name, path in wanted.items():
        octets = path.read_bytes()
        if name not in present or present[name].read_bytes() != octets:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(octets)
            shutil.copymode(path, place / name)
    build(place, jobs, programs)


def keep_cases(work: pathlib.Path):
    """Takes the cases as they are now, so that all mutants meet the same."""
    shutil.rmtree(work / "cases", ignore_errors=True)
    shutil.copytree(ROOT / "tester" / "cases", work / "cases")
    os.environ["ASSAY_CASES"] = str(work / "cases")


def judge(assay: pathlib.Path, place: pathlib.Path, report: pathlib.Path, profile: Profile, role: str,
          case: str = "") -> dict:
    """Runs one case, or all of the role, against the reference in `place`; the report's entries by the cases' names."""
    binaries = place / "build" / "bin"
    template = [binaries / word if word in profile.programs else word for word in profile.templates[role]]
    arguments = [assay, "run", "--profile", profile.name, *(["--case", case] if case else []), "--seed", "1",
                 "--report", report, "--", *template]
    done = subprocess.run([str(word) for word in arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, ASSAY_AGENT=str(binaries / "sut-agent")), text=True,
                          timeout=RUN_SECONDS if case else SUITE_SECONDS, check=False)
    try:
        entries = json.loads((report / "report.json").read_text())["cases"]
    except (OSError, ValueError, KeyError) as error:
        raise Problem(f"no report of {case or 'the suite'} (status {done.returncode})\n"
                      f"{done.stdout[-2000:]}") from error
    if case and not entries:
        last = done.stdout.strip().splitlines()
        return {case: {"verdict": "inconclusive", "requirement": "", "reason": last[-1] if last else ""}}
    return {entry["id"]: entry for entry in entries}


def try_mutant(mutant: Mutant, base: pathlib.Path, assay: pathlib.Path, cases: dict) -> dict:
    """Patches, builds, judges by the cases, each with its role. The result says which caught it, and what the others
    said."""
    verdicts, problem = {}, ""
    with tempfile.TemporaryDirectory(prefix=f"{mutant.name}-", dir=base.parent) as folder:
        place = pathlib.Path(folder) / "tree"
        shutil.copytree(base, place, symlinks=True)
        try:
            command(["patch", "-p1", "-s", "--no-backup-if-mismatch", "-i", mutant.path], place, "patch")
            build(place, 1, mutant.profile.programs)
            for case, role in cases.items():
                verdicts.update(judge(assay, place, pathlib.Path(folder) / "reports" / case, mutant.profile, role,
                                      case))
        except (Problem, subprocess.TimeoutExpired) as error:
            problem = str(error)
    caught = [case for case in cases if verdicts.get(case, {}).get("verdict") in ("fail", "warn")
              and verdicts[case].get("requirement") == mutant.requirement]
    return {"mutant": mutant, "caught_by": sorted(caught), "problem": problem,
            "others": {case: verdicts[case] for case in verdicts if case not in caught}}


def show(results: list) -> int:
    """Prints the table; returns how many survived."""
    width = max(len(result["mutant"].name) for result in results)
    print(f"{'mutant':<{width}}  breaks   caught by")
    for result in results:
        mutant = result["mutant"]
        print(f"{mutant.name:<{width}}  {mutant.requirement}  {', '.join(result['caught_by']) or 'NOBODY'}")
        if not result["caught_by"]:
            if result["problem"]:
                print("    " + result["problem"].replace("\n", "\n    "))
            for case, entry in result["others"].items():
                print(f"    {case}: {entry['verdict']} {entry.get('requirement', '')}: {entry.get('reason', '')}")
    survivors = sum(not result["caught_by"] for result in results)
    print(f"{len(results)} mutants, {len(results) - survivors} caught, {survivors} survived")
    return survivors


def proofs_text(results: list, complete: bool) -> str:
    """proofs.json as these results make it; what an incomplete run did not try stays."""
    proofs = {}
    if not complete and PROOFS.exists():
        proofs = json.loads(PROOFS.read_text())
    for result in results:
        mutant = result["mutant"]
        proofs[mutant.name] = {"breaks": mutant.requirement, "why": mutant.fields["why"],
                               "caught_by": result["caught_by"], "patch_sha256": mutant.digest}
    return json.dumps(dict(sorted(proofs.items())), indent=2) + "\n"


def settle_proofs(results: list, complete: bool, check: bool) -> bool:
    """Writes proofs.json, or says that it is out of date; false in that case."""
    text = proofs_text(results, complete)
    if PROOFS.exists() and PROOFS.read_text() == text:
        return True
    if check:
        print("tests/mutants/proofs.json is out of date; `make mutants` brings it up to date")
        return False
    PROOFS.write_text(text)
    print("tests/mutants/proofs.json is brought up to date")
    return True


def select(names: list) -> list:
    """The mutants of these names; all without names."""
    mutants = [Mutant(path) for path in sorted(MUTANTS.glob("*.patch"))]
    unknown = set(names) - {mutant.name for mutant in mutants}
    if unknown:
        sys.exit(f"no mutant named {', '.join(sorted(unknown))} in tests/mutants")
    chosen = [mutant for mutant in mutants if not names or mutant.name in names]
    return chosen or sys.exit("tests/mutants holds no mutant")


def cases_by_requirement(assay: pathlib.Path, profiles) -> dict:
    """Which cases name a requirement: their names with their roles."""
    found = {}
    for profile in profiles:
        for case in json.loads(command([assay, "cases", "--profile", profile.name, "--json"], ROOT, "cases")):
            for requirement in case["requirements"]:
                found.setdefault(requirement, {})[case["id"]] = case["role"]
    return found


def unchanged_passes(assay: pathlib.Path, work: pathlib.Path, profiles) -> bool:
    """Whether the reference, as it is, passes all that is proven on it; says what does not pass."""
    good = True
    for profile in profiles:
        for role in profile.templates:
            entries = judge(assay, work / "base", work / f"unchanged-{profile.name}-{role or 'all'}", profile, role)
            for case, entry in entries.items():
                if entry["verdict"] not in ("pass", "skip"):
                    good = False
                    print(f"the unchanged reference: {case}: {entry['verdict']} {entry['requirement']}: "
                          f"{entry['reason']}")
    return good


def options():
    """The command line."""
    parser = argparse.ArgumentParser(description="prove the cases with mutants of the reference")
    parser.add_argument("--build", required=True, help="the build folder; bin/assay must exist in it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants that are tried at once")
    parser.add_argument("--check", action="store_true", help="do not write proofs.json, say whether it is right")
    parser.add_argument("names", nargs="*", help="only these mutants")
    return parser.parse_args()


def main() -> int:
    """Status 1: the reference does not pass, a mutant survived, or proofs.json is out of date."""
    given = options()
    folder = pathlib.Path(given.build).resolve()
    assay, work = folder / "bin" / "assay", folder / "mutants"
    keep_cases(work)
    mutants = select(given.names)
    profiles = list(dict.fromkeys(mutant.profile for mutant in mutants))
    by_requirement = cases_by_requirement(assay, profiles)
    refresh_base(work / "base", given.jobs, {program for profile in profiles for program in profile.programs})
    if not unchanged_passes(assay, work, profiles):
        print("the unchanged reference does not pass, so nothing is proven")
        return 1
    results = []
    with concurrent.futures.ThreadPoolExecutor(max_workers=given.jobs) as pool:
        futures = [pool.submit(try_mutant, mutant, work / "base", assay, by_requirement.get(mutant.requirement, {}))
                   for mutant in mutants]
        for number, future in enumerate(concurrent.futures.as_completed(futures), 1):
            results.append(future.result())
            if sys.stderr.isatty():
                print(f"\r{number} of {len(mutants)}", end="\r", file=sys.stderr)
    results.sort(key=lambda result: result["mutant"].name)
    survivors = show(results)
    current = settle_proofs(results, not given.names, given.check)
    return 1 if survivors or not current else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Problem as problem:
        sys.exit(str(problem))
