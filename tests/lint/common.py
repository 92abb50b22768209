# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What all lints share: which files there are, how a finding is told, how C is read without its comments.

Every lint is a program of its own: `layers.py [--root DIR]` looks at the tracked files of the tree at DIR, prints one
line for each finding (`file:line: what is wrong; what to do`) and ends with status 1 if there was one, else 0.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

_C_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


class Tree:
    """The tree under judgement and what was found in it."""

    def __init__(self, root: pathlib.Path):
        self.root = root
        self.found = 0
        self._files = None
        self._known = None
        self._texts = {}

    def files(self, *suffixes: str) -> list:
        """Paths relative to the root, sorted; with suffixes only those that end so."""
        if self._files is None:
            self._files = [path for path in self._tracked() if (self.root / path).is_file()]
        return [path for path in self._files if not suffixes or path.endswith(suffixes)]

    def known_files(self) -> set:
        """All paths of files(), to ask whether one is there."""
        if self._known is None:
            self._known = set(self.files())
        return self._known

    def _tracked(self) -> list:
        """What git tracks; in an unpacked tarball, whatever is there outside of build folders."""
        if (self.root / ".git").exists():
            listed = subprocess.run(["git", "-C", str(self.root), "ls-files", "-z"], capture_output=True, check=True)
            return sorted(name.decode() for name in listed.stdout.split(b"\0") if name)
        paths = (path.relative_to(self.root) for path in self.root.rglob("*"))
        return sorted(str(path) for path in paths if not {"build", "__pycache__"} & set(path.parts))

    def text(self, path: str):
        """The file's text, or None if it is binary."""
        if path not in self._texts:
            octets = (self.root / path).read_bytes()
            try:
                self._texts[path] = None if b"\0" in octets else octets.decode()
            except UnicodeDecodeError:
                self._texts[path] = None
        return self._texts[path]

    def lines(self, path: str):
        """Pairs of line number and line; none for a binary file."""
        lines = (self.text(path) or "").split("\n")
        return enumerate(lines if lines[-1] else lines[:-1], 1)

    def report(self, path: str, line: int, message: str) -> None:
        """Tells one finding."""
        print(f"{path}:{line}: {message}")
        self.found += 1


def c_without(text: str, strings: bool = True) -> str:
    """C text with comments, and literals if `strings`, blanked out; every line keeps its number."""

    def blank(match):
        token = match.group(0)
        if token[0] in "\"'" and not strings:
            return token
        return re.sub(r"[^\n]", " ", token)

    return _C_TOKEN.sub(blank, text)


def line_of(text: str, position: int) -> int:
    """The number of the line in which the position lies."""
    return text.count("\n", 0, position) + 1


def main(lint, description: str, options=None) -> None:
    """Runs `lint(tree, arguments)` as a program; `options` may add arguments to the parser."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the tree to look at")
    if options:
        options(parser)
    arguments = parser.parse_args()
    tree = Tree(arguments.root.resolve())
    lint(tree, arguments)
    if tree.found:
        print(f"{pathlib.Path(sys.argv[0]).stem}: {tree.found} to mend", file=sys.stderr)
    sys.exit(1 if tree.found else 0)
