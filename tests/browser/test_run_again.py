# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A case that failed is run again by a click, while the launch agent of its run is connected."""

from pages import PATIENCE, RUN_SECONDS, Browser
from test_again import Launcher


def test_again(chrome, service, screenshots, bin_dir, tmp_path):
    browser, launcher = Browser(chrome, service, screenshots), Launcher(tmp_path, bin_dir)
    client = service.client("again")
    browser.open(client.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    browser.click("Sign in", "button")
    browser.one("h1")
    browser.complaints()
    made = client.run(case="smoke-put,smoke-get", linger=5)
    run = made["run"]["id"]
    browser.open(f"/runs/{run}")
    agent = service.agent(made["token"], *launcher.template, options=("--jobs", "1"))
    launcher.jobs("", "crash", "")
    browser.run_wait.until(lambda _: "agent stays for 5 minutes" in browser.one(".present").text, "the agent stays")
    browser.open(f"/runs/{run}/cases/smoke-put")
    browser.click("Run this case again now", "button")
    launcher.jobs("")
    attempts = browser.run_wait.until(lambda _: browser.all("[aria-label=Attempts] tbody tr"), "the attempts")
    assert [one.text.split()[:3] for one in attempts] == [["1", "✗", "fail"], ["2", "✓", "pass"]]
    assert "does not" not in browser.one(".verdict, .card").text
    browser.click("Evidence of attempt 2", "summary")
    browser.run_wait.until(lambda _: len(browser.all("details[open] .card")) == 1, "the evidence of the second attempt")
    browser.shot("case-again")
    browser.open(f"/runs/{run}")
    browser.click("End the run now", "button")
    browser.run_wait.until(lambda _: browser.all(".verdict .word"), "the report")
    assert browser.one(".verdict .word").text == "does not conform"
    assert "worst of 2" in browser.one("main").text
    assert agent.wait(PATIENCE) == 1
    agent.communicate(timeout=RUN_SECONDS)
    launcher.close()
    assert not browser.complaints()
