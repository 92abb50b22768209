# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Whole jobs as a vendor runs them: agent, launcher, interpreters, the reference between them."""

import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "interpreter"))

from manager import PATIENCE, TOKEN, Manager  # noqa: E402

JOB_TOKEN = "scenario-job-token_1"


@pytest.fixture
def manager():
    with Manager() as one:
        yield one


@pytest.fixture
def agent(manager, bin_dir):
    """The launch agent with portalsrun as a vendor's launcher: (process, peer)."""
    process = subprocess.Popen([bin_dir / "sut-agent", "--url", f"http://{manager.address}", "--quiet", "--",
                                bin_dir / "portalsrun", "-np", "{np}", bin_dir / "interp-portals"],
                               env={**os.environ, "ASSAY_TOKEN": TOKEN})
    yield process, manager.accept()
    process.terminate()
    process.wait(timeout=PATIENCE)


def launch(manager, agent, ranks):
    """Start a job and initialise it; the interpreters in the order of their ranks, each with `id`."""
    agent.do("start", job=1, np=ranks, token=JOB_TOKEN)
    peers = [manager.accept() for _ in range(ranks)]
    starting = [peer.start("PtlInit") for peer in peers]
    assert [peer.reply(number)["rc"] for peer, number in zip(peers, starting)] == ["PTL_OK"] * ranks
    for peer in peers:
        reply = peer.do("PtlGetId", id="out", gsize="out")
        assert reply["gsize"] == str(ranks)
        peer.id = reply["id"]
        assert peer.do("PtlNIInit", interface="default", ptl_size=4, acl_size=4, handle="ni")["rc"] == "PTL_OK"
        assert peer.do("PtlEQAlloc", interface="ni", count=64, handle="eq")["rc"] == "PTL_OK"
    return sorted(peers, key=lambda peer: int(peer.id.split("/")[4]))


def offer(peer, octets):
    """A region `into` that takes puts at portal 1."""
    peer.do("alloc", name="into", octets=octets, guard="after")
    peer.do("md", name="desc", start="into", length=octets, threshold="inf", options="PTL_MD_OP_PUT|PTL_MD_OP_GET",
            user_ptr=0, eventq="eq")
    assert peer.do("PtlMEAttach", interface="ni", index=1, matchid="gid/any/any", match_bits=0, ignorebits=-1,
                   unlink="PTL_RETAIN",
                   handle="me")["rc"] == "PTL_OK"
    assert peer.do("PtlMDAttach", match="me", mem_desc="desc", unlink="PTL_RETAIN", handle="md")["rc"] == "PTL_OK"


def send(peer, target, octets, seed):
    """Put a patterned region to the target and wait until it was acknowledged."""
    peer.do("alloc", name="from", octets=octets)
    peer.do("fill", name="from", offset=0, octets=octets, pattern=f"mix/{seed}")
    peer.do("md", name="out", start="from", length=octets, threshold="inf", options=0, user_ptr=0, eventq="eq")
    assert peer.do("PtlMDBind", interface="ni", mem_desc="out", handle="out-md")["rc"] == "PTL_OK"
    assert peer.do("PtlPut", mem_desc="out-md", ack_req="PTL_ACK_REQ", target=target, portal=1, cookie=0, match_bits=7,
                   offset=0)["rc"] == "PTL_OK"
    reply = peer.do("collect", eventq="eq", count=2, ms=30000)
    assert {reply["e0.type"], reply["e1.type"]} == {"PTL_EVENT_SENT", "PTL_EVENT_ACK"}


def ended(agent):
    """By what the job's command ended; how much memory it had is told as well."""
    _, pairs = agent.notice("ended")
    assert int(pairs.pop("memory")) > 0
    return {key: value for key, value in pairs.items() if key != "job"}


def test_a_job_from_start_to_end(manager, agent):
    """A put arrives, the target computing all the while; everybody leaves in order; the launcher is content."""
    program, chief = agent
    first, second, third = launch(manager, chief, 3)
    offer(second, 100000)
    computing = second.start("compute", ms=300)
    send(first, second.id, 100000, seed=11)
    second.reply(computing)
    assert second.do("wait", eventq="eq", ms=30000)["event.initiator"] == first.id
    assert second.do("compare", name="into", offset=0, octets=100000, pattern="mix/11") == {"equal": "true"}
    meeting = [peer.start("PtlNIBarrier", interface="ni") for peer in (first, second, third)]
    for peer, number in zip((first, second, third), meeting):
        assert peer.reply(number) == {"rc": "PTL_OK"}
    for peer in (first, second, third):
        assert peer.do("PtlFini") == {"rc": "void"}
        assert peer.do("quit") == {}
    assert ended(chief) == {"status": "0"}
    assert chief.do("quit", verdict="conforms") == {}
    assert program.wait(timeout=PATIENCE) == 0


def test_a_rank_that_dies_ends_the_job(manager, agent):
    """One rank is killed from outside; the job ends with a status, and a new job of the same number works."""
    _, chief = agent
    first, second = launch(manager, chief, 2)
    os.kill(int(second.hello["pid"]), 9)
    assert second.closed() == b""
    assert ended(chief) != {"status": "0"}
    first.closed()
    launch(manager, chief, 2)
    assert chief.do("stop", job=1) == {}


def test_a_hang_is_cut(manager, agent):
    """A wait for an event that never comes ends with a notice at its deadline; the launcher then ends the job."""
    _, chief = agent
    first, _ = launch(manager, chief, 2)
    number = first.start("PtlEQWait", deadline=1000, eventq="eq", event="out")
    assert first.notice() == ("hang", {"function": "PtlEQWait", "id": str(number), "ms": "1000"})
    assert ended(chief) == {"status": "71"}


def test_environment_reaches_the_library(manager, agent):
    """ASSAY_NAL goes through agent and launcher to the library, which refuses a network that does not exist."""
    _, chief = agent
    chief.do("start", job=1, np=1, token=JOB_TOKEN, env__ASSAY_NAL="pigeon")
    peer = manager.accept()
    peer.do("PtlInit")
    assert peer.do("PtlNIInit", interface="default", ptl_size=4, acl_size=4, handle="ni")["rc"] == "PTL_INIT_INV"
    _, output = chief.notice("output")
    assert output["stream"] == "stderr" and "pigeon" in output["text"]
