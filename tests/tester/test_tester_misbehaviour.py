# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What a misbehaving system under test comes to: whose fault it is, by which requirement, and that the run goes on."""

import pytest

CASES = """
case { id = "first", title = "The barrier", purpose = "Calls it.", suite = "one", chapter = "3.5",
  requirements = { "P30-090", "P30-091" }, ranks = 2,
  run = function(t)
    t:open {}
    t:judging("P30-091")
    t:rc("P30-091", t.ranks[1]:PtlNIBarrier { deadline = 300 }, "PTL_OK")
    t:rc("P30-090", t.ranks[0]:PtlNIBarrier { deadline = 300 }, "PTL_OK")
  end }
case { id = "second", title = "The distance", purpose = "Asks for it.", suite = "two", chapter = "3.5",
  requirements = { "P30-097" },
  run = function(t)
    t:open {}
    t:equal("P30-097", "the distance", t.ranks[0]:PtlNIDist { process = t.ranks[0] }.distance, 1)
  end }
"""

# behaviour: verdict and axis of the first case, and what its reason says
IN_A_CASE = {
    "crash@PtlNIBarrier": ("fail", "sut", "rank 1: crash: SIGSEGV in PtlNIBarrier"),
    "cut-crash@PtlNIBarrier": ("fail", "sut", "rank 1: crash: SIGSEGV in PtlNIBarrier"),
    "hang@PtlNIBarrier": ("fail", "sut", "rank 1: hang: PtlNIBarrier did not return within 1000 ms"),
    "exit@PtlNIBarrier": ("fail", "sut", "rank 1: the process ended by itself with status 5"),
    "vanish@PtlNIBarrier": ("fail", "sut", "rank 1: lost process: it closed the connection"),
    "killed@PtlNIBarrier": ("fail", "sut", "rank 1: lost process"),
    "outsider@PtlNIBarrier": ("inconclusive", "configuration",
                              "the command under test was ended from outside the run, by signal SIGTERM"),
    "silent@PtlNIBarrier": ("fail", "sut", "no reply and no notice long after its deadline"),
    "fails@PtlNIBarrier": ("fail", "sut", "rank 1 PtlNIBarrier returns"),
    "no-rc@PtlNIBarrier": ("fail", "sut", "rank 1 PtlNIBarrier returns"),
    "error@PtlNIBarrier": ("inconclusive", "tester", "PtlNIBarrier was refused: bad-value: no such thing"),
    "unknown@PtlNIBarrier": ("inconclusive", "configuration", "not know the command PtlNIBarrier, which it has listed"),
    "wrong-id@PtlNIBarrier": ("inconclusive", "configuration", "it replied to a command that was not given"),
    "twice@PtlNIBarrier": ("inconclusive", "configuration", "it replied twice"),
    "garbage@PtlNIBarrier": ("inconclusive", "configuration", "neither a reply nor a notice"),
    "control@PtlNIBarrier": ("inconclusive", "configuration", "not printable ASCII"),
    "nul@PtlNIBarrier": ("inconclusive", "configuration", "not printable ASCII"),
    "eight-bit@PtlNIBarrier": ("inconclusive", "configuration", "not printable ASCII"),
    "encoded@PtlNIBarrier": ("inconclusive", "tester", "was refused: bad-value: ??   [2J\u20ac???%"),
    "endless@PtlNIBarrier": ("inconclusive", "configuration", "more than 262144 octets"),
    "long@PtlNIBarrier": ("inconclusive", "configuration", "more than 262144 octets"),
}
VERDICTS = {"fail": ("does-not-conform", 1), "inconclusive": ("inconclusive", 1)}

TOLERANT = """
case { id = "tolerant", title = "T", purpose = "P.", suite = "s", chapter = "3.5", requirements = { "P30-091" },
  run = function(t)
    t:open {}
    t:tolerate_crash("no means of telling")
    t:rc("P30-091", t.ranks[0]:PtlNIBarrier { deadline = 300 }, "PTL_OK")
    t:tolerate_crash("")
    t:rc("P30-091", t.ranks[0]:PtlNIStatus {}, "PTL_OK")
  end }
"""


@pytest.mark.parametrize("behaviour, verdict, reason", [
    ("crash@PtlNIBarrier", "warn", "rank 0: no means of telling: crash: SIGSEGV in PtlNIBarrier"),
    ("hang@PtlNIBarrier", "fail", "rank 0: hang: PtlNIBarrier"),
    ("crash@PtlNIStatus", "fail", "rank 0: crash: SIGSEGV in PtlNIStatus"),
])
def test_crash_that_is_a_reading(assay, behaviour, verdict, reason):
    assay.write(TOLERANT)
    case = assay.fake(behaviour).case("tolerant")
    assert (case["verdict"], case["axis"], case["requirement"]) == (verdict, "sut", "P30-091")
    assert reason in case["reason"]


