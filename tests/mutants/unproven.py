# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Cases that no proof names: which of the mutants that break one of their requirements do they catch?

A new case is mostly written for a mutant of its own, and may catch others that were proven by other cases before it was
there; a case that catches none shows nothing. Each one is asked about one mutant after the other until it catches one.
"""

import concurrent.futures
import re

import bindings
import judging

# Meetings of the reference with itself, in which no mutant shows: what the others are compared with.
WITHOUT_THE_SYSTEM = re.compile("meet-.*-client-rrr")


def unproven(assay, known: list, proofs: dict) -> list:
    """Triples of profile, case and its requirements: what no proof names, each in the first profile that has it."""
    seen = {case for proof in proofs.values() for said in bindings.parts(proof).values() for case in said}
    found = []
    for profile in known:
        for told in judging.cases_of(assay, profile):
            if told["id"] not in seen and not WITHOUT_THE_SYSTEM.fullmatch(told["id"]):
                seen.add(told["id"])
                found.append((profile, judging.Case(told["id"], told["role"], told["file"]), told["requirements"]))
    return found


def breaking(mutants: list, proofs: dict) -> dict:
    """The mutants that break a requirement: those that are said to, and those that are the proof of it."""
    found = {}
    for mutant in mutants:
        for row in dict.fromkeys([mutant.breaks, *bindings.parts(proofs.get(mutant.name, {}))]):
            found.setdefault(row, []).append(mutant)
    return found


def questions(cases: list, of_row: dict, turn: int) -> dict:
    """What each mutant is asked, where every case has come to the mutant whose turn it is of those it may catch."""
    found = {}
    for profile, case, rows in cases:
        pairs = [(row, mutant) for row in rows for mutant in of_row.get(row, [])]
        if turn < len(pairs):
            row, mutant = pairs[turn]
            found.setdefault(mutant, {}).setdefault((profile, row), []).append(case)
    return {mutant: [judging.Question(profile, row, tuple(several)) for (profile, row), several in asked.items()]
            for mutant, asked in found.items()}


def caught_too(mutant, result, proof: dict) -> dict:
    """By requirement the verdicts of the cases that catch a mutant: those of its proof, and those found now."""
    known = {row: {case: said["verdict"] for case, said in cases.items()}
             for row, cases in bindings.parts(proof).items()}
    return {row: {**known.get(row, {}), **result.caught.get(row, {})}
            for row in {mutant.breaks, *known, *result.caught}}


def prove(bench: judging.Bench, known: list, mutants: list, jobs: int, tree: bindings.Tree, proofs: dict):
    """Asks until every case has caught one, no mutant is left to ask about, or time is up. Yields what was found: the
    proofs that now name more cases, by the mutants' names."""
    of_row, turn = breaking(mutants, proofs), 0
    while wanted := questions(unproven(bench.assay, known, proofs), of_row, turn):
        judging.refresh_base(bench.base, jobs, {program for asked in wanted.values() for one in asked
                                                for program in one.profile.programs})
        with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
            results = list(pool.map(lambda one: judging.try_mutant(bench, *one), wanted.items()))
        more = {one.mutant.name: tree.proof(one.mutant, caught_too(one.mutant, one, proofs[one.mutant.name]))
                for one in results if any(one.caught.values())}
        proofs = {**proofs, **more}
        yield more
        if not all(result.whole for result in results):
            return
        turn += 1
