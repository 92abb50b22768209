# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A run is taken away, as a table of requirements and as one archive; and shown to others by a link that can end."""

import csv
import io
import json
import shutil
import subprocess
import zipfile

import pytest

from service import ON_POSTGRESQL, PATIENCE, Client
from test_account import sign_in
from test_evidence import run_suite


@pytest.fixture(scope="module")
def run(service, client):
    return run_suite(service, client)


def table(client, run):
    answer = client.get(f"/api/v1/runs/{run}/requirements.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    return {row["requirement"]: row for row in csv.DictReader(io.StringIO(answer.body.decode(), newline=""))}


def test_table_of_requirements(service, client, run):
    """Each requirement of the profile, with the gravest of what its cases say of it."""
    rows = table(client, run)
    described = client.get("/api/v1/profiles/portals-3.0/requirements").json["requirements"]
    assert list(rows) == [one["id"] for one in described]
    results = client.get(f"/api/v1/runs/{run}/results").json["results"]
    judged = {id for one in results for id in one["requirements"]}
    assert {id for id, row in rows.items() if row["verdict"] == "pass"} == judged
    assert all(row["cases"] == "" for row in rows.values() if row["verdict"] == "not judged")
    assert all(rows[one["id"]]["obligation"].lstrip("'") == one["obligation"] for one in described)


def test_gravest_verdict(service, client, run):
    """Of one requirement: a failure by it before a pass; a failure by another one says nothing of it."""
    other = run_suite(service, client)
    results = client.get(f"/api/v1/runs/{other}/results").json["results"]
    first, second = results[0], next(one for one in results if one["requirements"] != results[0]["requirements"])
    with service.database() as database:
        for case, requirement in ((first["id"], first["requirements"][0]), (second["id"], "another")):
            database.execute("UPDATE results SET verdict = 'fail', requirement = ? WHERE run = ? AND case_id = ?",
                             (requirement, other, case))
    database.close()
    rows = table(client, other)
    assert rows[first["requirements"][0]]["verdict"] == "fail"
    alone = [id for id in second["requirements"] if not any(id in one["requirements"] for one in results
                                                            if one["id"] != second["id"])]
    assert alone and all(rows[id]["verdict"] == "not judged" for id in alone)


def test_archive(service, client, run, tmp_path):
    """Whole, readable by others' programs, and each file is what the service gives by itself."""
    answer = client.get(f"/api/v1/runs/{run}/report.zip")
    assert answer.headers["content-type"] == "application/zip"
    assert f'filename="assay-{run}.zip"' in answer.headers["content-disposition"]
    archive = zipfile.ZipFile(io.BytesIO(answer.body))
    assert archive.testzip() is None
    base, api = f"assay-{run}", f"/api/v1/runs/{run}"
    results = client.get(f"{api}/results").json["results"]
    wanted = {f"{base}/{name}": f"{api}/{name}" for name in ("report.json", "junit.xml", "requirements.csv")}
    wanted[f"{base}/preflight.txt"] = f"{api}/preflight"
    for one in results:
        for kind, end in (("transcript", "txt"), ("capture", "pcapng"), ("ladder", "ladder.json")):
            wanted[f"{base}/cases/{one['id']}.{end}"] = f"{api}/results/{one['id']}/{kind}"
    assert set(archive.namelist()) == {*wanted, f"{base}/report.html"}
    for name, path in wanted.items():
        assert archive.read(name) == client.get(path).body, name
    report = json.loads(archive.read(f"{base}/report.json"))
    for case in report["cases"]:
        assert f"{base}/{case['transcript']}" in wanted and f'./{case["transcript"]}' in archive.read(
            f"{base}/report.html").decode()
    if shutil.which("unzip"):
        (tmp_path / "all.zip").write_bytes(answer.body)
        subprocess.run(["unzip", "-tq", tmp_path / "all.zip"], check=True, timeout=PATIENCE, capture_output=True)


def test_archive_of_a_run_that_is_not_over(client):
    run = client.run()["run"]["id"]
    assert client.get(f"/api/v1/runs/{run}/report.zip").code == "under_way"
    assert client.post(f"/api/v1/runs/{run}/shares", {"name": "x"}).code == "under_way"
    assert client.post(f"/api/v1/runs/{run}/cancel", None).status == 202


def test_link_for_everybody(service, client, nobody, run):
    """Shows the report and nothing else of the account, until it is revoked, ends, or the run is deleted."""
    made = client.post(f"/api/v1/runs/{run}/shares", {"name": "Reviewers"}).json
    secret = made["link"].rsplit("/", 1)[1]
    page = nobody.get(f"/shared/{secret}")
    assert page.status == 200 and "<h1" in page.body.decode()
    assert "href=\"results/" not in page.body.decode() and "cases/" not in page.body.decode()
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    listed = client.get(f"/api/v1/runs/{run}/shares").json["shares"]
    assert [one["name"] for one in listed] == ["Reviewers"] and secret not in str(listed)
    assert ON_POSTGRESQL or secret.encode() not in (service.data / "assay.db").read_bytes()
    limited = client.post(f"/api/v1/runs/{run}/shares", {"name": "Soon over", "days": 1}).json
    with service.database() as database:
        database.execute("UPDATE shares SET expires = '2020-01-01T00:00:00.000Z' WHERE id = ?", (limited["id"],))
    database.close()
    for path in (limited["link"].removeprefix(service.url), "/shared/none", f"/shared/{made['id']}"):
        assert (nobody.get(path).status, nobody.get(path).code) == (404, "no_share")
    assert client.delete(f"/api/v1/runs/{run}/shares/{made['id']}").status == 204
    assert nobody.get(f"/shared/{secret}").code == "no_share"


def test_link_goes_with_the_run(service, client, nobody):
    run = run_suite(service, client)
    link = client.post(f"/api/v1/runs/{run}/shares", {"name": "x"}).json["link"].removeprefix(service.url)
    assert nobody.get(link).status == 200
    assert client.delete(f"/api/v1/runs/{run}").status == 204
    assert nobody.get(link).status == 404


def test_a_tester_makes_no_link(own_service):
    service = own_service()
    ada = sign_in(service, service.read_link(), name="Ada")[0]
    tester = Client(service, token=ada.post("/api/v1/tokens", {"name": "t", "role": "tester"}).json["token"])
    assert tester.post("/api/v1/runs/x/shares", {"name": "x"}).code == "role"
