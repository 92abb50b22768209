# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The Intercept network's document, the rows of wire/ and the vectors say the same: every field at its place."""

import json
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "specs" / "intercept-wire.md").read_text(encoding="utf-8")
RMPP = ("rts", "cts", "next_cts", "data", "stop_data", "last_data", "msgend", "msgerror")
CONTROL = ("connect", "refuse", "vdma_get", "vdma_put", "done", "get_ext_reply", "try_match", "match_reply", "upd_conn")
# Which tables lay out a message, by the numbers of their sections.
TABLES = {
    "vdma_data": ["3.1", "3.3"], "short_message": ["3.1", "3.4"], "command": ["3.1", "3.5"],
    "acknowledge": ["3.1", "3.4"], "retransmit": ["3.1", "3.4"],
    **{name: ["3.1", "3.4", "4", *more] for name, more in zip(RMPP, (
        [], ["4.3"], ["4.3"], ["4.4"], ["4.4"], ["4.4"], [], ["4.5"]))},
    **{name: ["3.1", "3.4", "5", more] for name, more in zip(CONTROL, (
        "5.1", "5.1", "5.3", "5.4", "5.4", "5.5", "5.6", "5.6", "5.7"))},
}
# How a table names the message that alone has a field.
SPOKEN = {"vdma_put": "PUT"}


def section(number: str) -> str:
    """The text of a section, without those below it."""
    found = re.search(rf"^##+ {re.escape(number)}\.? .*?(?=^##)", DOCUMENT, re.MULTILINE | re.DOTALL)
    assert found, f"the document has no section {number}"
    return found.group(0)


def fields(number: str, message: str) -> list:
    """Offset, width and name of each field that the tables of a section give the message."""
    rows = []
    for offset, width, name, about in re.findall(r"^\| (\d+) \| (\d+) \| (\w+) \| (.*) \|$", section(number),
                                                 re.MULTILINE):
        only = re.match(r"([A-Z_]+)(?::| only\b)", about)
        if name != "data" and (not only or only.group(1) == SPOKEN.get(message, message.upper())):
            rows.append((int(offset), int(width), name))
    return rows


@pytest.fixture(name="rows", scope="module")
def fixture_rows(build) -> dict:
    """Message -> what the rows of wire/ say of it, with the octets of its vector."""
    (layout,) = build.glob("release/trace/layout") or build.glob("*/trace/layout")
    shown = subprocess.run([layout, "intercept", ROOT / "wire" / "vectors"], capture_output=True, check=True)
    return {message["name"]: message for message in json.loads(shown.stdout)}


def test_every_message_is_laid_out(rows):
    assert set(rows) == set(TABLES)


@pytest.mark.parametrize("message", TABLES)
def test_rows_are_the_documents(rows, message):
    """The same fields, in the same order, at the same places."""
    expected = [row for number in TABLES[message] for row in fields(number, message)]
    assert [(row["offset"], row["width"], row["name"]) for row in rows[message]["fields"]] == expected


@pytest.mark.parametrize("message", TABLES)
def test_each_message_has_a_vector(rows, message):
    """All fields of the vector were there to be read, and its octets are those of the file in their order."""
    written = re.sub(r"#.*|\s", "", (ROOT / "wire" / "vectors" / "intercept" / f"{message}.hex").read_text("ascii"))
    drawn = "".join(row["octets"] for row in rows[message]["fields"])
    assert len(drawn) == 2 * rows[message]["octets"] and written.startswith(drawn)


def test_codes_are_the_documents(rows):
    """Types of RMPP and of control messages have the codes of chapters 4 and 5."""
    for number, names, field in (("4", RMPP, "rmpp_type"), ("5", CONTROL, "control_type")):
        codes = dict((name, int(code)) for code, name in re.findall(r"^\| (\d) \| `(\w+)` \|", section(number),
                                                                    re.MULTILINE))
        assert tuple(codes) == names
        for name in names:
            (row,) = [row for row in rows[name]["fields"] if row["name"] == field]
            assert int(row["octets"], 16) == codes[name]
