# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Several services on one PostgreSQL database and one folder: each may end at any moment, and runs go on at another."""

import contextlib
import re
import shutil
import socket
import subprocess
import time

import pytest

import postgresql
from service import PATIENCE, Client, Service
from test_again import CASES, Launcher, again, check
from test_again import told as attempt_told
from test_operation import free_port
from test_resume import SUITE, Relay, check_whole, running_agent, told, wait_note


@pytest.fixture(name="two")
def fixture_two(bin_dir, tmp_path):
    """Two services, and a client of each, with one token."""
    first = Service(bin_dir, tmp_path / "data", "--instance", "a", "--proxy", "127.0.0.1", on=postgresql.server())
    second = Service(bin_dir, tmp_path / "data", "--instance", "b", "--proxy", "127.0.0.1", beside=first)
    client = first.client()
    yield [client, Client(second, token=client.token)]
    first.end()
    second.end()


def executing(client, run):
    """The name of the service that executes the run."""
    with client.service.database() as database:
        name = database.execute("SELECT service FROM runs WHERE id = ?", (run,)).fetchone()[0]
    database.close()
    return name


def test_any_of_them_answers(two):
    """A run that one has made and the other executes is seen, paused, resumed and cancelled at both alike."""
    made = two[0].run()  # every case: it lasts longer than the other one takes to look for what is asked of it
    run = made["run"]["id"]
    with Relay(two[1].service) as relay, running_agent(two[1].service, made["token"], url=relay.url) as agent:
        _, last = told(two[0], run, 2)
        assert executing(two[0], run) == "b"
        assert two[0].delete(f"/api/v1/runs/{run}").code == "run_under_way"
        assert two[0].post(f"/api/v1/runs/{run}/pause", None).status == 202
        wait_note(two[0], run, "paused", last)
        assert "paused" in next(line for line in agent.stderr if "(503)" in line)
        assert two[0].post(f"/api/v1/runs/{run}/resume", None).status == 202
        told(two[0], run, 1, last)
        assert two[0].post(f"/api/v1/runs/{run}/cancel", None).status == 202
        assert {client.wait_over(run)["state"] for client in two} == {"cancelled"}
    assert two[0].delete(f"/api/v1/runs/{run}").status == 204
    assert two[1].get(f"/api/v1/runs/{run}").status == 404


def test_what_one_commits_another_tells_at_once(two):
    """A view at the one shows what the other has committed at once. Services look at the database every other second:
    of notes that each wait for the one before to be seen, looking would find one in two seconds. A connection that
    is lost is made again."""
    made = two[0].run()
    run = made["run"]["id"]
    with running_agent(two[0].service, made["token"]):
        last = wait_note(two[0], run, "agent-connected")
        begun = time.monotonic()
        with two[1].service.database() as database:
            ended = 0
            while ended < 2 and time.monotonic() - begun < PATIENCE:  # both have begun to listen
                ended += database.execute("SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query = "
                                          "'LISTEN assay' AND datname = current_database()").fetchone()[0]
        database.close()
        assert ended >= 2
        begun = time.monotonic()
        for order, kind in (("pause", "paused"), ("resume", "resumed")) * 10:
            assert two[0].post(f"/api/v1/runs/{run}/{order}", None).status == 202
            last = wait_note(two[1], run, kind, last)
    assert time.monotonic() - begun < 20


def test_any_of_them_asks_for_a_case_again(two, bin_dir, tmp_path):
    """What is asked for at the one is done by the other, which executes the run, and so is the end of it."""
    made = two[0].run(case=CASES, linger=5)
    run = made["run"]["id"]
    with contextlib.closing(Launcher(tmp_path, bin_dir)) as launcher, \
            running_agent(two[1].service, made["token"], template=launcher.template) as agent:
        launcher.jobs("", "crash", "")
        wait_note(two[0], run, "lingering")
        assert executing(two[0], run) == "b"
        events = two[0].events(run)
        assert again(two[0], run).json == {"asked": True}
        launcher.jobs("")
        assert attempt_told(events, "smoke-put", 2)["verdict"] == "pass"
        assert two[0].post(f"/api/v1/runs/{run}/finish", None).json == {"finishing": True}
        assert {client.wait_over(run)["verdict"] for client in two} == {"does-not-conform"}
        assert agent.wait(PATIENCE) == 1
    check(two[0], run, ["fail", "pass"], 1)


def test_further_agents_find_the_one_that_executes(two):
    """At another service they are told to try again; a proxy leads them to the right one in the end."""
    made = two[0].run()
    run = made["run"]["id"]
    with running_agent(two[0].service, made["token"]):
        last = wait_note(two[0], run, "agent-connected")
        with Relay(two[1].service) as relay, running_agent(two[1].service, made["token"], url=relay.url) as further:
            assert "(503)" in further.stderr.readline()
            relay.service = two[0].service
            wait_note(two[0], run, "agent-joined", last)
            assert two[0].post(f"/api/v1/runs/{run}/cancel", None).status == 202
            assert further.wait(PATIENCE) == 1


