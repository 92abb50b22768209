#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The table of profiles, specs/profiles.json, for whatever is written in Python; as a program it prints the names.

The folder is that of the source tree, or the one that ASSAY_SPECS names, as for `assay` itself.
"""

import json
import os
import pathlib

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


def owner(requirement: str, specs: pathlib.Path = None) -> dict:
    """The row of the profile that demands a requirement, by its prefix; None when it is nobody's."""
    return next((row for row in load(specs) if row["prefix"] == requirement.rpartition("-")[0]), None)


if __name__ == "__main__":
    print(" ".join(row["name"] for row in load()))
