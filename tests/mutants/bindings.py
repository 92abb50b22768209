# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""proofs.json, and what a proof binds: the mutant, the functions that it changes, and each case that catches it with
what that case uses. A proof is stale as soon as one of them is another than when `make mutants` tried the mutant.

    "accepted-counts-as-dropped": {"breaks": "P30-322", "source": "ref-impl/core/message.c", "in": ["message_dropped"],
      "why": "..", "caught_by": {"move-events-without-queue": {"verdict": "fail", "digest": ".."}}, "digest": ".."}

`verdict` is what the case says of the mutant: fail or warn. `digest` is that of the case; the last one that of the
mutant and of the functions that it changes. Neither comments nor white space are part of them, nor the names of files.
A mutant also breaks what a later revision demands in the same words: `later` holds, by such a requirement, what catches
it there, in the form of `caught_by`.
"""

import functools
import json
import pathlib

import clike
import entries
import lua
from profiles import profile_table

PROOFS = "tests/mutants/proofs.json"
CASES = "tester/cases/"
CATCHES = ("fail", "warn")
NO_MUTANT = "no mutant breaks it"
DESCRIPTION = ("breaks", "source", "in", "why")


def description(mutant: entries.Mutant) -> dict:
    """What a proof repeats of its mutant, so that who reads proofs needs not read mutants."""
    return {"breaks": mutant.breaks, "source": mutant.group,
            "in": list(dict.fromkeys(change.inside for change in mutant.changes)), "why": mutant.why}


def one_by_line(proofs: dict) -> str:
    """The text of proofs.json: a line for each mutant, so that changes of two of them do not meet."""
    lines = [f"{json.dumps(name)}: {json.dumps(proofs[name])}" for name in sorted(proofs)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def load(root: pathlib.Path) -> dict:
    """The proofs by the mutants' names."""
    path = root / PROOFS
    return json.loads(path.read_text()) if path.exists() else {}


def parts(proof: dict) -> dict:
    """What catches a mutant, by each requirement that it breaks."""
    own = {proof["breaks"]: proof.get("caught_by", {})} if "breaks" in proof else {}
    return {**own, **proof.get("later", {})}


class Tree:
    """What proofs bind, as it is in a tree."""

    def __init__(self, sources: entries.Sources, cases: lua.Cases):
        self.sources = sources
        self.cases = cases

    @classmethod
    def below(cls, root: pathlib.Path):
        """That of the tree in this folder."""
        paths = sorted((root / CASES).rglob("*.lua"))
        files = [(str(path.relative_to(root)), path.read_text()) for path in paths]
        return cls(entries.Sources.below(root), lua.Cases(files))

    @functools.cache
    def digest(self, mutant: entries.Mutant) -> str:
        """That of a mutant and of what it changes; "" if it does not fit."""
        try:
            places = entries.resolve(mutant, self.sources)
        except entries.Misfit:
            return ""
        texts = [mutant.breaks]
        for change, place in zip(mutant.changes, places):
            texts += [f"{kind} {clike.plain(line)}" for kind, line in change.lines if clike.plain(line)]
            texts.append(self.sources.source(place.path).plain_of(place.item))
        return lua.digest("\n".join(texts))

    def bound(self, verdicts: dict) -> dict:
        """What cases say, each with its digest."""
        return {case: {"verdict": verdicts[case], "digest": self.cases.digest(case)} for case in sorted(verdicts)}

    def proof(self, mutant: entries.Mutant, caught: dict) -> dict:
        """The proof of a mutant that has been tried on this tree, by what the cases that caught it say: `caught` by the
        requirement, its own and those of later revisions."""
        later = {row: self.bound(verdicts) for row, verdicts in sorted(caught.items())
                 if row != mutant.breaks and verdicts}
        return {**description(mutant), "caught_by": self.bound(caught.get(mutant.breaks, {})),
                **({"later": later} if later else {}), "digest": self.digest(mutant)}

    def proof_beside(self, mutant: entries.Mutant, caught: dict, proof) -> dict:
        """The same where a mutant was asked of some requirements only: what its `proof` says of others stays, unless
        that is stale or there is none."""
        known = {} if self.stale(mutant, proof) else parts(proof)
        verdicts = {row: {case: said["verdict"] for case, said in cases.items()} for row, cases in known.items()}
        return self.proof(mutant, {**verdicts, **caught})

    def current(self, mutants: list, proofs: dict) -> dict:
        """The proofs that are not stale."""
        return {mutant.name: proofs[mutant.name] for mutant in mutants
                if not self.stale(mutant, proofs.get(mutant.name))}

    def proven_so(self, mutant: entries.Mutant, proof) -> bool:
        """Whether it has been tried as it is, on what it changes as that is; cases may have changed."""
        return bool(proof) and proof.get("digest") == self.digest(mutant)

    def stale(self, mutant: entries.Mutant, proof) -> list:
        """Why a proof says nothing of this tree, in words; empty if it does. `proof` is None if there is none."""
        if not proof:
            return ["it has not been tried yet"]
        reasons = []
        if not self.proven_so(mutant, proof):
            reasons.append(f"the mutant, or {', '.join(description(mutant)['in'])}, has changed")
        for case, said in [said for part in parts(proof).values() for said in part.items()]:
            now = self.cases.digest(case)
            if not now:
                reasons.append(f"there is no case {case}")
            elif said.get("digest") != now:
                reasons.append(f"the case {case}, or what it uses, has changed")
        return reasons


