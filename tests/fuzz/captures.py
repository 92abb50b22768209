#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""captures.py FOLDER: captures of the hand-written conversations, the first inputs of the fuzzer of capture files."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "tester"))
import conversation  # noqa: E402 pylint: disable=wrong-import-position


def main(folder):
    """One file for each conversation, of changing formats."""
    links = list(conversation.LINKS)
    for number, name in enumerate(conversation.names(ROOT)):
        packets, _ = conversation.perform(ROOT, name, six=number % 5 == 0)
        make = conversation.pcapng if number % 2 else conversation.pcap
        order = ">" if number % 3 else "<"
        (folder / f"capture-{name}").write_bytes(make(packets, links[number % len(links)], order))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
