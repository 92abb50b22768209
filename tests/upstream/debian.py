# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What Debian's other releases have of Wireshark: headers and source, fetched by apt into a folder of their own; the
machine's own packages and lists of packages stay as they are."""

import pathlib
import subprocess
import sys

MIRROR = "http://deb.debian.org/debian"
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
DEADLINE = 900


class NotToBeHad(Exception):
    """The network, or Debian, does not give it."""


def _apt(folder, *words):
    folder = folder.resolve()
    options = {"Dir::Etc::sourcelist": folder / "sources.list", "Dir::Etc::sourceparts": "/dev/null",
               "Dir::State::lists": folder / "lists", "Dir::Cache": folder / "cache",
               "Dir::Cache::archives": folder / "cache" / "archives", "APT::Sandbox::User": "root"}
    command = [words[0], *(word for name, value in options.items() for word in ("-o", f"{name}={value}")), *words[1:]]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=DEADLINE, check=False)
    if done.returncode:
        raise NotToBeHad((done.stderr.strip() or done.stdout.strip() or "apt failed").splitlines()[-1])
    return done.stdout


def _begin(folder, kind, release):
    for part in ("lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "sources.list").write_text(f"{kind} [signed-by={KEYS}] {MIRROR} {release} main\n")
    _apt(folder, "apt-get", "update")


def headers(folder, release, packages):
    """Fetches the packages of a release and unpacks them; the folder with /usr. What is there is not fetched again."""
    root = folder / "root"
    if not (root / "complete").exists():
        _begin(folder, "deb", release)
        _apt(folder, "apt-get", "download", *packages)
        for package in folder.glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", package, root], check=True)
        (root / "complete").touch()
    return root


def source(folder, release, package):
    """The same of a package's source: its tree, as the authors have released it."""
    tree = folder / "tree"
    if not (tree / "complete").exists():
        _begin(folder, "deb-src", release)
        _apt(folder, "apt-get", "source", "--download-only", package)
        tree.mkdir(exist_ok=True)
        archive = next(folder.glob(f"{package}_*.orig.tar.*[2z]"))
        subprocess.run(["tar", "xf", archive, "-C", tree, "--strip-components", "1"], check=True)
        (tree / "complete").touch()
    return tree


def or_end(function, *arguments):
    """What the function gives; ends the program where it is not to be had."""
    try:
        return function(*arguments)
    except (NotToBeHad, subprocess.SubprocessError, StopIteration, OSError) as error:
        print(f"{pathlib.Path(sys.argv[0]).name}: {arguments[1]} of Debian is not to be had: {error}", file=sys.stderr)
        sys.exit(2)