def test_what_is_revoked_is_revoked_at_once(two):
    """None of them remembers what another may have changed."""
    token = two[0].post("/api/v1/tokens", {"name": "short"}).json
    other = Client(two[1].service, token=token["token"])
    assert other.get("/api/v1/runs").status == 200
    assert two[0].delete(f"/api/v1/tokens/{token['id']}").status == 204
    assert other.get("/api/v1/runs").status == 401


@pytest.fixture(name="proxy")
def fixture_proxy(root, tmp_path, two):
    """The address of nginx before both, by the example."""
    if not shutil.which("nginx"):
        pytest.skip("nginx is not installed")
    port, ports = free_port(), [client.service.port for client in two]
    example = (root / "web" / "deploy" / "nginx-several.conf").read_text()
    for given, here in ((r"listen 443 ssl", f"listen 127.0.0.1:{port}"), (r"ssl_certificate\w*\s.*;", ""),
                        (r"192\.0\.2\.11:8080", f"127.0.0.1:{ports[0]}"),
                        (r"192\.0\.2\.12:8080", f"127.0.0.1:{ports[1]}")):
        assert re.search(f"^[^#]*{given}", example, re.M), given
        example = re.sub(given, here, example)
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}}\n"
        f"http {{ access_log off; client_body_temp_path {tmp_path}/body; proxy_temp_path {tmp_path}/proxy;\n"
        f"fastcgi_temp_path {tmp_path}/f; uwsgi_temp_path {tmp_path}/u; scgi_temp_path {tmp_path}/s;\n{example}}}\n")
    process = subprocess.Popen(["nginx", "-e", tmp_path / "error.log", "-c", tmp_path / "nginx.conf"],
                               stderr=subprocess.DEVNULL)
    while socket.socket().connect_ex(("127.0.0.1", port)) != 0:
        assert process.poll() is None, (tmp_path / "error.log").read_text()
    yield f"http://127.0.0.1:{port}"
    process.terminate()
    process.wait(PATIENCE)


# Eight jobs may begin; the next ones wait until the gate is opened.
GATE = """
place=$1
shift
echo >>"$place/jobs"
for _ in $(seq 1000); do
    if [ "$(wc -l <"$place/jobs")" -le 8 ] || [ -e "$place/open" ]; then break; fi
    sleep 0.05
done
exec "$@"
"""


def test_one_is_killed(two, proxy, bin_dir, tmp_path):
    """The service that executes a run is killed: the run goes on at the other one, with the same agent, and nothing of
    it is missing."""
    made = two[0].run(suite=SUITE)
    run = made["run"]["id"]
    (tmp_path / "gate").write_text(GATE)
    template = ("/bin/sh", tmp_path / "gate", tmp_path, bin_dir / "portalsrun", "-np", "{np}",
                bin_dir / "interp-portals", "{args}")
    with running_agent(two[0].service, made["token"], url=proxy, template=template) as agent:
        before, last = told(two[0], run, 2)
        at = "ab".index(executing(two[0], run))
        left = two[1 - at]
        two[at].service.kill()
        (tmp_path / "open").touch()
        wait_note(left, run, "agent-lost", last)
        assert left.wait_over(run)["state"] == "finished"
        assert agent.wait(PATIENCE) == 0
    check_whole(left, run, before)
    two[at].service.start()
    assert two[at].get(f"/api/v1/runs/{run}").json["verdict"] == "conforms"


def test_each_has_its_name(two, bin_dir):
    """Neither the same name nor a service alone gets at a folder that is in use."""
    service = two[0].service
    for options in (("--instance", "a"), (), ("--instance", "a b"), ("--instance", "c", "--limit", "agent-seconds=0")):
        done = subprocess.run([bin_dir / "assayd", "--listen", "127.0.0.1:0", *service.place, *options],
                              capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done.stderr
    done = subprocess.run([bin_dir / "assayd", "--listen", "127.0.0.1:0", "--data", service.data, "--instance", "c"],
                          capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2 and "--database is missing" in done.stderr


def test_their_runs_are_counted_together(bin_dir, tmp_path):
    """As many as may be are executed, wherever: who comes to another service waits for the one that is under way."""
    first = Service(bin_dir, tmp_path / "data", "--instance", "a", "--limit", "runs=1", on=postgresql.server())
    second = Service(bin_dir, tmp_path / "data", "--instance", "b", "--limit", "runs=1", beside=first)
    client = first.client()
    other = Client(second, token=client.token)
    holds, waits = client.run(), client.run(case="smoke-put")
    with running_agent(first, holds["token"]):
        wait_note(client, holds["run"]["id"], "agent-connected")
        with running_agent(second, waits["token"]) as agent:
            wait_note(other, waits["run"]["id"], "queued")
            assert client.post(f"/api/v1/runs/{holds['run']['id']}/cancel", None).status == 202
            state = other.wait_over(waits["run"]["id"])
            assert (state["verdict"], agent.wait(PATIENCE)) == ("conforms", 0), state
    first.end()
    second.end()
