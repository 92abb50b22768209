# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Two vendors' implementations meet in one job, each with a launch agent of its own; neither sees the other's
machine."""

import socket

import pytest

from service import PATIENCE, Client
from test_evidence import downloads
from test_own_server import client_of

MEET = "meet-ring-client-rsr,meet-ring-client-rrr"
GUEST = "Other MPI 2.1"


@pytest.fixture(name="guest")
def fixture_guest(bin_dir, tmp_path):
    """The other vendor's command: its programs lie in a folder, and print words, that only that vendor knows."""
    (tmp_path / "unseen").symlink_to(bin_dir)
    script = tmp_path / "unseen-launcher"
    script.write_text(f'#!/bin/sh\necho unseen output\nexec {tmp_path}/unseen/impirun "$@"\n')
    script.chmod(0o755)
    return (script, *client_of(tmp_path / "unseen"))


def kept_of(client, run):
    """Everything that is kept of the run, as one run of octets."""
    return b"\n".join([*downloads(client, run).values(), *(repr(event).encode() for event in client.events(run))])


def test_two_vendors_meet(bin_dir, own_service, guest):
    """The guest's agent may come first; both are told the end, and no word of the guest's machine is kept."""
    service = own_service()
    client = service.client()
    made = client.run(profile="impi-0.0", case=MEET, guest=GUEST)
    run, token = made["run"]["id"], made["guest"]["token"]
    assert made["run"]["guest"] == GUEST and token != made["token"]
    starts = [one["text"] for one in made["guest"]["commands"] if "ASSAY_TOKEN=" in one["text"]]
    assert len(starts) == 1 and f"ASSAY_TOKEN={token} " in starts[0] and "{client}" in starts[0]
    other = service.agent(token, *guest)
    assert "its own launch agent is not there yet" in other.stderr.readline()
    mine = service.agent(made["token"], bin_dir / "impirun", *client_of(bin_dir))
    over = client.wait_over(run)
    assert (mine.communicate(timeout=PATIENCE)[1], mine.returncode) == ("", 0)
    assert other.wait(timeout=PATIENCE) == 0
    assert over["verdict"] == "conforms" and over["certificate"] is None, over
    report = client.get(f"/api/v1/runs/{run}/report.json").json
    assert report["sut"]["guest"] == GUEST and len(report["matrix"]) == 2
    check_page(service, made["guest"])
    kept = kept_of(client, run)
    assert b"unseen" not in kept and b"hello of the guest" in kept
    transcript = client.get(f"/api/v1/runs/{run}/results/{MEET.split(',')[0]}/transcript").body.decode()
    assert transcript.count(f"host={socket.gethostname()}") == 2  # of our own two ranks


def check_page(service, guest):
    """The guest's own page has the names and the verdicts, and nothing of either machine."""
    page = Client(service).get(guest["report"].removeprefix(service.url))
    assert page.status == 200 and page.headers["content-type"].startswith("text/html"), page.body
    text = page.body.decode()
    assert f"{GUEST} meets Some Portals 1.0" in text and text.count('<td class="pass">pass</td>') >= 2
    assert all(word not in text for word in ("unseen", socket.gethostname(), "Build", "interp-mpi", "Interpreter"))


def test_who_is_at_fault_is_open(bin_dir, service, client):
    """A job of two that fails accuses nobody."""
    made = client.run(profile="impi-0.0", case="meet-ring-client-rrs", guest=GUEST)
    other = service.agent(made["guest"]["token"], "false", "{client}", "{server}", "{args}")
    mine = service.agent(made["token"], bin_dir / "impirun", *client_of(bin_dir))
    over = client.wait_over(made["run"]["id"])
    for agent in (mine, other):
        agent.communicate(timeout=PATIENCE)
    result = client.get(f"/api/v1/runs/{made['run']['id']}/results").json["results"][0]
    assert (over["verdict"], result["verdict"], result["axis"]) == ("inconclusive", "inconclusive", "guest"), result
    assert result["reason"].startswith("either side may be at fault")


def test_a_guest_without_clients(bin_dir, service, client):
    made = client.run(profile="impi-0.0", case="meet-ring-client-rsr", guest=GUEST)
    other = service.agent(made["guest"]["token"], bin_dir / "impirun", "-server", "{clients}", "{options}")
    mine = service.agent(made["token"], bin_dir / "impirun", *client_of(bin_dir))
    over = client.wait_over(made["run"]["id"])
    for agent in (mine, other):
        agent.communicate(timeout=PATIENCE)
    assert over["verdict"] == "inconclusive" and "the guest's command template has no {client}" in over["problem"]


def test_the_token_opens_nothing_else(service, client):
    """Who has it sees nothing of the run but the verdicts, and cannot be its own launch agent; a run that is over
    takes no guest."""
    made = client.run(profile="impi-0.0", guest=GUEST)
    run, token = made["run"]["id"], made["guest"]["token"]
    assert Client(service, token=token).get(f"/api/v1/runs/{run}").status == 401
    nobody = Client(service)
    assert nobody.get(f"/met/{token}").code == "no_report"
    assert nobody.get(f"/met/{made['token']}").code == "no_share"
    client.post(f"/api/v1/runs/{run}/cancel", None)
    client.wait_over(run)
    agent = service.agent(token, "true", "{client}")
    assert "The run is over" in agent.communicate(timeout=PATIENCE)[1] and agent.returncode == 3


@pytest.mark.parametrize("order, code", [({"profile": "portals-3.0", "guest": GUEST}, "bad_guest"),
                                         ({"profile": "impi-0.0", "guest": ""}, "bad_field"),
                                         ({"profile": "impi-0.0", "guest": "a\u202eb"}, "bad_field")])
def test_guests_that_are_none(client, order, code):
    answer = client.post("/api/v1/runs", {"implementation": client.implementation(), **order})
    assert (answer.status, answer.code) == (400, code), answer.body
