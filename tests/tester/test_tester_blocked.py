# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A library in which something is broken that everything rests on: the fault is found once, by the requirement that is
broken; what rests on it is blocked, and not accused; and nobody waits for what never comes."""

import concurrent.futures
import os
import pathlib
import re
import sys
import xml.etree.ElementTree

import pytest

from assay_program import Assay

# what is broken, suites to run; the case that finds it and its requirement, and what is said of it
BROKEN = {
    "entry": ("foundations,smoke,translation", "first-entry", "P30-106", "PtlMEAttach returns PTL_NOSPACE"),
    "crash": ("foundations,smoke,movement", "first-bound-descriptor", "P30-193", "SIGSEGV in PtlMDBind"),
    "look": ("foundations,smoke,movement", "first-look-into-a-queue", "P30-243", "PtlEQGet does not return"),
    "lost": ("foundations,smoke,access-control", "smoke-put", "P30-026", "no PTL_EVENT_PUT comes"),
}
# What keeps anything from being judged: the run ends, and says which function it was.
NEVER_BEGUN = {
    "start": "preflight: PtlInit returned PTL_FAIL: the library cannot be used as it is set up here",
    "interface": "preflight: PtlNIInit returned PTL_NOSPACE: the library cannot be used as it is set up here",
    "never": "preflight: PtlInit did not return within 10000 ms: the library starts later than that, or not at all",
}


@pytest.fixture(name="broken", scope="module")
def fixture_broken(root, bin_dir, tmp_path_factory):
    """broken(what): the outcome of suites run against the reference, in which that is broken. All of them run at once,
    for they wait most of the time."""
    out = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release"))
    template = [str(bin_dir / "portalsrun"), "-np", "{np}", str(out / "tester" / "interp-broken"), "{args}"]
    suites = {what: row[0] for what, row in BROKEN.items()}
    suites.update(dict.fromkeys((*NEVER_BEGUN, "nothing"), "foundations"))

    # Made here, since pytest's factory is not made for threads.
    folders = {what: tmp_path_factory.mktemp(what) for what in suites}

    def run(what):
        program = Assay(bin_dir, root, folders[what])
        return program.run("--suite", suites[what], cases=root / "tester" / "cases", environment={"BROKEN": what},
                           template=template)

    with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
        yield lambda what, futures={what: pool.submit(run, what) for what in suites}: futures[what].result()


@pytest.mark.parametrize("what", BROKEN)
def test_foundation(broken, what):
    _, judge, requirement, text = BROKEN[what]
    outcome = broken(what)
    cause = next(cause for cause in outcome.report["causes"] if cause["text"] == text)
    assert (cause["case"], cause["requirement"], cause["failed"][0]) == (judge, requirement, judge), cause
    found = outcome.case(judge)
    assert (found["verdict"], found["requirement"], found["symptom"]) == ("fail", requirement, text)
    blocked = [case for case in outcome.report["cases"] if case.get("blocked_by", {}).get("case") == judge]
    assert {case["id"] for case in blocked} == set(cause["blocked"]) and len(blocked) >= 5, blocked
    for case in blocked:
        assert case["blocked_by"] == {"requirement": requirement, "case": judge}, case
        assert (case["verdict"], case["axis"], case["requirement"]) == ("inconclusive", "sut", ""), case
        assert case["reason"] == f"blocked by {requirement}, which case {judge} has found broken: {text}"
    assert not set(cause["failed"]) & set(cause["blocked"])
    assert outcome.report["verdict"] == "does-not-conform" and outcome.status == 1


def test_what_rests_on_an_arrival_is_not_accused(broken):
    """No put ever arrives: the drop count that does not rise is nothing of its own."""
    outcome = broken("lost")
    assert "the drop count does not rise" not in [cause["text"] for cause in outcome.report["causes"]], outcome.out


@pytest.mark.parametrize("what", NEVER_BEGUN)
def test_nothing_begins(broken, what):
    """Without it there is no case; whose doing it is, is not known: the library may have been started wrongly."""
    outcome = broken(what)
    assert outcome.report["problem"] == NEVER_BEGUN[what]
    assert outcome.report["verdict"] == "inconclusive" and outcome.report["cases"] == [] and outcome.status == 1


def test_nobody_waits_for_what_never_returns(broken):
    """Two cases meet the hang, and those that judge its requirement; the others do not even call the function."""
    outcome = broken("look")
    waited = {case["id"] for case in outcome.report["cases"]
              if re.search("! hang", (outcome.folder / case["transcript"]).read_text(encoding="utf-8"))}
    judges = {case["id"] for case in outcome.report["cases"] if "P30-243" in case["requirements"]}
    assert len(waited - judges) == 1, waited
    assert sum(1 for case in outcome.report["cases"] if case.get("blocked_by")) > 10


def test_causes_are_told(broken):
    """On the terminal, on the page and to tools."""
    outcome = broken("entry")
    cause, = [cause for cause in outcome.report["causes"] if cause["case"] == "first-entry"]
    line, = re.findall(r"^  PtlMEAttach returns PTL_NOSPACE .*$", outcome.out, re.M)
    failed, blocked = len(cause["failed"]), len(cause["blocked"])
    assert line.endswith(f"(P30-106, case first-entry): {failed} case{'s' if failed > 1 else ''} failed, {blocked} are "
                         "blocked by it"), line
    page = (outcome.folder / "report.html").read_text(encoding="utf-8")
    assert "<h2>Likely causes</h2>" in page and '<a href="#first-entry">' in page and f"{blocked} are blocked" in page
    suite = xml.etree.ElementTree.parse(outcome.folder / "junit.xml").getroot().find("testsuite")
    assert len(suite.findall("testcase/error[@type='blocked']")) == blocked


def test_whole_library_has_no_causes(broken):
    outcome = broken("nothing")
    assert outcome.report["causes"] == [] and outcome.status == 0, outcome.out
    assert "likely causes" not in outcome.out


# Files of cases about what comes behind AUTH, and about AUTH itself.
BEHIND_AUTH = ("0-foundations", "2-start-up/233-server-authentication.lua")


def test_a_server_that_accepts_and_says_nothing(bin_dir, root, tmp_path):
    """What is broken is that AUTH is not answered, and what such a server does not end either. Whatever else a case is
    about, it was not yet at that, be it that its set-up or what it judges came to nothing."""
    of_tree, chosen = root / "tester" / "cases", tmp_path / "chosen"
    for name in ("lib", *(f"impi-0.0/{file}" for file in BEHIND_AUTH)):
        (chosen / name).parent.mkdir(parents=True, exist_ok=True)
        (chosen / name).symlink_to(of_tree / name)
    fake = pathlib.Path(__file__).with_name("fake_impi.py")
    outcome = Assay(bin_dir, root, tmp_path).run("--profile", "impi-0.0", cases=chosen, template=[
        sys.executable, str(fake), "silent", "{clients}", "{options}"])
    found = outcome.case("first-server-method")
    assert (found["verdict"], found["requirement"], found["symptom"]) == ("fail", "IMPI-029", "no answer to AUTH")
    accused = {case["requirement"] for case in outcome.report["cases"] if case["verdict"] == "fail"}
    assert accused <= {"IMPI-029", "IMPI-028", "IMPI-033"}, accused
    blocked = [case for case in outcome.report["cases"] if case.get("blocked_by", {}).get("requirement") == "IMPI-029"]
    assert len(blocked) >= 12, len(blocked)
