# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""IMPI in the service: its roles in profiles, cases, runs and certificates, and the commands that a vendor is shown."""

import json
import sqlite3
import subprocess

import pytest

from service import PATIENCE, sqlite_only

LONG = 1800
SERVER = ("-server", "{clients}", "{options}")
CLIENT = ("-client", "{client}", "{server}", "-np", "{np}")


def certify(bin_dir, service, *words, template):
    """`assay certify` under impi-0.0: what it printed and how it ended."""
    return subprocess.run([bin_dir / "assay", "certify", "--url", service.url, "--token", service.token(), "--profile",
                           "impi-0.0", *words, "--", bin_dir / "impirun", *template], capture_output=True, text=True,
                          timeout=LONG, stdin=subprocess.DEVNULL)


def latest(client):
    """The run that was made last."""
    return client.get("/api/v1/runs").json["runs"][0]


def test_profile_tells_its_roles(client):
    profiles = {one["id"]: one for one in client.get("/api/v1/profiles").json["profiles"]}
    assert profiles["portals-3.0"]["roles"] == {}
    assert all(suite["role"] == "" for suite in profiles["portals-3.0"]["suites"])
    impi = profiles["impi-0.0"]
    suites = {suite["id"]: suite for suite in impi["suites"]}
    assert suites["server"]["role"] == "server" and suites["p2p"]["role"] == "client"
    assert impi["roles"]["server"] >= suites["server"]["cases"] > 100
    assert impi["roles"]["client"] > 300 and sum(impi["roles"].values()) <= impi["cases"]


def test_case_tells_whom_it_judges(client):
    cases = client.get("/api/v1/profiles/impi-0.0/cases").json["cases"]
    assert {one["role"] for one in cases if one["suite"] == "server"} == {"server"}
    one = client.get("/api/v1/profiles/impi-0.0/cases/server-prints-one-line").json
    assert one["role"] == "server" and [row["id"][:5] for row in one["requirement_rows"]] != []


def test_commands_for_both_roles(client):
    made = client.run(profile="impi-0.0")
    texts = [command["text"] for command in made["commands"]]
    assert any("interp-mpi MPICC=" in text for text in texts)
    starts = [text for text in texts if text.startswith(f"ASSAY_TOKEN={made['token']} ")]
    assert len(starts) == 2
    assert any("-client {client} {server} -np {np}" in text and text.endswith("interp-mpi {args}") for text in starts)
    assert any(text.endswith("impirun -server {clients} {options}") for text in starts)
    assert made["run"]["role"] == ""  # nobody knows before the agent has come
    client.post(f"/api/v1/runs/{made['run']['id']}/cancel", {})


@pytest.fixture(scope="module")
def certified(bin_dir, service, tmp_path_factory):
    """The reference's server, certified in full."""
    folder = tmp_path_factory.mktemp("server") / "report"
    return certify(bin_dir, service, "--report", str(folder), template=SERVER), folder


@pytest.mark.long
def test_certificate_names_the_role(bin_dir, client, certified):
    done, folder = certified
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "conforms", done.stdout + done.stderr
    assert json.loads((folder / "report.json").read_text())["sut"]["role"] == "server"
    assert json.loads((folder / "certificate.json").read_text())["payload"]["role"] == "server"
    said = subprocess.run([bin_dir / "assay", "verify", folder / "certificate.json"], capture_output=True, text=True,
                          timeout=PATIENCE, check=True).stdout
    assert "impi-0.0, as server: conforms" in said
    runs = [run for run in client.get("/api/v1/runs").json["runs"] if run["certificate"]]
    assert [run["role"] for run in runs] == ["server"]


def test_other_role_takes_no_part(bin_dir, service, client):
    """A client is not asked what only a server can do; the run says why it judged nothing."""
    done = certify(bin_dir, service, "--suite", "server", template=(*CLIENT, bin_dir / "interp-mpi", "{args}"))
    assert done.returncode == 1 and done.stdout.splitlines()[-1] == "inconclusive", done.stdout
    assert "no selected case judges the role client" in latest(client)["problem"]
    assert latest(client)["role"] == "client"


@sqlite_only
def test_database_of_an_earlier_version(own_service, root):
    """A folder that was written before there were roles: its runs stay, and new ones can be made."""
    service = own_service()
    service.end()
    path = service.data / "assay.db"
    for file in service.data.glob("assay.db*"):
        file.unlink()
    with sqlite3.connect(path) as database:
        database.executescript((root / "web" / "store" / "schema.sql").read_text() + "PRAGMA user_version = 1;")
        database.execute("INSERT INTO accounts (id, name, owner) VALUES (1, 'old', 1)")
        database.execute("INSERT INTO implementations (id, account, name, version, vendor, notes) VALUES "
                         "('aaaaaaaaaaaaaaaa', 1, 'Old', '1', '', '')")
        database.execute("INSERT INTO runs (id, account, implementation, profile, seed, state) VALUES "
                         "('bbbbbbbbbbbbbbbb', 1, 'aaaaaaaaaaaaaaaa', 'portals-3.0', 1, 'finished')")
    database.close()
    service.start()
    client = service.client("token")
    assert [(run["id"], run["role"]) for run in client.get("/api/v1/runs").json["runs"]] == [("bbbbbbbbbbbbbbbb", "")]
    assert client.run(profile="impi-0.0")["run"]["role"] == ""
