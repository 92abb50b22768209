#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A folder of sources can be taken in at a glance: few files, and a README.md of a page that names where to begin.

The folders below tests/ have one README.md together, tests/README.md, which names each of them.
"""

import re

import common
import includes

SOURCES_MAX, FILES_MAX, README_LINES = 25, 45, 80
TOGETHER = "tests/README.md"
DIVIDE = "divide the folder by what things are"


def contents(tree):
    """Folder -> the names of its files, for every folder in which C stands."""
    folders = {}
    for path in tree.files():
        folders.setdefault(includes.folder_of(path), []).append(path.rsplit("/", 1)[-1])
    return {folder: names for folder, names in folders.items() if any(name.endswith((".c", ".h")) for name in names)}


def check_size(tree, folder, names):
    """At most so many sources, and so many files of any kind."""
    sources = sum(name.endswith(".c") for name in names)
    if sources > SOURCES_MAX:
        tree.report(f"{folder}/", 1, f"{sources} .c files, at most {SOURCES_MAX}; {DIVIDE}")
    elif len(names) > FILES_MAX:
        tree.report(f"{folder}/", 1, f"{len(names)} files, at most {FILES_MAX}; {DIVIDE}")


def check_readme(tree, folder, names):
    """The folder's README.md: there, of a page, with the name of a file of the folder in it."""
    path = f"{folder}/README.md"
    if "README.md" not in names:
        tree.report(path, 1, "is missing; say what it is for, its way in, who may include it, where to begin")
        return
    text = tree.text(path) or ""
    if text.count("\n") > README_LINES and re.match(r"[^/]+/[^/]+", folder):
        tree.report(path, README_LINES + 1, f"{text.count(chr(10))} lines, at most {README_LINES}; a README is a page")
    sources = [name for name in names if name.endswith((".c", ".h"))]
    if not any(re.search(rf"(?<![\w/]){re.escape(name)}(?!\w)", text) for name in sources):
        tree.report(path, 1, "names no header or source of its folder; say with which file to begin")


def lint(tree, _arguments):
    """Looks at every folder in which C stands."""
    listed = tree.text(TOGETHER) if TOGETHER in tree.known_files() else ""
    for folder, names in sorted(contents(tree).items()):
        check_size(tree, folder, names)
        if not folder.startswith("tests/"):
            check_readme(tree, folder, names)
        elif f"{folder.removeprefix('tests/').split('/')[0]}/" not in listed:
            tree.report(TOGETHER, 1, f"does not name {folder}/; say there what the folder is for")


if __name__ == "__main__":
    common.main(lint, __doc__)
