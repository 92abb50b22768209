#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Words of the field: what has a plain name is called by it, in identifiers, comments, messages and pages alike.

Each row below is a word that the tree has given up, and what is said instead; GLOSSARY.md holds the terms of our own
that remain. Contracts keep their words: names of filters, keys of JSON, columns, ids of cases, names and stories of
mutants; and the titles of a document's sections are the document's.
"""

import re

import common

# Where a row is looked for (empty: everywhere), the word, what to say instead.
GIVEN_UP = [
    ("", r"knock(?:s|ed|ing)?", "access control"),
    ("", r"strangers?", "unidentified connections, or who it is"),
    ("", r"se(?:e|es|en|ing) off", "evict"),
    ("", r"deaf", "accept paused"),
    ("", r"last[ _]words", "crash notice"),
    ("", r"doom(?:s|ed)?", "revoke"),
    ("", r"keepers?", "housekeeping"),
    ("web/", r"visits?", "connection timeouts"),
    ("", r"(?:agent|tester|dissector|impi)_talk|talk_\w+|struct talk|\w+_talk", "conversation"),
    ("", r"witness(?:es|ed)?", "passive checker"),
    ("", r"blam(?:e|es|ed|ing)", "attribute to, report"),
    ("", r"missteps?|breach(?:es|ed)?", "violation"),
    ("", r"danc(?:e|es|ing)", "what it does: the closing handshake"),
    ("", r"who g(?:ot|ets?) on with whom", "which pairs of implementations interoperate"),
    ("", r"it lies with the implementation", "the implementation does not conform"),
    ("", r"the same once more", "what is repeated"),
]
CONTRACTS = re.compile(r"""["']breach(?:es)?["']|\b(?:portals|impi)\\?\.breach|\.Va breaches|[\w-]+-blames-[\w-]+"""
                       r'|\bid = "[\w-]+')
EXEMPT = ("CHANGES.md", "GLOSSARY.md", "LICENSE", "tests/lint/words.py", "tests/lint/test_house.py", "tests/mutants/",
          "tests/variants/results.json", "tests/captures/", "specs/impi-0.0.sections.json")
# A part of an identifier counts as a word: `who_knocks`, `WIRE_BREACH`.
PATTERNS = [(folder, re.compile(rf"(?<![A-Za-z])(?:{word})(?![A-Za-z])", re.IGNORECASE), plain)
            for folder, word, plain in GIVEN_UP]


def lint(tree, _arguments):
    """Looks at every line of text, and at the names of files."""
    for path in tree.files():
        if path.startswith(EXEMPT):
            continue
        rows = [row for row in PATTERNS if path.startswith(row[0])]
        for number, line in [(1, path.rsplit("/", 1)[-1]), *tree.lines(path)]:
            text = CONTRACTS.sub("", line)
            for _, pattern, plain in rows:
                for match in pattern.finditer(text):
                    tree.report(path, number, f"`{match.group(0)}` has a plain name: {plain}")


if __name__ == "__main__":
    common.main(lint, __doc__)
