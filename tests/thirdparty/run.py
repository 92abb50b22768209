#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Compiles and runs programs of others with the MPI library: see build.mk.

For each it prints what came of it: good, slow (not at its end in time), differs, or needs, with what the library does
not have. Exit status 0: all that differs stands in expected.txt with its reason, and all that stands there differs.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

import benchmarks
import libraries
import mpich
import sources
from library import OF_JOBS

EXPECTED = pathlib.Path(__file__).with_name("expected.txt")
# How reasons begin for what is good on a faster machine, and for what differs on one day and not on the next.
SLOW, AT_TIMES = "slow here", "at times"
# What `make` tells the one that it starts; programs of others are built by makefiles of their own.
OF_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")


def expected():
    """The reason of each run that is known to differ: a reason is a line that ends with a colon, its runs follow."""
    reasons, reason = {}, ""
    for line in EXPECTED.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", " ")):
            reason = line.rstrip(":")
        elif line.startswith(" "):
            reasons[line.strip()] = reason
    return reasons


def launch(options, processes, command, folder):
    """(status, what it said); status None: it was not at its end in time."""
    launcher = ["sh"] if processes == str(OF_JOBS) else [options.bin / "portalsrun", "-np", processes]
    words = [str(word) for word in (*launcher, *command)]
    with tempfile.TemporaryFile("w+", errors="replace") as said, \
            subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=said, stderr=said, cwd=folder,
                             start_new_session=True) as job:
        try:
            status = job.wait(timeout=options.deadline)
        except subprocess.TimeoutExpired:
            status = None
            os.killpg(job.pid, signal.SIGTERM)
            try:
                job.wait(timeout=30)
            except subprocess.TimeoutExpired:
                os.killpg(job.pid, signal.SIGKILL)
        said.seek(0)
        return status, said.read()


def run_one(suite, options, compiled, job):
    """What came of one run: a word, and what goes with it."""
    name, processes, arguments = job
    program, missing = compiled
    if not program:
        return ("needs", missing) if missing else ("differs", "cannot be compiled or linked")
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        status, said = launch(options, processes, [program, *arguments], folder)
    if status is None:
        return "slow", f"not at its end after {options.deadline} s"
    return ("good", "") if suite.is_good(name, status, said) else ("differs", said.strip().replace("\n", " | ")[:200])


def judge(label, word, what, reasons):
    """The line for a run; whether it is as expected."""
    reason = reasons.get(label)
    if word == "needs" or (word == "good" and (not reason or reason.startswith((SLOW, AT_TIMES)))):
        return word, f"{word:8}{label}: {what}" if what else f"{word:8}{label}", True
    if word == "good":
        return word, f"good    {label}: expected.txt says that it differs; take it out there", False
    known = bool(reason) and (word == "slow" or not reason.startswith(SLOW))
    return word, f"{word:8}{label}: {reason if known else what}", known


MAKERS = {"mpich": mpich.Suite, **benchmarks.ALL, **libraries.ALL}


def is_wanted(package, names):
    """Whether a suite may have runs that were asked for; those of MPICH do not begin with its name."""
    heads = {name.split("/")[0] for name in names}
    return not names or package in heads or (package == "mpich" and bool(heads - set(MAKERS)))


def suites(options):
    """The suites that may have what was asked for, and whose sources can be had."""
    for package, make in MAKERS.items():
        if not is_wanted(package, options.names):
            continue
        source = sources.fetch(options.work / "sources", package)
        if source:
            yield make(source, options.work, options.bin)


def run_suite(suite, options):
    """(label, word, what goes with it) of each run of a suite that was asked for, in its order."""
    suite.set_up()
    jobs = [job for job in suite.listed()
            if not options.names or any(re.match(name, job[0]) for name in options.names)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        names = sorted({name for name, _, _ in jobs})
        compiled = dict(zip(names, pool.map(suite.compile, names)))
        outcomes = pool.map(lambda job: run_one(suite, options, compiled[job[0]], job), jobs)
        for (name, processes, arguments), outcome in zip(jobs, outcomes):
            yield " ".join([name, processes, *arguments]), *outcome


def main():
    """Runs all that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="where portalsrun and assay-mpicc are")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for sources and programs")
    parser.add_argument("--deadline", type=int, default=600, help="seconds a program may take (600)")
    parser.add_argument("names", nargs="*", help="regular expressions; runs whose name begins with one are taken")
    options = parser.parse_args()
    for name in OF_MAKE:
        os.environ.pop(name, None)
    options.work.mkdir(parents=True, exist_ok=True)
    reasons, counts, all_good = expected(), collections.Counter(), True
    for suite in suites(options):
        for label, word, what in run_suite(suite, options):
            word, line, good = judge(label, word, what, reasons)
            counts[word] += 1
            all_good &= good
            print(line if good else f"{line}  <-- not as expected", flush=True)
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())))
    return 0 if all_good and counts else 1


if __name__ == "__main__":
    sys.exit(main())
