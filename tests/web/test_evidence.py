# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Evidence is files under their digests, from the end of a case to the download; the database holds the digests."""

import gzip
import hashlib
import json
import sqlite3
import time

import pytest

from service import PATIENCE, evidence_file, go_back, sqlite_only
from test_certificate import fixture_certify  # noqa: F401

KINDS = {"transcript", "capture", "ladder"}


def run_suite(service, client, **order):
    """A finished run of one suite, which takes seconds."""
    cases = client.get("/api/v1/profiles/portals-3.0/cases").json["cases"]
    made = client.run(suite=cases[0]["suite"], seed=7, **order)
    agent = service.agent(made["token"])
    state = client.wait_over(made["run"]["id"])
    agent.wait(PATIENCE)
    agent.stderr.close()
    assert state["state"] == "finished", state
    return made["run"]["id"]


def files(data):
    """The digests of all files of the folder."""
    return {path.parent.name + path.name.removesuffix(".gz") for path in (data / "evidence").rglob("*")
            if path.is_file()}


def noted(data):
    """(case, kind): (digest, octets) of all that the database refers to."""
    with sqlite3.connect(f"file:{data / 'assay.db'}?mode=ro", uri=True) as database:
        rows = database.execute("SELECT run, case_id, kind, digest, octets FROM evidence").fetchall()
    database.close()
    return {row[:3]: row[3:] for row in rows}


def wait_until(fulfilled, client):
    """Asks the service until housekeeping has done it; fewer times than an account may ask in a minute."""
    late = time.monotonic() + PATIENCE
    while not fulfilled():
        assert time.monotonic() < late
        time.sleep(0.02)
        assert client.get("/healthz").status == 200


def downloads(client, run):
    """Everything that can be downloaded of a run: path -> octets."""
    base = f"/api/v1/runs/{run}"
    results = client.get(f"{base}/results").json["results"]
    assert results and all(set(one["evidence"]) == KINDS for one in results)
    paths = [f"{base}/results/{one['id']}/{kind}" for one in results for kind in one["evidence"]]
    paths += [f"{base}/report.json", f"{base}/junit.xml"]
    paths += [f"{base}/preflight"] if client.get(base).json["preflight"] else []
    answers = {path: client.get(path) for path in paths}
    assert {answer.status for answer in answers.values()} == {200}
    return {path: answer.body for path, answer in answers.items()}


@sqlite_only
def test_files_under_their_digests(service, client):
    """What is downloaded is the file of the digest, which is the tag that lets a client keep its copy."""
    run = run_suite(service, client)
    got = downloads(client, run)
    rows = noted(service.data)
    digests = {hashlib.sha256(body).hexdigest() for body in got.values()}
    assert {digest for (of, _, kind), (digest, _) in rows.items() if of == run and kind != "source"} == digests
    assert digests < files(service.data)  # the text of the cases' file, too
    there = {digest: gzip.decompress(evidence_file(service.data, digest).read_bytes())
             for digest in files(service.data)}
    assert all(hashlib.sha256(octets).hexdigest() == digest for digest, octets in there.items())
    assert all(len(there[digest]) == octets for digest, octets in rows.values())
    path, body = next(iter(got.items()))
    tag = client.get(path).headers["etag"]
    assert tag == f'"{hashlib.sha256(body).hexdigest()}"'
    again = client.get(path, If_None_Match=tag)
    assert (again.status, again.body) == (304, b"")
    assert client.ask("HEAD", path).headers["content-length"] == str(len(body))
    packed = client.get(path, Accept_Encoding="gzip")
    assert gzip.decompress(packed.body) == body and packed.headers["content-encoding"] == "gzip"
    assert packed.headers["etag"] != tag and packed.headers["vary"] == "Accept-Encoding"
    assert client.get(path, Accept_Encoding="gzip", If_None_Match=packed.headers["etag"]).status == 304


