#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Nothing too long to read: files, functions, lines.

A file or function that is long for a good reason says so in a comment `lint: long because ...`, in the file's first 40
lines or inside the function.
"""

import pathlib
import re

import common

FILE_LINES = {".c": 600, ".h": 250, ".lua": 600}
FUNCTION_LINES = 60
COLUMNS = 120
# A sentence of a case (title, purpose) stands in one literal, which Lua cannot break readably.
LUA_SENTENCE = re.compile(r'\s*\w+ = "[^"]*",?$')
EXCUSE = re.compile(r"lint: long because \S+ \S+")
EXCUSE_WITHIN = 40
EXPLAIN = "say `lint: long because ...`"
PUBLIC = re.compile(r"ref-impl/include/|tester/engine/engine\.h$")


def functions(lines):
    """Yields first and last line of every function body: braces at the start of a line, as .clang-format has them."""
    start = None
    for number, line in enumerate(lines, 1):
        if line == "{":
            start = number
        elif line.startswith("}") and start is not None:
            yield start, number
            start = None


def check_file(tree, path, lines):
    """The length of a file of a kind that has a limit."""
    limit = FILE_LINES.get(pathlib.PurePath(path).suffix, len(lines))
    excused = any(EXCUSE.search(line) for line in lines[:EXCUSE_WITHIN])
    if len(lines) > limit and not excused and not PUBLIC.match(path):
        tree.report(path, limit + 1, f"{len(lines)} lines, at most {limit}; split by idea, or {EXPLAIN} at its head")


def check_functions(tree, path, lines):
    """Lengths of a C file's functions."""
    for first, last in functions(common.c_without("\n".join(lines)).split("\n")):
        length = last - first + 1
        if length > FUNCTION_LINES and not any(EXCUSE.search(line) for line in lines[first - 1:last]):
            tree.report(path, first,
                        f"a function of {length} lines, at most {FUNCTION_LINES}; split it, or {EXPLAIN} in it")


def lint(tree, _arguments):
    """Looks at C, Python and Lua."""
    for path in tree.files(".c", ".h", ".py", ".lua"):
        lines = [line for _, line in tree.lines(path)]
        check_file(tree, path, lines)
        if path.endswith((".c", ".h")):
            check_functions(tree, path, lines)
        for number, line in tree.lines(path):
            if len(line) > COLUMNS and not (path.endswith(".lua") and LUA_SENTENCE.match(line)):
                tree.report(path, number, f"{len(line)} columns, at most {COLUMNS}; break the line")


if __name__ == "__main__":
    common.main(lint, __doc__)
