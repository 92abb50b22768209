# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The bench on which mutants and variants are tried: a copy of the reference is changed, built and judged by cases.

As many of them are built at once as there are processors. Many more cases are judged at once, because most of their
time they wait for each other's messages or for a deadline. Where implementations meet (suite interop), the mutant
meets the unchanged reference.
"""

import concurrent.futures
import contextlib
import dataclasses
import json
import os
import pathlib
import queue
import shutil
import subprocess
import tempfile
import threading
import time

import bindings
import entries
from profiles import Profile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ["Makefile", "ref-impl", "wire", "interpreter"]
RUN_SECONDS = 300
SUITE_SECONDS = 3600
OF_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")


@dataclasses.dataclass(frozen=True)
class Case:
    """One case: what it is called, whom it judges, and where below the folder of all cases it stands."""

    name: str
    role: str
    file: str


@dataclasses.dataclass(frozen=True)
class Bench:
    """What all mutants are tried with: the judge, a folder to work in, what bounds how much is done at once, the time
    (monotonic, or None) at which no further mutant is begun, and the trees that nobody changes just now."""

    assay: pathlib.Path
    work: pathlib.Path
    builds: threading.Semaphore
    judges: concurrent.futures.Executor
    until: float | None = None
    trees: queue.SimpleQueue = dataclasses.field(default_factory=queue.SimpleQueue)

    @property
    def base(self) -> pathlib.Path:
        """The unchanged reference."""
        return self.work / "base"


class Problem(Exception):
    """Something that keeps a mutant, or everything, from being judged."""


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
            # A signal to our group is not for it: what it had judged until then would be taken for all.
            child = subprocess.Popen([str(word) for word in arguments], cwd=cwd, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, env=environment, text=True, start_new_session=True)
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
    gives way to what is being judged, where time counts. Nobody debugs them, and half of the time would go there."""
    command(["nice", "-n", "3", "make", "-s", f"-j{jobs}", "B=build", "VARIANT=release", "V=0", "OPT=-O2", "LTO=",
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
            shutil.copystat(path, place / name)


def take_objects(place: pathlib.Path, programs):
    """Takes along what has been built of the reference in its own tree, without what debuggers want of it, so that the
    copy need not be built from the start."""
    built, taken = ROOT / "build", place / "build"
    if place.parent.parent != built or taken.exists():
        return
    folders = [folder for folder in (built / "release" / "obj").glob("*")
               if folder.name in programs or folder.name.startswith("lib")]
    for folder in [*folders, built / "release" / "gen", built / "lib"]:
        if folder.exists():
            shutil.copytree(folder, taken / folder.relative_to(built))
    objects = [path for path in taken.rglob("*.[oa]") if path.is_file()]
    if objects:
        command(["strip", "-g", "-p", *objects], place, "strip")


def refresh_base(place: pathlib.Path, jobs: int, programs):
    """The same, built; mutants start from its objects."""
    refresh_copy(place)
    take_objects(place, programs)
    build(place, jobs, programs)


def keep_cases(work: pathlib.Path):
    """Takes the cases as they are now, so that all mutants meet the same; what an earlier run left goes."""
    for name in ("cases", "alone", "trees"):
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
    """The same as report_of, but only the report's entries, by the cases' names."""
    found = report_of(bench, place, report, profile, given)
    if not found["cases"] and isinstance(given, Case):
        return {given.name: {"verdict": "inconclusive", "requirement": "", "reason": found.get("problem", "")}}
    return {entry["id"]: entry for entry in found["cases"]}


def report_of(bench: Bench, place: pathlib.Path, report: pathlib.Path, profile: Profile, given, only=(),
              stated=True) -> dict:
    """Runs one case (a Case), or all of a role (its name) or `only` these of it, against the reference in `place`, and
    keeps what is written in the folder `report`; `stated`: what is there has the limits that the reference states.
    Returns report.json. Problem: there is none."""
    case = given if isinstance(given, Case) else None
    binaries = place / "build" / "bin"
    templates = {role: [str(binaries / word) if word in profile.programs else word for word in words]
                 for role, words in profile.templates.items()}
    role, names = (case.role, [case.name]) if case else (given, only)
    meeting = ["--reference", bench.base / "build" / "bin"] if profile.meets else []
    if role == "client":
        meeting += ["--server", " ".join(templates["server"])]
    of_cases = ["--case", ",".join(names)] if names else []
    statement = ROOT / "ref-impl" / "statements" / f"{profile.name}.json"
    of_cases += ["--statement", statement] if stated and statement.exists() else []
    arguments = [bench.assay, "run", "--profile", profile.name, *of_cases, "--seed", "1", *meeting, "--report", report,
                 "--", *templates[role]]
    environment = dict(os.environ, ASSAY_AGENT=str(binaries / "sut-agent"), ASSAY_LOADAVG=os.devnull,
                       ASSAY_CASES=str(folder_of(bench.work, case.file) if case else bench.work / "cases"))
    status, said = CHILDREN.run(arguments, ROOT, environment, RUN_SECONDS if case else SUITE_SECONDS)
    try:
        found = json.loads((report / "report.json").read_text())
        return {**found, "cases": list(found["cases"])}
    except (OSError, ValueError, KeyError) as error:
        raise Problem(f"no report of {case.name if case else 'the suite'} (status {status})\n{said[-2000:]}") from error


def judge_by(bench: Bench, place: pathlib.Path, reports: pathlib.Path, profile: Profile, cases) -> dict:
    """What all these cases say."""
    verdicts = {}
    futures = [bench.judges.submit(judge, bench, place, reports / case.name, profile, case) for case in cases]
    concurrent.futures.wait(futures)
    for future in futures:
        verdicts.update(future.result())
    return verdicts


@dataclasses.dataclass(frozen=True)
class Question:
    """What a mutant is asked: whether these cases of a profile notice that it breaks this requirement; where none of
    them fails, `others` are asked too."""

    profile: Profile
    requirement: str
    cases: tuple
    others: tuple = ()


@dataclasses.dataclass(frozen=True)
class Result:
    """What became of a mutant: by requirement the verdicts of the cases that caught it, by name; the entries of the
    others' reports; what kept it from being judged. `whole` is false if it was not tried to the end."""

    mutant: entries.Mutant
    caught: dict
    others: dict
    problem: str
    whole: bool

    @property
    def caught_by(self) -> dict:
        """What has caught it by its own requirement."""
        return self.caught.get(self.mutant.breaks, {})


def change(place: pathlib.Path, entry: entries.Entry):
    """Makes the tree at `place` what an entry makes of it."""
    try:
        files = entries.apply(entry, entries.Sources.below(place))
    except entries.Misfit as misfit:
        raise Problem(f"{entry.name}: {misfit}") from misfit
    for name, text in files.items():
        (place / name).write_text(text)


def files_below(top: pathlib.Path, below: str = "") -> dict:
    """Every file by its path below `top`, with its size and when it was written."""
    found = {}
    for entry in os.scandir(top / below) if top.exists() else ():
        path = f"{below}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            found.update(files_below(top, f"{path}/"))
        else:
            status = entry.stat(follow_symlinks=False)
            found[path] = (status.st_size, status.st_mtime_ns)
    return found


def restore(place: pathlib.Path, base: pathlib.Path):
    """Makes the tree at `place` what `base` is: only what differs is written, since to copy all of it takes longer than
    to build a mutant. A program that still runs keeps its file."""
    wanted, present = files_below(base), files_below(place)
    for path, stamp in present.items():
        if wanted.get(path) != stamp:
            (place / path).unlink()
    for path, stamp in wanted.items():
        if present.get(path) != stamp:
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(base / path, place / path)


@contextlib.contextmanager
def tree_of(bench: Bench):
    """A tree for the time of the block, which nobody else changes; it is what the last one has left there."""
    try:
        place = bench.trees.get_nowait()
    except queue.Empty:
        bench.work.joinpath("trees").mkdir(exist_ok=True)
        place = pathlib.Path(tempfile.mkdtemp(dir=bench.work / "trees"))
    try:
        yield place
    finally:
        bench.trees.put(place)


@contextlib.contextmanager
def changed(bench: Bench, programs, several):
    """A tree for the time of the block: the reference as these entries make it, one after the other, with these
    programs built. None instead if no time is left to begin."""
    with tree_of(bench) as place:
        with bench.builds:
            late = bench.until and time.monotonic() > bench.until
            if not late:
                restore(place, bench.base)
                for entry in several:
                    change(place, entry)
                build(place, 1, programs)
        yield None if late else place


def try_mutant(bench: Bench, mutant: entries.Mutant, questions: list) -> Result:
    """Changes, builds, judges by the cases of each question."""
    caught, others, problem = {}, {}, ""
    programs = {program for question in questions for program in question.profile.programs}
    try:
        with tempfile.TemporaryDirectory(prefix=f"{mutant.name}-", dir=bench.work) as reports, \
                changed(bench, programs, [mutant]) as place:
            if place is None:
                return Result(mutant, {}, {}, "there was no time left", False)
            for one in questions:
                caught[one.requirement] = {}
                for cases in (one.cases, one.others):
                    if "fail" in caught[one.requirement].values():
                        break
                    verdicts = judge_by(bench, place, pathlib.Path(reports) / one.profile.name, one.profile, cases)
                    caught[one.requirement].update({
                        name: entry["verdict"] for name, entry in verdicts.items()
                        if entry["verdict"] in bindings.CATCHES and entry.get("requirement") == one.requirement})
                    others.update({f"{name} ({one.profile.name})": entry for name, entry in verdicts.items()
                                   if name not in caught[one.requirement]})
    except Problem as error:
        problem = str(error)
    return Result(mutant, caught, others, problem, not CHILDREN.ended)


def cases_of(assay: pathlib.Path, profile: Profile) -> list:
    """What `assay cases` tells of the cases of a profile."""
    return json.loads(command([assay, "cases", "--profile", profile.name, "--json"], ROOT, "cases"))


def cases_by_requirement(assay: pathlib.Path, profiles) -> dict:
    """Which cases name a requirement."""
    found = {}
    for profile in profiles:
        for case in cases_of(assay, profile):
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
            found = judge_by(bench, bench.base, reports / profile.name, profile, cases[profile])
            verdicts.update({f"{profile.name}: {name}": entry for name, entry in found.items()})
    roles = [] if cases is not None else [(profile, role) for profile in profiles for role in profile.templates]
    for future in [bench.judges.submit(judge, bench, bench.base, reports / f"{profile.name}-{role or 'all'}", profile,
                                       role) for profile, role in roles]:
        verdicts.update(future.result())
    bad = {name: entry for name, entry in verdicts.items() if entry["verdict"] not in ("pass", "skip")}
    for name, entry in bad.items():
        print(f"the unchanged reference: {name}: {entry['verdict']} {entry['requirement']}: {entry['reason']}")
    return not bad


