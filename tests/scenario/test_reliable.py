# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""ASSAY_RELIABLE: jobs, and cases of the suite, over a network that loses, doubles and reorders."""

import json
import os
import pathlib
import re
import subprocess

import pytest

DEADLINE = 300
FAULTS = "drop=0.05,dup=0.05,reorder=0.05,seed={}"
FAULTS_DONE = re.compile(r"fault \(seed (\d+)\): of (\d+) messages (\d+) dropped, (\d+) doubled, (\d+) reordered")


@pytest.fixture(name="probe")
def fixture_probe(root):
    """The program of the job scenarios."""
    return pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "scenario" / "job-probe"


def run(command, **env):
    """Runs a command with further environment variables."""
    return subprocess.run(
        [*map(str, command)],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )


@pytest.mark.parametrize("seed", (1, 2))
def test_a_job_survives_its_network(bin_dir, probe, seed):
    """Puts and barriers of three ranks, of which every twentieth message is lost: the job goes well all the same."""
    done = run(
        [bin_dir / "portalsrun", "-np", 3, probe, "storm", 200],
        ASSAY_RELIABLE="1",
        ASSAY_FAULT=FAULTS.format(seed),
    )
    assert done.returncode == 0, done.stderr
    # An interface that carried next to nothing (a rank opens a second one, briefly) may say so as well.
    faults = [tuple(map(int, found)) for found in FAULTS_DONE.findall(done.stderr) if int(found[1]) > 100]
    assert len(faults) == 3, f"each rank says what was done to its messages: {done.stderr}"
    assert all(dropped > 0 and doubled > 0 and reordered > 0 for _, _, dropped, doubled, reordered in faults)


def test_without_it_the_same_network_loses(bin_dir, probe):
    """The counter-test: what the layer makes good is really lost. None is doubled: as many more as fewer might come."""
    command, faults = [bin_dir / "portalsrun", "-np", 2, probe, "flood", 500], "drop=0.05,seed=1"
    done = run(command, ASSAY_FAULT=faults)
    with_layer = run(command, ASSAY_FAULT=faults, ASSAY_RELIABLE="1")
    assert "500 came" in with_layer.stdout
    assert "500 came" not in done.stdout


@pytest.mark.parametrize("network", ("shm", "intercept"))
def test_networks_without_numbers(bin_dir, probe, network):
    """Who asks for what a network has not is told so, once for the job; the job goes on."""
    done = run([bin_dir / "portalsrun", "-np", 3, "--nal", network, probe, "storm", 20], ASSAY_RELIABLE="1")
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        f"portals: ASSAY_RELIABLE has no effect: the network {network} does not number messages; unset ASSAY_NAL, or "
        "set it to tcp"]
    quiet = run([bin_dir / "portalsrun", "-np", 3, "--nal", network, probe, "storm", 20], ASSAY_RELIABLE="0")
    assert (quiet.returncode, quiet.stderr) == (0, "")


@pytest.mark.parametrize("suite", ("movement", "events"))
def test_cases_pass_over_faults(bin_dir, root, tmp_path, suite):
    """Cases between ranks survive the faults; scripted peers speak version 1.0 and are spared by them."""
    done = run(
        [
            bin_dir / "assay", "run", "--profile", "portals-3.0", "--suite", suite, "--report", tmp_path,
            "--", bin_dir / "portalsrun", "-np", "{np}", bin_dir / "interp-portals", "{args}",
        ],
        ASSAY_RELIABLE="1",
        ASSAY_FAULT=FAULTS.format(7),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["verdict"] == "conforms"
    assert report["summary"]["pass"] == len(report["cases"]) > 0
