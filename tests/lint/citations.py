#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A citation is of a catalogue or a format that is there: what `//=` names, and what looks like a requirement's number.

requirements.py looks whether the number exists; this lint whether the prefix does.
"""

import re

import catalogue
import common
import requirements

CODE = (".c", ".h", ".lua", ".py", ".mk", ".js", ".html", ".sql", ".md", ".json", ".mutants", ".variants")
# `//= P30-001`, in Lua `--= ..`; several may stand in a row.
MARKED = re.compile(r"(?://|--|#)=[ \t]*([^\n]*)")
NUMBERED = re.compile(r"(?<![\w.-])([A-Z][A-Z0-9]*)-\d{3}(?![\w.-])")
# The lints and the book are tested with trees whose requirements are invented.
INVENTED = ("tests/lint/", "tests/trace/")
# What is written like a requirement and is none: digests, encodings, standards, licences, places in documents.
OTHERS = {"SHA", "UTF", "ISO", "IEC", "RFC", "CVE", "BSD", "GPL", "SAND"}


def prefixes(tree):
    """The prefixes of the catalogues' numbers and of our own formats' rules."""
    rows = [row["id"] for _, rows in catalogue.profiles(tree).values() for row in rows]
    rows += [row["id"] for rows in catalogue.references(tree).values() for row in rows]
    return {name.split("-")[0] for name in [*rows, *requirements.binding_rules(tree)]}


def lint(tree, _arguments):
    """Looks at every text that may cite."""
    known = prefixes(tree)
    for path in tree.files(*CODE):
        if path.startswith(INVENTED):
            continue
        for number, line in tree.lines(path):
            marked = MARKED.search(line)
            names = re.findall(r"\b([A-Z][A-Z0-9]*)-\d+\b", marked.group(1)) if marked else []
            if marked and not names:
                tree.report(path, number, "`//=` names no requirement; name one, or make it a plain comment")
            for name in sorted({*names, *NUMBERED.findall(line)} - known - OTHERS):
                tree.report(path, number, f"{name}- is the prefix of no catalogue or format of specs/; say in words "
                            "what the document demands, or add the catalogue")


if __name__ == "__main__":
    common.main(lint, __doc__)
