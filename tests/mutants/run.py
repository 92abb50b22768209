#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Proves the cases: each mutant breaks one requirement in the reference and must be caught by a case that names it.

tests/mutants/README.md tells how a mutant is written and how some are found.

For each mutant the reference is copied, changed, built and judged by every case that names the requirement. Caught
means: at least one of these cases fails and gives that requirement as the broken one, or warns of it: a demand that is
no more than a recommendation, or that has other known readings, cannot be broken otherwise. The unchanged reference
must pass the whole suite, or nothing is proven; where only some mutants are tried, it must pass the cases that they
must be caught by. Where implementations meet (suite interop), the mutant meets the unchanged reference.

As many mutants are built at once as there are processors. Many more cases are judged at once, because most of their
time they wait for each other's messages or for a deadline.

Who catches whom is kept in tests/mutants/proofs.json, which the books and the service's pages of cases show and the
lint `proofs` holds to the mutants. A run brings it up to date, also one that is interrupted, by what it has tried until
then; with --check a run only says where it is out of date.

With --compile no case is judged: it is only looked whether each mutant still fits and compiles (compiling.py).
"""

import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import compiling
import entries
import groups

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MUTANTS = ROOT / "tests" / "mutants"
PROOFS = MUTANTS / "proofs.json"
FOLDERS = ["Makefile", "ref-impl", "wire", "interpreter"]
RUN_SECONDS = 300
SUITE_SECONDS = 1200
PROGRESS = 50
JUDGED_PER_PROCESSOR = 6
OF_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")


@dataclasses.dataclass(frozen=True, eq=False)
class Profile:
    """How the reference is judged by a specification: what is built, and the template for each role of a system under
    test ("" where there is but one), and whether it meets the reference in some cases."""

    name: str
    programs: tuple
    templates: dict
    meets: bool


PROFILES = {
    "P30": Profile("portals-3.0", ("portalsrun", "interp-portals", "sut-agent"),
                   {"": ("portalsrun", "-np", "{np}", "--nal", "tcp", "interp-portals", "{args}")}, False),
    "IMPI": Profile("impi-0.0", ("impirun", "interp-mpi", "sut-agent"),
                    {"server": ("impirun", "-server", "{clients}", "{options}"),
                     "client": ("impirun", "-client", "{client}", "{server}", "-np", "{np}", "-hosts", "{hosts}",
                                "interp-mpi", "{args}")}, True),
}


@dataclasses.dataclass(frozen=True)
class Case:
    """One case: what it is called, whom it judges, and where below the folder of all cases it stands."""

    name: str
    role: str
    file: str


@dataclasses.dataclass(frozen=True)
class Bench:
    """What all mutants are tried with: the judge, a folder to work in, and what bounds how much is done at once."""

    assay: pathlib.Path
    work: pathlib.Path
    builds: threading.Semaphore
    judges: concurrent.futures.Executor

    @property
    def base(self) -> pathlib.Path:
        """The unchanged reference."""
        return self.work / "base"


class Problem(Exception):
    """Something that keeps a mutant, or everything, from being judged."""


class Mutant:
    """One entry, and by which specification it is judged."""

    def __init__(self, entry: entries.Mutant):
        self.entry = entry
        self.name = entry.name
        self.requirement = entry.breaks
        self.profile = PROFILES.get(self.requirement.rsplit("-", 1)[0])
        if not self.profile:
            sys.exit(f"{entry.path}:{entry.line}: no profile is known that demands {self.requirement}")


class Children:
    """The programs that run for us; they can be ended all together, and then none is started any more."""

    def __init__(self):
        self.lock = threading.Lock()
        self.running = set()
        self.ended = False

    def run(self, arguments, cwd, environment, seconds):
        """Runs a program to its end: its status, and what it wrote. Problem: it took too long, or all are ended."""
        with self.lock:
            if self.ended:
                raise Problem("interrupted")
            child = subprocess.Popen([str(word) for word in arguments], cwd=cwd, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, env=environment, text=True)
            self.running.add(child)
        try:
            said = child.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired as error:
            child.kill()
            child.communicate()
            raise Problem(f"{' '.join(map(str, arguments))} did not end in {seconds} seconds") from error
        finally:
            with self.lock:
                self.running.discard(child)
        return child.returncode, said

    def end(self):
        """Ends all that run."""
        with self.lock:
            self.ended = True
            for child in self.running:
                child.terminate()


CHILDREN = Children()


def command(arguments, cwd, what):
    """Runs a command that must succeed; its output only shows when it does not."""
    environment = {name: value for name, value in os.environ.items() if name not in OF_MAKE}
    status, said = CHILDREN.run(arguments, cwd, environment, RUN_SECONDS * 2)
    if status != 0:
        raise Problem(f"{what}: {' '.join(map(str, arguments))} ended with {status}\n{said[-3000:]}")
    return said


def build(place: pathlib.Path, jobs: int, programs):
    """Brings the programs of the tree at `place` up to date. What a make around us was told is not for this one. It
    gives way to what is being judged, where time counts."""
    command(["nice", "-n", "3", "make", "-s", f"-j{jobs}", "B=build", "VARIANT=release", "V=0",
             *[f"build/bin/{name}" for name in sorted(programs)]], place, "build")


def sources(top: pathlib.Path) -> dict:
    """Every file that the build of the reference needs, by its path below `top`."""
    found = {}
    for name in FOLDERS:
        inside = [top / name] if (top / name).is_file() else (top / name).rglob("*")
        found.update({path.relative_to(top): path for path in inside if path.is_file()})
    return found


def refresh_copy(place: pathlib.Path):
    """A copy of the reference and the interpreter as they are; what was built of it, and has not changed, stays."""
    wanted, present = sources(ROOT), sources(place)
    for name in present.keys() - wanted.keys():
        present[name].unlink()
    for name, path in wanted.items():
        octets = path.read_bytes()
        if name not in present or present[name].read_bytes() != octets:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(octets)
            shutil.copymode(path, place / name)


def refresh_base(place: pathlib.Path, jobs: int, programs):
    """The same, built; mutants start from its objects."""
    refresh_copy(place)
    build(place, jobs, programs)


def keep_cases(work: pathlib.Path):
    """Takes the cases as they are now, so that all mutants meet the same."""
    for name in ("cases", "alone"):
        shutil.rmtree(work / name, ignore_errors=True)
    shutil.copytree(ROOT / "tester" / "cases", work / "cases")
    for path in (work / "cases").rglob("*.lua"):
        file = path.relative_to(work / "cases")
        if file.parts[0] != "lib":
            alone = folder_of(work, file)
            (alone / file.parent).mkdir(parents=True)
            (alone / "lib").symlink_to(work / "cases" / "lib")
            (alone / file).symlink_to(path)


def folder_of(work: pathlib.Path, file) -> pathlib.Path:
    """A folder of cases that holds one file only: to read all of them takes longer than to judge by one."""
    return work / "alone" / pathlib.Path(file).with_suffix("")


def judge(bench: Bench, place: pathlib.Path, report: pathlib.Path, profile: Profile, given) -> dict:
    """Runs one case (a Case), or all of a role (its name), against the reference in `place`; the report's entries by
    the cases' names."""
    case = given if isinstance(given, Case) else None
    binaries = place / "build" / "bin"
    templates = {role: [str(binaries / word) if word in profile.programs else word for word in words]
                 for role, words in profile.templates.items()}
    role = case.role if case else given
    meeting = ["--reference", bench.base / "build" / "bin"] if profile.meets else []
    if role == "client":
        meeting += ["--server", " ".join(templates["server"])]
    arguments = [bench.assay, "run", "--profile", profile.name, *(["--case", case.name] if case else []), "--seed", "1",
                 *meeting, "--report", report, "--", *templates[role]]
    environment = dict(os.environ, ASSAY_AGENT=str(binaries / "sut-agent"),
                       ASSAY_CASES=str(folder_of(bench.work, case.file) if case else bench.work / "cases"))
    status, said = CHILDREN.run(arguments, ROOT, environment, RUN_SECONDS if case else SUITE_SECONDS)
    try:
        entries = json.loads((report / "report.json").read_text())["cases"]
    except (OSError, ValueError, KeyError) as error:
        raise Problem(f"no report of {case.name if case else 'the suite'} (status {status})\n{said[-2000:]}") from error
    if case and not entries:
        last = said.strip().splitlines()
        return {case.name: {"verdict": "inconclusive", "requirement": "", "reason": last[-1] if last else ""}}
    return {entry["id"]: entry for entry in entries}


