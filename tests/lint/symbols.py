#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Global symbols bear the name of their module, so that libraries can be linked with anybody's program.

A symbol of `match.c` starts with `match_`, one of `tcp_read.c` with `tcp_` or `tcp_read_`; the name of a folder around
the file will do as well (`nal_open` in nal/open.c), and so will the shorter word that SHORT has for it. Everything in
libwire.a starts with `wire_`; what users link with, libportals and libassay-mpi, shows nothing but `Ptl...` with two
arrays of names, and `MPI_...` with its `PMPI_...`, or the same as Fortran writes it; libassay-gasnet shows
`gasnet_...`, and `gasnetc_...` for its header. None is defined twice in an archive, where the linker takes the first
and says nothing.
"""

import pathlib
import re
import subprocess

import common

WHOLE_ARCHIVE = {"libwire.a": "wire_"}
PUBLIC = {"libportals": re.compile(r"Ptl[A-Z]|ptl_(err|event)_str$|utcp_my_nid$"),
          "libassay-mpi": re.compile(r"P?MPI_[A-Z]"),
          "libassay-gasnet": re.compile(r"gasnetc?_"), "libassay-mpif77": re.compile(r"p?mpi_[a-z0-9_]+_$")}
SHOW_PUBLIC_ONLY = {"libportals.a", "libportals.so", "libassay-mpi.a", "libassay-mpi.so", "libassay-mpif77.a",
                    "libassay-gasnet.a"}
# Folders whose functions begin with another word than the folder's name.
SHORT = {
    "ref-impl/core/matching": "match",
    "ref-impl/core/messages": "message",
    "ref-impl/mpi/collectives": "coll",
    "ref-impl/mpi/communicators": "comm",
    "ref-impl/mpi/contexts": "comm",
    "ref-impl/mpi/messages": "p2p",
    "ref-impl/mpi/types": "type",
}
# What compilers and sanitizers add by themselves.
FOREIGN = re.compile(r"__asan_|__odr_asan|__tsan_|__ubsan_|__sancov|__start_|__stop_|_init$|_fini$|\.")


def defined(library, dynamic):
    """Yields (member, symbol) of the global definitions of an archive or shared library."""
    output = subprocess.run(["nm", "-A", "-P", "-D" if dynamic else "-g", "--defined-only", str(library)],
                            capture_output=True, text=True, check=True).stdout
    for line in output.splitlines():
        where, symbol, *_ = line.split()
        member = re.search(r"\[(.+)\.o\]", where)
        if not FOREIGN.match(symbol):
            yield member.group(1) if member else "", symbol


def prefixes(tree, library, member):
    """The beginnings that symbols of this member may have."""
    if library.name in WHOLE_ARCHIVE:
        return {WHOLE_ARCHIVE[library.name]}
    around = [parent for path in tree.files("/" + member + ".c") for parent in pathlib.PurePath(path).parents]
    folders = {SHORT.get(str(folder), folder.name) for folder in around} - {""}
    return {name + "_" for name in {member, member.split("_")[0]} | folders}


def complaint(tree, library, member, symbol):
    """What is wrong with the name of a symbol, or None."""
    if any(library.name.startswith(name) and public.match(symbol) for name, public in PUBLIC.items()):
        return None
    if library.name in SHOW_PUBLIC_ONLY:
        return f"exports {symbol}; only the functions of its standard may be seen, hide it"
    if library.suffix == ".so":
        return None
    allowed = prefixes(tree, library, member)
    if symbol.startswith(tuple(allowed)):
        return None
    return f"{symbol} starts with none of {', '.join(sorted(allowed))}; rename it or make it static"


def lint(tree, arguments):
    """Looks at every library in the build folder."""
    libraries = sorted([*arguments.lib.glob("*.a"), *arguments.lib.glob("*.so")])
    if not libraries:
        tree.report(str(arguments.lib), 1, "there is no library; build first with `make`, or name the folder by --lib")
    for library in libraries:
        seen = {}
        for member, symbol in defined(library, library.suffix == ".so"):
            where = f"{library.name}({member}.o)" if member else library.name
            wrong = complaint(tree, library, member, symbol)
            if member and symbol in seen:
                wrong = f"{symbol} is defined in {seen[symbol]}.o too; keep one"
            seen[symbol] = member
            if wrong:
                tree.report(where, 1, wrong)


def options(parser):
    """--lib is where the libraries are."""
    parser.add_argument("--lib", type=pathlib.Path, default=common.ROOT / "build/lib", help="folder of the libraries")


if __name__ == "__main__":
    common.main(lint, __doc__, options)
