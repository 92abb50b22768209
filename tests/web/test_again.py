# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A case is judged again in the run that is under way, by the agent that is connected: all outcomes are kept, and the
worst counts."""

import hashlib
import io
import os
import pathlib
import zipfile

import pytest

from service import PATIENCE
from test_account import sign_in
from test_resume import Relay, running_agent, wait_note
from test_waivers import ORDER as WAIVER

CASES = "smoke-put,smoke-get"


class Launcher:
    """A system under test of which every job waits until it is told in what way it is broken: "" is not at all."""

    def __init__(self, folder, bin_dir):
        pipe = folder / "orders"
        os.mkfifo(pipe)
        self.pipe = os.open(pipe, os.O_RDWR)
        interpreter = pathlib.Path(os.environ["ASSAY_OUT"]) / "tester" / "interp-broken"
        self.template = ("sh", "-c", f'read BROKEN < {pipe}; export BROKEN; exec "$@"', "sh",
                         bin_dir / "portalsrun", "-np", "{np}", interpreter, "{args}")

    def jobs(self, *orders):
        os.write(self.pipe, "".join(f"{order}\n" for order in orders).encode())

    def close(self):
        os.close(self.pipe)


@pytest.fixture(name="launcher")
def fixture_launcher(tmp_path, bin_dir):
    launcher = Launcher(tmp_path, bin_dir)
    yield launcher
    launcher.close()


def told(events, case, attempt=0):
    """The event by which the case, or this further attempt at it, is told."""
    return next(data for _, kind, data in events
                if kind == "result" and (data["case"], data.get("attempt", 0)) == (case, attempt))


def again(client, run, case="smoke-put"):
    return client.post(f"/api/v1/runs/{run}/results/{case}/again", None)


def words(result):
    return [(one["attempt"], one["verdict"]) for one in result["attempts"]]


def check(client, run, verdicts, counts):
    """All outcomes of smoke-put are shown, each with evidence of its own, and the worst is the case's, here and in the
    report and its archive."""
    base = f"/api/v1/runs/{run}"
    result = client.get(f"{base}/results/smoke-put").json
    assert words(result) == list(enumerate(verdicts, 1))
    assert (result["attempt"], result["verdict"]) == (counts, verdicts[counts - 1])
    listed = {one["id"]: one for one in client.get(f"{base}/results").json["results"]}
    assert [(listed[case]["attempt"], listed[case]["attempt_count"]) for case in ("smoke-put", "smoke-get")] == [
        (counts, len(verdicts)), (1, 0)]
    reported = client.get(f"{base}/report.json").json["cases"]
    assert [one["id"] for one in reported] == [one for one in listed]
    assert (reported[0]["attempt"], reported[0]["verdict"]) == (counts, verdicts[counts - 1])
    assert words(reported[0]) == words(result)
    archive = zipfile.ZipFile(io.BytesIO(client.get(f"{base}/report.zip").body))
    for shown, told_of in zip(result["attempts"], reported[0]["attempts"], strict=True):
        transcript = client.get(f"{base}/results/{shown['evidence_id']}/transcript").body
        assert shown["verdict"].encode() in transcript
        assert hashlib.sha256(transcript).hexdigest() == next(
            one["sha256"] for one in told_of["evidence"] if one["kind"] == "transcript")
        for one in told_of["evidence"]:
            assert hashlib.sha256(archive.read(f"{archive.namelist()[0].split('/')[0]}/{one['path']}")).hexdigest() == \
                one["sha256"]
    assert client.get(f"{base}/results/smoke-put/transcript").body == client.get(
        f"{base}/results/{result['attempts'][counts - 1]['evidence_id']}/transcript").body
    page = client.get(f"{base}/report.html").body.decode()
    assert f"judged {len(verdicts)} times: {', '.join(verdicts)}" in page


def test_failed_once_passes_and_still_fails(own_service, launcher):
    client = own_service().client()
    made = client.run(case=CASES)
    run = made["run"]["id"]
    with running_agent(client.service, made["token"], template=launcher.template) as agent:
        events = client.events(run)
        assert again(client, run).code == "no_result"
        launcher.jobs("", "crash")
        assert told(events, "smoke-put")["verdict"] == "fail"
        assert again(client, run, "smoke-get").code == "no_result"
        assert again(client, run).json == again(client, run).json == {"asked": True}
        launcher.jobs("", "")
        once_more = told(events, "smoke-put", 2)
        assert (once_more["verdict"], once_more["counts"]) == ("pass", False)
        state = client.wait_over(run)
        assert agent.wait(PATIENCE) == 1
    assert (state["verdict"], state["summary"]["fail"], state["summary"]["pass"]) == ("does-not-conform", 1, 1)
    assert [kind for _, kind, _ in client.events(run)].count("result") == 3
    check(client, run, ["fail", "pass"], 1)
    assert again(client, run).code == "run_over"


def test_passed_once_and_fails(own_service, launcher):
    """What passed before does not stand against a failure; a failure that is waived stays so."""
    service = own_service()
    client, _ = sign_in(service, service.read_link(), name="Ada")
    waiver = client.post("/api/v1/waivers", {**WAIVER, "implementation": client.implementation(), "cases": "smoke-put"})
    assert client.post(f"/api/v1/waivers/{waiver.json['id']}/grant", None).status == 204
    made = client.run(case=CASES, linger=1)
    run = made["run"]["id"]
    with running_agent(client.service, made["token"], template=launcher.template) as agent:
        events = client.events(run)
        launcher.jobs("", "", "crash")
        assert told(events, "smoke-put")["verdict"] == "pass"
        for attempt, order, wanted in ((2, "", ("pass", False)), (3, "crash", ("fail", True))):
            assert again(client, run).status == 202
            launcher.jobs(order)
            once_more = told(events, "smoke-put", attempt)
            assert (once_more["verdict"], once_more["counts"]) == wanted
        client.post(f"/api/v1/runs/{run}/finish", None)
        client.wait_over(run)
        agent.wait(PATIENCE)
    check(client, run, ["pass", "pass", "fail"], 3)
    waivers = client.get(f"/api/v1/runs/{run}/report.json").json["waivers"]
    assert [(one["state"], one["waived"], one["not_needed"]) for one in waivers] == [("used", ["smoke-put"], [])]


def test_survives_pause_and_killed_service(own_service, launcher):
    """What was asked for is done when the run goes on, and what has come of it is not forgotten."""
    service = own_service()
    client = service.client()
    made = client.run(case=f"{CASES},smoke-wire-put")
    run = made["run"]["id"]
    with Relay(service) as relay, running_agent(service, made["token"], url=relay.url,
                                                template=launcher.template) as agent:
        launcher.jobs("", "crash")
        assert told(client.events(run), "smoke-put")["verdict"] == "fail"
        assert client.post(f"/api/v1/runs/{run}/pause", None).status == 202
        last = wait_note(client, run, "paused")
        assert again(client, run).status == 202
        assert client.post(f"/api/v1/runs/{run}/resume", None).status == 202
        launcher.jobs("", "", "")
        assert told(client.events(run, last), "smoke-put", 2)["verdict"] == "pass"
        service.kill()
        service.start()
        launcher.jobs("", "")
        assert client.wait_over(run)["verdict"] == "does-not-conform"
        assert agent.wait(PATIENCE) == 1
    check(client, run, ["fail", "pass"], 1)


def test_agent_lingers_where_something_failed(own_service, launcher):
    """After the last case, until nobody asks for a while or somebody says that it is enough; not without an end."""
    client = own_service().client()
    made = client.run(case="smoke-put", linger=1)
    run = made["run"]["id"]
    with running_agent(client.service, made["token"], template=launcher.template) as agent:
        events = client.events(run)
        launcher.jobs("", "crash")
        next(data for _, _, data in events if data.get("kind") == "lingering")
        for attempt in range(2, 21):
            assert again(client, run).status == 202
            launcher.jobs("")
            assert told(events, "smoke-put", attempt)["verdict"] == "pass"
        assert again(client, run).code == "attempts_full"
        assert client.get(f"/api/v1/runs/{run}").json["state"] == "running"
        assert client.post(f"/api/v1/runs/{run}/finish", None).json == {"finishing": True}
        assert client.wait_over(run)["verdict"] == "does-not-conform"
        assert agent.wait(PATIENCE) == 1
    assert client.post(f"/api/v1/runs/{run}/finish", None).code == "run_over"
    made = client.run(case="smoke-put", linger=30)
    with running_agent(client.service, made["token"], template=launcher.template) as agent:
        launcher.jobs("", "")
        assert client.wait_over(made["run"]["id"])["verdict"] == "conforms"
        assert agent.wait(PATIENCE) == 0
    for minutes in (-1, 31, "5"):
        order = {"implementation": client.implementation(), "profile": "portals-3.0", "linger": minutes}
        assert client.post("/api/v1/runs", order).status == 400


def test_several_jobs_at_once(own_service, launcher):
    """The run's own agent does it, whatever other agents the run has."""
    client = own_service().client()
    made = client.run(case="smoke-put", linger=1)
    run = made["run"]["id"]
    with running_agent(client.service, made["token"], template=launcher.template, jobs="2") as agent:
        events = client.events(run)
        launcher.jobs("", "", "crash")  # two jobs are tried before the first case
        assert told(events, "smoke-put")["verdict"] == "fail"
        assert again(client, run).status == 202
        launcher.jobs("")
        assert told(events, "smoke-put", 2)["verdict"] == "pass"
        assert client.post(f"/api/v1/runs/{run}/finish", None).status == 202
        assert client.wait_over(run)["verdict"] == "does-not-conform"
        assert agent.wait(PATIENCE) == 1
