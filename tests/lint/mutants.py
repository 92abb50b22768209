# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The mutants of a tree, as the lints look at them."""

import json
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "mutants"))

import bindings  # noqa: E402
import entries  # noqa: E402
import groups  # noqa: E402
import lua  # noqa: E402

PROOFS = bindings.PROOFS
AGAIN = "run `make mutants MUTANTFLAGS=--stale`"


def of(tree):
    """Every mutant of the tree, sorted by name; None, with a finding, if they cannot be read."""
    paths = [path for path in tree.files(entries.SUFFIX) if path.startswith(entries.FOLDER)]
    try:
        return groups.parse_all((path, tree.text(path) or "") for path in paths)
    except entries.Unreadable as wrong:
        tree.report(wrong.path, wrong.line, wrong.what)
        return None


def bound(tree):
    """What their proofs bind."""
    paths = [path for path in tree.files(".c", ".h") if path.split("/", 1)[0] in entries.TOPS]
    cases = [(path, tree.text(path) or "") for path in tree.files(".lua") if path.startswith(bindings.CASES)]
    return bindings.Tree(entries.Sources(lambda path: tree.text(path) or "", paths), lua.Cases(cases))


def proofs(tree):
    """The proofs by name; None, with a finding, if they cannot be read."""
    try:
        return json.loads(tree.text(PROOFS) or "") if PROOFS in tree.files(".json") else {}
    except ValueError as error:
        tree.report(PROOFS, 1, f"is not JSON: {error}; {AGAIN}")
        return None
