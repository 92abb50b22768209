#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""tests/mutants/proofs.json tells the truth: one proof for each mutant as it is now, by cases that exist and judge it.

Whether a case really catches a mutant only `make mutants` can say; this holds what it wrote to mutants and cases.
"""

import json
import re

import common
import mutants
import requirements
from mutants import entries, groups

PROOFS = "tests/mutants/proofs.json"
GENERATED = re.compile(r"\bid\s*=\s*(?:\"(?=[^\"]+\"\s*\.\.)|string\.format\(\")([^\"%]+)")
AGAIN = "run `make mutants`"
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


def check_proof(tree, mutant, proof, known, begun):
    """One proof against its mutant and the cases: `known` by name, `begun` by what their names begin with."""
    name = mutant.name
    line = next((number for number, text in tree.lines(PROOFS) if f'"{name}":' in text), 1)
    for field, value in groups.description(mutant).items():
        if proof.get(field) != value:
            tree.report(PROOFS, line, f"{name}: `{field}` is not what {mutant.path} says; {REGROUP}")
    if not proof.get("caught_by"):
        tree.report(PROOFS, line, f"{name} is caught by no case; sharpen one, then {AGAIN}")
    for case in proof.get("caught_by", []):
        if case not in known and case.startswith(begun):
            continue
        if case not in known:
            tree.report(PROOFS, line, f"{name} is caught by {case}, which is no case; {AGAIN}")
        elif proof.get("breaks") not in known[case]:
            tree.report(PROOFS, line, f"{name}: the case {case} does not list {proof.get('breaks')}; {AGAIN}")


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


def load(tree):
    """The proofs by name; None, with a finding, if there are none."""
    try:
        return json.loads(tree.text(PROOFS) or "") if PROOFS in tree.files(".json") else {}
    except ValueError as error:
        tree.report(PROOFS, 1, f"is not JSON: {error}; {AGAIN}")
        return None


def lint(tree, _arguments):
    """Holds proofs and mutants to each other, one by one."""
    several, proofs = mutants.of(tree), load(tree)
    if several is None or proofs is None:
        return
    sources = mutants.sources(tree)
    known, begun = cases(tree), generated(tree)
    for mutant in several:
        check_place(tree, mutant, sources)
        if mutant.name in proofs:
            check_proof(tree, mutant, proofs[mutant.name], known, begun)
        else:
            tree.report(mutant.path, mutant.line, f"{mutant.name} is not in {PROOFS}; {AGAIN}")
    for name in sorted(proofs.keys() - {mutant.name for mutant in several}):
        tree.report(PROOFS, 1, f"{name} is proven and is no mutant; {AGAIN}")


if __name__ == "__main__":
    common.main(lint, __doc__)
