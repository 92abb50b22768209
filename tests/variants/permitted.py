# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The variants as tests/variants/**/*.variants have them (README.md there tells how one is written), and several of
them as one."""

import dataclasses
import itertools
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "mutants"))

import entries  # noqa: E402
import groups  # noqa: E402

FOLDER = "tests/variants/"
TOGETHER = "+"


@dataclasses.dataclass(frozen=True)
class Variant(entries.Entry):
    """A change that the document allows. `requirement` is the one that it comes near to."""

    allows: str = ""  # the words that allow it: a sentence, an ambiguity, a silence
    role: str = ""  # the role in which it is judged; "": in each of its profile
    reading: str = ""  # "switch=value" where it follows another reading of a switch
    of: tuple = ()  # the variants that it consists of, before its own changes
    before: tuple = ()  # those variants themselves

    @property
    def parts(self) -> tuple:
        """The entries of which this one consists."""
        own = (dataclasses.replace(self, before=()),) if self.changes and self.before else (self,)
        return tuple(itertools.chain(*(one.parts for one in self.before), own if self.changes else ()))


def make(fields: dict, changes: tuple, path: str, line: int) -> Variant:
    """The variant of these fields."""
    return Variant(fields["variant"], fields["near"], fields["why"], changes, path, line, fields["allows"],
                   fields.get("role", ""), fields.get("reading", ""), tuple(fields.get("of", "").split()))


FORM = entries.Form(FOLDER, ".variants", ("variant", "near", "allows", "why"), ("role", "reading", "of"), make, ("of",))


def parse_all(files) -> list:
    """Every variant of these pairs of path and text, sorted by name. Unreadable: a file cannot be read as one of
    variants, two have the same name, or one consists of what is no variant."""
    found = {one.name: one for one in groups.parse_all(files, FORM)}
    return [complete(one, found, ()) for one in found.values()]


def load(root: pathlib.Path) -> list:
    """The same of the tree at `root`."""
    paths = sorted((root / FOLDER).rglob(f"*{FORM.suffix}"))
    return parse_all((str(path.relative_to(root)), path.read_text()) for path in paths)


def complete(variant: Variant, known: dict, above: tuple) -> Variant:
    """The variant with those that it consists of."""
    for name in variant.of:
        if name not in known or name in above or name == variant.name:
            raise entries.Unreadable(variant.path, variant.line, f"{variant.name} consists of {name}, which is no "
                                     "other variant")
    parts = tuple(complete(known[name], known, (*above, variant.name)) for name in variant.of)
    return dataclasses.replace(variant, before=parts)


def together(several: list) -> Variant:
    """One variant that is all of these at once; itself where there is but one."""
    if len(several) == 1:
        return several[0]
    first = several[0]
    name = TOGETHER.join(one.name for one in several)
    return Variant(name, first.requirement, "Freedoms may be used together.", (), first.path, first.line,
                   "what allows each of them", first.role, "", tuple(one.name for one in several), tuple(several))


def select(several: list, wanted: list) -> list:
    """Those that any of these words means, all without words; `a+b` is a and b as one variant. Misfit: a word means
    none."""
    alone = groups.select(several, [word for word in wanted if TOGETHER not in word], FORM)
    if not any(TOGETHER not in word for word in wanted) and wanted:
        alone = []
    joined = [together([groups.select(several, [name], FORM)[0] for name in word.split(TOGETHER)])
              for word in wanted if TOGETHER in word]
    return alone + joined


def meet(one: Variant, other: Variant) -> bool:
    """Whether two variants cannot be one: they change the same function, follow readings of the same switch, or are
    judged in different roles."""
    changed, also = ({change.name for part in each.parts for change in part.changes} for each in (one, other))
    switches = {each.reading.split("=")[0] for each in (one, other) if each.reading}
    return bool(changed & also) or len(switches) < bool(one.reading) + bool(other.reading) or one.role != other.role


def grouped(several: list, most: int) -> list:
    """Few lists of up to so many of these variants, those of each of which can be one."""
    lists = []
    for one in several:
        fits = (each for each in lists if len(each) < most and not any(meet(one, other) for other in each))
        into = next(fits, None)
        if into is None:
            lists.append(into := [])
        into.append(one)
    return lists


def alternatives(several: list) -> list:
    """Those that follow another reading of a switch."""
    return [one for one in several if one.reading]


def covering(several: list) -> list:
    """Few lists of these variants, with at most one reading of a switch in each, so that every variant is in one,
    every two switches are changed together in one, and for every two one changes the first and not the second."""
    switches = list(dict.fromkeys(one.reading.split("=")[0] for one in several))
    by_switch = {switch: [one for one in several if one.reading.split("=")[0] == switch] for switch in switches}
    most = max((len(each) for each in by_switch.values()), default=0)
    bits = max(len(switches) - 1, 1).bit_length()
    lists = [[each[(number + at) % len(each)] for at, each in enumerate(by_switch.values())] for number in range(most)]
    for bit, value in itertools.product(range(bits), (0, 1)):
        lists.append([by_switch[switch][0] for at, switch in enumerate(switches) if at >> bit & 1 == value])
    return [one for one in lists if len(one) > 1]
