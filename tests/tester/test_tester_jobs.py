# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""`assay run --jobs N`: several cases at once, one report."""

import hashlib
import os
import sys

import pytest

from assay_program import HERE

CASES = """
for i = 1, 12 do
  case { id = "case-" .. i, title = "T", purpose = "P.", suite = "s", chapter = "3.5", requirements = { "P30-091" },
    run = function(t)
      t:open {}
      for _ = 1, 40 - 3 * i do t.ranks[0]:PtlNIStatus {} end -- the first takes longest
      t:step("this is case " .. i)
      t:rc("P30-091", t.ranks[0]:PtlNIBarrier {}, "PTL_OK")
    end }
end
"""
# The first two jobs are the preflight's. The third and the fourth wait for each other; a run with one job at a time
# never starts the fourth before the third has ended.
MEET = """n=1; while ! mkdir "$0/$n" 2>/dev/null; do n=$((n + 1)); done
case $n in 3) : >"$0/pipe";; 4) : <"$0/pipe";; esac
exec "$@"
"""
# Of the words behind the folder the first is how the second job behaves.
SECOND = """behaviour=good; mkdir "$0/1" 2>/dev/null || ! mkdir "$0/2" 2>/dev/null || behaviour=$1; shift
exec "$1" "$2" "$behaviour" "$3" --manager "$5" --token "$7"
"""


@pytest.mark.long
def test_report_is_in_the_order_of_the_cases(assay):
    assay.write(CASES)
    outcome = assay.fake("good", "--jobs", "4")
    assert outcome.status == 0, outcome.out
    assert [case["id"] for case in outcome.report["cases"]] == [f"case-{i}" for i in range(1, 13)]
    told = [line.split()[1] for line in outcome.out.splitlines() if line.startswith("pass ")]
    assert told == [f"case-{i}" for i in range(1, 13)]
    for case in outcome.report["cases"]:
        for file in case["evidence"]:
            octets = (outcome.folder / file["path"]).read_bytes()
            assert (file["octets"], file["sha256"]) == (len(octets), hashlib.sha256(octets).hexdigest())
        text = (outcome.folder / case["transcript"]).read_text(encoding="utf-8")
        assert [line for line in text.splitlines() if "this is case" in line][0].endswith(case["id"].split("-")[1])
        assert text.count("this is case") == 1, "what another case has done stands elsewhere"


def test_jobs_run_at_once(assay, tmp_path):
    place = tmp_path / "jobs"
    place.mkdir()
    os.mkfifo(place / "pipe")
    assay.write(CASES)
    template = ["sh", "-c", MEET, str(place), sys.executable, str(HERE / "fake.py"), "good", "{np}", "{args}"]
    outcome = assay.run("--jobs", "2", template=template)
    assert outcome.status == 0 and outcome.report["summary"]["pass"] == 12, outcome.out


@pytest.mark.long
def test_two_jobs_of_one_address_are_told(assay):
    assay.write(CASES)
    outcome = assay.fake("good", "--jobs", "2")
    assert outcome.status == 0, outcome.out
    told = outcome.out + outcome.err
    assert "two jobs at a time have the same address (node 1, process 100)" in told, told
    assert "have the same address" not in assay.fake("good").out, "one job at a time is never beside another"


@pytest.mark.parametrize("behaviour, why", [("fails@PtlInit", "PtlInit returned PTL_FAIL"), ("early", "status 9")])
def test_a_second_job_that_does_not_start(assay, tmp_path, behaviour, why):
    place = tmp_path / "jobs"
    place.mkdir()
    assay.write(CASES)
    template = ["sh", "-c", SECOND, str(place), behaviour, sys.executable, str(HERE / "fake.py"), "{np}", "{args}"]
    outcome = assay.run("--jobs", "2", template=template)
    assert outcome.status == 1 and outcome.report["summary"]["pass"] == 0, outcome.out
    said = outcome.out + outcome.err
    assert "beside one job a second one does not start" in said and why in said and "use --jobs 1" in said, said


def test_two_processes_of_one_address_are_told(assay):
    assay.write(CASES.replace('"P30-091" },\n', '"P30-091" }, ranks = 2,\n').replace("12 do", "1 do"))
    outcome = assay.fake("same-address")
    case, = outcome.report["cases"]
    assert (case["verdict"], case["axis"]) == ("inconclusive", "sut")
    assert case["reason"] == "addresses collide: rank 0 and rank 1 of one job both have node 1, process 100"


@pytest.mark.long
def test_a_broken_system_stays_broken(assay):
    """The verdicts are the same however many cases run at once."""
    assay.write(CASES)
    outcome = assay.fake("fails@PtlNIBarrier", "--jobs", "3")
    assert outcome.status == 1 and {case["verdict"] for case in outcome.report["cases"]} == {"fail"}
    cause, = outcome.report["causes"]
    assert len(cause["failed"]) == 12


@pytest.mark.parametrize("value", ["0", "17", "-1", "two", ""])
def test_bad_number_of_jobs(assay, value):
    outcome = assay.fake("good", "--jobs", value)
    assert outcome.status == 2
    assert f'--jobs "{value}" is not a whole number from 1 to 16' in outcome.err


FOUNDATION = """
case { id = "a-barrier", title = "T", purpose = "P.", suite = "s", chapter = "3.5", requirements = { "P30-091" },
  run = function(t)
    t:open {}
    t:rc("P30-091", t.ranks[0]:PtlNIBarrier {}, "PTL_OK")
  end }
"""
RESTING = """
for i = 1, 6 do
  case { id = "rests-" .. i, title = "T", purpose = "P.", suite = "s", chapter = "3.5", requirements = { "P30-092" },
    run = function(t)
      t:open {}
      t:setup(t.ranks[0]:PtlNIBarrier {})
      t:rc("P30-092", t.ranks[0]:PtlNIStatus {}, "PTL_OK")
    end }
end
"""
# The job behind the preflight's is slow to start: whatever does not wait for its case is over before.
SLOW_SECOND = """n=1; while ! mkdir "$0/$n" 2>/dev/null; do n=$((n + 1)); done
[ $n != 2 ] || sleep 2
exec "$@"
"""


def test_what_others_rest_on_is_known_before_they_begin(assay, tmp_path):
    assay.write(FOUNDATION, "1-foundations/barrier.lua")
    assay.write(RESTING, "2-others/resting.lua")
    place = tmp_path / "jobs"
    place.mkdir()
    template = ["sh", "-c", SLOW_SECOND, str(place), sys.executable, str(HERE / "fake.py"), "fails@PtlNIBarrier",
                "{np}", "{args}"]
    outcome = assay.run("--jobs", "4", template=template)
    cause, = outcome.report["causes"]
    assert cause["failed"] == ["a-barrier"], outcome.out
    assert cause["blocked"] == [f"rests-{i}" for i in range(1, 7)], outcome.out
    for i in range(1, 7):
        assert "a-barrier" in outcome.case(f"rests-{i}")["reason"], outcome.out
