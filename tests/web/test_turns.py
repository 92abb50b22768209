# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Whose turn it is where more launch agents are here than runs may be executed: fair between accounts."""

import contextlib

import pytest

from service import PATIENCE
from test_limits import cancel, other_account
from test_resume import running_agent, wait_note


@pytest.fixture(name="agents")
def fixture_agents():
    with contextlib.ExitStack() as stack:
        yield stack


def begin(agents, client, **order):
    """A run whose agent is here: its id and its agent."""
    made = client.run(**order)
    return made["run"]["id"], agents.enter_context(running_agent(client.service, made["token"]))


def queued(agents, client):
    """A short run that waits for its turn, and whose page says so."""
    run, agent = begin(agents, client, case="smoke-put")
    wait_note(client, run, "queued")
    assert client.get(f"/api/v1/runs/{run}").json["state"] == "waiting"
    return run, agent


def end(client, run, agent):
    """When the run began; its agent has seen it through."""
    state = client.wait_over(run)
    assert (state["state"], state["verdict"], agent.wait(PATIENCE)) == ("finished", "conforms", 0), state
    return state["started"]


def test_many_runs_of_one_account_let_the_one_of_another_pass(own_service, agents):
    service = own_service("--limit", "runs=1")
    ada, eve = service.client(), other_account(service)
    holds, _ = begin(agents, ada)
    wait_note(ada, holds, "agent-connected")
    first, second, third = (queued(agents, ada) for _ in range(3))
    other = queued(agents, eve)
    assert ada.get("/healthz").json["queue"] == {"under_way": 1, "most": 1, "unwritten": 0, "queued": 4}
    cancel(ada, second[0])
    cancel(ada, holds)
    begun = [end(client, *run) for client, run in ((ada, first), (ada, third), (eve, other))]
    assert begun[0] < begun[1] and begun[2] < begun[1], begun
    assert second[1].wait(PATIENCE) == 3


def test_runs_that_wait_for_agents_take_no_place(own_service, agents):
    """Somebody who makes runs and starts no agents keeps nobody from anything; a turn comes to whoever waits, also over
    a restart of the service."""
    service = own_service("--limit", "runs=1", "--limit", "account-runs=1")
    ada, eve = service.client(), other_account(service)
    idle = [ada.run()["run"]["id"] for _ in range(5)]
    holds, _ = begin(agents, ada)
    wait_note(ada, holds, "agent-connected")
    own, other = queued(agents, ada), queued(agents, eve)
    service.listen = f"127.0.0.1:{service.port}"  # where the agents find it again
    assert service.stop() == 0
    service.start()
    cancel(ada, holds)
    end(eve, *other)
    end(ada, *own)
    for run in idle:
        cancel(ada, run)
