# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What mutants and variants are looked at for without judging any: whether they fit and compile, and what is stale."""

import pathlib

import compiling
import judging
import profiles


def every_program(_one) -> frozenset:
    """All programs by which the reference is judged, whatever is looked at."""
    return frozenset(program for profile in profiles.known(judging.ROOT) for program in profile.programs)


def compile_all(work: pathlib.Path, kind: str, several: list, jobs: int, programs_of=every_program) -> int:
    """Says which of these do not fit, or do not compile in the programs of each, in a folder to work in; status 1 when
    there are any."""
    judging.refresh_copy(work / "base")
    by_programs, found = {}, {}
    for one in several:
        by_programs.setdefault(programs_of(one), []).append(one)
    try:
        for programs, some in by_programs.items():
            found |= compiling.faults(work / "base", work, some, programs, jobs)
    except compiling.Fault as fault:
        raise judging.Problem(str(fault)) from fault
    for one in several:
        if one.name in found:
            print(f"{one.path}:{one.line}: {one.name}: {found[one.name]}")
    print(f"{len(several)} {kind}, {len(several) - len(found)} fit and compile, {len(found)} do not")
    return 1 if found else 0


def stale(several: list, why) -> dict:
    """Why these are stale, by name; what is not stale is not in it. why(one) gives the reasons, or what is empty."""
    reasons = {one.name: why(one) for one in several}
    return {name: told for name, told in reasons.items() if told}
