#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Headers are the manual: over each function that a header declares stands a comment that begins with its name.

Declarations that follow each other without an empty line are a group under one comment, which names each of them.
The public headers of ref-impl/include/ have manuals of their own.
"""

import re

import common

PUBLIC = ("ref-impl/include/",)
# A declaration or an inline definition at the left margin: its name is what stands before the first parenthesis that
# is not an attribute's.
FUNCTION = re.compile(r"^(?!typedef|#|return\b)(?:[A-Za-z_][\w \t*]*?[ \t*])([a-z]\w*)\((?!\*)[^;{]*?[;{]",
                      re.MULTILINE)
ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", re.DOTALL)
MARKS = re.compile(r"^[ \t]*(/\*+|\*/|\*|//=?|)[ \t]*|[ \t]*\*/$")


def as_word(match):
    """Something of the same lines and columns that is a word to FUNCTION."""
    return re.sub(r"[^\n]", "x", match.group(0))


def declared(code):
    """Functions of a header without comments: pairs of line number and name."""
    flat = ATTRIBUTE.sub(as_word, code)
    return [(common.line_of(flat, match.start()), match.group(1)) for match in FUNCTION.finditer(flat)]


def comment_over(lines, code, number):
    """The comment that stands over a declaration and over those of its group: its text; empty if there is none."""
    above = number - 2
    while above >= 0 and lines[above].strip() and code[above].strip():
        above -= 1
    found = []
    while above >= 0 and lines[above].strip() and not code[above].strip():
        found.insert(0, MARKS.sub("", lines[above]))
        above -= 1
    return "\n".join(found).strip()


def names(comment, name):
    """Whether the comment names the function, by itself or by a pattern for all of a group (`lua_*_register`)."""
    words = set(re.findall(r"[\w*]*\w[\w*]*", comment))
    patterns = [re.escape(word).replace(r"\*", r"\w+") for word in words if "*" in word and "_" in word]
    return name in words or any(re.fullmatch(pattern, name) for pattern in patterns)


def lint(tree, _arguments):
    """Looks at every header of C but the public ones."""
    for path in tree.files(".h"):
        if path.startswith(PUBLIC):
            continue
        text = tree.text(path) or ""
        code = common.c_without(text)
        lines, bare = text.split("\n"), code.split("\n")
        for number, name in declared(code):
            comment = comment_over(lines, bare, number)
            if not comment:
                tree.report(path, number, f"nothing says what {name} does; write a comment that begins with its name")
            elif not names(comment, name):
                tree.report(path, number, f"the comment over {name} does not name it; begin with the name")


if __name__ == "__main__":
    common.main(lint, __doc__)
