# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A run is paused and goes on by clicking, in one tab that stays open."""

import pytest

from pages import PATIENCE, Browser
from service import Client


@pytest.fixture(name="browser", scope="module")
def fixture_browser(chrome, service, screenshots):
    """Ada, who has signed in."""
    one = Browser(chrome, service, screenshots)
    one.open(service.read_link())
    one.heading("Sign in")
    one.click("Sign in", "button")
    one.fill("name", "Ada Lovelace")
    one.click("Sign in", "button")
    one.heading("Does it conform?")
    one.complaints()  # the session's 409 asks for the name
    return one


# Notes in window.seen what is said of ranks and of how far the run is, also where that stands for a moment only.
WATCH = """
window.seen = [];
new MutationObserver(() => document.querySelectorAll("[aria-label=Ranks] li, .tally").forEach((one) => {
  if (!window.seen.includes(one.textContent)) window.seen.push(one.textContent);
})).observe(document.querySelector("main"), { subtree: true, childList: true, characterData: true });
"""


def test_pause_and_resume(browser, service):
    """The button says what it will do, the page what the run waits for; nothing is left of the pause at the end.
    Meanwhile the page tells of each rank, and how long the rest may take."""
    client = Client(service, token=service.token())
    made = client.run(suite="movement")
    run = made["run"]["id"]
    browser.open(f"/runs/{run}")
    browser.heading("Some Portals")
    browser.click("Pause the run", "button")
    browser.wait.until(lambda _: "is paused" in browser.one(".present").text, "the pause on the page")
    browser.wait.until(lambda _: "The service waits until" in browser.one(".paused").text, "the end of a pause")
    browser.shot("run-paused")
    assert not browser.complaints()
    browser.open(f"/runs/{run}")
    browser.one(".paused")
    browser.click("Resume the run", "button")
    browser.wait.until(lambda _: "agent is back" in browser.one(".present").text, "the end of the pause on the page")
    browser.chrome.execute_script(WATCH)
    agent = service.agent(made["token"])
    try:
        browser.run_wait.until(lambda _: browser.all(".verdict .word"), "the report")
        seen = browser.chrome.execute_script("return window.seen")
        assert {"rank 0: awaited", "rank 0: connected", "rank 1: connected"} <= set(seen), seen
        assert any(one.endswith(" left") for one in seen) and not seen[-1].endswith(" left"), seen
        assert agent.wait(PATIENCE) == 0
    finally:
        agent.kill()
        agent.wait(PATIENCE)
        agent.stderr.close()
    assert client.get(f"/api/v1/runs/{run}").json["verdict"] == "conforms"
    assert not browser.complaints()


@pytest.mark.long
def test_pause_before_the_agent(browser, service):
    """A run that waits for its agent is paused and cancelled all the same."""
    client = Client(service, token=service.token())
    run = client.run(suite="movement")["run"]["id"]
    assert client.post(f"/api/v1/runs/{run}/pause", None).status == 202
    browser.open(f"/runs/{run}")
    browser.click("Cancel the run", "button")
    browser.run_wait.until(lambda _: browser.all(".verdict .word"), "the report")
    assert "could not be stored" not in browser.one("main").text
    browser.shot("run-cancelled")
