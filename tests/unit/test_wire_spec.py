# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""specs/portals-wire.md and wire/vectors/ say the same: neither may drift from the other, whatever the code does."""

import re

import pytest

IDS = ("nid", "pid", "gid", "rid")
# Chapter of the binding that lists the fields, and the vectors that must have them.
TABLES = {
    "### 3.1": ("put", "put-ones", "get", "get-ones"),
    "### 3.2": ("ack", "ack-ones", "reply", "reply-ones"),
    "### 4.1": ("hello", "hello-answer", "hello-ones"),
    "### 4.6": ("barrier", "barrier-ones"),
    "#### NUMBER": ("number", "number-ones"),
    "#### ACKNOWLEDGE": ("acknowledge", "acknowledge-ones"),
}
# The worked examples of chapter 9, in their order.
EXAMPLES = ("hello", "hello-answer", "put", "ack", "get", "reply", "barrier", "number", "acknowledge")
# The examples show version 1.0 from both sides; the vector of the answer has a later minor version on purpose.
MINOR_OF_ANSWER = slice(6, 8)


@pytest.fixture(name="binding", scope="module")
def fixture_binding(root):
    """The text of the binding."""
    return (root / "specs" / "portals-wire.md").read_text(encoding="utf-8")


@pytest.fixture(name="vector", scope="module")
def fixture_vector(root):
    """Reads a vector: a list of (field, octets)."""

    def read(name):
        fields = []
        for line in (root / "wire" / "vectors" / f"{name}.hex").read_text(encoding="ascii").splitlines():
            match = re.fullmatch(r"([0-9a-f ]+?)\s+# ([a-z_.]+).*", line)
            if match:
                fields.append((match[2], bytes.fromhex(match[1])))
        return fields

    return read


def chapter(binding, heading):
    """The text from a heading to the next one."""
    return re.split(r"\n#+ ", binding.split(heading, 1)[1])[0]


def table_fields(text):
    """(field, offset, width) of a chapter's table; a process id becomes its four ids; data has no width."""
    for offset, width, field in re.findall(r"^\| (\d+) \| (\w+) \| (\w+) \|", text, re.MULTILINE):
        if field in ("initiator", "target"):
            for i, part in enumerate(IDS):
                yield f"{field}.{part}", int(offset) + 4 * i, 4
        elif field != "data":
            yield field, int(offset), int(width)


@pytest.mark.parametrize("heading", TABLES)
def test_tables_are_the_vectors_fields(binding, vector, heading):
    """Names, offsets and widths of the binding's tables are those of the vectors."""
    fields = list(table_fields(chapter(binding, heading)))
    assert len(fields) >= 3
    for name in TABLES[heading]:
        at = 0
        seen = []
        for field, octets in vector(name):
            if field != "data":
                seen.append((field, at, len(octets)))
            at += len(octets)
        assert seen == fields, name


def test_examples_are_the_vectors(binding, vector):
    """The octets of chapter 9 are those of the vectors."""
    blocks = re.findall(r"(?:^    .+\n)+", chapter(binding, "## 9."), re.MULTILINE)
    assert len(blocks) == len(EXAMPLES)
    for name, block in zip(EXAMPLES, blocks):
        digits = (re.match(r"    ((?:[0-9a-f]+ ?)+)", line)[1] for line in block.splitlines())
        example = bytearray.fromhex("".join(digits))
        octets = bytearray(b"".join(part for _, part in vector(name)))
        if name == "hello-answer":
            octets[MINOR_OF_ANSWER] = example[MINOR_OF_ANSWER]
        assert example == octets, name


def test_operations_and_lengths(binding, vector):
    """The table of operations in chapter 3 agrees with the vectors."""
    rows = re.findall(r"^\| (\S+)(?: \(hex\))? \| ([A-Z]+) \| (\d+) \|", chapter(binding, "## 3. "), re.MULTILINE)
    assert {row[1].lower() for row in rows} == {"put", "ack", "get", "reply", "barrier", "number", "acknowledge",
                                             "hello"}
    for code, message, header in rows:
        fields = vector(message.lower())
        assert fields[0] == ("operation", int(code, 16).to_bytes(4, "big"))
        assert sum(len(octets) for field, octets in fields if field != "data") == int(header)


def test_rules_are_named_in_the_binding(binding, root):
    """Each rule of wire/portals/rules.c is one of the binding or of the Portals document, and none is invented."""
    used = set(re.findall(r'"((?:PW|P30)-\d+)"', (root / "wire" / "portals" / "rules.c").read_text(encoding="utf-8")))
    assert len(used) > 10
    assert used <= set(re.findall(r"(?:PW|P30)-\d+", binding))
