# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The tables of specs/interpreter.md, section 7, are what interp-mpi does: the same verbs, the same pairs."""

import re

import pytest

from manager import Failure

SHARED = """
    alloc free fill compare write read hash compute pause memory batch thread join describe commands quit abandon
""".split()


def described(root):
    """Verb -> (obligatory pairs, all pairs) as the tables of section 7 say."""
    text = (root / "specs/interpreter.md").read_text()
    verbs = {}
    for line in text[text.index("\n## 7."):text.index("\n## 8.")].splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) != 3 or cells[0] in ("verb", "---"):
            continue
        names = cells[0].split(", ")
        lists = re.sub(r"\([^()]*\)", "", cells[1]).split(";")
        assert len(lists) in (1, len(names)), line
        for i, name in enumerate(names):
            pairs = lists[i if len(lists) > 1 else 0].split()
            every = [re.sub(r"[\[\]]|=\w+", "", pair) for pair in pairs]
            verbs[name] = [key for key, pair in zip(every, pairs) if pair[0] != "["], every
    return verbs


@pytest.fixture
def one(job):
    """A process that calls nothing of the library."""
    alone = job(1)
    yield alone[0]
    alone[0].do("abandon")


def code(peer, verb, keys):
    """The error of a command whose values are all wrong."""
    try:
        return f"no error but {peer.do(verb, **{key + '_' if key == 'lines' else key: '?' for key in keys})}"
    except Failure as failure:
        return failure.code


def test_verbs(one, root):
    assert sorted(one.do("commands")["verbs"].split(",")) == sorted([*described(root), *SHARED])


def test_pairs(one, root):
    for verb, (obligatory, every) in described(root).items():
        assert code(one, verb, [*every, "zzz"]) == "unknown-pair", verb
        if obligatory:
            assert code(one, verb, every) not in ("missing", "unknown-pair"), verb
            assert code(one, verb, obligatory) not in ("missing", "unknown-pair"), verb
        for left_out in obligatory:
            assert code(one, verb, [key for key in every if key != left_out]) == "missing", (verb, left_out)