def judge_by(bench: Bench, place: pathlib.Path, reports: pathlib.Path, profile: Profile, cases) -> dict:
    """What all these cases say."""
    verdicts = {}
    futures = [bench.judges.submit(judge, bench, place, reports / case.name, profile, case) for case in cases]
    concurrent.futures.wait(futures)
    for future in futures:
        verdicts.update(future.result())
    return verdicts


def change(place: pathlib.Path, mutant: Mutant):
    """Makes the tree at `place` the mutant."""
    try:
        files = entries.apply(mutant.entry, entries.Sources.below(place))
    except entries.Misfit as misfit:
        raise Problem(str(misfit)) from misfit
    for name, text in files.items():
        (place / name).write_text(text)


def try_mutant(bench: Bench, mutant: Mutant, cases: list) -> dict:
    """Changes, builds, judges by the cases. The result says which caught it, and what the others said; it is whole
    unless all was interrupted meanwhile."""
    verdicts, problem = {}, ""
    with tempfile.TemporaryDirectory(prefix=f"{mutant.name}-", dir=bench.work) as folder:
        place = pathlib.Path(folder) / "tree"
        try:
            with bench.builds:
                command(["cp", "-a", "--reflink=auto", bench.base, place], bench.work, "copy")
                change(place, mutant)
                build(place, 1, mutant.profile.programs)
            verdicts = judge_by(bench, place, pathlib.Path(folder) / "reports", mutant.profile, cases)
        except Problem as error:
            problem = str(error)
    caught = [name for name, entry in verdicts.items()
              if entry["verdict"] in ("fail", "warn") and entry.get("requirement") == mutant.requirement]
    return {"mutant": mutant, "caught_by": sorted(caught), "problem": problem, "whole": not CHILDREN.ended,
            "others": {name: verdicts[name] for name in verdicts if name not in caught}}


