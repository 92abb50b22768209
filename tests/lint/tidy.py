#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""clang-tidy over every C file that the Makefile compiles, with the flags by which it is compiled.

The Makefile is asked what it would do (`make -Bn V=1 all`); its compile commands become compile_commands.json in the
build folder, which editors understand as well.
"""

import concurrent.futures
import json
import pathlib
import re
import shlex
import shutil
import subprocess

import common

FINDING = re.compile(r"^(/?[^:\s]+):(\d+):\d+: (?:warning|error): (.*)$", re.MULTILINE)


def compile_commands(tree, build, *variables):
    """What the Makefile compiles, in the form of compile_commands.json, every source once."""
    plan = subprocess.run(["make", "-Bnk", "V=1", f"B={build}", *variables, "all"],
                          cwd=tree.root, capture_output=True, text=True, check=False)
    if plan.returncode != 0:
        reason = next((line for line in plan.stderr.splitlines() if "***" in line), plan.stderr.strip())
        tree.report("Makefile", 1, f"`make all` has no plan for everything, so not all files were looked at: {reason}")
    commands = {}
    for line in plan.stdout.splitlines():
        words = shlex.split(line, comments=True) if " -c -o " in line else []
        if words and words[-1].endswith(".c"):
            kept = [word for word in words if word not in ("-MMD", "-MP")]
            commands.setdefault(words[-1], {"directory": str(tree.root), "file": words[-1], "arguments": kept})
    return commands


def findings_of(tool, root, folder, path):
    """clang-tidy's words on one file, as (path, line, message)."""
    done = subprocess.run([tool, "--quiet", "-p", str(folder), path],
                          cwd=root, capture_output=True, text=True, check=False)
    found = [(file.removeprefix(f"{root}/"), int(line), message)
             for file, line, message in FINDING.findall(done.stdout)]
    if done.returncode != 0 and not found:
        found.append((path, 1, f"clang-tidy fails: {(done.stderr or done.stdout).strip()}"))
    return found


def lint(tree, arguments):
    """Looks at what is compiled, or at the named files of it."""
    tool = shutil.which("clang-tidy-14") or shutil.which("clang-tidy")
    if not tool:
        tree.report(".clang-tidy", 1, "clang-tidy is not installed; `make deps` installs it")
        return
    commands = compile_commands(tree, arguments.build)
    arguments.build.mkdir(parents=True, exist_ok=True)
    (arguments.build / "compile_commands.json").write_text(json.dumps(list(commands.values()), indent=1) + "\n")
    for path in arguments.paths:
        if path not in commands:
            tree.report(path, 1, "is not compiled by `make all`; name a file that is")
    chosen = [path for path in arguments.paths if path in commands] or ([] if arguments.paths else sorted(commands))
    seen = set()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for found in pool.map(lambda path: findings_of(tool, tree.root, arguments.build, path), chosen):
            for file, line, message in sorted(set(found) - seen):
                tree.report(file, line, message)
            seen |= set(found)


def options(parser):
    """--build, --jobs, and the files to look at."""
    parser.add_argument("--build", type=pathlib.Path, default=common.ROOT / "build", help="the build folder")
    parser.add_argument("--jobs", type=int, default=2, help="how many files at once")
    parser.add_argument("paths", nargs="*", help="files to look at; all when none is named")


if __name__ == "__main__":
    common.main(lint, __doc__, options)
