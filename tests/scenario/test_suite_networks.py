# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The whole suite against the reference over its other networks: through shared memory, over Intercept, and in
one process alone."""

import json
import re
import subprocess

import pytest

DEADLINE = 1800


@pytest.fixture(name="judge", scope="module")
def fixture_judge(bin_dir, tmp_path_factory):
    """Runs the suite, or what options choose, over a network, with a number of processes or {np}: output, report."""

    def judge(network, processes, *options):
        folder = tmp_path_factory.mktemp(network)
        command = [bin_dir / "assay", "run", "--profile", "portals-3.0", "--report", folder, *options, "--",
                   bin_dir / "portalsrun", "-np", processes, "--nal", network, bin_dir / "interp-portals", "{args}"]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=DEADLINE,
                              check=False)
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        bad = [(case["id"], case["reason"]) for case in report["cases"] if case["verdict"] not in ("pass", "skip")]
        assert bad == [], done.stdout[-2000:] + done.stderr
        assert (done.returncode, report["verdict"]) == (0, "conforms")
        return done.stdout, report

    return judge


@pytest.fixture(name="alone", scope="module")
def fixture_alone(judge):
    """A job of one process."""
    return judge("loop", "1")


@pytest.mark.long
def test_shared_memory(judge):
    """Every case, those with scripted peers too: whoever is not of the job on this node is reached over tcp. Only
    numbers are for those who use tcp alone."""
    output, report = judge("shm", "{np}")
    assert output.splitlines()[-2] == "conforms" and report["coverage"]["not_judged"] == []
    assert report["sut"]["transport"] == {"on_wire": True, "text": "the TCP binding of Portals"}
    assert re.search(r"^chapter 3\.5 +Network Interfaces +\d+ pass$", output, re.MULTILINE)
    skipped = {case["id"]: case["reason"] for case in report["cases"] if case["verdict"] == "skip"}
    assert all(name.startswith("numbered-") for name in skipped), skipped
    assert set(skipped.values()) == {"the system under test does not number its messages"}


@pytest.mark.long
def test_intercept(judge, root):
    """All that needs no scripted peer over tcp, but what moves mebibytes: for that, seven frames of 512 octets on each
    link make too many turns of three processes where others want the processors."""
    profiles = json.loads((root / "specs" / "profiles.json").read_text(encoding="utf-8"))
    suites = [suite["name"] for suite in profiles[0]["suites"] if suite["name"] != "movement"]
    _, report = judge("intercept", "{np}", "--suite", ",".join(suites))
    assert report["summary"]["pass"] > 280
    reasons = {case["reason"] for case in report["cases"] if case["verdict"] == "skip"}
    assert all("not speak the TCP binding" in reason for reason in reasons), reasons


def test_seen_on_intercept(root, bin_dir, tmp_path):
    """The report of the Intercept profile tells of its own network, whether the system under test joins it or not."""
    for network, seen, text in (("intercept", True, "the live binding of the Intercept network"),
                                ("tcp", False, "does not join the Intercept network")):
        folder = tmp_path / network
        command = [bin_dir / "assay", "run", "--profile", "intercept-1.0", "--case", "node-distance",
                   "--report", folder, "--", bin_dir / "portalsrun", "-np", "{np}", "--nal", network,
                   bin_dir / "interp-portals", "{args}"]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=DEADLINE,
                              check=False, cwd=root)
        transport = json.loads((folder / "report.json").read_text(encoding="utf-8"))["sut"]["transport"]
        assert transport["on_wire"] is seen and text in transport["text"], done.stdout + done.stderr
        assert "TCP" not in transport["text"] + done.stdout


@pytest.mark.long
def test_alone(alone):
    """A job of one process judges what one process can show, and says of everything else why it is left out."""
    output, report = alone
    assert "warning: the command template has no {np}: cases that need several processes are skipped" in output
    assert report["summary"]["pass"] > 50
    reasons = {case["id"]: case["reason"] for case in report["cases"] if case["verdict"] == "skip"}
    assert len(reasons) == report["summary"]["skip"] > 0
    for reason in reasons.values():
        assert "command template has no {np}: it starts one" in reason or "not speak the TCP binding" in reason
    assert f"{report['summary']['skip']} skip" in output


@pytest.mark.long
def test_alone_is_not_everything(alone):
    """What only several processes or a peer on the wire can show is named as not judged, requirement by requirement."""
    output, report = alone
    judged = {one for case in report["cases"] if case["verdict"] != "skip" for one in case["requirements"]}
    asked = {one for case in report["cases"] for one in case["requirements"]}
    coverage = report["coverage"]
    assert (coverage["requirements"], coverage["judged"]) == (len(asked), len(judged)) and judged < asked
    named = [one for group in coverage["not_judged"] for one in group["requirements"]]
    assert sorted(named) == sorted(asked - judged)
    assert report["sut"]["transport"]["on_wire"] is False
    assert output.splitlines()[-2] == "conforms in part"
    assert f"not judged: {len(asked - judged)} of {len(asked)} requirements" in output
    assert all(f" {one}" in output for one in asked - judged)
