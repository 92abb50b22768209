# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Runs beside each other: two of them, one case in all of them, the latest of each implementation."""


import pytest

from test_evidence import run_suite

PROFILE = "/api/v1/profiles/portals-3.0"


@pytest.fixture
def two(own_service):
    """A service, its client and two runs of the same suite; of the second some results are changed."""
    service = own_service()
    client = service.client()
    runs = [run_suite(service, client) for _ in range(2)]
    cases = [one["id"] for one in client.get(f"/api/v1/runs/{runs[0]}/results").json["results"]]
    assert service.stop() == 0
    with service.database() as database:
        change(database, runs, cases)
    database.close()
    service.start()
    return service, client, runs, cases


def change(database, runs, cases):
    """Another verdict, another finding, a result too few on either side."""
    for case, verdict, observed in ((cases[0], "fail", "PTL_FAIL"), (cases[1], "pass", "PTL_OK, late")):
        database.execute("UPDATE results SET verdict = ?, observed = ?, requirement = 'P30-001', reason = 'it broke' "
                         "WHERE run = ? AND case_id = ?", (verdict, observed, runs[1], case))
    database.execute("DELETE FROM results WHERE run = ? AND case_id = ?", (runs[0], cases[2]))
    database.execute("DELETE FROM results WHERE run = ? AND case_id = ?", (runs[1], cases[3]))


def test_two_runs(two):
    _, client, (before, after), cases = two
    found = client.get(f"/api/v1/runs/{before}/compare/{after}").json
    assert found["counts"] == {"verdict": 1, "finding": 1, "added": 1, "removed": 1, "same": len(cases) - 4}
    assert [(one["id"], one["change"]) for one in found["changes"]] == [
        (cases[0], "verdict"), (cases[1], "finding"), (cases[2], "added"), (cases[3], "removed")]
    first = found["changes"][0]
    assert (first["before"]["verdict"], first["after"]["verdict"]) == ("pass", "fail")
    assert first["after"]["observed"] == "PTL_FAIL" and first["after"]["requirement"] == "P30-001"
    assert found["changes"][2]["before"] is None and found["changes"][3]["after"] is None
    other_way = client.get(f"/api/v1/runs/{after}/compare/{before}").json
    assert (other_way["counts"]["added"], other_way["counts"]["removed"]) == (1, 1)
    assert other_way["changes"][0]["after"]["verdict"] == "pass"
    assert client.get(f"/api/v1/runs/{after}/compare/{after}").json["changes"] == []


def test_first_event(two):
    """The same program says the same; a case that the other run does not have differs from its first event on."""
    _, client, (before, after), cases = two
    same = client.get(f"/api/v1/runs/{before}/compare/{after}/cases/{cases[4]}").json
    ladder = client.get(f"/api/v1/runs/{after}/results/{cases[4]}/ladder").json
    assert same == {"same": len(ladder), "before": None, "after": None} and ladder
    none = client.get(f"/api/v1/runs/{before}/compare/{after}/cases/none").json
    assert none == {"same": 0, "before": None, "after": None}


def test_deleted_run_is_compared_no_more(two):
    _, client, (before, after), _ = two
    path = f"/api/v1/runs/{before}/compare/{after}"
    assert client.get(path).status == 200
    assert client.delete(f"/api/v1/runs/{before}").status == 204
    assert client.get(path).status == 404
    assert client.get(f"/api/v1/runs/{after}/compare/{before}").status == 404


def test_history(two):
    """All runs that judged the case, latest first; of one implementation where that is asked for."""
    _, client, (before, after), cases = two
    found = client.get(f"{PROFILE}/cases/{cases[0]}/history").json["results"]
    assert [(one["run"], one["verdict"]) for one in found] == [(after, "fail"), (before, "pass")]
    assert found[0]["reason"] == "it broke" and found[0]["seed"] == 7
    assert [one["run"] for one in client.get(f"{PROFILE}/cases/{cases[2]}/history").json["results"]] == [after]
    own = found[0]["implementation"]["id"]
    assert len(client.get(f"{PROFILE}/cases/{cases[0]}/history?implementation={own}").json["results"]) == 2
    assert client.get(f"{PROFILE}/cases/{cases[0]}/history?implementation=none").json["results"] == []
    assert client.get("/api/v1/profiles/none/cases/x/history").status == 404


def test_matrix(two):
    """The latest run of all cases counts, of a suite none, nor one that has ended before its first case."""
    service, client, (before, after), cases = two
    assert client.get(f"{PROFILE}/matrix").json["rows"] == []
    with service.database() as database:
        database.execute("UPDATE runs SET suite = NULL")
    database.close()
    rows = client.get(f"{PROFILE}/matrix").json["rows"]
    assert [row["run"] for row in rows] == [after] != [before]
    assert sum(cell["count"] for cell in rows[0]["chapters"]) == len(cases) - 1
    assert {"fail", "pass"} <= {cell["verdict"] for cell in rows[0]["chapters"]}
    with service.database() as database:
        database.execute("DELETE FROM results WHERE run = ?", (after,))
    database.close()
    assert [row["run"] for row in client.get(f"{PROFILE}/matrix").json["rows"]] == [before]
