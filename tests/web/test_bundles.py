# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The evidence of a run that is over is packed together: the same is served, kept, copied, judged and removed as
before, of a fraction of the room."""

import gzip
import hashlib
import io
import subprocess
import zipfile

import pytest

from service import PATIENCE, Client, Service, evidence_file, sqlite_only
from test_evidence import age, downloads, files, run_suite, wait_until
from test_operation import back_up

AT_ONCE = ("--limit", "bundle-minutes=0")
PACKED = {"transcript", "capture", "ladder"}
RUN_OCTETS = 20 << 20  # that a run of a whole profile may take


def query(service, sql, *values):
    with service.database() as database:
        rows = database.execute(sql, values).fetchall()
    database.close()
    return rows


def wait_packed(service, client):
    """Until every run that is over is packed, and what was files of its own is removed."""
    wait_until(lambda: not query(service, "SELECT 1 FROM runs WHERE bundled = 0") and
               not query(service, "SELECT 1 FROM evidence_unused"), client)


def again(service, *options):
    """The same folder, by a service with other limits."""
    assert service.stop() == 0
    service.start(*options)


@pytest.fixture(name="packed")
def fixture_packed(own_service):
    """A service with a run whose evidence was served from files, and is in a bundle: (service, client, run, what was
    served)."""
    service = own_service()
    client = service.client()
    run = run_suite(service, client)
    got = downloads(client, run)
    again(service, *AT_ONCE)
    wait_packed(service, client)
    return service, client, run, got


def bundle_of(service, run):
    (digest, octets), = query(service, "SELECT digest, octets FROM evidence WHERE run = ? AND kind = 'bundle-1'", run)
    return evidence_file(service.data, digest).with_suffix(".zst"), digest, octets


def inspect(service):
    return subprocess.run([service.program, *service.place, "--inspect"], capture_output=True, text=True,
                          timeout=PATIENCE, check=False).stdout.splitlines()


def test_the_same_is_served(packed):
    service, client, run, got = packed
    assert downloads(client, run) == got
    path = next(path for path in got if path.endswith("/transcript"))
    plain, small = client.get(path), client.get(path, Accept_Encoding="gzip")
    digest = hashlib.sha256(got[path]).hexdigest()
    assert plain.headers["etag"] == f'"{digest}"' and small.headers["etag"] == f'"{digest}-gzip"'
    assert gzip.decompress(small.body) == got[path] and small.headers["content-encoding"] == "gzip"
    assert client.get(path, If_None_Match=plain.headers["etag"]).status == 304
    assert client.get(path, Accept_Encoding="gzip", If_None_Match=small.headers["etag"]).status == 304
    assert client.ask("HEAD", path).headers["content-length"] == str(len(got[path]))
    with zipfile.ZipFile(io.BytesIO(client.get(f"/api/v1/runs/{run}/report.zip").body)) as archive:
        assert archive.testzip() is None
        inside = {hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}
    assert {hashlib.sha256(body).hexdigest() for body in got.values()} <= inside
    case = path.split("/")[-2]
    assert client.get(f"/api/v1/runs/{run}/compare/{run}/cases/{case}").status == 200


def test_what_lies_in_the_folder(packed):
    """No file of its own of what is in the bundle, which can be taken apart without the database."""
    service, _, run, _ = packed
    rows = query(service, "SELECT case_id, kind, digest, octets FROM evidence WHERE bundle IS NOT NULL")
    assert {kind for _, kind, _, _ in rows} == PACKED
    path, digest, octets = bundle_of(service, run)
    rest = subprocess.run(["zstd", "-dc", path], capture_output=True, check=True).stdout
    assert hashlib.sha256(rest).hexdigest() == digest and len(rest) == octets
    found = set()
    while rest:
        line, rest = rest.split(b"\n", 1)
        case, kind, of, length = line.decode().split()
        piece, rest = rest[:int(length)], rest[int(length):]
        assert hashlib.sha256(piece).hexdigest() == of
        found.add((case, kind, of, int(length)))
    assert found == set(rows)
    alone = {digest for digest, in query(service, "SELECT digest FROM evidence WHERE bundle IS NULL")}
    assert {name.removesuffix(".zst") for name in files(service.data)} == alone
    assert inspect(service)[-1].endswith(" 0 defects")


def test_copied(packed, bin_dir, tmp_path):
    service, client, run, got = packed
    if service.url_of_database:
        pytest.skip("PostgreSQL has its own tools for that")
    assert back_up(service, tmp_path / "copy").returncode == 0
    copy = Service(bin_dir, tmp_path / "copy")
    assert downloads(Client(copy, token=client.token), run) == got
    copy.end()


def test_judged_again(packed):
    service, *_ = packed
    done = subprocess.run([service.program, *service.place, "--rejudge", "all"], capture_output=True, text=True,
                          timeout=PATIENCE, check=False)
    results, = query(service, "SELECT COUNT(*) FROM results")[0]
    assert done.returncode == 0 and f"{results} captures judged again" in done.stdout, done


def test_goes_with_its_run(packed):
    service, client, run, _ = packed
    assert client.delete(f"/api/v1/runs/{run}").status == 204
    wait_until(lambda: not files(service.data), client)


def test_goes_when_its_time_is_over(packed):
    """What is of no case stays."""
    service, client, run, _ = packed
    path, *_ = bundle_of(service, run)
    assert service.stop() == 0
    age(service, run)
    service.start("--limit", "retain-days=30")
    wait_until(lambda: client.get(f"/api/v1/runs/{run}").json["evidence_removed"] and not path.exists(), client)
    assert client.get(f"/api/v1/runs/{run}/report.json").status == 200
    assert inspect(service)[-1].endswith(" 0 defects")


def test_spoilt(packed):
    """A bundle that is cut off, then missing: inspection tells each piece, and what is served of it is nothing."""
    service, client, run, got = packed
    path, *_ = bundle_of(service, run)
    octets = path.read_bytes()
    path.write_bytes(octets[:-1])
    again(service)
    assert all(client.get(one).status == 404 for one in got if one.split("/")[-1] in PACKED)
    pieces = 1 + len([one for one in got if one.split("/")[-1] in PACKED])
    *lines, _ = inspect(service)
    assert len(lines) == pieces and all(line.endswith("is not whole") for line in lines)
    path.unlink()
    *lines, _ = inspect(service)
    assert len(lines) == pieces and all(line.endswith("is missing") for line in lines)
    path.write_bytes(octets)
    assert downloads(client, run) == got


def test_what_is_spoilt_stays_alone(own_service):
    """What is not as its digest says is not packed with what is good."""
    service = own_service()
    client = service.client()
    run = run_suite(service, client)
    got = downloads(client, run)
    path = next(path for path in got if path.endswith("/capture"))
    file = evidence_file(service.data, hashlib.sha256(got[path]).hexdigest())
    file.write_bytes(gzip.compress(got[path][:-1] + b"!"))
    again(service, *AT_ONCE)
    wait_packed(service, client)
    *lines, _ = inspect(service)
    assert len(lines) == 1 and lines[0].endswith("other octets than its name says") and file.exists()
    del got[path]
    assert all(client.get(one).body == octets for one, octets in got.items())


@sqlite_only
def test_an_unfinished_run_waits(own_service):
    """Nothing of a run that is not over is packed, nor of one that has not been over for long enough."""
    service = own_service(*AT_ONCE)
    client = service.client()
    waiting = client.run()["run"]["id"]
    run_suite(service, client)
    wait_until(lambda: not query(service, "SELECT 1 FROM runs WHERE bundled = 0 AND id <> ?", waiting), client)
    assert query(service, "SELECT bundled FROM runs WHERE id = ?", waiting) == [(0,)]
    again(service)
    young = run_suite(service, client)
    assert query(service, "SELECT COUNT(*) FROM evidence WHERE run = ? AND bundle IS NOT NULL", young) == [(0,)]


@sqlite_only
@pytest.mark.parametrize("profile, suite, template", (
    ("portals-3.0", "access-control", ()),
    ("intercept-1.0", "short-out", ("portalsrun", "-np", "{np}", "--nal", "intercept", "interp-portals", "{args}"))))
def test_room_of_a_run(own_service, bin_dir, profile, suite, template):
    """The cases of a suite take no more than is their share, where a run of the profile is to have RUN_OCTETS."""
    service = own_service(*AT_ONCE)
    client = service.client()
    cases = client.get(f"/api/v1/profiles/{profile}/cases").json["cases"]
    made = client.run(profile=profile, suite=suite)
    words = [bin_dir / word if (bin_dir / word).exists() else word for word in template]
    agent = service.agent(made["token"], *words)
    assert client.wait_over(made["run"]["id"])["state"] == "finished"
    agent.wait(PATIENCE)
    agent.stderr.close()
    wait_packed(service, client)
    results, = query(service, "SELECT COUNT(*) FROM results")[0]
    taken = sum(path.stat().st_blocks * 512 for path in (service.data / "evidence").rglob("*.*"))
    assert results > 20 and taken < RUN_OCTETS * results / len(cases), (results, taken)