FINALIZING = """
case {{ id = "finalizing", title = "T", purpose = "P.", suite = "s", chapter = "3.5", requirements = {{ "P30-091" }},
  ranks = 2,
  run = function(t)
    t:open {{}}
    t:judging("P30-091")
    local pending = t.ranks[1]:start("MPI_Finalize", {{}}, {{ deadline = 5000 }})
    t:equal("P30-091", "MPI_Finalize", pending:finish().rc, "MPI_SUCCESS")
    t:equal("P30-091", "it is done", pending:done(), true)
    t.ranks[1]:{then_told}()
    t.ranks[0]:quit()
    core.job_line(t.ranks[0].index // 65536, 1, true, 20000) -- on standard error nothing comes but the end of the job
  end }}
"""


@pytest.mark.parametrize("behaviour, then_told, verdict, reason", [
    ("vanish@MPI_Finalize", "quit", "pass", ""),
    ("vanish@MPI_Finalize", "abandon", "skip", "rank 1 has ended inside MPI_Finalize, as it may"),
    ("exit@MPI_Finalize", "quit", "fail", "rank 1: the process ended by itself with status 5"),
    ("crash@MPI_Finalize", "quit", "fail", "rank 1: crash: SIGSEGV in MPI_Finalize"),
])
def test_a_process_may_end_inside_finalize(assay, behaviour, then_told, verdict, reason):
    """MPI does not say that all processes return from it; but it must be a good end."""
    assay.write(FINALIZING.format(then_told=then_told))
    case = assay.fake(behaviour).case("finalizing")
    assert (case["verdict"], reason in case["reason"]) == (verdict, True), case["reason"]


# behaviour: what the run's problem says
IN_PREFLIGHT = {
    "version": 'it speaks protocol versions "2,3"',
    "role": 'its role is "agent"',
    "api": 'was built for "mpi-1"',
    "order": 'says "middle" of its byte order',
    "no-hello": "its first line is not a hello",
    "yes": "answers an unknown command with",
    "lacks@PtlGet": "lacks the function PtlGet",
    "early": "the job ended with status 9 before all interpreters had connected (0 of 1); its last line: I do not feel",
    "crash@PtlInit": "crash: SIGSEGV in PtlInit",
    "vanish@describe": "it closed the connection",
    "fails@PtlInit": "PtlInit returned PTL_FAIL",
}


@pytest.mark.parametrize("behaviour", ["good", "drip@PtlNIBarrier", "flood@PtlNIBarrier"])
def test_good(assay, behaviour):
    """Also when replies come octet by octet, or behind more notices than anybody wants to hear."""
    assay.write(CASES)
    outcome = assay.fake(behaviour)
    assert outcome.report["verdict"] == "conforms", outcome.out
    assert outcome.status == 0
    assert [case["verdict"] for case in outcome.report["cases"]] == ["pass", "pass"]


@pytest.mark.parametrize("behaviour", IN_A_CASE)
def test_in_a_case(assay, behaviour):
    verdict, axis, reason = IN_A_CASE[behaviour]
    assay.write(CASES)
    outcome = assay.fake(behaviour)
    first, second = outcome.case("first"), outcome.case("second")
    assert (first["verdict"], first["axis"]) == (verdict, axis), first
    assert reason in first["reason"]
    assert first["requirement"] == ("P30-091" if verdict == "fail" else "")
    assert second["verdict"] == "pass", "the job is started anew and the run goes on"
    assert (outcome.report["verdict"], outcome.status) == VERDICTS[verdict]
    assert reason in (outcome.folder / first["transcript"]).read_text()


@pytest.mark.parametrize("behaviour", IN_PREFLIGHT)
def test_in_preflight(assay, behaviour):
    assay.write(CASES)
    outcome = assay.fake(behaviour)
    assert outcome.report["verdict"] == "inconclusive", "a configuration problem is never non-conformance"
    assert IN_PREFLIGHT[behaviour] in outcome.report["problem"]
    assert outcome.report["cases"] == []
    assert outcome.status == 1
    assert outcome.report["problem"] in outcome.out


def test_token_is_for_one_connection(assay):
    assay.write(CASES)
    outcome = assay.fake("reuse", "--verbose", "--case", "second")
    assert "second connection: 409" in outcome.out
    assert outcome.status == 0


