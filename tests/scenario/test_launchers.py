# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Commands that start a job in ways other than portalsrun's: the library behind them is judged as ever."""

import json
import subprocess

import pytest

JOB = '{bin}/portalsrun -np "$np" {bin}/interp-portals "$@"'

# What stands between `np=$1; shift` and the end of the command.
WAYS = {
    "returns": JOB + " &",
    "returns-and-says-nothing": JOB + " >/dev/null 2>&1 &",
    "leaves-the-group": "setsid sh -c 'sleep 1; np=$1; shift; exec " + JOB + "' late \"$np\" \"$@\" >/dev/null 2>&1 &",
    "waits": JOB,
    "keeps-the-output": "setsid sleep 1000 & echo holder $!; exec " + JOB,
    "begins-late": "sleep 2; exec " + JOB,
    "leaves-late": JOB + "; sleep 2",
    "prints": "echo one; echo two >&2; exec " + JOB,
}


def judge(bin_dir, folder, script, *options):
    """Run `script` as command template: (report, what was printed)."""
    command = [bin_dir / "assay", "run", "--profile", "portals-3.0", "--report", folder, "--verbose", *options]
    done = subprocess.run([*command, "--", "sh", "-c", script, "launcher", "{np}"], capture_output=True, text=True,
                          timeout=600, check=False)
    return json.loads((folder / "report.json").read_text()), done.stdout + done.stderr


@pytest.mark.parametrize("way", WAYS)
def test_a_launcher(bin_dir, tmp_path, way):
    script = "np=$1; shift; " + WAYS[way].replace("{bin}", str(bin_dir))
    report, said = judge(bin_dir, tmp_path, script, "--suite", "start")
    for line in said.splitlines():
        if "holder " in line:
            subprocess.run(["kill", line.split("holder ")[1]], check=False)
    assert report["summary"]["pass"] > 3, said
    assert report["verdict"] == "conforms", said
