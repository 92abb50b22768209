# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A run that leaves out much, in a browser: what was skipped can be seen, and so can what was not judged; the report
to read needs no script and stays within its policy."""

import pytest

from service import Service
from pages import RUN_SECONDS, Browser

pytestmark = pytest.mark.long


@pytest.fixture(scope="module", name="run")
def fixture_run(service, bin_dir):
    """One process alone, judged by everything: most of it is skipped."""
    client = service.client("part")
    made = client.run()
    agent = service.agent(made["token"], bin_dir / "portalsrun", "-np", "1", "--nal", "loop",
                          bin_dir / "interp-portals", "{args}")
    run = client.wait_over(made["run"]["id"])
    agent.communicate(timeout=RUN_SECONDS)
    return run


@pytest.fixture(scope="module", name="browser")
def fixture_browser(chrome, service, screenshots):
    one = Browser(chrome, service, screenshots)
    one.open(service.client("part").post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    one.click("Sign in", "button")
    one.one("h1")
    one.complaints()
    return one


def test_start_page_tells(browser, run):
    browser.open("/")
    browser.wait.until(lambda _: "conforms in part" in browser.one("table").text)
    assert f"{run['summary']['skip']} skip, {run['summary']['pass']} pass" in browser.one("table").text
    assert not browser.complaints()


def test_what_was_skipped_can_be_seen(browser, run):
    browser.open(f"/runs/{run['id']}")
    assert browser.one(".verdict .word").text == "conforms in part"
    places = browser.chrome.execute_script(
        "return [...document.querySelectorAll('.tag.skip')].map((e) => e.getBoundingClientRect().left)")
    assert len(places) > run["summary"]["skip"] and all(left > 0 for left in places)
    browser.click("List them with the reasons", "summary")
    assert len(browser.all("details .rule a")) == run["coverage"]["requirements"] - run["coverage"]["judged"]
    browser.shot("part-report")
    assert not browser.complaints()


def test_certificate_in_part(browser, run):
    browser.open(f"/certificates/{run['certificate']}")
    browser.heading("Certificate of conformance in part")
    text = browser.one("main").text
    assert "Not covered" in text and "not seen on the wire" in text and "conforms in part" in text
    browser.shot("part-certificate")
    assert not browser.complaints()


def test_report_to_read(browser, run):
    """Light and wide, and on a phone: nothing is wider than the window, and the policy blocks nothing."""
    browser.open(f"/runs/{run['id']}")
    browser.click("Printable report", "a")
    browser.heading("Some Portals")
    assert "conforms in part" in browser.one("main").text
    browser.shot("part-page")
    browser.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740,
                                                                          "deviceScaleFactor": 1, "mobile": True})
    assert browser.chrome.execute_script("return document.documentElement.scrollWidth") <= 360
    thin = "return [...document.querySelectorAll('tbody tr td:first-of-type')].map((e) => e.clientWidth)"
    assert min(browser.chrome.execute_script(thin)) > 60  # words of a title stay whole; the table is moved instead
    browser.chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert not browser.complaints()


def test_a_refused_view_is_tried_again(chrome, bin_dir, tmp_path, screenshots):
    """Whoever has too many views open is told, and sees the run as soon as there is room."""
    service = Service(bin_dir, tmp_path / "data", "--limit", "account-streams=1")
    try:
        client = service.client()
        run = client.run()["run"]["id"]
        held = client.events(run)
        next(held)
        browser = Browser(chrome, service, screenshots)
        browser.open(client.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
        browser.click("Sign in", "button")
        browser.one("h1")
        browser.open(f"/runs/{run}")
        browser.wait.until(lambda _: "The live view was refused" in browser.one(".log").text)
        held.close()
        browser.wait.until(lambda _: "waiting for the launch agent" in browser.one(".log").text)
        assert client.post(f"/api/v1/runs/{run}/cancel", None).status == 202
        browser.wait.until(lambda _: browser.one(".verdict .word").text == "cancelled")
        assert all("429" in line for line in browser.complaints())
    finally:
        service.end()
