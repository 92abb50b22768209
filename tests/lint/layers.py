#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Who may include whom: holds the table of CONTRIBUTING.md on the #include lines, and keeps wire/ and core/ pure.

The judge (tester/) never sees the judged (ref-impl/); wire/ is octets only; inside the reference the api uses the core,
the core uses nal.h, and a NAL knows neither; the interpreter builds alone from its folder.
"""

import os
import re

import common

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)

# Who looks (the longest prefix wins) -> what may be included by root path. A trailing slash means the whole folder.
ALLOWED = {
    "wire/": ["wire/"],
    "ref-impl/address.": ["ref-impl/address.h"],
    "ref-impl/clock.h": [],
    "ref-impl/lock.": ["ref-impl/lock.h", "ref-impl/short_path.h"],
    "ref-impl/short_path.h": [],
    "ref-impl/include/": [],
    "ref-impl/api/": ["ref-impl/api/", "ref-impl/address.h", "ref-impl/core/", "ref-impl/include/",
                      "ref-impl/job/job.h", "ref-impl/short_path.h", "wire/"],
    "ref-impl/api3/": ["ref-impl/api3/", "ref-impl/address.h", "ref-impl/core/", "ref-impl/job/job.h", "wire/"],
    "ref-impl/api32/": ["ref-impl/api3/", "ref-impl/api32/", "ref-impl/clock.h", "ref-impl/core/",
                        "ref-impl/job/job.h", "wire/"],
    "ref-impl/api33/": ["ref-impl/api3/", "ref-impl/api33/", "ref-impl/clock.h", "ref-impl/core/",
                        "ref-impl/job/job.h", "wire/"],
    "ref-impl/core/": ["ref-impl/core/", "ref-impl/include/", "ref-impl/nal/nal.h", "ref-impl/job/job.h",
                       "ref-impl/lock.h", "ref-impl/short_path.h", "wire/"],
    "ref-impl/nal/": ["ref-impl/nal/", "ref-impl/clock.h", "ref-impl/intercept/", "ref-impl/lock.h",
                      "ref-impl/short_path.h", "wire/"],
    "ref-impl/job/": ["ref-impl/job/", "ref-impl/nal/presence.h", "wire/"],
    "ref-impl/examples/": ["ref-impl/examples/", "ref-impl/include/"],
    "ref-impl/launch/": ["ref-impl/launch/", "ref-impl/clock.h", "ref-impl/job/", "ref-impl/nal/networks.h", "wire/"],
    "ref-impl/intercept/": ["ref-impl/intercept/", "wire/"],
    "ref-impl/impi/": ["ref-impl/impi/", "ref-impl/clock.h", "ref-impl/launch/", "wire/"],
    "ref-impl/gasnet/": ["ref-impl/gasnet/", "ref-impl/include/"],
    "ref-impl/puma/": ["ref-impl/puma/", "ref-impl/include/"],
    "ref-impl/mpi/": ["ref-impl/mpi/", "ref-impl/address.h", "ref-impl/impi/common/link.h", "ref-impl/include/",
                      "ref-impl/nal/drive.h", "ref-impl/nal/thread.h", "ref-impl/puma/puma.h", "ref-impl/short_path.h",
                      "wire/"],
    "tester/": ["tester/", "wire/"],
    "interpreter/common/": ["interpreter/common/"],
    "interpreter/core/": ["interpreter/common/", "interpreter/core/"],
    "interpreter/portals/": ["interpreter/common/", "interpreter/core/", "interpreter/portals/"],
    "interpreter/mpi/": ["interpreter/common/", "interpreter/core/", "interpreter/mpi/"],
    "interpreter/agent/": ["interpreter/common/", "interpreter/agent/"],
    "web/": ["web/", "tester/engine/engine.h", "tester/profile/profile_table.h", "tester/profile/profile.h",
             "tester/profile/revision.h", "tester/profile/sections.h", "tester/report/certificate.h",
             "tester/report/key_chain.h",
             "tester/report/html.h",
             "tester/report/log.h", "tester/report/outcome.h", "tester/report/waivers.h",
             "tester/capture/evidence_file.h", "tester/judging/rejudge.h",
             "tester/base/markup.h", "tester/base/output.h", "tester/base/plain.h",
             "tester/base/utf8.h",
             "wire/octets/print.h", "wire/octets/row.h", "wire/octets/status.h"],
    "dissector/": ["dissector/", "wire/"],
    "tests/": [""],
}

# Headers of libraries -> the folders that may use them.
LIBRARIES = [
    (re.compile(r"(epan|wiretap|wsutil|wireshark|glib)[/.]"), ["dissector/", "tests/"]),
    (re.compile(r"pmix"), ["ref-impl/job/", "tests/"]),
    (re.compile(r"sqlite3|libpq|microhttpd"), ["web/", "tests/"]),
    (re.compile(r"l(ua|auxlib|ualib)\.h|lua5\.4/"), ["tester/", "tests/"]),
    (re.compile(r"jansson"), ["tester/", "web/", "tests/"]),
    (re.compile(r"sodium"), ["tester/", "web/", "tests/"]),
]


def headers(names):
    """The set of headers with these names."""
    return {f"{name}.h" for name in names.split()}


ISO_C = headers("assert ctype errno float inttypes iso646 limits stdalign stdarg stdbool stddef stdint stdio string")
INTERPRETER_SYSTEM = ISO_C | headers(
    "stdlib time math locale signal setjmp wchar dirent dlfcn fcntl netdb poll pthread sched semaphore spawn strings "
    "termios unistd sys/mman sys/resource sys/select sys/socket sys/stat sys/time sys/types sys/uio sys/un sys/wait "
    "sys/utsname netinet/in netinet/tcp arpa/inet net/if portals mpi")
# Headers of the libraries under test, and the folder of the interpreter that meets each.
TESTED = {"portals.h": "interpreter/portals/", "mpi.h": "interpreter/mpi/"}
CORE_BANNED = re.compile(r"sys/(socket|epoll|poll|time|uio|select|un|stat)\.h|(netinet|arpa|net)/|"
                         r"(time|poll|fcntl|netdb|unistd|threads)\.h")
WIRE_CALLS = re.compile(r"\b(malloc|calloc|realloc|free|aligned_alloc|strdup|strndup|alloca|socket|connect|accept|"
                        r"send|recv|time|clock|clock_gettime|gettimeofday|nanosleep|fopen|open|read|write|getenv|"
                        r"exit|abort)\s*\(")


def rule_for(path):
    """The longest key of ALLOWED under which the path lies."""
    keys = [key for key in ALLOWED if path.startswith(key)]
    return max(keys, key=len) if keys else None


def may(target, allowed):
    """Whether the included path is one of the allowed files or lies in one of the allowed folders."""
    return any(target == entry or (entry.endswith("/") or not entry) and target.startswith(entry) for entry in allowed)


def check_own(tree, path, line, target):
    """An include with quotes: by root path, of a file that exists, allowed for this folder."""
    key = rule_for(path)
    if path.startswith("interpreter/"):
        beside = os.path.normpath(os.path.join(os.path.dirname(path), target))
        if not beside.startswith("interpreter/") or not (tree.root / beside).is_file():
            tree.report(path, line, f'"{target}" is not in interpreter/, which must build alone; copy it there')
        elif not may(beside, ALLOWED[key]):
            tree.report(path, line, f'{key} must not include "{target}"; allowed: {", ".join(ALLOWED[key])}')
        return
    if not (tree.root / target).is_file():
        tree.report(path, line, f'"{target}" does not exist; include by the path from the root of the tree')
    elif not may(target, ALLOWED[key]):
        tree.report(path, line, f'{key} must not include "{target}"; allowed: {", ".join(ALLOWED[key]) or "nothing"}')


# A file named for a platform includes what that has, under an #if.
PLATFORM = re.compile(r"_linux\.c$")


def check_system(tree, path, line, header):
    """An include with angle brackets: a header that this folder may use."""
    for pattern, folders in LIBRARIES:
        if pattern.match(header) and not path.startswith(tuple(folders)):
            tree.report(path, line, f"<{header}> is for {', '.join(folders)} only; go through their functions")
    if path.startswith("wire/") and header not in ISO_C:
        tree.report(path, line, f"wire/ must not include <{header}>: no system, clock, allocation; make it an argument")
    if path.startswith("ref-impl/core/") and CORE_BANNED.match(header):
        tree.report(path, line, f"the core must not include <{header}>: it does no input, output or timing; use nal.h")
    if path.startswith("interpreter/") and header not in INTERPRETER_SYSTEM and not PLATFORM.search(path):
        tree.report(path, line, f"<{header}> is neither C99 nor POSIX; a vendor's system may lack it")
    if header in TESTED and path.startswith("interpreter/") and not path.startswith(TESTED[header]):
        tree.report(path, line, f"<{header}> is for {TESTED[header]} only: the other folders serve any library")
    public = header == "portals.h" and not path.startswith(("interpreter/", "tests/"))
    if public and "ref-impl/include/" not in ALLOWED[rule_for(path)] and not path.startswith("ref-impl/include/"):
        tree.report(path, line, f"{rule_for(path)} must not include <portals.h>, the reference's interface")


def lint(tree, _arguments):
    """Looks at every include line of C, and at the calls in wire/."""
    for path in tree.files(".c", ".h"):
        if rule_for(path) is None:
            tree.report(path, 1, "no layer is declared for this folder; add it to layers.py and CONTRIBUTING.md")
            continue
        text = common.c_without(tree.text(path) or "", strings=False)
        for match in INCLUDE.finditer(text):
            line = common.line_of(text, match.start(match.lastindex))
            if match.group(1):
                check_own(tree, path, line, match.group(1))
            else:
                check_system(tree, path, line, match.group(2))
        if path.startswith("wire/"):
            for match in WIRE_CALLS.finditer(common.c_without(text)):
                tree.report(path, common.line_of(text, match.start()),
                            f"wire/ must not call {match.group(1)}(): octets, memory and time are arguments")


if __name__ == "__main__":
    common.main(lint, __doc__)