def test_crash_in_the_background_counts(assay):
    """A process that dies while nobody waits for it fails the case all the same."""
    assay.write("""case { id = "idle", title = "Nothing", purpose = "Waits for the other.", suite = "s", chapter = "1",
      requirements = { "P30-090" }, ranks = 2,
      run = function(t)
        local pending = t.ranks[1]:start_PtlNIBarrier()
        t:rc("P30-090", t.ranks[0]:PtlInit(), "PTL_OK")
        while not pending:done() do end
      end }""")
    outcome = assay.fake("crash@PtlNIBarrier")
    assert outcome.case("idle")["verdict"] == "fail"
    assert "rank 1: crash: SIGSEGV in PtlNIBarrier" in outcome.case("idle")["reason"]


@pytest.mark.parametrize("reading, verdict", [("", "fail"), ('t:tolerate_crash("no means of telling")', "warn")])
def test_crash_behind_its_echo(assay, reading, verdict):
    """The process that crashed is the one to name, also when another's connection has closed before."""
    assay.write("""case { id = "both", title = "Both", purpose = "At once.", suite = "s", chapter = "1",
      requirements = { "P30-091" }, ranks = 2,
      run = function(t)
        t:open {}
        %s
        local one, other = t.ranks[0]:start_PtlNIBarrier(), t.ranks[1]:start_PtlNIBarrier()
        t:rc("P30-091", one:finish(), "PTL_OK")
        t:rc("P30-091", other:finish(), "PTL_OK")
      end }""" % reading)
    case = assay.fake("pair@PtlNIBarrier").case("both")
    assert case["verdict"] == verdict and case["reason"].endswith("crash: SIGSEGV in PtlNIBarrier"), case
    assert case["reason"].startswith("rank 1: ")


def test_expected_end_is_no_failure(assay):
    assay.write("""case { id = "leave", title = "Leaving", purpose = "A process may.", suite = "s", chapter = "1",
      requirements = { "P30-057" }, ranks = 2,
      run = function(t)
        t.ranks[1]:abandon()
        t:check("P30-057", "it ends", t.ranks[1]:wait_end(5000) ~= nil, "an end", "none")
        t:rc("P30-057", t.ranks[0]:PtlInit(), "PTL_OK")
      end }""")
    outcome = assay.fake("good")
    assert outcome.status == 0, outcome.out


@pytest.mark.parametrize("behaviour, why", [("parricide", "it closed the connection"),
                                            ("told", "somebody has ended it by SIGTERM")])
def test_agent_that_ends(assay, behaviour, why):
    """It dies, or somebody ends it, which ends its jobs too: that is not the doing of the system under test."""
    assay.write(CASES)
    outcome = assay.fake(behaviour + "@PtlNIBarrier")
    assert why in outcome.case("first")["reason"] or "the launch agent has ended" in outcome.case("first")["reason"]
    assert outcome.case("first")["verdict"] == "inconclusive"
    assert outcome.case("first")["axis"] == "configuration"
    assert "the launch agent" in outcome.report["problem"]
    assert len(outcome.report["cases"]) == 1, "without an agent no further job can be started"
    assert (outcome.report["verdict"], outcome.status) == ("inconclusive", 1)


def test_job_that_lingers_is_stopped(assay):
    assay.write(CASES)
    outcome = assay.fake("lingers", "--case", "second")
    assert outcome.status == 0


@pytest.mark.parametrize("behaviour, reason", [("good", "a put to a process outside the job returned PTL_INV_PROC"),
                                               ("mute", "after a put no stream came to 127.0.0.1")])
def test_wire_is_skipped_without_the_binding(assay, behaviour, reason):
    assay.write("""case { id = "wire", title = "T", purpose = "Needs the binding.", suite = "s", chapter = "4.1",
      requirements = { "P30-276" }, wire = true, run = function(t) t:skip("not reached") end }""")
    outcome = assay.fake(behaviour)
    case = outcome.case("wire")
    assert (case["verdict"], case["axis"]) == ("skip", "configuration")
    assert "does not speak the TCP binding" in case["reason"] and reason in case["reason"]
    assert outcome.report["verdict"] == "inconclusive", "nothing passed"


def test_wire_is_found_after_another_connection(assay):
    """Somebody else may connect to the manager's port first."""
    assay.write("""case { id = "wire", title = "T", purpose = "Needs the binding.", suite = "s", chapter = "4.1",
      requirements = { "P30-276" }, wire = true, run = function(t) t:skip("reached") end }""")
    assert assay.fake("speaks").case("wire")["reason"] == "reached"
