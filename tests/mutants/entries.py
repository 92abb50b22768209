# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Changes of the reference that are kept as text, and how one is put into the tree: the mutants of
tests/mutants/**/*.mutants (README.md there tells how one is written), and with other fields the variants of
tests/variants.

What a change keeps or takes away is looked for in the function that it names, token by token, so that neither a
comment nor a line break nor a move of the function to another file makes an entry misfit. It must stand there once.
"""

import collections
import collections.abc
import dataclasses
import pathlib
import re

import clike

FOLDER = "tests/mutants/"
SUFFIX = ".mutants"
TOPS = ("ref-impl", "wire", "interpreter")
# What stands in front of the same core for later revisions of Portals.
LATER = ("ref-impl/api3", "ref-impl/include/portals-3.")
INSIDE, OF = "in", " of "
KEPT, GONE, NEW = " ", "-", "+"
END_OF_LINE = re.compile(r"(?:[ \t\\]|/\*[^\n]*?\*/)*(?://[^\n]*)?\n")


class Misfit(Exception):
    """An entry that cannot be put into the tree as it is."""


class Unreadable(Misfit):
    """Something in a file of entries that cannot be understood."""

    def __init__(self, path: str, line: int, what: str):
        super().__init__(f"{path}:{line}: {what}")
        self.path, self.line, self.what = path, line, what


@dataclasses.dataclass(frozen=True)
class Change:
    """One change of one function: its name, and the lines, each with what becomes of it. "NAME of PART" is that of a
    file with this part in its path."""

    inside: str
    lines: tuple

    @property
    def name(self) -> str:
        """The function's name."""
        return self.inside.partition(OF)[0]

    @property
    def part(self) -> str:
        """What stands in the path of its file."""
        return self.inside.partition(OF)[2]

    @property
    def text(self) -> str:
        """The change as it is written."""
        return "\n".join([f"in: {self.inside}", *(f"{kind} {line}".rstrip() for kind, line in self.lines)])

    @property
    def anchor(self) -> list:
        """The tokens that must stand in the function."""
        return [token.text for kind, line in self.lines if kind != NEW for token in clike.tokens(line)]


@dataclasses.dataclass(frozen=True)
class Entry:
    """One entry: its name, the requirement that it is about, its changes, and where it is written."""

    name: str
    requirement: str
    why: str
    changes: tuple
    path: str
    line: int

    @property
    def group(self) -> str:
        """What the file of this entry is named after: of a mutant the source that it changes."""
        return str(pathlib.PurePath(*pathlib.PurePath(self.path).parts[2:]).with_suffix(""))

    @property
    def change(self) -> str:
        """All changes as they are written."""
        return "\n".join(change.text for change in self.changes)

    @property
    def parts(self) -> tuple:
        """The entries of which this one consists: they are put into the tree one after the other."""
        return (self,)


@dataclasses.dataclass(frozen=True)
class Mutant(Entry):
    """An entry that breaks its requirement."""

    warns: str = ""  # why a case can say no more than a warning, where the requirement does not tell

    @property
    def breaks(self) -> str:
        """The requirement."""
        return self.requirement

    @property
    def text(self) -> str:
        """The entry as it is written."""
        warns = f"warns: {self.warns}\n" if self.warns else ""
        return f"mutant: {self.name}\nbreaks: {self.breaks}\nwhy: {self.why}\n{warns}{self.change}\n"


@dataclasses.dataclass(frozen=True)
class Form:
    """How entries of one kind are written: the folder and the ending of their files; the fields that one must have, the
    first of which is its name, and those that it may have. `unchanged` are fields with which it needs no change of its
    own. `make` gives the entry of a dict of fields, a tuple of changes, a path and a line."""

    folder: str
    suffix: str
    needs: tuple
    may: tuple
    make: collections.abc.Callable
    unchanged: tuple = ()

    @property
    def kind(self) -> str:
        """What an entry is called."""
        return self.needs[0]

    def lacks(self, fields: dict, changes: list) -> str:
        """The field that an entry lacks, or ""."""
        missing = [key for key in self.needs if key not in fields]
        bare = not changes and not any(key in fields for key in self.unchanged)
        return (missing or [INSIDE if bare else ""])[0]


def make_mutant(fields: dict, changes: tuple, path: str, line: int) -> Mutant:
    """The mutant of these fields."""
    return Mutant(fields["mutant"], fields["breaks"], fields["why"], changes, path, line, fields.get("warns", ""))


