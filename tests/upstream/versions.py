#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Compiles the plugin against the headers of the Wireshark versions that it is for, every warning an error. Prints a
table; status 1 where a file does not compile, 2 where headers are not to be had."""

import argparse
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import debian  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = ("wireshark-dev", "libwireshark-dev", "libwiretap-dev", "libwsutil-dev")
WARNINGS = "-std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -D_GNU_SOURCE -DASSAY_VERSION=\"0\"".split()


def version_of(include):
    """As the headers say."""
    text = (include / "ws_version.h").read_text()
    return ".".join(re.search(rf"WIRESHARK_VERSION_{part}\s+(\d+)", text)[1] for part in ("MAJOR", "MINOR", "MICRO"))


def compiled(include, sources, glib):
    """The complaints about each source that does not compile."""
    found = {}
    for source in sources:
        done = subprocess.run(["gcc", *WARNINGS, "-fsyntax-only", f"-I{ROOT}", "-isystem", include, *glib, source],
                              capture_output=True, text=True, cwd=ROOT, check=False)
        if done.returncode:
            found[source] = done.stderr
    return found


def main():
    """Fetches, compiles, prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", required=True, type=pathlib.Path, help="where what is fetched is kept")
    parser.add_argument("releases", nargs="*", default=["bookworm", "trixie", "sid"], help="of Debian")
    given = parser.parse_args()
    glib = subprocess.run(["pkg-config", "--cflags", "glib-2.0"], capture_output=True, text=True,
                          check=True).stdout.split()
    sources = sorted(path.relative_to(ROOT) for path in (ROOT / "dissector").rglob("*.c")
                     if "upstream" not in path.parts)
    rows, status = [], 0
    for release in given.releases:
        root = debian.or_end(debian.headers, given.folder / release, release, PACKAGES)
        include = root / "usr" / "include" / "wireshark"
        failed = compiled(include, sources, glib)
        for complaint in failed.values():
            print(complaint, end="", file=sys.stderr)
        rows.append(f"| {version_of(include)} | {release} | {len(sources)} | {len(failed)} |")
        status = status or int(bool(failed))
    print("| Wireshark | Debian | files | with a warning or an error |\n|---|---|---|---|")
    print("\n".join(rows))
    return status


if __name__ == "__main__":
    sys.exit(main())
