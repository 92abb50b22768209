# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A vendor of IMPI clients brings an own server to a service: order, commands, run, report, certificate."""

import json
import os
import shlex
import shutil
import subprocess

import pytest

from service import PATIENCE, go_back, sqlite_only
from test_impi import certify, latest

SERVER = "impirun -server {clients} {options}"
ONE = ("--suite", "interop", "--case", "meet-ring-client-sss")


def client_of(bin_dir):
    return ("-client", "{client}", "{server}", "-np", "{np}", "-hosts", "{hosts}", bin_dir / "interp-mpi", "{args}")


def own(bin_dir):
    return f"{bin_dir}/{SERVER}"


def test_commands_bring_it_along(client):
    """The command to type has it as one argument, whatever its letters are; a role for each command that needs one."""
    words = "my server's -n {clients} \"a b\""
    made = client.run(profile="impi-0.0", server=words.replace("'", "\"'\""))
    client.post(f"/api/v1/runs/{made['run']['id']}/cancel", {})
    starts = [one for one in made["commands"] if "ASSAY_TOKEN=" in one["text"]]
    assert [one["role"] for one in starts] == ["client"]  # its server is not what is judged
    typed = shlex.split(starts[0]["text"])
    assert typed[typed.index("--server") + 1] == made["run"]["server"] == words.replace("'", "\"'\"")
    assert typed.index("--server") < typed.index("--")


def test_commands_without_one(client):
    made = client.run(profile="impi-0.0")
    client.post(f"/api/v1/runs/{made['run']['id']}/cancel", {})
    assert made["run"]["server"] == "" and not any("--server" in one["text"] for one in made["commands"])
    assert [one.get("role") for one in made["commands"]] == [None, "client", "server", "client", "server"]


@pytest.mark.parametrize("order, code, why", [
    ({"server": "server 2"}, "bad_server", "server: the command of the own server, at character 9: {clients} is"),
    ({"server": "x {clients} {np}"}, "bad_server", "at character 13: a word of a client's command"),
    ({"server": "x '{clients}"}, "bad_server", "a quote is not closed"),
    ({"server": ""}, "bad_field", "'server' must be a text of 1 to 500"), ({"server": 7}, "bad_field", "'server'"),
    ({"server": "{clients}" + "x" * 500}, "bad_field", "'server'"),
    ({"server": "x {clients}", "profile": "portals-3.0"}, "bad_server", "profile portals-3.0 knows no servers")])
def test_servers_that_are_none(client, order, code, why):
    before = client.get("/api/v1/runs").json
    answer = client.post("/api/v1/runs", {"implementation": client.implementation(), "profile": "impi-0.0", **order})
    assert (answer.status, answer.code) == (400, code) and why in answer.json["error"]["message"], answer.body
    assert client.get("/api/v1/runs").json == before


def test_terminal_without_a_report(bin_dir, service):
    """Nothing is fetched, and still the terminal tells which pairs interoperate."""
    done = certify(bin_dir, service, *ONE, "--server", own(bin_dir), template=client_of(bin_dir))
    rows = [line.split() for line in done.stdout.splitlines()]
    assert done.returncode == 0 and ["server:", "sut"] in rows and ["ring", "pass"] in rows, done.stdout + done.stderr


def test_bad_words_on_the_command_line(bin_dir, service):
    done = certify(bin_dir, service, *ONE, "--server", "server 2", template=client_of(bin_dir))
    assert done.returncode == 2 and "{clients} is missing" in done.stderr, done.stderr


def test_an_agent_without_it(bin_dir, service, client):
    """Announced and not brought: nobody is judged by meetings that cannot take place."""
    made = client.run(profile="impi-0.0", suite="interop", server=own(bin_dir))
    agent = service.agent(made["token"], bin_dir / "impirun", *client_of(bin_dir))
    over = client.wait_over(made["run"]["id"])
    agent.communicate(timeout=PATIENCE)
    assert over["verdict"] == "inconclusive" and "start sut-agent with --server" in over["problem"], over


