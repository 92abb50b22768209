#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Writes the book: each requirement beside its code, its cases and its mutants, as one HTML file.

The same input gives the same octets: the book holds no date and no name of a machine.
"""

import argparse
import pathlib
import sys

import gather
import render


def main() -> int:
    """Reads the arguments, writes the book; 2 when something that it tells cannot be read."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--profile", help="the profile whose book it is; the first of specs/profiles.json")
    parser.add_argument("--layout", type=pathlib.Path, required=True, help="the program that prints the messages' rows")
    parser.add_argument("--assay", type=pathlib.Path, required=True, help="the program that lists the cases")
    parser.add_argument("--proofs", type=pathlib.Path, help="who catches whom; tests/mutants/proofs.json")
    parser.add_argument("--release", default="", help="the version to name")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="the file to write")
    arguments = parser.parse_args()
    try:
        book = render.book(gather.gather(arguments), arguments.release)
    except (gather.Problem, OSError, UnicodeDecodeError) as problem:
        print(f"trace: {problem}", file=sys.stderr)
        return 2
    arguments.output.write_text(book, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
