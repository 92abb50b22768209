# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A run of a library in which something is broken that much rests on, in a browser: the fault stands there once."""

import os
import pathlib

import pytest

from pages import RUN_SECONDS, Browser


@pytest.fixture(scope="module", name="run")
def fixture_run(service, bin_dir, root):
    interpreter = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "tester" / "interp-broken"
    client = service.client("causes")
    made = client.run(suite="foundations,smoke")
    agent = service.agent(made["token"], "env", "BROKEN=entry", bin_dir / "portalsrun", "-np", "{np}", interpreter,
                          "{args}")
    run = client.wait_over(made["run"]["id"])
    agent.communicate(timeout=RUN_SECONDS)
    return run


def test_causes_are_shown(chrome, service, screenshots, run):
    browser = Browser(chrome, service, screenshots)
    browser.open(service.client("causes").post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    browser.click("Sign in", "button")
    browser.one("h1")
    browser.complaints()
    browser.open(f"/runs/{run['id']}")
    first = browser.one("ol.causes li").text
    assert "PtlMEAttach returns PTL_NOSPACE" in first and "P30-106, first-entry: 1 case failed" in first, first
    assert "are blocked by it" in first, first
    browser.shot("causes")
    assert not browser.complaints()


# What the live view is told, as events, and what it shows: [[text, hidden], ..].
LIVE = """
const [results, done] = arguments;
import("/assets/run_progress.js").then(({ Wanting }) => {
  const wanting = new Wanting({ id: "r" });
  for (const one of results) wanting.add(...one);
  const lines = [...wanting.list.children].map((one) => [one.textContent, one.hidden]);
  done({ lines, rest: !wanting.rest.hidden, shown: !wanting.element.hidden });
});
"""


def live(chrome, *results):
    return chrome.execute_async_script(LIVE, results)


def test_failures_come_first_while_it_runs(chrome, service, screenshots):
    """Failures stand before what could not be judged, and what went wrong alike takes one line."""
    Browser(chrome, service, screenshots).open("/")
    assert live(chrome) == {"lines": [], "rest": False, "shown": False}
    alike = [[f"open-{rank}", "inconclusive", "", f"set-up: rank {rank} PtlX returned PTL_FAIL"] for rank in range(3)]
    seen = live(chrome, *alike, ["first", "fail", "P30-001", "one"], ["second", "fail", "P30-002", "two"],
                ["third", "fail", "P30-001", "one"])
    assert seen["lines"] == [["first: fail (P30-001): one, and 1 more", False], ["second: fail (P30-002): two", False],
                             ["open-0: inconclusive: set-up: rank 0 PtlX returned PTL_FAIL, and 2 more", False]]
    assert seen["shown"] and not seen["rest"]


def test_failures_are_not_hidden_by_what_came_before(chrome, service, screenshots):
    Browser(chrome, service, screenshots).open("/")
    seen = live(chrome, *[[f"open-{i}", "inconclusive", "", f"reason {i}"] for i in range(40)],
                ["late", "fail", "P30-001", "one"])
    assert [hidden for _, hidden in seen["lines"]] == [False] * 12 + [True] * 29
    assert seen["lines"][0][0].startswith("late: fail") and seen["rest"]
