# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The sources of Debian packages, fetched as their authors released them.

The machine's own lists of packages stay as they are: apt gets a list of its own, in which each source of binary
packages is one of source packages, and keeps all that it remembers in a folder of ours.
"""

import pathlib
import re
import subprocess
import tarfile

LISTS = [pathlib.Path("/etc/apt/sources.list"), *sorted(pathlib.Path("/etc/apt/sources.list.d").glob("*"))]


def write_lists(folder):
    """The machine's sources of binary packages as sources of source packages."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in LISTS:
        if path.suffix not in (".list", ".sources") or not path.is_file():
            continue
        text = re.sub(r"^(Types:).*", r"\1 deb-src", path.read_text(encoding="utf-8"), flags=re.M)
        text = re.sub(r"^deb(-src)?\b", "deb-src", text, flags=re.M)
        (folder / path.name).write_text(text, encoding="utf-8")


def apt(folder, *words):
    """apt-get with lists and memory in a folder; what it said where it failed."""
    places = {"Etc::sourcelist": "/dev/null", "Etc::sourceparts": folder / "lists", "State::lists": folder / "state",
              "Cache": folder / "cache"}
    for name in ("state", "cache", "tar"):
        (folder / name).mkdir(exist_ok=True)
    options = [word for name, path in places.items() for word in ("-o", f"Dir::{name}={path}")]
    done = subprocess.run(["apt-get", "-q", *options, "-o", "APT::Sandbox::User=root", *words], cwd=folder / "tar",
                          capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stderr.strip()


def top_of(folder):
    """Where the files of an archive are: in its one folder, or, where it has several, as they are."""
    found = list(folder.iterdir())
    return found[0] if len(found) == 1 and found[0].is_dir() else folder


def fetch(folder, package):
    """The folder of a package's source, or None; says why on stdout. What was fetched before is taken as it is."""
    target = folder / package
    if target.is_dir():
        return top_of(target)
    write_lists(folder / "lists")
    said = apt(folder, "update") or apt(folder, "source", "--download-only", "--tar-only", package)
    found = sorted((folder / "tar").glob(f"{package}_*.orig.tar.*"))
    if not found:
        print(f"{package}: no source: {said or 'the package has no archive of its authors'}")
        return None
    with tarfile.open(found[-1]) as archive:
        archive.extractall(target)
    return top_of(target)
