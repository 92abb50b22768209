#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Sources ask the table of profiles (specs/profiles.json) and name none: a new profile is a row, and no line of code.

Specifications, cases, tests, and documents speak of a profile by its name. In comments a name is an explanation.
"""

import re

import catalogue
import common

SOURCES = (".c", ".h", ".js", ".html", ".sh", ".mk", ".sql", ".lua", "Makefile")
FREE = ("specs/", "tester/cases/", "tests/")
# What an interpreter says that it was built for is its own name for its library's interface, as the protocol has it.
OTHERS = {"interpreter/portals/first/vendor_first.h", "interpreter/portals/later/vendor_later.h"}


def lint(tree, _arguments):
    """Looks at every source outside of what may name profiles."""
    names = [re.escape(name) for name in catalogue.profiles(tree)]
    if not names:
        return
    named = re.compile(rf"(?<![\w.-])(?:{'|'.join(names)})(?!\w|-\w|\.\d)")
    for path in tree.files(*SOURCES):
        if path.startswith(FREE) or path in OTHERS:
            continue
        text = tree.text(path) or ""
        text = common.c_without(text, strings=False) if path.endswith((".c", ".h", ".js")) else text
        for match in named.finditer(text):
            tree.report(path, common.line_of(text, match.start()),
                         f"names the profile {match.group(0)}; ask the table (tester/profile/profile_table.h, "
                         "tests/profile_table.py, `assay profiles`)")


if __name__ == "__main__":
    common.main(lint, __doc__)
