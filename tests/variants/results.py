# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""results.json: what became of each variant when it was judged last.

    "size-of-32-bits": {"near": "P30-031", "allows": "..", "outcome": "conforms", "warned": ["types-.."],
      "skipped": [], "accused": {}, "cases": "..", "digest": ".."}

`warned`, `skipped` and `accused` are the cases of which the unchanged reference is not said the same; those of
`accused` failed or were inconclusive, with the reason. `digest` is that of the variant and of what it changes, `cases`
that of all cases of the profile with their libraries. A result is stale when one of them is another now. `with` names
the variants with which it was judged as one, where it was.

compiled.json has the digests with which variants were seen to compile, by their names.
"""

import io
import json
import pathlib
import subprocess
import tarfile

import permitted

import bindings  # of tests/mutants, as what follows
import clike
import entries
import judging
import lua

RESULTS = "tests/variants/results.json"
COMPILED = "tests/variants/compiled.json"
CONFORMS = "conforms"
GOOD = (CONFORMS, "conforms-in-part")
ACCUSED = ("fail", "inconclusive")


def load(root: pathlib.Path) -> dict:
    """The results by the variants' names."""
    path = root / RESULTS
    return json.loads(path.read_text()) if path.exists() else {}


def keep(root: pathlib.Path, several: list, found: dict) -> bool:
    """Writes results.json: what has been found, and what was there of other variants. Whether it has changed."""
    kept, names = load(root), {one.name for one in several}
    results = {name: result for name, result in {**kept, **found}.items() if name in names}
    if results == kept:
        return False
    (root / RESULTS).write_text(bindings.one_by_line(results))
    return True


def compiled(root: pathlib.Path) -> dict:
    """The digests of variants as they were seen to compile, by their names."""
    path = root / COMPILED
    return json.loads(path.read_text()) if path.exists() else {}


def keep_compiled(root: pathlib.Path, every: list, several: list):
    """Writes compiled.json: these, of all variants, as they are now, and what was there of others."""
    tree, kept = Tree(bindings.Tree.below(root)), compiled(root)
    kept |= {one.name: tree.digest(one) for one in several}
    (root / COMPILED).write_text(bindings.one_by_line({one.name: kept[one.name] for one in every if one.name in kept}))


