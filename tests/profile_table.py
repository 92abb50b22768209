#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The table of profiles, specs/profiles.json, for whatever is written in Python; as a program it prints the names.

The folder is that of the source tree, or the one that ASSAY_SPECS names, as for `assay` itself.
"""

import json
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent


def folder() -> pathlib.Path:
    """Where the specifications are."""
    return pathlib.Path(os.environ.get("ASSAY_SPECS") or ROOT / "specs")


def load(specs: pathlib.Path = None) -> list:
    """The rows, in their order."""
    return json.loads(((specs or folder()) / "profiles.json").read_text(encoding="utf-8"))


def find(name: str, specs: pathlib.Path = None) -> dict:
    """The row of that name. KeyError, which lists the known names, when there is none."""
    rows = {row["name"]: row for row in load(specs)}
    if name not in rows:
        raise KeyError(f'no profile "{name}"; there are: {", ".join(rows)}')
    return rows[name]


def _rename(value, renames: dict):
    """A text in the words of a later revision; any other value as it is."""
    return re.sub(r"\w+", lambda word: renames.get(word[0], word[0]), value) if isinstance(value, str) else value


def _derived(base: dict, listed: dict, name: str, renames: dict) -> dict:
    """A row of a later revision, made whole as tester/profile/revision.c makes it."""
    since = {"since": name}
    if base is None:
        return {**listed, "change": "new", **since}
    if listed is None or "gone" in listed:
        row = {field: _rename(value, renames) for field, value in base.items()}
        row["change"] = "gone" if base.get("change") == "gone" else "kept"
        row["same_as"] = [*base.get("same_as", []), base["id"]]
    if listed is None:
        return row
    if "gone" in listed:
        row.pop("why_unproven", None)
        row.pop("same_as")
        return {**row, **since, "change": "gone", "testable": False, "why_not": listed["gone"]}
    lasting = {field: base[field] for field in ("section", "level", "testable", "role") if field in base}
    return {**lasting, **listed, "change": "changed", **since}


def requirements(name: str, specs: pathlib.Path = None) -> list:
    """The catalogue of a profile, whole: one that is derived from another lists only what differs (specs/README.md)."""
    specs = specs or folder()
    catalogue = json.loads((specs / f"{name}.json").read_text(encoding="utf-8"))
    if isinstance(catalogue, list):
        return catalogue
    prefix = catalogue["rows"][0]["id"].partition("-")[0]
    base = {f"{prefix}-{row['id'].partition('-')[2]}": row for row in requirements(catalogue["derived_from"], specs)}
    listed = {row["id"]: row for row in catalogue["rows"]}
    rows = []
    for key in dict.fromkeys([*base, *listed]):
        row = _derived(base.get(key), listed.get(key), name, catalogue.get("renames", {}))
        rows.append({**row, "id": key, **({"derived_from": base[key]["id"]} if key in base else {})})
    return rows


def revisions(name: str, specs: pathlib.Path = None) -> list:
    """The profiles whose cases may hold for one: those that its catalogue is derived from, the oldest first, and it."""
    catalogue = json.loads(((specs or folder()) / f"{name}.json").read_text(encoding="utf-8"))
    return [*(revisions(catalogue["derived_from"], specs) if isinstance(catalogue, dict) else ()), name]


def renames(name: str, specs: pathlib.Path = None) -> list:
    """(profile, name before, name) of each word that a revision calls otherwise, the oldest revision first."""
    found = []
    for profile in revisions(name, specs):
        catalogue = json.loads(((specs or folder()) / f"{profile}.json").read_text(encoding="utf-8"))
        words = catalogue.get("renames", {}) if isinstance(catalogue, dict) else {}
        found += [(profile, before, word) for before, word in words.items()]
    return found


def owner(requirement: str, specs: pathlib.Path = None) -> dict:
    """The row of the profile that demands a requirement, by its prefix; None when it is nobody's."""
    return next((row for row in load(specs) if row["prefix"] == requirement.rpartition("-")[0]), None)


if __name__ == "__main__":
    print(" ".join(row["name"] for row in load()))
