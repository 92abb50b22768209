#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""clang's warnings on every C file that the Makefile compiles: each is read as by `make CC=clang`, and nothing made."""

import concurrent.futures
import pathlib
import shutil
import subprocess

import common
import tidy


def findings_of(root, command):
    """What clang says of one file, as (path, line, message)."""
    done = subprocess.run([*command["arguments"], "-fsyntax-only"], cwd=root, capture_output=True, text=True,
                          check=False)
    found = [(file.removeprefix(f"{root}/"), int(line), message)
             for file, line, message in tidy.FINDING.findall(done.stderr)]
    if done.returncode != 0 and not found:
        found.append((command["file"], 1, f"clang fails: {done.stderr.strip()}"))
    return found


def lint(tree, arguments):
    """Looks at everything that is compiled."""
    if not shutil.which("clang"):
        tree.report("Makefile", 1, "clang is not installed; `make deps` installs it")
        return
    commands = tidy.compile_commands(tree, arguments.build, "CC=clang")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        found = pool.map(lambda command: findings_of(tree.root, command), commands.values())
        for file, line, message in sorted({finding for findings in found for finding in findings}):
            tree.report(file, line, message)


def options(parser):
    """--build and --jobs."""
    parser.add_argument("--build", type=pathlib.Path, default=common.ROOT / "build", help="the build folder")
    parser.add_argument("--jobs", type=int, default=2, help="how many files at once")


if __name__ == "__main__":
    common.main(lint, __doc__, options)
