# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Evidence of runs without certificate is kept for the days of the limit; verdicts and reports stay."""

from test_certificate import fixture_certify  # noqa: F401
from test_evidence import run_suite, wait_until


def age(service, *runs):
    """As if they had ended 100 days ago."""
    with service.database() as database:
        for run in runs:
            database.execute("UPDATE runs SET ended = '2020-01-01T00:00:00.000Z' WHERE id = ?", (run,))
    database.close()


def test_what_goes_and_what_stays(certify):
    service, run = certify
    client = service.client()
    certified = run(client)["id"]
    old, young = (client.run(case="small")["run"]["id"] for _ in range(2))
    for one in (old, young):
        assert client.post(f"/api/v1/runs/{one}/cancel", None).status == 202
        client.wait_over(one)
    judged = run(client)["id"]
    with service.database() as database:
        database.execute("DELETE FROM certificates WHERE run = ?", (judged,))
        database.execute("DELETE FROM certificate_log")
    database.close()
    result = f"/api/v1/runs/{judged}/results/small"
    before = client.get(result).json
    stored = client.get(f"/api/v1/runs/{judged}").json["stored"]
    report = client.get(f"/api/v1/runs/{judged}/report.json").body
    assert sorted(before["evidence"]) == ["capture", "ladder", "transcript"]
    assert service.stop() == 0
    age(service, certified, old, judged)
    service.start("--limit", "retain-days=30")
    wait_until(lambda: client.get(f"/api/v1/runs/{judged}").json["evidence_removed"], client)
    state = client.get(f"/api/v1/runs/{judged}").json
    assert state["verdict"] == "conforms" and state["stored"] < stored
    after = client.get(result).json
    assert after["evidence"] == [] and {**after, "evidence": before["evidence"]} == before
    assert client.get(f"{result}/transcript").status == 404
    assert client.get(f"/api/v1/runs/{judged}/report.json").body == report
    assert client.get(f"/api/v1/runs/{judged}/report.zip").status == 200
    wait_until(lambda: client.get(f"/api/v1/runs/{old}").json["evidence_removed"], client)
    kept = client.get(f"/api/v1/runs/{certified}/results/small").json["evidence"]
    assert sorted(kept) == ["capture", "ladder", "transcript"]
    assert client.get(f"/api/v1/runs/{young}").json["evidence_removed"] is None


def test_without_the_limit_it_stays(own_service):
    service = own_service()
    client = service.client()
    run = run_suite(service, client)
    assert service.stop() == 0
    age(service, run)
    service.start()
    assert client.get(f"/api/v1/runs/{run}").json["evidence_removed"] is None