MUTANTS = Form(FOLDER, SUFFIX, ("mutant", "breaks", "why"), ("warns",), make_mutant)


def path_of(source: str) -> str:
    """The file that the mutants of a source stand in."""
    return f"{FOLDER}{source}{SUFFIX}"


def parse(text: str, path: str, form: Form = MUTANTS) -> list:
    """The entries of a file. Unreadable: something in it is neither a field nor a line of a change, or is missing."""
    found, fields, changes = [], {}, []
    known = re.compile(rf"({'|'.join((*form.needs, *form.may, INSIDE))}): +(\S.*)$")
    first = 0

    def close():
        if not fields:
            return
        lacks = form.lacks(fields, changes)
        if lacks:
            raise Unreadable(path, first, f"the {form.kind} lacks `{lacks}: ...`; see {form.folder}README.md")
        several = tuple(Change(inside, tuple(lines)) for inside, lines in changes)
        found.append(form.make(fields, several, path, first))

    for number, line in enumerate(text.split("\n"), 1):
        field = known.match(line)
        begins = field and (field[1] == form.kind or (field[1] != INSIDE and changes) or not first)
        if begins:
            close()
            fields, changes, first = {}, [], number
        if field and field[1] == INSIDE:
            changes.append((field[2].rstrip(), []))
        elif field and not changes:
            fields[field[1]] = field[2].rstrip()
        elif line[:2] in (f"{KEPT} ", f"{GONE} ", f"{NEW} ", GONE, NEW) and changes:
            changes[-1][1].append((line[0], line[2:]))
        elif line.strip():
            raise Unreadable(path, number, f"`{line}` is no part of a {form.kind}; see {form.folder}README.md")
    close()
    return found


