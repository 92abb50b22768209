# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What a lint may still find in an area while it is being mended: tests/lint/allowances.json, numbers that only shrink.

An area is a top-level folder, in ref-impl/ and tests/ a folder of it. More than is allowed is a finding, with all that
is there; fewer is told, so that the number is lowered; LINT_ALL=1 in the environment tells everything.
"""

import json
import os

FILE = "tests/lint/allowances.json"
DIVIDED = ("ref-impl", "tests")


def area_of(path):
    """The area in which a file lies."""
    parts = path.split("/")[:-1]
    return "/".join(parts[:2 if parts and parts[0] in DIVIDED else 1]) or "."


class Findings:
    """What one lint finds, by area, until it is told."""

    def __init__(self, tree, lint):
        self.tree = tree
        self.lint = lint
        self.found = {}

    def add(self, path, line, message, weight=1):
        """Keeps one finding; `weight` is what it counts."""
        self.found.setdefault(area_of(path), []).append((path, line, message, weight))

    def tell(self):
        """Reports each area in which there is more than is allowed; says where the number can be lowered."""
        allowed = self.allowed()
        for area in sorted(self.found.keys() | allowed.keys()):
            findings = self.found.get(area, [])
            count, limit = sum(finding[3] for finding in findings), allowed.get(area, 0)
            if count > limit or "LINT_ALL" in os.environ:
                for path, line, message, _ in findings:
                    self.tree.report(path, line, message)
            if count > limit > 0:
                print(f"{self.lint}: {area} has {count} of these, {limit} are allowed until they are mended")
            elif count < limit:
                print(f"{self.lint}: {area} has {count} left, {limit} are allowed; lower that in {FILE}")

    def allowed(self):
        """Area -> how many are allowed for this lint."""
        try:
            return json.loads((self.tree.root / FILE).read_text()).get(self.lint, {})
        except FileNotFoundError:
            return {}
