# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Clients at sites that are not like this machine are judged rightly: slow ones, and those behind a firewall."""

import json
import os
import pathlib
import subprocess

import pytest

SOURCE = pathlib.Path(__file__).resolve().parent / "site.c"


@pytest.fixture(name="judged", scope="module")
def fixture_judged(tmp_path_factory, bin_dir):
    """The report on the reference's client when its site does something to it: its cases by name."""
    folder = tmp_path_factory.mktemp("site")
    library, wrapper = folder / "site.so", folder / "client"
    subprocess.run(["cc", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library,
                    SOURCE, "-ldl"], check=True)

    def judged(variable, *selection):
        wrapper.write_text(f"#!/bin/sh\n{variable} LD_PRELOAD={library} exec {bin_dir}/impirun \"$@\"\n",
                           encoding="ascii")
        wrapper.chmod(0o755)
        command = [bin_dir / "assay", "run", "--profile", "impi-0.0", *selection, "--report", folder / "report", "--",
                   wrapper, "-client", "{client}", "{server}", "-np", "{np}", bin_dir / "interp-mpi", "{args}"]
        done = subprocess.run([str(word) for word in command], env=dict(os.environ), capture_output=True, text=True,
                              timeout=240, check=False)
        report = json.loads((folder / "report" / "report.json").read_text(encoding="utf-8"))
        assert done.returncode == 0 and report["verdict"] == "conforms", done.stdout + done.stderr
        return {case["id"]: case for case in report["cases"]}

    return judged


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


def test_slow_polling(judged):
    """Agents that look every 50 ms conform: flow control at its narrowest, long messages, cancels, the end."""
    for name in ("flow-stops-at-hiwater-1-1", "flow-protoacks-are-not-counted", "long-packets-7-of-1",
                 "cancel-answered-once-each", "client-fini-command-comes-last"):
        assert judged("SITE_SLOW_MS=50", "--case", name)[name]["verdict"] == "pass"
