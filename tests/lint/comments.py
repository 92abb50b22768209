#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Lists, tables and drawings in comments stay as they were written.

The formatter does not touch comments (`ReflowComments: false`), and what it, or anybody, has run together is found
where it can be seen for sure: the item of a list, `name - what it does`, begins a line.
"""

import re

import common

FORMAT = ".clang-format"
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# After the end of a sentence, in the middle of a line: names with underscores, then a dash.
ITEM = re.compile(r"[.;:] +(\w+_\w+(?:, \w+)*(?:\(\))?) - ")


def lint(tree, _arguments):
    """Looks at the formatter's settings, and at every block comment."""
    if FORMAT in tree.known_files() and not re.search(r"^ReflowComments: false$", tree.text(FORMAT), re.MULTILINE):
        tree.report(FORMAT, 1, "lacks `ReflowComments: false`; without it the formatter destroys tables and drawings")
    for path in tree.files(".c", ".h"):
        text = tree.text(path) or ""
        for comment in COMMENT.finditer(text):
            for item in ITEM.finditer(comment.group(0)):
                tree.report(path, common.line_of(text, comment.start() + item.start()),
                             f"`{item.group(1)} -` begins in the middle of a line; give each item a line of its own")


if __name__ == "__main__":
    common.main(lint, __doc__)
