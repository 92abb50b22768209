# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Source text as HTML with its words told apart: comments, strings, keywords, numbers, names of the interface."""

import html
import re

_C_WORDS = ("auto bool break case char const continue default do double else enum extern false float for goto if "
            "inline int long return short signed sizeof static struct switch true typedef union unsigned void volatile "
            "while").split()
_LUA_WORDS = ("and break do else elseif end false for function goto if in local nil not or repeat return then true "
              "until while").split()
_NAMES = r"(?P<api>\b(?:Ptl[A-Z]\w+|PTL_\w+|P30-\d{3}|ptl_\w+)\b)"
_STRING = r"(?P<string>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
_NUMBER = r"(?P<number>\b(?:0x[0-9a-fA-F]+|\d+)\w*\b)"

_MARGIN = re.compile(r"^(\s*)(.+)$")

_LANGUAGES = {
    "c": re.compile(rf"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))|{_STRING}|"
                    rf"(?P<word>^\s*\#\s*\w+|\b(?:{'|'.join(_C_WORDS)})\b)|{_NAMES}|{_NUMBER}",
                    re.DOTALL | re.MULTILINE),
    "lua": re.compile(rf"(?P<comment>--\[(=*)\[.*?\]\2\]|--[^\n]*)|{_STRING}|"
                      rf"(?P<word>\b(?:{'|'.join(_LUA_WORDS)})\b)|{_NAMES}|{_NUMBER}", re.DOTALL),
}


def _marked(kind: str, text: str) -> str:
    """The text in a span of its kind; no span reaches over a line's end."""
    return "\n".join(f'<span class="{kind[0]}">{html.escape(line)}</span>' if line.strip() else html.escape(line)
                     for line in text.split("\n"))


def _kind_of(match) -> str:
    return next(kind for kind in ("comment", "string", "word", "api", "number") if match.group(kind))


def _colour(language: str, text: str) -> str:
    parts, done = [], 0
    for match in _LANGUAGES[language].finditer(text):
        parts += [html.escape(text[done:match.start()]), _marked(_kind_of(match), match.group(0))]
        done = match.end()
    return "".join([*parts, html.escape(text[done:])])


def lines(language: str, numbered, first: int = 0, last: int = 0) -> str:
    """Pairs of line number and line as the inside of a <pre>; the numbers are drawn by the sheet and not copied. When
    there are others beside them, the lines from `first` to `last` are marked."""
    numbered = list(numbered)
    some = last > 0 and any(not first <= number <= last for number, _ in numbered)
    coloured = _colour(language, "\n".join(text for _, text in numbered)).split("\n")
    shown = [_MARGIN.sub(r"\1<mark>\2</mark>", text) if some and first <= number <= last else text
             for (number, _), text in zip(numbered, coloured)]
    return "\n".join(f'<i data-n="{number}"></i>{text}' for (number, _), text in zip(numbered, shown))


def diff(text: str) -> str:
    """The changes of a mutant as the inside of a <pre>: lines that come, that go, that stay, and where."""
    kinds = {"+": "ins", "-": "del", " ": None}
    marked = []
    for line in text.split("\n"):
        tag = kinds.get(line[:1], "span")
        shown = html.escape(line)
        marked.append(f"<{tag}>{shown}</{tag}>" if tag else shown)
    return "\n".join(marked)
