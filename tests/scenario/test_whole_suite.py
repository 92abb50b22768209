# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The whole suite against the reference, twice with one seed: every listed return code is provoked, the same calls and
messages are issued in the same order, with the same verdicts."""

import json
import os
import re
import subprocess

import pytest

# Two runs of everything; what the sanitizers could find in them the other scenarios show them too, in less time.
pytestmark = [pytest.mark.long, pytest.mark.skipif(
    os.environ.get("ASSAY_VARIANT", "release") != "release", reason="the whole suite is repeated in the release build"
)]

SEED = 20260721
# What these ask depends on how far the system under test has come: they ask again until something has happened.
ASKING = {
    "example-mpi-receive": "looks for a message among those that have come",
    "example-list-under-traffic": "fetches what was logged, which depends on how two processes interleave",
    "stress-descriptors-under-flood": "the same",
    "stress-update-against-arrivals": "repeats an update until it is done",
    "stress-update-is-whole": "fetches what was logged, which depends on how two processes interleave",
    "stress-queue-overflow": "fetches events for as long as the sender is busy",
    "wire-put-does-not-block": "asks for events that may come early",
    "ids-own-id-is-ones-own": "trusts no id, so it leaves the ranks in the order in which they connected",
    "ni-opens-without-the-others": "lets the other rank work until the call has returned",
    "numbered-counting": "what is not acknowledged comes again, as often as there is time",
    "numbered-again": "the same",
    "numbered-false-acknowledgements": "the same",
    "numbered-clock-gone-back": "the same",
    "numbered-another-process": "the same",
    "match-entries-run-out": "asks in portions that grow until one takes long",
    "match-list-too-long": "the same",
    "match-list-too-long-in-front": "the same",
    "md-run-out": "the same",
}
# What the operating system gives: ports, process ids, group ids, addresses, times that serve as incarnations. Each is
# replaced by the number of its first appearance, so that a wrong one would still be found.
GIVEN = re.compile(r"(?<=\.pid=)\d+|(?<=\.gid=)\d+|(?<=/)\d{4,}|0x7f[0-9a-f]{10}\b|(?<=incarnation=)0x[0-9a-f]{12,}")
# How often a case asks again before what it waits for is there (PTL_EVENT_SENT or PTL_EVENT_ACK comes first) is chance.
QUESTION = re.compile(r"^\d+ (?:wait|PtlEQGet) ")
COMMAND = re.compile(r"^ *[\d.]+  > (rank \d+)  (.*)$")
MESSAGE = re.compile(r"^ *[\d.]+  wire (peer \d+ (?:->|<-))  (.*)$")
REPLY = re.compile(r"^ *[\d.]+  < (rank \d+)  (\d+) ok.* rc=(PTL_\w+)")


def run_suite(bin_dir, folder):
    """Report of a whole run, whose evidence is in the folder. On a busy host it would wait longer, in more steps."""
    command = [bin_dir / "assay", "run", "--profile", "portals-3.0", "--seed", str(SEED), "--report", folder, "--",
               bin_dir / "portalsrun", "-np", "{np}", bin_dir / "interp-portals", "{args}"]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=1800, check=False,
                          env={**os.environ, "ASSAY_LOADAVG": os.devnull})
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))


@pytest.fixture(name="runs", scope="module")
def fixture_runs(tmp_path_factory, bin_dir):
    """Two runs with one seed: folder and report of each."""
    folders = [tmp_path_factory.mktemp("run") for _ in range(2)]
    return [(folder, run_suite(bin_dir, folder)) for folder in folders]


def issued(folder, case):
    """What was issued in a case: for every rank the commands, for every peer and direction the messages, in order."""
    known, told = {}, {}
    for line in (folder / case["transcript"]).read_text(encoding="utf-8").splitlines():
        found = COMMAND.match(line) or MESSAGE.match(line)
        if found:
            text = GIVEN.sub(lambda given: f"#{known.setdefault(given.group(0), len(known))}", found.group(2))
            said = told.setdefault(found.group(1), [])
            # Commands without their numbers, so that a question more does not make all that follows different.
            text = re.sub(r"^\d+ (?=\d+ )", "", text) if COMMAND.match(line) else text
            if not (QUESTION.match(text) and said and said[-1] == text):
                said.append(text)
    return told


def test_same_seed_same_calls_and_messages(runs):
    (first, report), (second, again) = runs
    assert [case["id"] for case in report["cases"]] == [case["id"] for case in again["cases"]]
    compared = 0
    for case, twin in zip(report["cases"], again["cases"]):
        if case["id"] not in ASKING:
            assert issued(first, case) == issued(second, twin), case["id"]
            compared += sum(map(len, issued(first, case).values()))
    assert compared > 5000, "calls and messages were compared"
    assert ASKING.keys() <= {case["id"] for case in report["cases"]}, "every exception is a case"


def test_same_verdicts(runs):
    (_, report), (_, again) = runs
    verdicts = [
        [(case["id"], case["verdict"], case["requirement"]) for case in one["cases"]] for one in (report, again)
    ]
    assert verdicts[0] == verdicts[1]
    assert {verdict for _, verdict, _ in verdicts[0]} == {"pass"}


def codes_seen(folder, cases):
    """Every (function, return code) pair that came in a run."""
    seen = set()
    for case in cases:
        asked = {}
        for line in (folder / case["transcript"]).read_text(encoding="utf-8").splitlines():
            command, reply = COMMAND.match(line), REPLY.match(line)
            words = command.group(2).split() if command else []
            if words and words[0].isdigit():
                asked[command.group(1), words[0]] = next(word for word in words[2:] if not word.startswith("@"))
            elif reply and (reply.group(1), reply.group(2)) in asked:
                seen.add((asked[reply.group(1), reply.group(2)], reply.group(3)))
    return seen


def test_every_return_code_is_provoked(runs, root):
    folder, report = runs[0]
    seen = codes_seen(folder, report["cases"])
    rows = json.loads((root / "specs" / "portals-3.0.codes.json").read_text(encoding="utf-8"))["functions"]
    assert len(rows) == 26
    # The batch command tells a code by the line that ended it; these two are seen in no other way.
    batched = {("PtlMEInsert", code) for code in ("PTL_NOSPACE", "PTL_ML_TOOLONG")} | {
        ("PtlMDInsert", "PTL_NOSPACE"), ("PtlMDBind", "PTL_NOSPACE")}
    for function, code in batched:
        if ("batch", code) in seen:
            seen.add((function, code))
    missing = [(row["function"], code) for row in rows for code in row["codes"] if (row["function"], code) not in seen]
    assert not missing
