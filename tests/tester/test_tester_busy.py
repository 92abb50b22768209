# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A machine that has no time for the system under test: what is late then is nobody's fault. How busy the machine is
stands in a file of the test's own, in the form of /proc/loadavg: n threads want to run, one of them the tester's."""

import os

import pytest

CASES = """
case { id = "late", title = "T", purpose = "P.", suite = "s", chapter = "3.8", requirements = { "P30-090" },
  deadline = 2, run = function(t)
    t:open {}
    local peer = t:peer {}
    local stream = peer:accept(1500)
    t:check("P30-090", "a stream comes", stream ~= nil, "a stream", "none")
  end }
case { id = "wrong", title = "T", purpose = "P.", suite = "s", chapter = "3.5", requirements = { "P30-097" },
  run = function(t)
    t:open {}
    t:equal("P30-097", "the distance", t.ranks[0]:PtlNIDist { process = t.ranks[0] }.distance, 2)
  end }
case { id = "right", title = "T", purpose = "P.", suite = "s", chapter = "3.5", requirements = { "P30-091" },
  run = function(t)
    t:open {}
    t:rc("P30-091", t.ranks[0]:PtlNIBarrier {}, "PTL_OK")
  end }
"""


@pytest.fixture(name="verdicts")
def fixture_verdicts(assay, tmp_path):
    """The verdicts of the cases while so many threads want each processor."""

    def run(threads):
        assay.write(CASES)
        load = tmp_path / "loadavg"
        wanting = threads * os.sysconf("SC_NPROCESSORS_ONLN")
        load.write_text(f"9.00 9.00 9.00 {wanting + 1}/999 1\n")
        outcome = assay.fake("good", environment={"ASSAY_LOADAVG": str(load)})
        return {case["id"]: case for case in outcome.report["cases"]}

    return run


def test_late_answer_on_a_busy_machine(verdicts):
    cases = verdicts(20)
    late = cases["late"]
    assert (late["verdict"], late["axis"], late["requirement"]) == ("inconclusive", "tester", ""), late
    assert late["reason"].startswith("host busy: for 9"), late
    assert late["duration_ms"] > 2 * 1500, "there is more time for it to come"
    assert (cases["wrong"]["verdict"], cases["right"]["verdict"]) == ("fail", "pass"), "they have waited for nothing"


def test_late_answer_on_a_machine_with_time(verdicts):
    late = verdicts(1)["late"]
    assert (late["verdict"], late["axis"], late["requirement"]) == ("fail", "sut", "P30-090"), late
