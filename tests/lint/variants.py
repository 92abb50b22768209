#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The variants of tests/variants fit: each names a requirement, a role and a reading that there are, stands in the
folder of its profile, and can be put into the tree.

Whether one is judged to conform only `make variants` can say. How many results are of another variant, function or case
than stands here now is told and no finding.
"""

import json
import pathlib
import sys

import catalogue
import common
import mutants
from mutants import entries

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "variants"))

import permitted  # noqa: E402
import results  # noqa: E402

AGAIN = "run `make variants VARIANTFLAGS=--stale`"


def of(tree):
    """Every variant of the tree; None, with a finding, if they cannot be read."""
    paths = [path for path in tree.files(permitted.FORM.suffix) if path.startswith(permitted.FOLDER)]
    try:
        return permitted.parse_all((path, tree.text(path) or "") for path in paths)
    except entries.Unreadable as wrong:
        tree.report(wrong.path, wrong.line, wrong.what)
        return None


def readings_of(tree, profile) -> set:
    """The readings, as "switch=value", that are not what a run is judged by unless told otherwise."""
    path = f"specs/{profile}.switches.json"
    switches = (catalogue.load(tree, path) or {}).get("switches", []) if path in tree.files(".json") else []
    return {f"{switch['name']}={reading['value']}" for switch in switches for reading in switch["readings"]
            if reading["value"] != switch["default"]}


def check_names(tree, variant, loaded, readings):
    """The profile, requirement, role and reading of a variant. Returns the profile's name, or None."""
    def wrong(what):
        tree.report(variant.path, variant.line, f"{variant.name}: {what}")

    profile = next((name for name, (_, rows) in loaded.items()
                    if any(row["id"] == variant.requirement for row in rows)), None)
    if not profile:
        wrong(f"is near `{variant.requirement}`, which no catalogue has; name exactly one requirement")
        return None
    if variant.path.split("/")[2] != profile:
        wrong(f"is judged by {profile}; move it to {permitted.FOLDER}{profile}/")
    roles = {role["name"] for role in loaded[profile][0]["roles"]}
    if variant.role and variant.role not in roles:
        wrong(f"{profile} has no role `{variant.role}`; it has {', '.join(sorted(roles))}")
    if variant.reading and variant.reading not in readings[profile]:
        wrong(f"`{variant.reading}` is no other reading of a switch of specs/{profile}.switches.json")
    return profile


def lint(tree, _arguments):
    """Looks at one after the other, and at the results."""
    several, loaded = of(tree), catalogue.profiles(tree)
    if several is None or not loaded:
        return
    bound = results.Tree(mutants.bound(tree))
    readings = {profile: readings_of(tree, profile) for profile in loaded}
    kept = json.loads(tree.text(results.RESULTS) or "{}") if results.RESULTS in tree.files(".json") else {}
    stale = []
    for variant in several:
        profile = check_names(tree, variant, loaded, readings)
        try:
            entries.apply(variant, bound.tree.sources)
        except entries.Misfit as misfit:
            tree.report(variant.path, variant.line, f"{variant.name}: {misfit}; bring it up to date and {AGAIN}")
        if profile and bound.stale(variant, profile, kept.get(variant.name)):
            stale.append(variant.name)
    for name in sorted(kept.keys() - {variant.name for variant in several}):
        tree.report(results.RESULTS, 1, f"{name} is no variant; {AGAIN}")
    for name, result in kept.items():
        if result["outcome"] != results.CONFORMS:
            accusers = ", ".join(result["accused"])
            tree.report(results.RESULTS, 1, f"{name} is accused by {accusers}; mend that and {AGAIN}")
    if stale:
        print(f"{results.RESULTS}: {len(stale)} of {len(several)} results are stale, as of {stale[0]}; {AGAIN}")


if __name__ == "__main__":
    common.main(lint, __doc__)
