# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Waivers: what a failure counts for, by whose word, and until when (specs/waivers.md)."""

import json
import xml.etree.ElementTree

import pytest

CASES = """
local function one(id, requirement, code)
  case { id = id, title = "T", purpose = "P.", suite = "s", chapter = "3.5", requirements = { requirement },
    run = function(t) t:open {} t:rc(requirement, t.ranks[0]:PtlNIBarrier {}, code) end }
end
one("good", "P30-091", "PTL_OK")
one("bad", "P30-092", "PTL_FAIL")
one("worse", "P30-093", "PTL_FAIL")
"""
LATER, EARLIER = "2999-12-31", "2020-01-01"


def waiver(name="W-1", **more):
    return {"id": name, "owner": "Ada", "reason": "known & mended soon", "expires": LATER, **more}


@pytest.fixture(name="judge")
def fixture_judge(assay, tmp_path):
    """judge(waiver, ..): a run under these."""
    assay.write(CASES)

    def judge(*waivers):
        path = tmp_path / "waivers.json"
        path.write_text(json.dumps({"waivers": waivers}))
        return assay.fake("good", "--waivers", str(path))

    return judge


def test_all_failures_are_waived(judge):
    """By case and by requirement: in part, and nothing is hidden."""
    outcome = judge(waiver(cases=["bad"]), waiver("W-2", requirements=["P30-093"]))
    assert outcome.status == 0 and outcome.report["outcome"]["name"] == "conforms-in-part"
    assert outcome.report["outcome"]["reasons"][0] == "2 cases failed and are waived"
    assert outcome.report["summary"]["fail"] == 2 and outcome.case("bad")["verdict"] == "fail"
    assert outcome.case("bad")["waiver"] == {"id": "W-1", "effect": "waived"}
    assert [one["waived"] for one in outcome.report["waivers"]] == [["bad"], ["worse"]]
    assert {one["state"] for one in outcome.report["waivers"]} == {"used"}
    suite = xml.etree.ElementTree.parse(outcome.folder / "junit.xml").getroot()[0]
    assert (suite.get("failures"), suite.get("errors"), suite.get("skipped")) == ("0", "0", "2")
    assert len(suite.findall(".//skipped")) == 2 and not suite.findall(".//failure")
    assert suite.find(".//testcase[@name='bad']/skipped").get("message").startswith("waived by W-1: ")
    page = (outcome.folder / "report.html").read_text()
    assert "known &amp; mended soon" in page and "Failed and waived" in page


@pytest.mark.parametrize("given, failed", [
    ([waiver(cases=["bad"])], 1), ([], 2),
    ([waiver(cases=["bad", "worse"], expires=EARLIER)], 2), ([waiver(requirements=["P30-091"])], 2),
])
def test_what_is_not_waived(judge, given, failed):
    """Outside the scope, or after the last day, a failure is one."""
    outcome = judge(*given)
    assert outcome.status == 1 and outcome.report["outcome"]["name"] == "does-not-conform"
    assert outcome.report["outcome"]["reasons"][0].startswith(f"{failed} case")
    if given and given[0]["expires"] == EARLIER:
        assert outcome.report["waivers"][0]["state"] == "expired"


def test_a_waived_case_that_passes(judge):
    outcome = judge(waiver(cases=["good", "bad", "worse"]))
    assert outcome.status == 0 and outcome.report["waivers"][0]["not_needed"] == ["good"]
    assert outcome.report["outcome"]["reasons"][-1] == ("1 case passed whose failure is waived: the waiver is not "
                                                        "needed for it")
    assert outcome.case("good")["waiver"]["effect"] == "not_needed"


@pytest.mark.parametrize("text, told", [
    ('{"waivers": 1}', '"waivers" must be a list'), ("[", "waivers.json: "), ("{}", '"waivers" must be a list'),
    (json.dumps({"waivers": [waiver()]}), 'waiver 1: it names neither "cases" nor "requirements"'),
    (json.dumps({"waivers": [waiver(cases=["bad"], expires="soon")]}), 'waiver 1: "expires" must be the last day'),
    (json.dumps({"waivers": [waiver(cases=["bad"], expires="2027-13-01")]}), 'waiver 1: "expires" must be the last'),
    (json.dumps({"waivers": [waiver(cases=["bad"], scope="all")]}), 'waiver 1: there is no member "scope"'),
    (json.dumps({"waivers": [waiver(cases=[""])]}), 'waiver 1: "cases" and "requirements" must be lists of ids'),
    (json.dumps({"waivers": [waiver(cases=["a"], owner="")]}), 'waiver 1: "id", "owner" and "reason" must be texts'),
    (json.dumps({"waivers": [waiver(cases=["a"]), waiver(cases=["b"])]}), 'waiver 2: another one has this "id" too'),
])
def test_what_is_no_waiver(assay, tmp_path, text, told):
    """The run does not begin, and says why in a line."""
    assay.write(CASES)
    (tmp_path / "waivers.json").write_text(text)
    outcome = assay.fake("good", "--waivers", str(tmp_path / "waivers.json"))
    assert outcome.status == 2 and told in outcome.err and outcome.err.count("\n") == 1, outcome.err
