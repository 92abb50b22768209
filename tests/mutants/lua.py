# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What a case consists of: its own text, and whatever of its file and of the libraries it uses, transitively.

Each file is a row of chunks: what begins in the first column and goes on to the next that does. A chunk that defines
something belongs to a case when the case, or what belongs to it already, mentions the name; one that defines nothing,
such as a loop that fills a table, belongs to every case that it may concern. So more may belong to a case than it
uses; but what a file of cases defines concerns no other, and what lib/portals holds, or lib/portals.lua, concerns no
case of impi-0.0, and the other way round. Where a file calls methods by names in strings (`rank[verb](..)`), each of
its strings counts as such a name.

Comments, white space, titles and purposes do not count: they judge nothing. Nor does `still`, by which a case lasts.
"""

import dataclasses
import functools
import hashlib
import re

TOKEN = re.compile(r"""
    (?P<skipped> --\[(?P<c>=*)\[.*?\](?P=c)\] | --[^\n]* | \s+ )
  | (?P<literal> \[(?P<s>=*)\[.*?\](?P=s)\] | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' )
  | (?P<word> [A-Za-z_]\w* | \.?\d(?:[eEpP][+-]|[\w.])* )
  | (?P<other> \.\.\.|\.\.|[=~<>]=|//|<<|>>|:: | . )
""", re.VERBOSE | re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*$")
MEMBER = (".", ":")
GOES_ON = {"end", "else", "elseif", "until", "then", "do", "and", "or"}
SENTENCES = {"title", "purpose"}
LASTING = "still"
LIBRARIES = "tester/cases/lib/"
DIGEST_DIGITS = 16


def digest(text: str) -> str:
    """What tells texts apart, short enough to be read in a difference."""
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_DIGITS]


def scanned(text: str) -> list:
    """Pairs of token and whether it begins a line."""
    return [(match[0], match.start() == 0 or text[match.start() - 1] == "\n")
            for match in TOKEN.finditer(text) if not match["skipped"]]


@dataclasses.dataclass(frozen=True, eq=False)
class Chunk:
    """Some words of a file, what they define (`private`: for this file only), the cases that they make, by their ids or
    by what the ids begin with, and whether their file calls methods by names in strings."""

    path: str
    words: tuple
    names: frozenset
    private: bool
    ids: frozenset
    beginnings: tuple
    calls_by_name: bool

    @functools.cached_property
    def digest(self) -> str:
        """The chunk without its sentences."""
        kept, at = [], 0
        while at < len(self.words):
            field = self.words[at + 1:at + 2] == ("=",)
            if field and self.words[at] == LASTING:
                at = self.words.index("}", at) + 1
                kept = kept[:-1] if kept[-1:] == [","] else kept
            elif field and self.words[at] in SENTENCES:
                at += 3
            else:
                kept.append(self.words[at])
                at += 1
        return digest(" ".join(kept))

    @functools.cached_property
    def mentions(self) -> frozenset:
        """Every name in it, a member's with a dot."""
        found = set()
        for before, word in zip(("", *self.words), self.words):
            if word[0] in "\"'":
                found |= {f".{word[1:-1]}"} if self.calls_by_name else set()
            elif NAME.match(word):
                found.add(f".{word}" if before in MEMBER else word)
        return frozenset(found)


def chunks(path: str, text: str) -> list:
    """The chunks of a file."""
    found, words, tokens = [], [], scanned(text)
    calls_by_name = any(one[0] == "]" and other[0] == "(" for one, other in zip(tokens, tokens[1:]))
    for word, first in [*tokens, ("return", True)]:
        if first and NAME.match(word) and word not in GOES_ON and words:
            found.append(chunk(path, tuple(words), calls_by_name))
            words = []
        words.append(word)
    return found


def chunk(path: str, words: tuple, calls_by_name: bool) -> Chunk:
    """The chunk of these words."""
    makes = any(word == "case" and behind in "({" for word, behind in zip(words, words[1:]))
    ids, beginnings = case_ids(words) if makes else ([], [])
    return Chunk(path, words, frozenset(defined(words)), words[0] == "local", frozenset(ids), tuple(beginnings),
                 calls_by_name)


def case_ids(words: tuple) -> tuple:
    """The ids in a chunk, and what those begin with that are put together."""
    ids, beginnings = [], []
    for at in range(len(words) - 3):
        if words[at:at + 2] != ("id", "="):
            continue
        if words[at + 2][0] in "\"'":
            (beginnings if words[at + 3] == ".." else ids).append(words[at + 2][1:-1])
        elif words[at + 2:at + 6] == ("string", ".", "format", "("):
            beginnings.append(words[at + 6][1:-1].split("%")[0])
    return ids, beginnings


def defined(words: tuple) -> list:
    """The names that a chunk defines: of a function, or on the left of an assignment; a member's with a dot."""
    rest = words[1:] if words[0] == "local" else words
    if rest[0] == "function":
        head = rest[1:rest.index("(")]
        return ["." + head[-1] if len(head) > 1 else head[0]]
    if rest[0] == "for" or "=" not in rest:
        return [] if words[0] != "local" else [word for word in rest if NAME.match(word)]
    head = rest[:rest.index("=")]
    if any(word in "({[\"'" or word[0] in "\"'" for word in head):
        return []
    return ["." + word if before in MEMBER else word
            for before, word, behind in zip(["", *head], head, [*head[1:], "="])
            if NAME.match(word) and behind not in MEMBER]


def family(path: str) -> str:
    """What groups libraries and profiles: `impi` for tester/cases/impi-0.0/.. and for lib/impi/.. and lib/impi.lua."""
    return path.removeprefix(LIBRARIES).removeprefix("tester/cases/").split("/")[0].split("-")[0].removesuffix(".lua")


class Cases:
    """All cases of a tree; `files` are pairs of path and text below tester/cases/."""

    def __init__(self, files):
        files = list(files)
        self.chunks = [chunk for path, text in files for chunk in chunks(path, text)]
        self.families = {family(path) for path, _ in files if not path.startswith(LIBRARIES)}
        self.public, self.private = {}, {}
        for one in self.chunks:
            for name in one.names:
                own = one.private or not one.path.startswith(LIBRARIES)
                place = self.private.setdefault(one.path, {}) if own else self.public
                place.setdefault(name, []).append(one)
        self.by_id, self.idle = {}, [one for one in self.chunks if not (one.names or one.ids or one.beginnings)]
        self.generating = [one for one in self.chunks if one.beginnings]
        for one in self.chunks:
            for name in one.ids:
                self.by_id.setdefault(name, []).append(one)

    def concerns(self, one: Chunk, whose: str) -> bool:
        """Whether a chunk is for cases of this family: it is one of theirs, or for all."""
        return family(one.path) in {whose, *([] if family(one.path) in self.families else [family(one.path)])}

    def makers(self, case: str) -> list:
        """The chunks that make a case: where its id stands, or else what ids like it are put together by."""
        return self.by_id.get(case) or [one for one in self.generating
                                        if any(case.startswith(begun) for begun in one.beginnings if begun)]

    def parts(self, case: str) -> set:
        """All that belongs to a case; empty if there is no such case."""
        waiting = list(self.makers(case))
        if not waiting:
            return set()
        paths, whose, found = {one.path for one in waiting}, family(waiting[0].path), set()
        waiting += [one for one in self.idle if
                    one.path in paths or one.path.startswith(LIBRARIES) and self.concerns(one, whose)]
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += self.used(one, whose)
        return found

    @functools.cache
    def used(self, one: Chunk, whose: str) -> list:
        """What a chunk mentions, for cases of this family."""
        found = []
        for name in one.mentions:
            others = [*self.private.get(one.path, {}).get(name, ()), *self.public.get(name, ())]
            found += [other for other in others if self.concerns(other, whose)]
        return found

    @functools.cache
    def digest(self, case: str) -> str:
        """What binds a proof to a case; "" if there is no such case."""
        parts = self.parts(case)
        return digest(" ".join(sorted(one.digest for one in parts))) if parts else ""
