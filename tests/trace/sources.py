# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Finds in C sources the places that cite a requirement (`//= P30-137`) and the lines that fulfil it there.

A citation stands over the construct that it is about (a function, a statement, a row, a macro) or at the end of a line.
What is shown is that construct with the comment over it; a citation at the end of a line is shown with the block around
it.
"""

import dataclasses
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lint"))

import common  # noqa: E402

CITED = re.compile(r"//=((?: [A-Z][A-Z0-9]*-\d{3})+)\s*(\\?)$")
ALONE = re.compile(r"^\s*//=")
LABEL = re.compile(r"^\s*(case\b.*|default\s*):")
NAME = re.compile(r"\b(\w+)\s*\(")
MACRO = re.compile(r"^\s*#\s*define\s+(\w+)")
TYPE = re.compile(r"\b((?:struct|enum|union)\s+\w+)\s*\{")
TABLE = re.compile(r"\b(\w+)(?:\[[^\]]*\])*\s*=\s*\{")
ANONYMOUS = re.compile(r"\b(?:struct|enum|union)\s*\{")
CLOSING = re.compile(r"^\}\s*(\w+)")
CONTINUED = re.compile(r"\s+\\$")
ENDS = (";", "{", "}", ",", ":")  # what the line before a statement ends with
FEW = 12  # lines of a block that are shown around a line of it
MANY = 70  # lines of one excerpt
LITTLE = 4  # an excerpt of fewer lines is shown with some of its surroundings
BEFORE, AFTER = 4, 3


@dataclasses.dataclass(frozen=True)
class Excerpt:
    """Lines of a file: pairs of number and text. `name` is the function or other thing to which they belong; what is
    cited are the lines from `first` to `last`, the others are their surroundings."""

    path: str
    name: str
    lines: tuple
    first: int
    last: int
    more: int  # how many lines of the construct are not shown


class Source:
    """One C file: its lines, and the same without comments and literals, so that brackets can be counted."""

    def __init__(self, path: str, text: str):
        self.path = path
        self.lines = text.split("\n")
        self.code = [line.rstrip() for line in common.c_without(text).split("\n")]

    def indent(self, at: int) -> int:
        """How far in the line begins; a line without code counts as far in."""
        code = self.code[at]
        return len(code) - len(code.lstrip()) if code.strip() else sys.maxsize

    def depth(self, at: int) -> int:
        """By how much the line opens more brackets than it closes."""
        return sum(self.code[at].count(c) for c in "({[") - sum(self.code[at].count(c) for c in ")}]")

    def next_code(self, at: int) -> int:
        """The first line from `at` on that holds code; the number of lines when there is none."""
        while at < len(self.code) and not self.code[at].strip():
            at += 1
        return at

    def end_of_label(self, at: int) -> int:
        """The last line of what a `case` label leads to."""
        inside = self.indent(at)
        end = self.next_code(at + 1)
        while end < len(self.code) and LABEL.match(self.code[end]):
            end = self.next_code(end + 1)
        while end < len(self.code) and self.indent(end) > inside:
            end += 1
        return self.last_code(end - 1)

    def last_code(self, at: int) -> int:
        """The last line up to `at` that holds code."""
        while at > 0 and not self.code[at].strip():
            at -= 1
        return at

    def end_of(self, at: int) -> int:
        """The last line of the construct that begins in line `at`."""
        if MACRO.match(self.lines[at]):
            while at + 1 < len(self.lines) and self.lines[at].endswith("\\"):
                at += 1
            return at
        if LABEL.match(self.code[at]):
            return self.end_of_label(at)
        depth = 0
        for end in range(at, len(self.code)):
            depth += self.depth(end)
            if depth < 0:
                return max(at, self.last_code(end - 1))
            if depth == 0 and self.code[end].endswith((";", "}", ",", ":")):
                return end
        return at

    def comment_over(self, at: int) -> int:
        """The first line of the comment that stands directly over line `at`, or `at`."""
        begin = at
        while begin > 0 and self.lines[begin - 1].strip() and not self.code[begin - 1].strip():
            begin -= 1
        return begin

    def around(self, at: int) -> tuple:
        """First and last line of the block that holds line `at` when it is small; else just of the statement."""
        begin = at
        while begin > 0 and self.indent(begin) >= self.indent(at):
            begin -= 1
        if self.indent(at) > 0 and self.indent(begin) > 0 and not LABEL.match(self.code[begin]):
            end = self.end_of(begin)
            if end - begin < FEW and end >= at:
                return begin, end
        begin = at
        while begin > 0 and self.code[begin - 1].strip() and not self.code[begin - 1].endswith(ENDS):
            begin -= 1
        return begin, max(at, self.end_of(begin))

    def head_of(self, at: int) -> int:
        """The first line of the function or other thing at the outermost level that holds line `at`."""
        while at > 0 and (self.indent(at) > 0 or self.code[at].strip()[:1] in "{})"):
            at -= 1
        return at

    def name_of(self, at: int) -> str:
        """The name of the function, macro, type or table to which the line belongs."""
        head = self.head_of(at)
        text = " ".join(self.code[head:head + 3])
        if ANONYMOUS.search(self.code[head]):
            closing = CLOSING.search(self.code[self.end_of(head)])
            return closing.group(1) if closing else ""
        for pattern in (MACRO, TYPE, TABLE, NAME):
            found = pattern.search(text)
            if found:
                return found.group(1)
        return ""

    def surroundings(self, begin: int, end: int) -> tuple:
        """First and last line to show of a small part of a function, so that it can be understood."""
        if end - begin + 1 >= LITTLE or self.indent(self.next_code(begin)) == 0:
            return begin, end
        head = self.head_of(self.next_code(begin))
        return max(head, begin - BEFORE), max(end, min(self.end_of(head), end + AFTER))

    def excerpt(self, begin: int, end: int, named: int) -> Excerpt:
        """The lines from `begin` to `end`, without those that only cite, and what is needed around them."""
        while ALONE.match(self.lines[begin]):
            begin += 1
        first, last = self.surroundings(begin, end)
        numbers = [at for at in range(first, last + 1) if not ALONE.match(self.lines[at])]
        shown = tuple((at + 1, self.shown(at)) for at in numbers[:MANY])
        return Excerpt(self.path, self.name_of(named), shown, begin + 1, end + 1, len(numbers) - len(shown))

    def shown(self, at: int) -> str:
        """The line without its citation, and without the blanks before the end of a macro's line."""
        return CONTINUED.sub(r" \\", CITED.sub("", self.lines[at])).rstrip()

    def cited(self):
        """Yields requirement and excerpt for each citation."""
        for at, line in enumerate(self.lines):
            found = CITED.search(line)
            if not found:
                continue
            if ALONE.match(line):
                start = self.next_code(at)
                if start == len(self.lines):
                    continue
                begin, end = self.comment_over(start), self.end_of(start)
            else:
                start = at
                begin, end = self.around(at)
            for requirement in found.group(1).split():
                yield requirement, self.excerpt(begin, end, start)


def citations(root: pathlib.Path, folders) -> dict:
    """Requirement -> the excerpts that fulfil it, in the order of the folders, files and lines; none twice."""
    found = {}
    for folder in folders:
        for path in sorted(path for path in (root / folder).rglob("*") if path.suffix in (".c", ".h")):
            source = Source(str(path.relative_to(root)), path.read_text(encoding="utf-8"))
            for requirement, excerpt in source.cited():
                places = found.setdefault(requirement, [])
                if excerpt not in places:
                    places.append(excerpt)
    return found
