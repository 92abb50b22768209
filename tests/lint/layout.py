#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""How files look: layout of C by .clang-format, licence heads, white space, and no trace of anybody's machine."""

import re
import shutil
import subprocess

import common

HEADED = (".c", ".h", ".py", ".lua", ".mk", ".sh", ".js", ".css", ".sql", "Makefile")
HEAD_LINES = 6
# Wireshark demands its own licence of what is linked with it; the tests of that plugin share it.
LICENCES = {"dissector/": "GPL-2.0-or-later", "tests/dissector/": "GPL-2.0-or-later"}
TABS_BELONG = ("Makefile", ".mk", ".tsv")
PICTURES = (".png", ".ico", ".pcap", ".pcapng", ".gz")
UNFORMATTED = re.compile(r"^([^:\n]+):(\d+):\d+: error: code should be clang-formatted", re.MULTILINE)
# Folders that exist on one machine only. Written so that the pattern does not find itself.
MACHINE = re.compile(r"(?<![\w.$}\-])/(?:wor[k]|hom[e]|roo[t]|User[s])/")


def check_format(tree):
    """clang-format has nothing to change."""
    tool = shutil.which("clang-format-14") or shutil.which("clang-format")
    if not tool:
        tree.report(".clang-format", 1, "clang-format is not installed; `make deps` installs it")
        return
    files = tree.files(".c", ".h")
    if not files:
        return
    done = subprocess.run([tool, "--dry-run", "-Werror", *files],
                          cwd=tree.root, capture_output=True, text=True, check=False)
    seen = set()
    for path, line in UNFORMATTED.findall(done.stderr):
        if path not in seen:
            tree.report(path, int(line), f"is not as .clang-format wants it; run `clang-format -i {path}`")
        seen.add(path)
    if done.returncode != 0 and not seen:
        tree.report(".clang-format", 1, f"clang-format fails: {done.stderr.strip()}")


def is_headed(tree, path):
    """Whether the file is a source file that needs a licence head."""
    return path.endswith(HEADED) or (tree.text(path) or "").startswith("#!")


def check_head(tree, path):
    """Licence and copyright stand in the first lines."""
    head = "\n".join((tree.text(path) or "").splitlines()[:HEAD_LINES])
    licence = next((name for folder, name in LICENCES.items() if path.startswith(folder)), "BSD-2-Clause")
    for wanted in (f"SPDX-License-Identifier: {licence}", "Copyright (c) 2026 The Assay authors"):
        if not re.search(re.escape(wanted) + r"\s*(\*/|-->)?\s*$", head, re.MULTILINE):
            tree.report(path, 1, f"the head lacks `{wanted}`; add it to the first lines")


def check_text(tree, path):
    """No white space at line ends, tabs only where they belong, a newline at the end, no machine's paths."""
    text = tree.text(path)
    if text and not text.endswith("\n"):
        tree.report(path, text.count("\n") + 1, "the last line does not end; add a newline")
    for number, line in tree.lines(path):
        if line != line.rstrip() or "\r" in line:
            tree.report(path, number, "white space at the end of the line; remove it")
        if "\t" in line and not path.endswith(TABS_BELONG):
            tree.report(path, number, "a tab; use spaces")
        if MACHINE.search(line):
            tree.report(path, number, "a path of one machine; make it relative or a variable")


def lint(tree, _arguments):
    """Looks at every tracked text file."""
    check_format(tree)
    for path in tree.files():
        if path.endswith(PICTURES) or path.startswith("LICENSE"):
            continue
        if tree.text(path) is None:
            tree.report(path, 1, "is binary and of no kind that the tree keeps; remove it or declare it in layout.py")
            continue
        if is_headed(tree, path):
            check_head(tree, path)
        check_text(tree, path)


if __name__ == "__main__":
    common.main(lint, __doc__)
