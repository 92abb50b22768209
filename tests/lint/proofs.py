#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""tests/mutants/proofs.json fits: one proof for each mutant, by cases that exist and name what it breaks; each mutant
fits the tree and stands where one looks for it; every testable requirement is proven.

Whether a case really catches a mutant only `make mutants` can say. How many proofs are stale, because what they bind
has changed, is told here and no finding: `make mutants` ends with status 1 while there are any.
"""

import re

import catalogue
import common
import mutants
import requirements
from mutants import bindings, entries, groups

PROOFS = mutants.PROOFS
GENERATED = re.compile(r"\bid\s*=\s*(?:\"(?=[^\"]+\"\s*\.\.)|string\.format\(\")([^\"%]+)")
NAMED = re.compile(r"\W*\"([^\"]+)\":")  # a line of proofs.json
AGAIN = mutants.AGAIN
REGROUP = "run `tests/mutants/run.py --regroup`"


def cases(tree) -> dict:
    """Every case's id with the requirements that it lists."""
    found = {}
    for path in tree.files(".lua"):
        if not path.startswith("tester/cases/"):
            continue
        text = requirements.without_comments(tree.text(path) or "")
        starts = [match.start() for match in requirements.CASE.finditer(text)]
        for start, end in zip(starts, starts[1:] + [len(text)]):
            name = re.search(r"\bid\s*=\s*\"([^\"]+)\"", text[start:end])
            listed = re.search(r"\brequirements\s*=\s*\{([^}]*)\}", text[start:end])
            if name and listed:
                found[name.group(1)] = set(re.findall(r"\"([^\"]+)\"", listed.group(1)))
    return found


def generated(tree) -> tuple:
    """What the ids of cases begin with that a loop makes; only a run knows their requirements."""
    texts = [tree.text(path) or "" for path in tree.files(".lua") if path.startswith("tester/cases/")]
    return tuple(prefix for text in texts for prefix in GENERATED.findall(requirements.without_comments(text)))


def numbered_before(requirement, rows) -> list:
    """A requirement, and what it comes from in earlier revisions: their cases may hold for it."""
    found = []
    while requirement in rows:
        found.append(requirement)
        requirement = rows[requirement].get("derived_from")
    return found


def check_proof(tree, mutant, proof, known, begun, rows, line):
    """One proof against its mutant, the cases (`known` by name, `begun` by what their names begin with) and the rows of
    all catalogues."""
    name = mutant.name
    for field, value in bindings.description(mutant).items():
        if proof.get(field) != value:
            tree.report(PROOFS, line, f"{name}: `{field}` is not what {mutant.path} says; {REGROUP}")
    if not proof.get("caught_by"):
        tree.report(PROOFS, line, f"{name} is caught by no case; sharpen one, then {AGAIN}")
    for requirement, caught_by in bindings.parts(proof).items():
        if requirement not in rows or proof["breaks"] not in (requirement, *rows[requirement].get("same_as", [])):
            tree.report(PROOFS, line, f"{name}: {requirement} is not the same as {proof['breaks']}; {AGAIN}")
        for case in caught_by:
            if case not in known and case.startswith(begun):
                continue
            if case not in known:
                tree.report(PROOFS, line, f"{name} is caught by {case}, which is no case; {AGAIN}")
            elif known[case].isdisjoint(numbered_before(requirement, rows)):
                tree.report(PROOFS, line, f"{name}: the case {case} does not list {requirement}; {AGAIN}")


def check_place(tree, mutant, sources):
    """A mutant must fit the tree, or `make mutants` can no longer try it, and stand where one looks for it."""
    try:
        entries.apply(mutant, sources)
        home = groups.home(mutant, sources)
    except entries.Misfit as misfit:
        tree.report(mutant.path, mutant.line, f"{mutant.name}: {misfit}; bring it up to date and {AGAIN}")
        return
    if home != mutant.group:
        tree.report(mutant.path, mutant.line, f"{mutant.name} changes {home} now; {REGROUP}")


def check_rows(tree, proofs):
    """Every testable requirement of a complete profile is broken by a mutant that a case catches which names it."""
    for profile, (entry, rows) in catalogue.profiles(tree).items():
        path, switched = f"specs/{profile}.json", f"specs/{profile}.switches.json"
        switches = (catalogue.load(tree, switched) or {}).get("switches", []) if switched in tree.files(".json") else []
        open_rows = bindings.unproven_rows(bindings.Catalogue(rows, switches), proofs) if entry["complete"] else []
        for name, why in open_rows:
            if why != bindings.NO_MUTANT:  # that is for the lint `requirements`
                line = catalogue.line_of(tree, path, f'"{name}"')
                tree.report(path, line, f"{name}: {why}; sharpen one, then {AGAIN}")


def lint(tree, _arguments):
    """Holds proofs and mutants to each other, one by one."""
    several, proofs = mutants.of(tree), mutants.proofs(tree)
    if several is None or proofs is None:
        return
    bound = mutants.bound(tree)
    known, begun = cases(tree), generated(tree)
    rows = {row["id"]: row for _, several_rows in catalogue.profiles(tree).values() for row in several_rows}
    lines = tree.lines(PROOFS) if proofs else ()
    line_of = {match[1]: number for number, text in lines if (match := NAMED.match(text))}
    for mutant in several:
        check_place(tree, mutant, bound.sources)
        if mutant.name in proofs:
            check_proof(tree, mutant, proofs[mutant.name], known, begun, rows, line_of.get(mutant.name, 1))
        else:
            tree.report(mutant.path, mutant.line, f"{mutant.name} is not in {PROOFS}; {AGAIN}")
    for name in sorted(proofs.keys() - {mutant.name for mutant in several}):
        tree.report(PROOFS, 1, f"{name} is proven and is no mutant; {AGAIN}")
    check_rows(tree, proofs)
    stale = [mutant.name for mutant in several if bound.stale(mutant, proofs.get(mutant.name))]
    if stale:
        print(f"{PROOFS}: {len(stale)} of {len(several)} proofs are stale, as of {stale[0]}; {AGAIN}")


if __name__ == "__main__":
    common.main(lint, __doc__)