class Catalogue:
    """What has to be known of the requirements, by which a verdict is a catch or none."""

    def __init__(self, rows: list, switches: list):
        self.rows = {row["id"]: row for row in rows}
        self.switched = {name for switch in switches for name in switch["requirements"]}

    @classmethod
    def below(cls, root: pathlib.Path):
        """All catalogues of the tree in this folder."""
        rows, switches = [], []
        for name in (row["name"] for row in profile_table.load(root / "specs")):
            rows += profile_table.requirements(name, root / "specs")
            path = root / "specs" / f"{name}.switches.json"
            switches += json.loads(path.read_text())["switches"] if path.exists() else []
        return cls(rows, switches)

    def later(self, requirement: str) -> list:
        """The requirements of later revisions that are the same, where a case can judge them."""
        return [name for name, row in self.rows.items() if requirement in row.get("same_as", []) and row["testable"]]

    def warning_counts(self, requirement: str) -> bool:
        """Whether a warning is all that a case can say who breaks it: it is no demand, or has other readings."""
        row = self.rows.get(requirement, {})
        return row.get("level") != "must" or bool(row.get("reading") or row.get("ambiguities")) or \
            requirement in self.switched

    def caught(self, requirement: str, verdicts, warns: str = "") -> bool:
        """Whether these verdicts, by cases that judge the requirement, catch a mutant that breaks it; `warns` is what
        the mutant says of why they can be no more than warnings."""
        counting = CATCHES if warns or self.warning_counts(requirement) else CATCHES[:1]
        return any(verdict in counting for verdict in verdicts)


def unproven_rows(catalogue: Catalogue, proofs: dict) -> list:
    """Pairs of id and reason: the testable requirements for which no mutant is caught by a case that names them, but
    for those of which the catalogue says why there can be none."""
    broken = {}
    for proof in proofs.values():
        for name, caught in parts(proof).items():
            broken.setdefault(name, []).append(caught)
    found = []
    for name, row in catalogue.rows.items():
        if not row["testable"] or row.get("why_unproven"):
            continue
        proven = any(catalogue.caught(name, [said["verdict"] for said in caught.values()])
                     for caught in broken.get(name, []))
        if not proven:
            found.append((name, "its mutants are caught by no case that names it" if name in broken else NO_MUTANT))
    return found
