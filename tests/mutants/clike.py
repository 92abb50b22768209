# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""C as mutants see it: tokens without comments and white space, and what they define at the top of a file.

This is no parser. It finds out which tokens belong to which function, table, struct, enum, macro or declaration of a
file that is laid out as .clang-format has it; what they mean it leaves to the compiler.
"""

import dataclasses
import functools
import re

TOKEN = re.compile(r"""
    (?P<skipped> //(?:\\\n|[^\n])* | /\*.*?\*/ | \\(?:\n|\Z) | \s+ )
  | (?P<word> [A-Za-z_]\w* | \.?\d(?:[eEpP][+-]|[\w.])* )
  | (?P<literal> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' )
  | (?P<other> \#\#|->|\+\+|--|<<=|>>=|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||\.\.\.|. )
""", re.VERBOSE | re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*$")
DIRECTIVE_END = re.compile(r"(?<!\\)\n|\Z")
KINDS = ("struct", "union", "enum")
OPENS, CLOSES = "([{", ")]}"
INCLUDES = "#include"


@dataclasses.dataclass(frozen=True)
class Token:
    """One token and where in the text it stands."""

    text: str
    start: int
    end: int


@dataclasses.dataclass(frozen=True)
class Item:
    """What stands at the top of a file: the names by which it is known, and its tokens from `first` up to `behind`."""

    names: tuple
    first: int
    behind: int


def tokens(text: str) -> list:
    """The tokens of C text, in their order."""
    return [Token(match[0], match.start(), match.end()) for match in TOKEN.finditer(text) if not match["skipped"]]


def outline(text: str) -> list:
    """The tokens of C text without the bodies of its functions."""
    found, bodies = [], 0
    for token in tokens(text):
        if token.text == "{" and (bodies or (found and found[-1] == ")")):
            bodies += 1
        elif token.text == "}" and bodies:
            bodies -= 1
        elif not bodies:
            found.append(token.text)
    return found


def plain(text: str) -> str:
    """C text without comments and with one blank between any two tokens: equal for texts that mean the same."""
    return " ".join(token.text for token in tokens(text))


class Source:
    """A file's text with its tokens and items."""

    def __init__(self, text: str):
        self.text = text

    @functools.cached_property
    def tokens(self) -> list:
        """All of them, in their order."""
        return tokens(self.text)

    @functools.cached_property
    def words(self) -> list:
        """Their texts."""
        return [token.text for token in self.tokens]

    @functools.cached_property
    def items(self) -> list:
        """Everything at the top of the file, in its order; includes are one item each, all of the same name."""
        found, at = [], 0
        while at < len(self.tokens):
            behind = self._behind(at)
            names = self._names(at, behind)
            if names:
                found.append(Item(names, at, behind))
            at = behind
        return found

    def called(self, name: str) -> list:
        """The items of this name: a definition, and what declares it before."""
        return [item for item in self.items if name in item.names]

    def plain_of(self, item: Item) -> str:
        """The item as plain() has it."""
        return " ".join(self.words[item.first:item.behind])

    def is_first_of_line(self, at: int) -> bool:
        """Whether nothing but white space stands before a token on its line."""
        start = self.tokens[at].start
        return not self.text[self.text.rfind("\n", 0, start) + 1:start].strip()

    def _behind(self, at: int) -> int:
        """The token behind the item that begins with this one."""
        if self.words[at] == "#" and self.is_first_of_line(at):
            end = DIRECTIVE_END.search(self.text, self.tokens[at].start).start()
            return next((n for n in range(at, len(self.tokens)) if self.tokens[n].start >= end), len(self.tokens))
        if self.words[at:at + 3] in (["extern", '"C"', "{"], ["}"]):
            return min(at + 3, len(self.tokens))
        if self.words[at + 1:at + 2] == ["("] and self.words[at] != "__attribute__":
            behind = self._closing(at + 1) + 1  # a macro that is called where definitions stand
            return behind + (self.words[behind:behind + 1] == [";"])
        depth = 0
        for n in range(at, len(self.tokens)):
            text = self.words[n]
            if text == "#" and self.is_first_of_line(n) and depth == 0:
                return n
            function = text == "{" and depth == 0 and n > at and self.words[n - 1] in ")]"
            if function:
                return self._closing(n) + 1
            depth += (text in OPENS) - (text in CLOSES)
            if depth < 0 or (depth == 0 and text == ";"):
                return n + 1
        return len(self.tokens)

    def _closing(self, at: int) -> int:
        """The bracket that closes this one."""
        depth = 0
        for n in range(at, len(self.tokens)):
            depth += (self.words[n] in OPENS) - (self.words[n] in CLOSES)
            if depth == 0:
                return n
        return len(self.tokens) - 1

    def _names(self, at: int, behind: int) -> tuple:
        """What the item of these tokens is called."""
        words = self.words[at:behind]
        if words[0] == "#":
            return (words[2],) if words[1:2] == ["define"] else (INCLUDES,) if words[1:2] == ["include"] else ()
        return tuple(dict.fromkeys([*declared(words), *enumerators(words)]))


def outside(words: list) -> list:
    """The words that stand in no bracket, and those brackets, without attributes."""
    found, depth = [], 0
    for word in words:
        depth -= word in CLOSES
        if depth == 0:
            found.append(word)
        depth += word in OPENS
    while "__attribute__" in found:
        at = found.index("__attribute__")
        del found[at:at + 3]
    return found


def declared(words: list) -> list:
    """The name that a definition or declaration gives."""
    outer = outside(words)
    if words[0] == "typedef" and "(" in outer:
        return [word for before, word in zip(words, words[1:]) if before == "*" and NAME.match(word)][:1]
    function = "(" in outer and "=" not in outer[:outer.index("(")]
    for sign in ("=", "(" if function else "="):
        outer = outer[:outer.index(sign)] if sign in outer else outer
    names = [word for word in outer if NAME.match(word)]
    if "{" in outer and names[:1] and names[0] in KINDS:
        return [word for word in names if word not in KINDS]
    if function and words[len(outer):len(outer) + 2] == ["(", "*"]:
        return words[len(outer) + 2:len(outer) + 3]  # a function that gives a pointer to an array
    return names[-1:]


def enumerators(words: list) -> list:
    """The constants of an enum, each of which may stand for it."""
    if words[0] != "enum" or "{" not in words[1:3]:
        return []
    inside = words[words.index("{"):]
    return [word for before, word in zip(inside, inside[1:]) if before in "{," and NAME.match(word)]