class Sources:
    """The files that mutants change, read once; `read` gives the text of one, `paths` are those that there are."""

    def __init__(self, read, paths):
        self.read = read
        self.paths = dict.fromkeys(paths)
        self.known = {}
        self.found = {}

    @classmethod
    def below(cls, root: pathlib.Path):
        """Those of the reference below a folder."""
        paths = sorted(str(path.relative_to(root)) for top in TOPS for path in (root / top).rglob("*.[ch]"))
        return cls(lambda path: (root / path).read_text(), paths)

    def source(self, path: str) -> clike.Source:
        """One of them."""
        if path not in self.known:
            self.known[path] = clike.Source(self.read(path))
        return self.known[path]

    def with_files(self, files: dict):
        """The same with other texts of these files, by path."""
        other = Sources(lambda path: files[path] if path in files else self.read(path), self.paths)
        other.known = {path: source for path, source in self.known.items() if path not in files}
        return other

    def having(self, name: str) -> tuple:
        """The files that have an item of this name: those of the first revision of Portals and of all, and those of
        later ones."""
        if name not in self.found:
            found = [path for path in self.paths if name in self.source(path).text and self.source(path).called(name)]
            later = [path for path in found if path.startswith(LATER)]
            self.found[name] = [path for path in found if path not in later], later
        return self.found[name]


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a change belongs: the file, the item, and the first of the tokens of the anchor."""

    path: str
    item: clike.Item
    at: int


def places(path: str, source: clike.Source, items: list, anchor: list) -> list:
    """Wherever in these items the anchor stands."""
    count = len(anchor)
    found = []
    for item in items:
        texts = source.words[item.first:item.behind]
        found += [Place(path, item, item.first + at) for at in range(len(texts) - count + 1)
                  if texts[at] == anchor[0] and texts[at:at + count] == anchor]
    return found


def looked_through(sources: Sources, home: str, name: str):
    """Yields the files in which a change may belong: its home, then, where that is not enough, those that have an item
    of this name, if one is given."""
    yield [home] if home in sources.paths else []
    if name:
        yield from sources.having(name)


def place(sources: Sources, home: str, change: Change, anywhere: bool = True) -> Place:
    """The one place where a change belongs: in the file `home`, or else, if `anywhere`, in whatever file that function
    is now. Misfit: there is none, or there are several."""
    anchor = change.anchor
    includes = sources.source(home).called(clike.INCLUDES) if home in sources.paths else []
    if not anchor and change.inside == clike.INCLUDES and includes:
        return Place(home, includes[0], includes[0].first)
    if not anchor:
        raise Misfit(f"a change of {change.inside} says nothing of where in it it belongs")
    for paths in looked_through(sources, home, change.name if anywhere else ""):
        found = [one for path in paths if change.part in path
                 for one in places(path, sources.source(path), sources.source(path).called(change.name), anchor)]
        if len(found) == 1:
            return found[0]
        if found:
            where = ", ".join(dict.fromkeys(one.path for one in found))
            raise Misfit(f"what it changes stands in {change.inside} of {where} {len(found)} times; let it keep "
                         "another line, which tells where")
    raise Misfit(f"what it changes does not stand in {change.inside}{moved(sources, anchor)}")


def moved(sources: Sources, anchor: list) -> str:
    """Where else the anchor stands, in words."""
    found = [one for path in sources.paths
             for one in places(path, sources.source(path), sources.source(path).items, anchor)]
    if len(found) != 1:
        return " any more"
    return f", but in {found[0].item.names[0]} of {found[0].path}"


def indentation(line: str) -> int:
    """How many blanks a line begins with."""
    return len(line) - len(line.lstrip(" "))


def span(source: clike.Source, first: int, behind: int) -> tuple:
    """Where the text of these tokens begins and ends: whole lines if nothing else stands on them but comments."""
    start, end = source.tokens[first].start, source.tokens[behind - 1].end
    if source.is_first_of_line(first):
        start = source.text.rfind("\n", 0, start) + 1
    line = END_OF_LINE.match(source.text, end)
    return start, line.end() if line else end


def written(lines: list, shift: int, before: str) -> str:
    """New lines, indented as what stands around them in the tree, behind this character."""
    blanks = (" " * max(0, indentation(line) + shift) if line else "" for line in lines)
    text = "".join(f"{blank}{line.lstrip(' ')}\n" for blank, line in zip(blanks, lines))
    return f"\n{text}" if text and before not in ("", "\n") else text


def edits(source: clike.Source, change: Change, at: int) -> list:
    """What becomes of the text: triples of start, end, new lines, in their order. `at` is the anchor's place."""
    first = source.text.rfind("\n", 0, source.tokens[at].start) + 1
    found, above, shift = [], [], None
    for kind, line in change.lines:
        count = len(clike.tokens(line))
        if kind == NEW:
            (found[-1][2] if found else above).append(line)
        elif count:
            shift = indentation(source.text[first:]) - indentation(line) if shift is None else shift
            start, end = span(source, at, at + count)
            at += count
            if not found:
                found.append((start, start, above))
            if kind == KEPT:
                found.append((end, end, []))
            elif found[-1][0] < found[-1][1] and not found[-1][2]:
                found[-1] = (found[-1][0], end, [])  # what stands between two lines that go, goes too
            else:
                found.append((start, end, []))
    found = found or [(first, first, above)]
    return [(start, end, written(lines, shift or 0, source.text[:start][-1:])) for start, end, lines in found]


def resolve(mutant: Entry, sources: Sources) -> list:
    """The places of a mutant's changes, in their order. Includes are those of the file of the next change; new ones
    need no line that tells where. Misfit: a change has no place, or more than one."""
    found, path = [], mutant.group
    for change in reversed(mutant.changes):
        if change.inside == clike.INCLUDES:
            found.append(place(sources, path, change, False))
        else:
            found.append(place(sources, mutant.group, change))
        path = found[-1].path
    return found[::-1]


def apply(entry: Entry, sources: Sources) -> dict:
    """What the files that an entry changes are with it, by path. Misfit: it cannot be applied."""
    files = {}
    for part in entry.parts:
        files.update(apply_part(part, sources.with_files(files) if files else sources))
    return files


def apply_part(mutant: Entry, sources: Sources) -> dict:
    """The same for an entry that is one part."""
    changed = all_edits(mutant, sources, resolve(mutant, sources))
    return {path: edited(sources.source(path).text, path, several) for path, several in changed.items()}


def all_edits(mutant: Entry, sources: Sources, where: list) -> dict:
    """The edits that the changes of a mutant are at these places, by path."""
    changed = collections.defaultdict(list)
    for change, at in zip(mutant.changes, where):
        changed[at.path] += edits(sources.source(at.path), change, at.at)
    return changed


def edited(text: str, path: str, several: list) -> str:
    """The text after these edits of it."""
    several.sort(key=lambda edit: edit[:2])
    if any(before[1] > behind[0] for before, behind in zip(several, several[1:])):
        raise Misfit(f"two of its changes touch the same lines of {path}")
    for start, end, new in reversed(several):
        text = text[:start] + new + text[end:]
    return text
