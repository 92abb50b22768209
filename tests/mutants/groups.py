# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""All mutants of a tree: reading them, finding some of them, and keeping each in the file that is named after the
source which it changes."""

import collections
import dataclasses
import fnmatch
import pathlib
import re

import clike
import entries

REQUIREMENT = re.compile(r"[A-Z][A-Z0-9]*-\d{3}$")


def load(root: pathlib.Path, form: entries.Form = entries.MUTANTS) -> list:
    """Every entry of a form, sorted by name. Unreadable: a file cannot be read as one of that form, or two entries have
    the same name."""
    paths = sorted((root / form.folder).rglob(f"*{form.suffix}"))
    return parse_all(((str(path.relative_to(root)), path.read_text()) for path in paths), form)


def parse_all(files, form: entries.Form = entries.MUTANTS) -> list:
    """The same from pairs of path and text."""
    found = sorted((one for path, text in files for one in entries.parse(text, path, form)), key=lambda one: one.name)
    for one, other in zip(found, found[1:]):
        if one.name == other.name:
            raise entries.Unreadable(other.path, other.line, f"{one.path} has a {form.kind} {one.name} too; rename one")
    return found


def matches(entry: entries.Entry, wanted: str, form: entries.Form = entries.MUTANTS) -> bool:
    """Whether an entry is meant by a name, a pattern as shells have them, a requirement, a file of entries (of mutants,
    their source) or a folder of these."""
    if REQUIREMENT.match(wanted):
        return entry.requirement == wanted
    if "/" in wanted:
        source = wanted.removeprefix(form.folder).removesuffix(form.suffix).rstrip("/")
        return entry.group == source or entry.group.startswith(f"{source}/")
    return fnmatch.fnmatch(entry.name, wanted)


def select(several: list, wanted: list, form: entries.Form = entries.MUTANTS) -> list:
    """Those that any of these words means, all without words. Misfit: a word means none."""
    for word in wanted:
        if not any(matches(entry, word, form) for entry in several):
            raise entries.Misfit(f"no {form.kind} is meant by {word}; `--list` shows what there is")
    return [entry for entry in several if not wanted or any(matches(entry, word, form) for word in wanted)]


def home(mutant: entries.Mutant, sources: entries.Sources) -> str:
    """The source after which the file of a mutant should be named: where the first function is that it changes."""
    places = entries.resolve(mutant, sources)
    return next((place.path for change, place in zip(mutant.changes, places) if change.inside != clike.INCLUDES),
                places[0].path)


def regroup(root: pathlib.Path, sources: entries.Sources) -> list:
    """Writes each mutant into the file of its home and removes files that have become empty; the names of those that
    moved. What does not fit stays where it is."""
    mutants = load(root)
    homes = homes_of(mutants, sources)
    moved = [mutant for mutant in mutants if homes[mutant.name] != mutant.group]
    for source in {mutant.group for mutant in moved} | {homes[mutant.name] for mutant in moved}:
        file = root / entries.path_of(source)
        several = [mutant for mutant in mutants if homes[mutant.name] == source]
        if several:
            several.sort(key=lambda mutant: (position(mutant, source, sources), mutant.name))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n".join(mutant.text for mutant in several))
        else:
            file.unlink()
    return [mutant.name for mutant in moved]


def homes_of(mutants: list, sources: entries.Sources) -> dict:
    """The homes by name. What has several, or none, goes where most of its group go if it fits there, or stays."""
    homes, went, open_ones = {}, collections.defaultdict(collections.Counter), []
    for mutant in mutants:
        try:
            homes[mutant.name] = home(mutant, sources)
            went[mutant.group][homes[mutant.name]] += 1
        except entries.Misfit:
            open_ones.append(mutant)
    for mutant in open_ones:
        most = went[mutant.group].most_common(1)
        there = dataclasses.replace(mutant, path=entries.path_of(most[0][0])) if most else mutant
        try:
            homes[mutant.name] = home(there, sources)
        except entries.Misfit:
            homes[mutant.name] = mutant.group
    return homes


def position(mutant: entries.Mutant, source: str, sources: entries.Sources) -> int:
    """Where in its source a mutant changes something first, as far as it fits."""
    try:
        return entries.resolve(dataclasses.replace(mutant, path=entries.path_of(source)), sources)[0].at
    except entries.Misfit:
        return 0