class Tree:
    """What results bind, as it is in a tree."""

    def __init__(self, tree: bindings.Tree):
        self.tree = tree
        self.of_cases = {}

    @classmethod
    def at(cls, root: pathlib.Path, revision: str):
        """That of the cases in a revision of the repository; it has no sources. Problem: there is no such revision."""
        told = subprocess.run(["git", "archive", revision, bindings.CASES], cwd=root, capture_output=True, check=False)
        if told.returncode:
            raise judging.Problem(told.stderr.decode().strip())
        with tarfile.open(fileobj=io.BytesIO(told.stdout)) as files:
            texts = [(one.name, files.extractfile(one).read().decode()) for one in files if one.name.endswith(".lua")]
        return cls(bindings.Tree(None, lua.Cases(texts)))

    def cases(self, profile: str) -> str:
        """The digest of all cases of a profile and of what they may use."""
        if profile not in self.of_cases:
            whose = lua.family(f"{bindings.CASES}{profile}/")
            chunks = {one.digest for one in self.tree.cases.chunks if self.tree.cases.concerns(one, whose)}
            self.of_cases[profile] = lua.digest(" ".join(sorted(chunks)))
        return self.of_cases[profile]

    def digest(self, variant: permitted.Variant) -> str:
        """That of a variant and of what it changes; "" if it does not fit."""
        texts, sources = [variant.role], self.tree.sources
        try:
            for part in variant.parts:
                for change, place in zip(part.changes, entries.resolve(part, sources)):
                    texts += [f"{kind} {clike.plain(line)}" for kind, line in change.lines if clike.plain(line)]
                    texts.append(sources.source(place.path).plain_of(place.item))
                sources = sources.with_files(entries.apply_part(part, sources))
        except entries.Misfit:
            return ""
        return lua.digest("\n".join(texts))

    def judged_so(self, variant: permitted.Variant, result) -> bool:
        """Whether it has been judged as it is, on what it changes as that is; cases may have changed."""
        return bool(result) and result.get("digest") == self.digest(variant)

    def stale(self, variant: permitted.Variant, profile: str, result) -> str:
        """Why a result says nothing of this tree, in words, or ""."""
        if not result:
            return "it has not been judged yet"
        if not self.judged_so(variant, result):
            return "the variant, or what it changes, has changed"
        return "" if result.get("cases") == self.cases(profile) else "a case has changed since"

    def result(self, variant: permitted.Variant, profile: str, before: list, now: list) -> dict:
        """The result of a variant by the reports that the unchanged reference and it were given, one for each role."""
        usual = {(entry["id"], entry["verdict"]) for report in before for entry in report["cases"]}
        other = [entry for report in now for entry in report["cases"] if (entry["id"], entry["verdict"]) not in usual]
        outcomes = [report["outcome"]["name"] for report in now]
        return {"near": variant.requirement, "allows": variant.allows,
                "outcome": next((one for one in outcomes if one not in GOOD), CONFORMS),
                "warned": sorted(entry["id"] for entry in other if entry["verdict"] == "warn"),
                "skipped": sorted(entry["id"] for entry in other if entry["verdict"] == "skip"),
                "accused": {entry["id"]: said(entry) for entry in other if entry["verdict"] in ACCUSED},
                "cases": self.cases(profile), "digest": self.digest(variant)}


    def of_each(self, variant: permitted.Variant, profile: str, found: dict, kept: dict) -> dict:
        """What the result of a variant says of itself, by its name; of several that are one and conform, of each of
        them, but where it has been judged alone as it is now."""
        if permitted.TOGETHER not in variant.name:
            return {variant.name: found}
        if found["outcome"] != CONFORMS:
            return {}
        names = {one.name for one in variant.before}
        return {one.name: {**found, "near": one.requirement, "allows": one.allows, "digest": self.digest(one),
                           "with": sorted(names - {one.name})}
                for one in variant.before if self.stale(one, profile, kept.get(one.name))}


class Since:
    """The cases that are new, or other than they were, since a revision of the repository."""

    def __init__(self, tree: Tree, root: pathlib.Path, revision: str):
        self.tree, self.before = tree, Tree.at(root, revision)

    def changed(self, case: str) -> bool:
        """Whether a case is one of them."""
        return self.tree.tree.cases.digest(case) != self.before.tree.cases.digest(case)

    def whole(self, variant: permitted.Variant, profile: str, earlier, found: dict):
        """The result by all cases: an `earlier` one, of the revision's, and what these cases `found`. None if the
        earlier one says nothing of this variant and the others."""
        if not self.tree.judged_so(variant, earlier) or earlier["cases"] != self.before.cases(profile):
            return None
        kept = {kind: [case for case in earlier[kind] if not self.changed(case)] for kind in ("warned", "skipped")}
        if any(not self.changed(case) for case in earlier["accused"]):
            return None
        return {**found, **{kind: sorted([*kept[kind], *found[kind]]) for kind in kept}}


def said(entry: dict) -> str:
    """What a case says of a system under test, in a line."""
    words = (entry["verdict"], entry.get("requirement", ""), entry.get("reason", ""))
    seen = f" (expected {entry['expected']}, observed {entry['observed']})" if entry.get("expected") else ""
    return " ".join(word for word in words if word) + seen


def show(found: dict, out) -> int:
    """Prints the table of these results; returns how many were not said to conform."""
    width = max((len(name) for name in found), default=0)
    print(f"{'variant':<{width}}  near      outcome           warned  skipped  accused by", file=out)
    for name, result in sorted(found.items()):
        print(f"{name:<{width}}  {result['near']:<8}  {result['outcome']:<16}  {len(result['warned']):>6}  "
              f"{len(result['skipped']):>7}  {', '.join(result['accused'])}".rstrip(), file=out)
        for case, words in result["accused"].items():
            print(f"    {case}: {words}", file=out)
    bad = sum(bool(result["outcome"] != CONFORMS) for result in found.values())
    print(f"{len(found)} variants, {len(found) - bad} conform, {bad} do not", file=out)
    return bad
