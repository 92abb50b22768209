# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What a run says about itself: chapters by title, what was not judged, and the report as a page without script."""

import base64
import hashlib
import html.parser
import json
import re
import shutil
import sqlite3
import subprocess

import pytest

from service import PATIENCE, go_back, sqlite_only
from test_own_server import client_of, own

ALONE = ("-np", "1", "--nal", "loop")


@pytest.fixture(scope="module")
def alone(bin_dir, service, client, tmp_path_factory):
    """The reference as one process on a network of its own: whole, and yet it can show little."""
    folder = tmp_path_factory.mktemp("alone") / "report"
    done = subprocess.run([bin_dir / "assay", "certify", "--url", service.url, "--token", client.token, "--profile",
                           "portals-3.0", "--implementation", "Alone", "--report", folder, "--",
                           bin_dir / "portalsrun", *ALONE, bin_dir / "interp-portals", "{args}"], capture_output=True,
                          text=True, timeout=4 * PATIENCE, stdin=subprocess.DEVNULL)
    run = re.search(r"^run (\w+) of", done.stdout).group(1)
    return done, folder, client.get(f"/api/v1/runs/{run}").json


def test_conforms_in_part(bin_dir, alone):
    """Nothing failed, but much was skipped: terminal, run and certificate all say so, requirement by requirement; what
    scripts read, the verdict of the report and the exit status, is what it was."""
    done, folder, run = alone
    report = json.loads((folder / "report.json").read_text())
    assert (done.returncode, report["verdict"], run["verdict"]) == (0, "conforms", "conforms"), done.stdout
    assert done.stdout.splitlines()[-1] == "conforms in part"
    coverage = report["coverage"]
    assert run["coverage"] == {name: coverage[name] for name in ("requirements", "judged")}
    assert 0 < coverage["judged"] < coverage["requirements"]
    assert run["outcome"] == report["outcome"] and run["outcome"]["name"] == "conforms-in-part"
    assert run["not_judged"] == coverage["not_judged"]
    certificate = folder / "certificate.json"
    payload = json.loads(certificate.read_text())["payload"]
    assert payload["verdict"] == "conforms-in-part" and payload["coverage"] == coverage
    assert payload["transport"]["on_wire"] is False and "TCP binding" in payload["transport"]["text"]
    said = subprocess.run([bin_dir / "assay", "verify", certificate], capture_output=True, text=True, check=True,
                          timeout=PATIENCE).stdout
    assert ": conforms in part (" in said and "not seen on the wire: " in said
    assert f"not judged: {coverage['requirements'] - coverage['judged']} of {coverage['requirements']}" in said
    assert all(f" {one}" in said for group in coverage["not_judged"] for one in group["requirements"])


def test_chapters_have_titles(alone, client):
    results = client.get(f"/api/v1/runs/{alone[2]['id']}/results").json["results"]
    titles = {one["chapter"]: one["chapter_title"] for one in results}
    assert titles["3.5"] == "Network Interfaces" and all(titles.values())
    requirements = client.get("/api/v1/profiles/portals-3.0/requirements").json
    assert requirements["sections"]["3.6"] == "Match Entries and Match Lists"
    assert {row["section"] for row in requirements["requirements"]} <= set(requirements["sections"])


class Page(html.parser.HTMLParser):
    """Elements, texts and addresses of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.links, self.texts = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data):
        self.texts.append(data)


def test_page_of_the_report(alone, client):
    """No script, nothing from elsewhere, a style that the policy allows by its hash, links that lead to evidence."""
    base = f"/api/v1/runs/{alone[2]['id']}"
    answer = client.get(f"{base}/report.html")
    text = answer.body.decode()
    page = Page(text)
    assert answer.status == 200 and "script" not in page.tags and "img" not in page.tags
    style = re.search(r"<style>(.*)</style>", text, re.DOTALL).group(1)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in answer.headers["content-security-policy"]
    said = "".join(page.texts)
    for word in ("conforms in part", "Network Interfaces", "What was not judged", "Not seen on the wire"):
        assert word in said
    assert len(page.links) > 100
    for link in page.links[:4]:
        assert client.get(f"{base}/{link}").status == 200, link


def test_page_in_the_folder(alone):
    """The same beside report.json; its links lead to the files there."""
    page = Page((alone[1] / "report.html").read_text())
    assert len(page.links) > 100 and all(link.startswith("./cases/") for link in page.links)
    assert all((alone[1] / link).is_file() for link in page.links)


@sqlite_only
def test_runs_of_an_earlier_version(alone, own_service, service, tmp_path):
    """A folder that was written before runs knew how much they hold and have judged: both are found out."""
    later = own_service()
    later.end()
    with service.database() as source, sqlite3.connect(later.data / "assay.db") as database:
        source.backup(database)
    database.close()
    shutil.copytree(service.data / "evidence", later.data / "evidence", dirs_exist_ok=True)
    go_back(later.data, 3)
    later.start()
    run = later.client().get(f"/api/v1/runs/{alone[2]['id']}").json
    assert all(run[name] == alone[2][name] for name in ("coverage", "outcome", "not_judged"))
    kept = len(service.client().get(f"/api/v1/runs/{run['id']}/preflight").body)  # which those have not kept
    assert 0 <= run["stored"] + kept - alone[2]["stored"] < 200  # the last event is not in the sum that is told with it


def test_page_of_nobody(client, nobody, alone):
    assert nobody.get(f"/api/v1/runs/{alone[2]['id']}/report.html").status == 401
    assert client.get("/api/v1/runs/aaaaaaaaaaaaaaaa/report.html").status == 404


def test_names_are_no_markup(bin_dir, client, service):
    """What a vendor calls an implementation is shown as it is, and does nothing."""
    name = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;"
    made = client.post("/api/v1/runs", {"implementation": client.implementation(name), "profile": "portals-3.0",
                                        "case": "smoke-put"}).json
    agent = service.agent(made["token"])
    run = client.wait_over(made["run"]["id"])["id"]
    agent.communicate(timeout=PATIENCE)
    page = Page(client.get(f"/api/v1/runs/{run}/report.html").body.decode())
    assert not {"script", "img"} & set(page.tags) and any(name in text for text in page.texts)


def test_meetings_come_with_the_events(bin_dir, service, client):
    """The matrix grows while the run goes on: each result of a meeting says whose server and clients it was, live and
    afterwards."""
    made = client.run(profile="impi-0.0", case="meet-ring-client-sss", server=own(bin_dir))
    agent = service.agent(made["token"], bin_dir / "impirun", *client_of(bin_dir), server=own(bin_dir))
    cells = [data["cell"] for _, kind, data in client.events(made["run"]["id"]) if kind == "result"]
    agent.communicate(timeout=PATIENCE)
    assert cells == [{"server": "sut", "client_a": "sut", "client_b": "sut", "program": "ring"}]
    results = client.get(f"/api/v1/runs/{made['run']['id']}/results").json["results"]
    assert [one["cell"] for one in results] == cells
    page = Page(client.get(f"/api/v1/runs/{made['run']['id']}/report.html").body.decode())
    assert "Interoperability" in "".join(page.texts)