def test_files_of_an_earlier_service(own_service):
    """Those that are not packed are handed out as they are, and go with their run."""
    service = own_service()
    client = service.client()
    run = run_suite(service, client)
    got = downloads(client, run)
    for digest in files(service.data):
        path = evidence_file(service.data, digest)
        path.with_suffix("").write_bytes(gzip.decompress(path.read_bytes()))
        path.unlink()
    assert downloads(client, run) == got
    assert client.get(f"/api/v1/runs/{run}/report.html").status == 200
    assert client.delete(f"/api/v1/runs/{run}").status == 204
    wait_until(lambda: not files(service.data), client)


@sqlite_only
def test_no_evidence_in_the_database(service, client):
    run = run_suite(service, client)
    report = client.get(f"/api/v1/runs/{run}/report.json").body
    with sqlite3.connect(f"file:{service.data / 'assay.db'}?mode=ro", uri=True) as database:
        tables = [name for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        blobs = sum(isinstance(value, bytes) and len(value) > 32 for table in tables
                    for row in database.execute(f"SELECT * FROM {table}") for value in row)
    database.close()
    assert blobs == 0 and json.loads(report)["cases"]


@sqlite_only
def test_deleted_with_the_last_run_that_has_it(own_service):
    """Two runs share what is the same in both: with the first run goes what it has alone, with the second the rest."""
    service = own_service()
    client = service.client()
    first, second = run_suite(service, client), run_suite(service, client)
    rows = noted(service.data)
    of_second = {digest for (run, *_), (digest, _) in rows.items() if run == second}
    assert of_second < files(service.data)
    assert client.delete(f"/api/v1/runs/{first}").status == 204
    wait_until(lambda: files(service.data) == of_second, client)
    downloads(client, second)
    assert client.delete(f"/api/v1/runs/{second}").status == 204
    wait_until(lambda: not files(service.data), client)


def test_left_behind_by_a_crash(own_service):
    """A file whose row was not committed any more is removed at the next start; what has a row stays."""
    service = own_service()
    client = service.client()
    run = run_suite(service, client)
    got = downloads(client, run)
    service.kill()
    lost = evidence_file(service.data, hashlib.sha256(b"lost").hexdigest())
    lost.parent.mkdir(exist_ok=True)
    lost.write_bytes(b"lost")
    half = service.data / "evidence" / "new.abcdef"
    half.write_bytes(b"half")
    service.start()
    assert downloads(client, run) == got
    assert not lost.exists() and not half.exists()


@sqlite_only
@pytest.mark.parametrize("cut_off", (False, True))
def test_moved_out_of_an_earlier_database(own_service, cut_off):
    """A folder whose database holds the evidence itself: every octet is there afterwards, also where the move was cut
    off after the first pieces."""
    service = own_service()
    client = service.client()
    run = run_suite(service, client)
    got, stored = downloads(client, run), client.get(f"/api/v1/runs/{run}").json["stored"]
    del got[f"/api/v1/runs/{run}/preflight"]  # such a service has not kept it
    service.end()
    go_back(service.data, 5)
    if cut_off:
        with service.database() as database:
            database.execute("CREATE TRIGGER stop BEFORE UPDATE OF report ON runs BEGIN "
                             "SELECT RAISE(FAIL, 'cut off'); END")
        database.close()
        with pytest.raises(AssertionError):
            service.start()
        service.wait()
        with service.database() as database:
            assert database.execute("PRAGMA user_version").fetchone() == (6,)
            assert database.execute("SELECT COUNT(*) FROM evidence").fetchone() > (0,)
            database.execute("DROP TRIGGER stop")
        database.close()
    service.start()
    assert downloads(client, run) == got
    assert client.get(f"/api/v1/runs/{run}").json["stored"] == stored
    assert {digest for digest, _ in noted(service.data).values()} == files(service.data)
    fresh = run_suite(service, client)
    assert client.delete(f"/api/v1/runs/{fresh}").status == 204


def age(service, *runs):
    """As if they had ended 100 days ago."""
    with service.database() as database:
        for run in runs:
            database.execute("UPDATE runs SET ended = '2020-01-01T00:00:00.000Z' WHERE id = ?", (run,))
    database.close()


def test_what_goes_with_time_and_what_stays(certify):
    """Evidence of runs without certificate is kept for the days of the limit; verdicts and reports stay."""
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
