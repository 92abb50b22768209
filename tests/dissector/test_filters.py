# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""The filters that the documentation and the colours name are ones that tshark understands."""

import re

from capture import Capture


def table_filters(text):
    """What stands between backticks in the first column of tables headed `filter`."""
    found, inside = [], False
    for line in text.splitlines():
        inside = (inside or line.startswith("| filter |")) and line.startswith("|")
        if inside and not line.startswith(("| filter |", "| ---")):
            found += re.findall(r"`([^`]+)`", re.split(r"(?<!\|)\|(?!\|)", line)[1])
    return found


def colour_filters(text):
    """The second part of each rule."""
    return [line.split("@")[2] for line in text.splitlines() if line.startswith("@")]


def test_filters_are_understood(tshark, root, capture_path):
    folder = root / "dissector"
    filters = [f for f in table_filters((folder / "README.md").read_text()) if re.match(r"!?(portals|impi|assay)\b", f)]
    colours = colour_filters((folder / "profiles" / "Assay" / "colorfilters").read_text())
    assert len(filters) > 30 and len(colours) > 12
    path = Capture().write(capture_path)
    tables = ("portals,tree", "impi,tree", "io,stat,1,MAX(impi.flow.unacked)impi.flow.unacked")
    tshark.read(path, "-Y", " or ".join(f"({f})" for f in (*filters, *colours)), "-q",
                *(word for table in tables for word in ("-z", table)))
