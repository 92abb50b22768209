# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Whether every mutant still compiles, in a minute or two instead of the hour that trying all of them takes.

The Makefile is asked for its commands (`make -Bn V=1`). Of each mutant only those sources are compiled that it changes,
or that include a header which it changes, in a copy of the tree and with the warnings of the build, which are errors;
nothing is linked and nothing is run.
"""

import concurrent.futures
import os
import pathlib
import queue
import re
import shlex
import shutil
import subprocess

import entries

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
LEFT_OUT = ("-MMD", "-MP", "-c")
SHOWN = 12  # lines of what the compiler says


class Fault(Exception):
    """Nothing can be found out."""


def plan(place: pathlib.Path, programs) -> dict:
    """How the Makefile compiles each source for these programs: the words of the commands that differ, without what
    they make."""
    words = ["make", "-Bn", "V=1", "B=build", "VARIANT=release", *[f"build/bin/{name}" for name in sorted(programs)]]
    made = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise Fault(f"the Makefile has no plan for {', '.join(sorted(programs))}: {made.stderr.strip()}")
    commands = {}
    for line in made.stdout.splitlines():
        words = shlex.split(line, comments=True) if " -c -o " in line else []
        if words and words[-1].endswith(".c"):
            at = words.index("-o")
            kept = tuple(word for word in words[:at] + words[at + 2:] if word not in LEFT_OUT)
            commands.setdefault(words[-1], {})[kept] = None
    return {source: list(several) for source, several in commands.items()}


class Includes:
    """Which sources a header reaches, through other headers too."""

    def __init__(self, place: pathlib.Path, sources):
        self.place = place
        self.own = {}
        self.sources = sources

    def of(self, path: str) -> set:
        """The files that this one includes by name, relative to itself or to the top."""
        if path not in self.own:
            text = (self.place / path).read_text()
            tried = [option for name in INCLUDE.findall(text)
                     for option in (str(pathlib.PurePath(path).parent / name), name)]
            self.own[path] = {name for name in tried if (self.place / name).is_file()}
        return self.own[path]

    def all_of(self, source: str) -> set:
        """The same with what those include, and so on."""
        found, waiting = set(), [source]
        while waiting:
            more = self.of(waiting.pop()) - found
            found |= more
            waiting += more
        return found

    def reached(self, header: str) -> list:
        """The sources that get to see a header."""
        return [source for source in self.sources if header in self.all_of(source)]


def fault_of(tree: pathlib.Path, mutant, sources: entries.Sources, commands: dict, includes: Includes) -> str:
    """What is wrong with a mutant, or "". The tree is as it was afterwards."""
    try:
        files = entries.apply(mutant, sources)
    except entries.Misfit as misfit:
        return str(misfit)
    compiled_of = {source: None for path in files
                   for source in ([path] if path in commands else includes.reached(path))}
    if not compiled_of:
        return f"nothing that is compiled comes from {', '.join(files)}"
    before = {path: (tree / path).read_text() for path in files}
    try:
        for path, text in files.items():
            (tree / path).write_text(text)
        return next(filter(None, (compiled(tree, words) for source in compiled_of for words in commands[source])), "")
    finally:
        for path, text in before.items():
            (tree / path).write_text(text)


def compiled(tree: pathlib.Path, words) -> str:
    """What the compiler objects to, or ""."""
    done = subprocess.run([*words, "-g0", "-S", "-o", "/dev/null"], cwd=tree, capture_output=True, text=True,
                          check=False, env={**os.environ, "LC_ALL": "C"})
    return "" if done.returncode == 0 else "\n".join(done.stderr.splitlines()[:SHOWN])


def faults(base: pathlib.Path, work: pathlib.Path, mutants: list, programs, jobs: int) -> dict:
    """What is wrong with those mutants that do not fit or do not compile, by name. `base` is the tree, without what was
    made of it; copies of it are made in `work`."""
    commands = plan(base, programs)
    trees = queue.SimpleQueue()
    for number in range(jobs):
        place = work / f"compiling-{number}"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(base, place, ignore=shutil.ignore_patterns("build"))
        trees.put(place)
    shared = Includes(base, list(commands))
    texts = entries.Sources.below(base)

    def look(mutant):
        tree = trees.get()
        try:
            return fault_of(tree, mutant, texts, commands, shared)
        finally:
            trees.put(tree)

    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        found = zip(mutants, pool.map(look, mutants))
        return {mutant.name: fault for mutant, fault in found if fault}
