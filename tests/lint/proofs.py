#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""tests/mutants/proofs.json tells the truth: one proof for each mutant as it is now, by cases that exist and judge it.

Whether a case really catches a mutant only `make mutants` can say; this holds what it wrote to patches and cases.
"""

import errno
import hashlib
import json
import os
import pathlib
import re
import sys

import common
import requirements

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "mutants"))

import patches  # noqa: E402

PROOFS = "tests/mutants/proofs.json"
FOLDER = "tests/mutants/"
GENERATED = re.compile(r"\bid\s*=\s*(?:\"(?=[^\"]+\"\s*\.\.)|string\.format\(\")([^\"%]+)")
AGAIN = "run `make mutants`"


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


def head(text: str) -> dict:
    """What a mutant says about itself before its first change."""
    lines = text.split("\n--- ", 1)[0].splitlines()
    return {key.strip(): value.strip() for key, colon, value in (line.partition(":") for line in lines) if colon}


def check_proof(tree, name, proof, known, begun):
    """One proof against its patch and the cases: `known` by name, `begun` by what their names begin with."""
    path = f"{FOLDER}{name}.patch"
    line = next((number for number, text in tree.lines(PROOFS) if f'"{name}":' in text), 1)
    text = tree.text(path) or ""
    said = head(text)
    if proof.get("patch_sha256") != hashlib.sha256(text.encode()).hexdigest():
        tree.report(PROOFS, line, f"{name} was proven with another patch than {path}; {AGAIN}")
    for field in ("breaks", "why"):
        if proof.get(field) != said.get(field):
            tree.report(PROOFS, line, f"{name}: `{field}` is not what {path} says; {AGAIN}")
    if not proof.get("caught_by"):
        tree.report(PROOFS, line, f"{name} is caught by no case; sharpen one, then {AGAIN}")
    for case in proof.get("caught_by", []):
        if case not in known and case.startswith(begun):
            continue
        if case not in known:
            tree.report(PROOFS, line, f"{name} is caught by {case}, which is no case; {AGAIN}")
        elif proof.get("breaks") not in known[case]:
            tree.report(PROOFS, line, f"{name}: the case {case} does not list {proof.get('breaks')}; {AGAIN}")


def check_patch(tree, path):
    """A patch must still fit the tree, or `make mutants` can no longer try it."""
    def read(name):
        if not (tree.root / name).is_file():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        return tree.text(name) or ""

    try:
        patches.apply(tree.text(path) or "", read)
    except patches.Misfit as misfit:
        tree.report(path, 1, f"{misfit}; bring it up to date and {AGAIN}")


def lint(tree, _arguments):
    """Holds proofs and patches to each other, one by one."""
    mutants = {path[len(FOLDER):-len(".patch")] for path in tree.files(".patch") if path.startswith(FOLDER)}
    if PROOFS not in tree.files(".json"):
        if mutants:
            tree.report(FOLDER, 1, f"there are mutants and no {PROOFS}; {AGAIN}")
        return
    try:
        proofs = json.loads(tree.text(PROOFS) or "")
    except ValueError as error:
        tree.report(PROOFS, 1, f"is not JSON: {error}; {AGAIN}")
        return
    for name in sorted(mutants - proofs.keys()):
        tree.report(f"{FOLDER}{name}.patch", 1, f"is not in {PROOFS}; {AGAIN}")
    for name in sorted(mutants):
        check_patch(tree, f"{FOLDER}{name}.patch")
    known, begun = cases(tree), generated(tree)
    for name, proof in proofs.items():
        if name in mutants:
            check_proof(tree, name, proof, known, begun)
        else:
            tree.report(PROOFS, 1, f"{name} is proven and has no patch; {AGAIN}")


if __name__ == "__main__":
    common.main(lint, __doc__)
