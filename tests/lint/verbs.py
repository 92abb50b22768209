#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""tester/cases/VERBS.md names every function of tester/cases/lib that a case calls, under the file that defines it, and
none that is not there."""

import re

import common
import forgeries

PAGE = "tester/cases/VERBS.md"
FOLDER, LIBRARY = "tester/cases/", "tester/cases/lib/"
SECTION = re.compile(r"^## (lib/\S+\.lua)$", re.MULTILINE)
ROW = re.compile(r"^\| `(?:[\w]+[:.])?(\w+)", re.MULTILINE)
DEFINED = re.compile(r"^function (?:(\w+)([:.]))?(\w+)\(", re.MULTILINE)


def rows(tree) -> dict:
    """The verbs that the page names: names with their lines, by file of the library."""
    text, found = tree.text(PAGE) or "", {}
    heads = list(SECTION.finditer(text))
    for head, end in zip(heads, [each.start() for each in heads[1:]] + [len(text)]):
        found[head.group(1)] = {match.group(1): common.line_of(text, match.start())
                                for match in ROW.finditer(text, head.end(), end)}
    return found


def is_called(calls, owner, mark, name):
    """Whether cases call what is defined as `Owner:name`, `Owner.name` or, without an owner, `name`."""
    if mark == ":":
        return re.search(rf":{name}\s*[({{\"]", calls) is not None
    before = rf"\b(?:{owner}|t)\." if mark else r"(?<![\w.:])"
    return re.search(rf"{before}{name}\b", calls) is not None


def lint(tree, _arguments):
    """Compares the page with the library, and with what cases call."""
    sources = [path for path in tree.files(".lua") if path.startswith(FOLDER)]
    if not sources:
        return
    calls = "\n".join(forgeries.without_comments(tree.text(path) or "") for path in sources
                      if not path.startswith(LIBRARY))
    named = rows(tree)
    for path in (path for path in sources if path.startswith(LIBRARY)):
        text, section = tree.text(path) or "", named.pop(path[len(FOLDER):], {})
        defined = {match.group(3): match for match in DEFINED.finditer(text)}
        for name, match in defined.items():
            if name not in section and is_called(calls, match.group(1), match.group(2), name):
                tree.report(path, common.line_of(text, match.start()),
                            f"cases call `{name}`, which {PAGE} does not name under this file; add its row")
        for name in section.keys() - defined.keys():
            tree.report(PAGE, section[name], f"`{name}` is no function of {path}; remove the row, or correct it")
    for path in named:
        tree.report(PAGE, 1, f"there is no {FOLDER}{path}; remove its section")


if __name__ == "__main__":
    common.main(lint, __doc__)
