# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Clients at sites that are not like this machine are judged rightly: slow ones, and those behind a firewall."""

import concurrent.futures
import json
import os
import pathlib
import subprocess

import pytest

SOURCE = pathlib.Path(__file__).resolve().parent / "site.c"
# How many files of cases are judged at once, since nearly all of their time is waiting.
TOGETHER = 12
# What passes between hosts. The start-up is not looked at by host agents, and other tests have the meetings.
BETWEEN_HOSTS = {"packets", "p2p", "shutdown"}


@pytest.fixture(name="judged", scope="module")
def fixture_judged(tmp_path_factory, bin_dir):
    """The report on the reference's client when its site does something to it: its cases by name."""
    library = tmp_path_factory.mktemp("site") / "site.so"
    subprocess.run(["cc", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library,
                    SOURCE, "-ldl"], check=True)

    def judged(variable, *selection, cases=None):
        folder = tmp_path_factory.mktemp("judged")
        wrapper = folder / "client"
        wrapper.write_text(f"#!/bin/sh\n{variable} LD_PRELOAD={library} exec {bin_dir}/impirun \"$@\"\n",
                           encoding="ascii")
        wrapper.chmod(0o755)
        command = [bin_dir / "assay", "run", "--profile", "impi-0.0", *selection, "--report", folder / "report", "--",
                   wrapper, "-client", "{client}", "{server}", "-np", "{np}", "-hosts", "{hosts}",
                   bin_dir / "interp-mpi", "{args}"]
        environment = {**os.environ, **({"ASSAY_CASES": str(cases)} if cases else {})}
        done = subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True,
                              timeout=1800, check=False)
        report = json.loads((folder / "report" / "report.json").read_text(encoding="utf-8"))
        wrong = [case for case in report["cases"] if case["verdict"] in ("fail", "inconclusive")]
        assert done.returncode == 0 and report["verdict"] == "conforms", (wrong, report["problem"], done.stderr)
        return {case["id"]: case for case in report["cases"]}

    return judged


@pytest.mark.long
def test_firewall(judged):
    """What needs no connection to the client is judged; what does is skipped, and says why."""
    cases = judged("SITE_FIREWALL=1", "--suite", "shutdown")
    skipped = {name for name, case in cases.items() if case["verdict"] == "skip"}
    assert "fini-on-every-channel-of-client-0" in skipped
    assert "fini-on-every-channel-of-client-2" not in skipped
    for name in skipped:
        reason = cases[name]["reason"]
        assert "none can be reached from here" in reason or "hosts" in reason, (name, reason)
    assert {case["verdict"] for name, case in cases.items() if name not in skipped} == {"pass"}


def folders_of_files(root, bin_dir, folder):
    """A folder of cases for each file that has some for a client between hosts, the longest files first."""
    source = root / "tester" / "cases"
    listed = json.loads(subprocess.run([bin_dir / "assay", "cases", "--profile", "impi-0.0", "--json"], check=True,
                                       capture_output=True, timeout=300,
                                       env={"ASSAY_CASES": str(source)}).stdout)
    names = [case["file"] for case in listed if case["role"] == "client" and case["suite"] in BETWEEN_HOSTS]
    made = []
    for name in sorted(set(names), key=names.count, reverse=True):
        one = folder / pathlib.Path(name).stem
        (one / name).parent.mkdir(parents=True)
        (one / "lib").symlink_to(source / "lib")
        (one / name).symlink_to(source / name)
        made.append(one)
    return made


@pytest.mark.long
def test_slow_polling(judged, root, bin_dir, tmp_path):
    """Agents that look every 50 ms conform in all that passes between hosts."""
    def run(cases):
        return judged("SITE_SLOW_MS=50", cases=cases)

    with concurrent.futures.ThreadPoolExecutor(max_workers=TOGETHER) as pool:
        outcomes = [one for each in pool.map(run, folders_of_files(root, bin_dir, tmp_path)) for one in each.values()]
    assert len(outcomes) > 250 and {one["verdict"] for one in outcomes} <= {"pass", "skip"}
    assert sum(one["verdict"] == "pass" for one in outcomes) > 240