def test_an_agent_that_brings_one_unasked(bin_dir, service, client):
    made = client.run(profile="impi-0.0", case="meet-ring-client-sss")
    agent = service.agent(made["token"], bin_dir / "impirun", *client_of(bin_dir), server=own(bin_dir))
    over = client.wait_over(made["run"]["id"])
    agent.communicate(timeout=PATIENCE)
    assert over["verdict"] == "conforms" and over["server"] == own(bin_dir)


@pytest.mark.long
def test_meetings_through_the_service(bin_dir, service, client, tmp_path):
    """assay certify: the terminal shows eight meetings of each program; run and report name the server."""
    folder = tmp_path / "report"
    done = certify(bin_dir, service, "--suite", "interop", "--server", own(bin_dir), "--report", str(folder),
                   template=client_of(bin_dir))
    assert done.returncode == 0, done.stdout + done.stderr
    assert ["ring"] + 8 * ["pass"] in [line.split() for line in done.stdout.splitlines()]
    report = json.loads((folder / "report.json").read_text())
    assert report["sut"] == {**report["sut"], "role": "client", "own_server": own(bin_dir)}
    met = {(cell["server"], cell["client_a"], cell["client_b"]) for cell in report["matrix"]}
    assert len(met) == 8 and len(report["matrix"]) == 8 * 13
    assert latest(client)["server"] == own(bin_dir) and latest(client)["certificate"] is None


@pytest.fixture(name="meetings_alone")
def fixture_meetings_alone(root, tmp_path, monkeypatch):
    """Cases of which a whole run takes seconds: the meetings of one program."""
    folder = tmp_path / "cases"
    (folder / "impi-0.0").mkdir(parents=True)
    shutil.copytree(root / "tester" / "cases" / "lib", folder / "lib")
    text = (root / "tester" / "cases" / "impi-0.0" / "5-interoperability" / "50-interoperability.lua").read_text()
    (folder / "impi-0.0" / "50-interoperability.lua").write_text(
        text.replace("for _, program in ipairs(PROGRAMS) do", "for _, program in ipairs { PROGRAMS[3] } do"))
    monkeypatch.setitem(os.environ, "ASSAY_CASES", str(folder))


def test_certificate_names_it(bin_dir, own_service, meetings_alone, tmp_path):
    service, folder = own_service(), tmp_path / "report"
    done = certify(bin_dir, service, "--server", own(bin_dir), "--report", str(folder), template=client_of(bin_dir))
    assert done.returncode == 0, done.stdout + done.stderr
    certificate = json.loads((folder / "certificate.json").read_text())
    assert certificate["payload"]["own_server"] == {"command": own(bin_dir), "meetings": 4, "passed": 4}
    said = subprocess.run([bin_dir / "assay", "verify", folder / "certificate.json"], capture_output=True, text=True,
                          timeout=PATIENCE, check=True).stdout
    assert f"own server: {own(bin_dir)} (4 of 4 meetings under it passed)" in said
    certificate["payload"]["own_server"]["meetings"] = 3
    (folder / "certificate.json").write_text(json.dumps(certificate))
    assert subprocess.run([bin_dir / "assay", "verify", folder / "certificate.json"], capture_output=True,
                          timeout=PATIENCE, check=False).returncode == 1


@sqlite_only
def test_database_without_servers(own_service):
    """A folder that was written when runs had no server: its runs stay, and new ones can be made."""
    service = own_service()
    made = service.client("old").run(profile="impi-0.0")
    service.end()
    go_back(service.data, 2)
    service.start()
    client = service.client("old")
    assert [(run["id"], run["server"]) for run in client.get("/api/v1/runs").json["runs"]] == [(made["run"]["id"], "")]
    assert client.run(profile="impi-0.0", server=SERVER)["run"]["server"] == SERVER