def try_all(bench: Bench, mutants: list, cases: dict, jobs: int) -> list:
    """Tries all mutants. When that is interrupted: the results that are there by then."""
    results, begun = [], time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        futures = [pool.submit(try_mutant, bench, mutant, cases.get(mutant.requirement, [])) for mutant in mutants]
        try:
            for future in concurrent.futures.as_completed(futures):
                results.append(future.result())
                progress(results, len(mutants), time.monotonic() - begun)
        except KeyboardInterrupt:
            CHILDREN.end()
            pool.shutdown(cancel_futures=True)
            print(f"interrupted: {len(results)} of {len(mutants)} mutants were tried")
    return sorted((result for result in results if result["whole"]), key=lambda result: result["mutant"].name)


def progress(results: list, count: int, seconds: float):
    """Says how far it has come: on a terminal at any time, elsewhere a line now and then; and at once who survives."""
    survivors = sum(not result["caught_by"] for result in results)
    if not results[-1]["caught_by"] and results[-1]["whole"]:
        print(f"{results[-1]['mutant'].name} {results[-1]['problem'] or 'survived'}", file=sys.stderr, flush=True)
    line = f"{len(results)} of {count} mutants, {survivors} survived, {seconds:.0f} s"
    if sys.stderr.isatty():
        print(f"\r{line}", end="\r", file=sys.stderr)
    elif len(results) % PROGRESS == 0:
        print(line, file=sys.stderr, flush=True)


def show(results: list) -> int:
    """Prints the table; returns how many survived."""
    width = max((len(result["mutant"].name) for result in results), default=0)
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


def kept_proofs() -> dict:
    """What proofs.json holds."""
    return json.loads(PROOFS.read_text()) if PROOFS.exists() else {}


def proofs_of(results: list, complete: bool) -> dict:
    """The proofs as these results make them; what an incomplete run did not try stays, as long as there is a mutant."""
    proofs = {}
    if not complete:
        present = {entry.name for entry in groups.load(ROOT)}
        proofs = {name: proof for name, proof in kept_proofs().items() if name in present}
    for result in results:
        mutant = result["mutant"]
        proofs[mutant.name] = {**groups.description(mutant.entry), "caught_by": result["caught_by"]}
    return dict(sorted(proofs.items()))


