# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Whether every mutant still compiles, in minutes instead of the hours that trying all of them takes.

The Makefile is asked for its commands (`make -Bn V=1`). Of each mutant only those sources are compiled that it changes,
or that include a header which it changes and name what it changes there, in a copy of the tree and with the warnings of
the build, which are errors; nothing is linked and nothing is run. Mutants of the same files that change different
functions are compiled together, and apart only if that fails. What compiled once is remembered in the build folder, by
the texts that the compiler saw, and not compiled again.
"""

import collections
import concurrent.futures
import dataclasses
import hashlib
import os
import pathlib
import queue
import re
import shlex
import shutil
import subprocess

import clike
import entries

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)
LEFT_OUT = ("-MMD", "-MP", "-c")
MEMORY = "compiles"
REMEMBERED = 20000  # what compiled once and is not remembered when there is more
EVERYWHERE = set("bool char const double enum extern float inline int int8_t int16_t int32_t int64_t long short signed "
                 "size_t static struct typedef uint8_t uint16_t uint32_t uint64_t union unsigned void".split())
SHOWN = 12  # lines of what the compiler says


class Fault(Exception):
    """Nothing can be found out."""


def plan(place: pathlib.Path, programs) -> dict:
    """How the Makefile compiles each source for these programs: the words of the commands that differ, without what
    they make."""
    words = ["make", "-Bn", "V=1", "B=build", "VARIANT=release", "LTO=",
             *[f"build/bin/{name}" for name in sorted(programs)]]
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


def folders(commands: dict) -> list:
    """Where some command looks for headers: the top, and its -I in whichever form."""
    words = [word for several in commands.values() for kept in several for word in kept]
    pairs = zip(words, [*words[1:], ""])
    return sorted({".", *(word[2:] or behind for word, behind in pairs if word.startswith("-I"))})


class Includes:
    """Which sources a header reaches, through other headers too: by any folder in which any command looks, which is
    sometimes one too many."""

    def __init__(self, place: pathlib.Path, commands: dict):
        self.place = place
        self.own = {}
        self.sources = list(commands)
        self.folders = folders(commands)

    def of(self, path: str, changed: dict) -> set:
        """The files that this one includes by name, relative to itself or to such a folder; `changed` are texts by path
        that are not those of the tree."""
        if path in changed:
            return self.named(path, changed[path])
        if path not in self.own:
            self.own[path] = self.named(path, (self.place / path).read_text())
        return self.own[path]

    def named(self, path: str, text: str) -> set:
        """Those that a text names."""
        tried = [option for name in INCLUDE.findall(text)
                 for option in (f"{folder}/{name}" for folder in (pathlib.PurePath(path).parent, *self.folders))]
        return {os.path.normpath(name) for name in tried if (self.place / name).is_file()}

    def all_of(self, source: str, changed: dict) -> set:
        """The same with what those include, and so on."""
        found, waiting = set(), [source]
        while waiting:
            more = self.of(waiting.pop(), changed) - found
            found |= more
            waiting += more
        return found

    def reached(self, header: str) -> list:
        """The sources that get to see a header."""
        return [source for source in self.sources if header in self.all_of(source, {})]


@dataclasses.dataclass(frozen=True)
class Task:
    """What there is to do for a mutant."""

    mutant: entries.Mutant
    files: dict  # texts of the files that it changes, by path
    items: frozenset  # what it changes in them: path, and where the item begins; none: it must be looked at alone
    edits: dict  # the changes of each file
    keys: dict  # what of it is not known to compile: source and words, by the key of all that the compiler sees


class Looker:
    """What it takes to look at mutants: the sources, how each is compiled, and what is known to compile."""

    def __init__(self, base: pathlib.Path, commands: dict, known: set):
        self.sources = entries.Sources.below(base)
        self.includes = Includes(base, commands)
        self.commands = commands
        self.known = known
        self.seen = set()

    def key(self, source: str, words: tuple, files: dict) -> str:
        """What tells all that the compiler sees from anything else that it may see."""
        paths = sorted(self.includes.all_of(source, files) | {source})
        texts = [files[path] if path in files else self.sources.source(path).text for path in paths]
        return hashlib.sha256("\0".join([*words, *paths, *texts]).encode()).hexdigest()

    def concerned(self, path: str, text: str) -> list:
        """The sources that may not compile with this text of a file: itself, or of those that include it the first, and
        where more has changed than what functions do, those that use a name which stands on a line that has changed."""
        if path in self.commands:
            return [path]
        before, reached = self.sources.source(path).text, self.includes.reached(path)
        if clike.outline(text) == clike.outline(before):
            return reached[:1]
        lines = set(text.splitlines()) ^ set(before.splitlines())
        words = {token.text for line in lines for token in clike.tokens(line)}
        names = {word for word in words - EVERYWHERE if clike.NAME.match(word)}
        used = [source for source in reached[1:] if not names.isdisjoint(self.sources.source(source).words)]
        return [*reached[:1], *used]

    def task(self, mutant: entries.Mutant) -> Task:
        """What there is to do for one. Misfit: nothing can be."""
        files, items, edits = entries.apply(mutant, self.sources), frozenset(), {}
        if len(mutant.parts) == 1:
            places = entries.resolve(mutant, self.sources)
            items = frozenset((where.path, where.item.first) for where in places)
            edits = entries.all_edits(mutant, self.sources, places)
        concerned = {source: None for path, text in files.items() for source in self.concerned(path, text)}
        if not concerned:
            raise entries.Misfit(f"nothing that is compiled comes from {', '.join(files)}")
        keys = {self.key(source, words, files): (source, words)
                for source in concerned for words in self.commands[source]}
        return Task(mutant, files, items, edits, {key: what for key, what in keys.items() if key not in self.known})

    def together(self, tasks: list) -> dict:
        """The texts of the files that several of them change, by path."""
        if len(tasks) == 1:
            return tasks[0].files
        edits = collections.defaultdict(list)
        for task in tasks:
            for path, several in task.edits.items():
                edits[path] += several
        return {path: entries.edited(self.sources.source(path).text, path, several) for path, several in edits.items()}

    def faults_of(self, tree: pathlib.Path, tasks: list) -> dict:
        """What is wrong with these mutants, by name, of those that do not compile. The tree is as it was afterwards."""
        files = self.together(tasks)
        try:
            for path, text in files.items():
                (tree / path).write_text(text)
            whats = dict.fromkeys(words for task in tasks for _, words in task.keys.values())
            fault = next(filter(None, (compiled(tree, words) for words in whats)), "")
        finally:
            for path in files:
                (tree / path).write_text(self.sources.source(path).text)
        if not fault:
            self.seen.update(key for task in tasks for key in task.keys)
            return {}
        if len(tasks) == 1:
            return {tasks[0].mutant.name: fault}
        half = len(tasks) // 2
        return self.faults_of(tree, tasks[:half]) | self.faults_of(tree, tasks[half:])


def companies(tasks: list) -> list:
    """Tasks that can be looked at together: they change the same files, and none what another changes."""
    found = collections.defaultdict(list)
    for task in tasks:
        several = found[frozenset(task.files)]
        fitting = [company for company in several if task.items and all(
            other.items and not task.items & other.items for other in company)]
        if fitting:
            fitting[0].append(task)
        else:
            several.append([task])
    return [company for several in found.values() for company in several]


def compiled(tree: pathlib.Path, words) -> str:
    """What the compiler objects to, or ""."""
    done = subprocess.run([*words, "-O0", "-g0", "-S", "-o", "/dev/null"], cwd=tree, capture_output=True, text=True,
                          check=False, env={**os.environ, "LC_ALL": "C"})
    return "" if done.returncode == 0 else "\n".join(done.stderr.splitlines()[:SHOWN])


def faults(base: pathlib.Path, work: pathlib.Path, mutants: list, programs, jobs: int) -> dict:
    """What is wrong with those mutants that do not fit or do not compile, by name. `base` is the tree, without what was
    made of it; copies of it are made in `work`, and what compiles is remembered there."""
    memory = work / MEMORY
    known = set(memory.read_text().split()) if memory.exists() else set()
    looker = Looker(base, plan(base, programs), known)
    trees = queue.SimpleQueue()
    for number in range(jobs):
        place = work / f"compiling-{number}"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(base, place, ignore=shutil.ignore_patterns("build"))
        trees.put(place)

    def look(company):
        tree = trees.get()
        try:
            return looker.faults_of(tree, company)
        finally:
            trees.put(tree)

    tasks, found = [], {}
    for mutant in mutants:
        try:
            tasks.append(looker.task(mutant))
        except entries.Misfit as misfit:
            found[mutant.name] = str(misfit)
    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        for faulty in pool.map(look, companies([task for task in tasks if task.keys])):
            found |= faulty
    kept = (known if len(known) < REMEMBERED else set()) | looker.seen
    memory.write_text("".join(f"{key}\n" for key in sorted(kept)))
    return found
