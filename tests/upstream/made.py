# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The dissectors for Wireshark's own tree, made by `make dissector-upstream`, as a plugin of the installed one."""

import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
NAMES = ("packet-portals.c", "packet-impi.c")
WARNINGS = ("-std=gnu11", "-Wall", "-Wextra", "-Wshadow", "-Werror")


def flags(*words):
    """What pkg-config says."""
    done = subprocess.run(["pkg-config", *words, "wireshark"], capture_output=True, text=True, check=True)
    return done.stdout.split()


def plugin(upstream, folder):
    """Compiles both into folder/upstream/4.0/epan/assay.so; `config.h` of a tree is empty here."""
    series = ".".join(flags("--modversion")[0].split(".")[:2])
    made = folder / "upstream" / series / "epan" / "assay.so"
    made.parent.mkdir(parents=True)
    (folder / "config.h").touch()
    headers = [f"-I{path[2:]}/epan/dissectors" for path in flags("--cflags") if path.endswith("/wireshark")]
    subprocess.run(["gcc", *WARNINGS, "-O1", "-shared", "-fPIC", f"-I{folder}", *headers, *flags("--cflags"),
                    *(upstream / name for name in NAMES), HERE / "plugin.c", "-o", made, *flags("--libs")], check=True)
    return made