def proof_holds(kept: dict, found: dict) -> bool:
    """Whether what is kept of a mutant is still true. A defect that shows in some runs only, such as a race, may be
    caught by more cases today, or by fewer, as long as one of those that are kept is among them."""
    same = all(kept.get(part) == found.get(part) for part in ("breaks", "why"))
    return same and bool(set(kept["caught_by"]) & set(found["caught_by"]))


def difference(kept: dict, found: dict) -> str:
    """In words, how two proofs differ."""
    changed = [part for part in ("breaks", "why") if kept.get(part) != found.get(part)]
    before, now = set(kept["caught_by"]), set(found["caught_by"])
    lines = [f"other {', '.join(changed)}" if changed else "",
             f"this time not caught by {', '.join(sorted(before - now))}" if before - now else "",
             f"newly caught by {', '.join(sorted(now - before))}" if now - before else ""]
    return "; ".join(line for line in lines if line)


def check_proofs(found: dict) -> bool:
    """Says where proofs.json differs from what has been found; false when one of its proofs does not hold."""
    kept, holds = kept_proofs(), True
    for name in sorted(kept.keys() | found.keys()):
        if kept.get(name) == found.get(name):
            continue
        if name not in kept or name not in found:
            print(f"proofs.json: {name}: {'has no mutant' if name in kept else 'is missing'}")
            holds = False
            continue
        true = proof_holds(kept[name], found[name])
        print(f"proofs.json: {name}: {'holds' if true else 'does not hold'}; {difference(kept[name], found[name])}")
        holds = holds and true
    if not holds:
        print("tests/mutants/proofs.json is out of date; `make mutants` brings it up to date")
    return holds


def settle_proofs(results: list, complete: bool, check: bool) -> bool:
    """Writes proofs.json, or says where it is out of date; false in that case."""
    found = proofs_of(results, complete)
    if check:
        return check_proofs(found)
    text = groups.one_by_line(found)
    if not PROOFS.exists() or PROOFS.read_text() != text:
        PROOFS.write_text(text)
        print("tests/mutants/proofs.json is brought up to date")
    return True


def select(words: list) -> list:
    """The mutants that these words mean (groups.matches); all without words."""
    return [Mutant(entry) for entry in groups.select(groups.load(ROOT), words)]


def cases_by_requirement(assay: pathlib.Path, profiles) -> dict:
    """Which cases name a requirement."""
    found = {}
    for profile in profiles:
        for case in json.loads(command([assay, "cases", "--profile", profile.name, "--json"], ROOT, "cases")):
            for requirement in case["requirements"]:
                found.setdefault(requirement, []).append(Case(case["id"], case["role"], case["file"]))
    return found


def unchanged_passes(bench: Bench, profiles, cases) -> bool:
    """Whether the reference, as it is, passes all that is proven on it: `cases` by profile, or everything where that is
    None. Says what does not pass."""
    reports = bench.work / "unchanged"
    shutil.rmtree(reports, ignore_errors=True)
    verdicts = {}
    for profile in profiles:
        if cases is not None:
            verdicts.update(judge_by(bench, bench.base, reports, profile, cases[profile]))
    roles = [] if cases is not None else [(profile, role) for profile in profiles for role in profile.templates]
    for future in [bench.judges.submit(judge, bench, bench.base, reports / f"{profile.name}-{role or 'all'}", profile,
                                       role) for profile, role in roles]:
        verdicts.update(future.result())
    bad = {name: entry for name, entry in verdicts.items() if entry["verdict"] not in ("pass", "skip")}
    for name, entry in bad.items():
        print(f"the unchanged reference: {name}: {entry['verdict']} {entry['requirement']}: {entry['reason']}")
    return not bad


