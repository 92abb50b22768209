# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Reads everything that the book tells: catalogue, switches, sections, code, cases, mutants, rows of the messages."""

import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys

import sources

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(TESTS), str(TESTS / "mutants")]

import bindings  # noqa: E402
import entries  # noqa: E402
import groups  # noqa: E402
import profile_table  # noqa: E402

ROOT = TESTS.parent
FULFILLED_IN = ("ref-impl", "wire")
CASE = re.compile(r"^case\s*\{$.*?^\}$", re.MULTILINE | re.DOTALL)
CASE_ID = re.compile(r"^\s*id\s*=\s*\"([^\"]+)\"", re.MULTILINE)


class Problem(Exception):
    """What keeps the book from being made; the text is for a person."""


@dataclasses.dataclass
class Mutant:
    """A small change of the reference, and which cases have been shown to find it."""

    name: str
    breaks: str
    why: str
    diff: str
    caught_by: list


@dataclasses.dataclass
class Case:
    """What `assay cases` says about a case, its file, and its source as pairs of line number and line; a case that its
    file makes in a loop has no source of its own."""

    about: dict
    path: str
    source: list
    mutants: list = dataclasses.field(default_factory=list)

    @property
    def id(self) -> str:
        """The case's name, unique in the profile."""
        return self.about["id"]


@dataclasses.dataclass
class Material:
    """All of it. The dictionaries are keyed by requirement."""

    profile: dict  # its row of the table
    requirements: list
    sections: dict
    switches: dict
    code: dict
    cases: list
    judged_by: dict
    makers: dict  # path -> source of each file that makes cases in a loop
    mutants: dict
    messages: list
    renames: list  # (profile, name before, name)
    came: dict  # requirement of this revision and those before it -> what it was there: kept, changed, new, gone


def _json(path: pathlib.Path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Problem(f"{path}: cannot be read: {error}") from error


def _output(command, **environment) -> list:
    """What a program prints as JSON."""
    try:
        done = subprocess.run([str(word) for word in command], env=dict(os.environ, **environment), capture_output=True,
                              text=True, check=False, timeout=900)
        if done.returncode == 0:
            return json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise Problem(f"{command[0]}: {error}") from error
    raise Problem(f"{command[0]} ended with {done.returncode}: {done.stderr.strip()}")


def _case_sources(path: pathlib.Path) -> dict:
    """Case id -> the lines of its definition in the file."""
    text = path.read_text(encoding="utf-8")
    found = {}
    for match in CASE.finditer(text):
        name = CASE_ID.search(match.group(0))
        if name:
            first = text.count("\n", 0, match.start()) + 1
            found[name.group(1)] = list(enumerate(match.group(0).split("\n"), first))
    return found


def _shown(path: pathlib.Path, root: pathlib.Path) -> str:
    """The path within the tree; that of cases from elsewhere as it is."""
    return str(path.relative_to(root) if path.is_relative_to(root) else path)


def _optional(path: pathlib.Path, default):
    """What the file holds; a profile need not have it."""
    return _json(path) if path.exists() else default


def _cases(root: pathlib.Path, assay: pathlib.Path, profile: str) -> list:
    folder = pathlib.Path(os.environ.get("ASSAY_CASES") or root / "tester" / "cases")
    if not (folder / profile).is_dir():
        return []  # a catalogue may be there before its cases
    known = _output([assay, "cases", "--profile", profile, "--json"], ASSAY_CASES=str(folder))
    files = {name: folder / name for name in {about["file"] for about in known}}
    texts = {name: _case_sources(path) for name, path in files.items()}
    return [Case(about, _shown(files[about["file"]], root), texts[about["file"]].get(about["id"], []))
            for about in known]


def _mutants(root: pathlib.Path, proofs: pathlib.Path) -> list:
    """Every mutant with its proof; where there is none, nobody has been shown to catch it."""
    proven = _json(proofs) if proofs.exists() else {}
    try:
        known = groups.load(root)
    except entries.Unreadable as wrong:
        raise Problem(str(wrong)) from wrong
    return [Mutant(one.name, breaks, one.why, f"{one.group}\n{one.change}", list(caught_by)) for one in known
            for breaks, caught_by in {one.breaks: [], **bindings.parts(proven.get(one.name, {}))}.items()]


def _by(pairs) -> dict:
    """A dictionary of lists."""
    found = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def _profile(name: str) -> dict:
    """The row of a profile; the first for None."""
    try:
        return profile_table.find(name) if name else profile_table.load()[0]
    except KeyError as wrong:
        raise Problem(wrong.args[0]) from wrong
    except (OSError, ValueError) as wrong:
        raise Problem(f"{profile_table.folder() / 'profiles.json'}: cannot be read: {wrong}") from wrong


def _messages(layout: pathlib.Path, row: dict, root: pathlib.Path) -> list:
    """The messages that the profile's book draws."""
    return _output([layout, row["book"]["messages"], root / "wire" / "vectors"]) if "book" in row else []


def _fulfilled(code: dict, requirements: list) -> dict:
    """Requirement -> the places that cite it, also under the ids that earlier revisions have for the same."""
    return {**code, **{row["id"]: [place for name in (row["id"], *row["same_as"]) for place in code.get(name, [])]
                       for row in requirements if row.get("same_as")}}


def gather(arguments, root: pathlib.Path = ROOT) -> Material:
    """Reads all. Raises Problem."""
    specs = profile_table.folder()
    row = _profile(arguments.profile)
    profile = row["name"]
    switches = _optional(specs / f"{profile}.switches.json", {"switches": []})["switches"]
    cases = _cases(root, arguments.assay, profile)
    requirements = profile_table.requirements(profile, specs)
    names = {row["id"] for row in requirements}
    mutants = [one for one in _mutants(root, arguments.proofs or root / "tests" / "mutants" / "proofs.json")
               if one.breaks in names]
    for case in cases:
        case.mutants = [mutant for mutant in mutants if case.id in mutant.caught_by]
    return Material(
        profile=row,
        requirements=requirements,
        sections=_optional(specs / f"{profile}.sections.json", {}),
        switches=_by((name, switch) for switch in switches for name in switch["requirements"]),
        code=_fulfilled(sources.citations(root, FULFILLED_IN), requirements),
        cases=cases,
        makers={case.path: list(enumerate((root / case.path).read_text(encoding="utf-8").rstrip("\n").split("\n"), 1))
                for case in cases if not case.source},
        judged_by=_by((name, case) for case in cases for name in case.about["requirements"]),
        mutants=_by((mutant.breaks, mutant) for mutant in mutants),
        messages=_messages(arguments.layout, row, root),
        renames=profile_table.renames(profile, specs),
        came={row["id"]: row.get("change") for name in profile_table.revisions(profile, specs)
              for row in profile_table.requirements(name, specs)},
    )
