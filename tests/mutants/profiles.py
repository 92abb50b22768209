# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What the proofs need to know of each profile: by which programs the reference is judged by it, and how."""

import dataclasses
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

import profile_table  # noqa: E402


@dataclasses.dataclass(frozen=True, eq=False)
class Profile:
    """How the reference is judged by a specification: what the ids of its requirements begin with, what is built, the
    template for each role of a system under test ("" where there is but one), and whether its implementations meet each
    other, so that a mutant has to meet the reference."""

    name: str
    prefix: str
    programs: tuple
    templates: dict
    meets: bool


AGENT = "sut-agent"
# The mutants below ref-impl/nal are those of TCP, and a job here would reach its peers through memory.
LAUNCHED_WITH = {"portalsrun": ("--nal", "tcp")}


def template(words: list) -> tuple:
    """How the reference is started, as the table has it, for mutants."""
    return (words[0], *LAUNCHED_WITH.get(words[0], ()), *words[1:])


def known(root: pathlib.Path) -> list:
    """The profiles of the table."""
    found = []
    for row in profile_table.load(root / "specs"):
        templates = {role["name"]: template(role["reference"]) for role in row["roles"]}
        launchers = [words[0] for words in templates.values()]
        programs = tuple(dict.fromkeys([*launchers, row["interpreter"]["program"], AGENT]))
        meets = any("server" in role for role in row["roles"])
        found.append(Profile(row["name"], row["prefix"], programs, templates, meets))
    return found
