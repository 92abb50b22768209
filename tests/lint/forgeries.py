#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A negative case shows that what it sends is invalid, and has a sanity step; a case that lets a scripted peer send
what must be dropped is negative.

Functions are followed by their names: those of the case's file, `t:name` and `Table.name` of tester/cases/lib. When the
case runs, the engine looks whether what it shows is true (tester/judging/forgery.h); this lint sees also what no run
reaches.
"""

import re

import common

COMMENT = re.compile(r"--\[(=*)\[.*?\]\1\]|--[^\n]*", re.DOTALL)
CASE = re.compile(r"^([ \t]*)case\s*\{.*?^\1\}", re.DOTALL | re.MULTILINE)
FUNCTION = re.compile(r"^(?:local )?function ([\w.:]+)\(.*?^end$", re.DOTALL | re.MULTILINE)
ALIASES = re.compile(r"^local ([\w, ]+) = ([\w., ]+)$", re.MULTILINE)
CALLED = re.compile(r"(?<![\w.:])((?:(?:t|self|server|job|\}):|[A-Z]\w*\.)?\w+)\s*[({]")
NEGATIVE = re.compile(r"\bnegative = (?!false\b)")
DROPS = re.compile(r"\b(?:drops|Receiver\.discards|discards|must_vanish)\(|\"count_dropped_answers\"")

# The words of tester/cases/lib that prove a forgery (the last four: IMPI), that are a sanity step (the last ones: IMPI,
# where an honest start-up is one), that play a peer of Portals.
PROOFS = {"t:send_invalid", "t:confirm_violation", "t:declare_undeliverable", "t:no_forgery_possible",
          "t:send_invalid_packet", "t:survives", "t:must_survive", "t:declare_refusable"}
SANITY = {"t:sanity", "t:valid_counterpart", "t:sanity_shown", "t:honest_job", "server:join_all", "job:open", "}:open",
          "t:finish_job_after_done"}
PEERS = {"t:peer"}


def without_comments(text):
    """Lua without its comments; every line keeps its number."""
    return COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text)


def calls(text):
    """The names that are called: `name`, `Table.name`, `t:name`, and some of a job's and a server's."""
    return {name.replace("self:", "t:") for name in CALLED.findall(text)}


def functions(text):
    """Which names each function calls; a local name for a function of the library calls that one."""
    found = {}
    for match in FUNCTION.finditer(text):
        name = match.group(1).replace("Test:", "t:")
        if ":" not in name or name.startswith("t:"):
            found.setdefault(name, set()).update(calls(match.group(0)[match.group(0).index(")"):]))
    for match in ALIASES.finditer(text):
        names, values = (re.split(r", *", part) for part in match.groups())
        for name, value in zip(names, values):
            found.setdefault(name, set()).add(value)
    return found


def reached(names, known):
    """All names that these call, and what they call, and so on."""
    seen, todo = set(), set(names)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo |= known.get(name, set())
    return seen


def check_case(tree, path, line, text, known):
    """Judges the text of one case."""
    direct, all_names = calls(text), reached(calls(text), known)
    negative = bool(NEGATIVE.search(text))
    if negative and not all_names & PROOFS:
        tree.report(path, line, "this negative case does not show that anything is invalid; use t:send_invalid or "
                                "t:confirm_violation")
    if negative and not all_names & SANITY:
        tree.report(path, line, "this negative case has no sanity step; show that an honest message is taken")
    if not negative and direct & PROOFS:
        tree.report(path, line, "this case forges; say `negative = true`")
    if not negative and all_names & PEERS and DROPS.search(text):
        tree.report(path, line, "what a scripted peer sends must be dropped here; make it t:send_invalid, with rule or "
                                "state")


def lint(tree, _arguments):
    """Looks at all cases of all profiles."""
    sources = [path for path in tree.files(".lua") if path.startswith("tester/cases/")]
    library = {}
    for path in sources:
        if path.startswith("tester/cases/lib/"):
            for name, called in functions(without_comments(tree.text(path) or "")).items():
                library.setdefault(name, set()).update(called)
    for path in sources:
        if path.startswith("tester/cases/lib/"):
            continue
        text = without_comments(tree.text(path) or "")
        own = functions(text)
        known = {name: library.get(name, set()) | own.get(name, set()) for name in library.keys() | own.keys()}
        for match in CASE.finditer(text):
            check_case(tree, path, common.line_of(text, match.start()), match.group(0), known)


if __name__ == "__main__":
    common.main(lint, __doc__)
