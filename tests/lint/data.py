#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Data can be read and links lead somewhere: every JSON file is JSON, every local link in Markdown has its file."""

import json
import os
import re
import urllib.parse

import common

LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)")
CODE = re.compile(r"(^(```|~~~).*?^\2[^\n]*$)|(`[^`\n]*`)", re.DOTALL | re.MULTILINE)
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$", re.MULTILINE)


class DuplicateKey(ValueError):
    """A JSON object has the same key twice."""


def unique_keys(pairs):
    """The object of these pairs, whose keys must differ."""
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise DuplicateKey(key)
    return dict(pairs)


def check_json(tree, path):
    """The file holds one JSON value without duplicate keys."""
    try:
        json.loads(tree.text(path) or "", object_pairs_hook=unique_keys)
    except json.JSONDecodeError as error:
        tree.report(path, error.lineno, f"is not JSON: {error.msg}; mend it")
    except DuplicateKey as error:
        line = next((number for number, text in tree.lines(path) if f'"{error}"' in text), 1)
        tree.report(path, line, f'an object has the key "{error}" twice; remove one')


def anchors(text):
    """The anchors that headings get: lower case, spaces to hyphens, punctuation dropped."""
    plain = (re.sub(r"[`*]", "", heading) for heading in HEADING.findall(text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


def check_links(tree, path):
    """Every link to a file of the tree names one that exists, and a heading that it has."""
    text = CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), tree.text(path) or "")
    for match in LINK.finditer(text):
        target = match.group(1)
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        name, _, anchor = urllib.parse.unquote(target).partition("#")
        line = common.line_of(text, match.start())
        file = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if not (tree.root / file).exists():
            tree.report(path, line, f"links to {file}, which does not exist; correct the link")
        elif anchor and file.endswith(".md") and anchor not in anchors((tree.root / file).read_text()):
            tree.report(path, line, f"links to #{anchor}, a heading that {file} does not have; correct the link")


def lint(tree, _arguments):
    """Looks at JSON and Markdown."""
    for path in tree.files(".json"):
        check_json(tree, path)
    for path in tree.files(".md"):
        check_links(tree, path)


if __name__ == "__main__":
    common.main(lint, __doc__)
