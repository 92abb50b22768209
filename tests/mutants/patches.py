# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Where in the files of today stands what a mutant's patch changes.

Stricter than patch(1), which takes a place that fits more or less, so that a mutant may break something else than it
says without anybody noticing. Here every line that a hunk leaves or takes away must stand in the file as it is in the
patch, in the function that the hunk names behind its `@@ .. @@` if it names one. The line numbers are only asked where
the same lines stand in several places.
"""

import dataclasses
import re

HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@ ?(.*)$")
HEADING = re.compile(r"[A-Za-z_$]")


class Misfit(Exception):
    """A patch that cannot be applied to the files as they are."""


@dataclasses.dataclass(frozen=True)
class Hunk:
    """One change: `old` lines of a file become `new` ones; `line`, from 1, and `heading` say where they once stood."""

    path: str
    line: int
    heading: str
    old: tuple
    new: tuple


def body(lines) -> tuple:
    """The lines that a hunk wants to find, and those that it leaves."""
    old = tuple(line[1:] for line in lines if line[:1] in (" ", "-"))
    return old, tuple(line[1:] for line in lines if line[:1] in (" ", "+"))


def hunks(text: str) -> list:
    """The hunks of a patch, in their order."""
    found, path, head, lines = [], "", None, []
    for line in [*text.splitlines(), "--- "]:
        begun = HUNK.match(line)
        if head and (begun or line.startswith("--- ")):
            found.append(Hunk(path, int(head[1]), head[2].strip(), *body(lines)))
            head = None
        if begun:
            head, lines = begun, []
        elif line.startswith("--- a/"):
            path = line[len("--- a/"):].split("\t")[0]
        elif head:
            lines.append(line)
    return found


def heading_of(lines: list, at: int) -> str:
    """The line that git writes behind the `@@` of a hunk: the last one above it that begins like a definition."""
    return next((line for line in reversed(lines[:at]) if HEADING.match(line)), "")


def place(lines: list, hunk: Hunk) -> int:
    """The index of the first line that the hunk replaces."""
    old, count = list(hunk.old), len(hunk.old)
    found = [at for at in range(len(lines) - count + 1) if lines[at] == old[0] and lines[at:at + count] == old]
    if not found:
        raise Misfit(f"what it changes does not stand in {hunk.path} any more")
    inside = [at for at in found if heading_of(lines, at).startswith(hunk.heading)]
    if not inside:
        raise Misfit(f"what it changes stands in {hunk.path}:{found[0] + 1}, and there not in `{hunk.heading}`")
    if len(inside) > 1 and hunk.line - 1 not in inside:
        places = ", ".join(str(at + 1) for at in inside)
        raise Misfit(f"what it changes stands in {hunk.path} at lines {places}, and not at {hunk.line}")
    return inside[0] if len(inside) == 1 else hunk.line - 1


def changed(read, path: str, several: list) -> str:
    """The text of a file after all hunks that are about it."""
    try:
        lines = read(path).split("\n")
    except OSError as error:
        raise Misfit(f"what it changes does not stand in {path} any more: {error.strerror}") from error
    places = [place(lines, hunk) for hunk in several]
    for at, hunk, behind in zip(places, several, [*places[1:], len(lines)]):
        if at + len(hunk.old) > behind:
            raise Misfit(f"its hunks do not stand one behind the other in {path}")
    for at, hunk in reversed(list(zip(places, several))):
        lines[at:at + len(hunk.old)] = hunk.new
    return "\n".join(lines)


def apply(text: str, read) -> dict:
    """What the files of a patch are after it, by path; `read` gives the text of one. Misfit: it cannot be applied."""
    files = {}
    for hunk in hunks(text):
        if not hunk.old:
            raise Misfit(f"a hunk says nothing of where in {hunk.path} it belongs")
        files.setdefault(hunk.path, []).append(hunk)
    if not files:
        raise Misfit("it changes nothing")
    return {path: changed(read, path, several) for path, several in files.items()}