def options():
    """The command line."""
    processors = os.cpu_count() or 1
    parser = argparse.ArgumentParser(description="prove the cases with mutants of the reference")
    parser.add_argument("--build", default="build", help="the build folder; bin/assay must exist in it")
    parser.add_argument("--builds", type=int, default=processors, help="mutants that are built at once")
    parser.add_argument("--jobs", type=int, default=processors * JUDGED_PER_PROCESSOR,
                        help="mutants that are tried, and cases that are judged, at once")
    parser.add_argument("--check", action="store_true", help="do not write proofs.json, say where it is not right")
    parser.add_argument("--list", action="store_true", help="only say what the mutants are and where they stand")
    parser.add_argument("--regroup", action="store_true",
                        help="only put each mutant into the file of the source which it changes")
    parser.add_argument("--compile", action="store_true", help="only look whether the mutants fit and compile")
    parser.add_argument("names", nargs="*", help="only these mutants: names, patterns such as 'impi-inter-*', "
                        "requirements, sources or folders of sources")
    return parser.parse_args()


def compile_all(work: pathlib.Path, mutants: list, jobs: int) -> int:
    """Says which mutants do not fit or do not compile; status 1 when there are any."""
    base = work / "base"
    refresh_copy(base)
    programs = {program for profile in PROFILES.values() for program in profile.programs}
    try:
        found = compiling.faults(base, work, [mutant.entry for mutant in mutants], programs, jobs)
    except compiling.Fault as fault:
        raise Problem(str(fault)) from fault
    for mutant in mutants:
        if mutant.name in found:
            print(f"{mutant.entry.path}:{mutant.entry.line}: {mutant.name}: {found[mutant.name]}")
    print(f"{len(mutants)} mutants, {len(mutants) - len(found)} fit and compile, {len(found)} do not")
    return 1 if found else 0


def show_list(mutants: list):
    """One line for each mutant: where it stands, what it is called, what it breaks, what it changes, why."""
    for mutant in mutants:
        entry = mutant.entry
        inside = ", ".join(dict.fromkeys(change.inside for change in entry.changes))
        print(f"{entry.path}:{entry.line}: {entry.name} breaks {entry.breaks} in {inside}: {entry.why}")


def regroup():
    """Brings the files of mutants, and what proofs.json says of them, up to where everything stands now."""
    moved = groups.regroup(ROOT, entries.Sources.below(ROOT))
    described = {entry.name: groups.description(entry) for entry in groups.load(ROOT)}
    proofs = {name: {**proof, **described[name]} for name, proof in kept_proofs().items() if name in described}
    PROOFS.write_text(groups.one_by_line(proofs))
    print(f"{len(moved)} mutants were put into the file of another source: {', '.join(moved) or 'none'}")


def interrupt(number, frame):
    """Any end from outside is like that from the terminal."""
    raise KeyboardInterrupt


def main() -> int:
    """Status 1: the reference does not pass, a mutant survived, or proofs.json is out of date."""
    given = options()
    signal.signal(signal.SIGTERM, interrupt)
    folder = pathlib.Path(given.build).resolve()
    work = folder / "mutants"
    if given.regroup:
        regroup()
        return 0
    mutants = select(given.names)
    if given.list:
        show_list(mutants)
        return 0
    if given.compile:
        return compile_all(work, mutants, given.builds)
    profiles = list(dict.fromkeys(mutant.profile for mutant in mutants))
    with concurrent.futures.ThreadPoolExecutor(max_workers=given.jobs) as judges:
        bench = Bench(folder / "bin" / "assay", work, threading.Semaphore(given.builds), judges)
        keep_cases(work)
        os.environ["ASSAY_CASES"] = str(work / "cases")
        cases = cases_by_requirement(bench.assay, profiles)
        refresh_base(bench.base, given.builds, {program for profile in profiles for program in profile.programs})
        concerned = {profile: dict.fromkeys(case for mutant in mutants if mutant.profile is profile
                                            for case in cases.get(mutant.requirement, [])) for profile in profiles}
        if not unchanged_passes(bench, profiles, concerned if given.names else None):
            print("the unchanged reference does not pass, so nothing is proven")
            return 1
        results = try_all(bench, mutants, cases, given.jobs)
    survivors = show(results)
    current = settle_proofs(results, not given.names and not CHILDREN.ended, given.check)
    return 1 if survivors or not current or CHILDREN.ended else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Problem, entries.Misfit) as problem:
        sys.exit(str(problem))
