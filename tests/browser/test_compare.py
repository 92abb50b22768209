# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Two runs beside each other in a browser, wide and on a phone: what differs, where it began, a case in all runs."""

import os
import pathlib

import pytest

from pages import RUN_SECONDS, Browser

ROOM = "return [document.documentElement.scrollWidth, innerWidth]"
SCROLLS = """return [...document.querySelectorAll("main .scroll")].filter(
    (one) => one.scrollWidth > one.clientWidth).length"""
LONG = "a-case-whose-name-is-longer-than-any-of-those-that-there-are-today"


@pytest.fixture(scope="module", name="runs")
def fixture_runs(service, bin_dir, root):
    """The same suite with the reference and with a library in which something is broken."""
    interpreter = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "tester" / "interp-broken"
    client = service.client("compare")
    runs = []
    for version, command in (("1.0", [bin_dir / "interp-portals"]), ("1.1", [interpreter])):
        made = client.run(suite="foundations,smoke", implementation=client.implementation(version=version), seed=1)
        agent = service.agent(made["token"], "env", "BROKEN=entry", bin_dir / "portalsrun", "-np", "{np}", *command,
                              "{args}")
        runs.append(client.wait_over(made["run"]["id"])["id"])
        agent.communicate(timeout=RUN_SECONDS)
    return runs


@pytest.fixture(scope="module", name="browser")
def fixture_browser(chrome, service, screenshots, runs):
    browser = Browser(chrome, service, screenshots)
    browser.open(service.client("compare").post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    browser.click("Sign in", "button")
    browser.heading("Does it conform?")
    browser.complaints()
    return browser


def narrow(browser, name, scrolls=0):
    """The page as a phone shows it: nothing is wider than the screen, and so many tables than their cards."""
    browser.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 360, "height": 1400, "deviceScaleFactor": 1, "mobile": True})
    width, room = browser.chrome.execute_script(ROOM)
    assert browser.chrome.execute_script(SCROLLS) == scrolls, name
    browser.chrome.save_screenshot(str(browser.screenshots / f"{name}-360.png"))
    browser.chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert width <= room, f"{name}: {width} points wide, the screen has {room}"


def test_compared(browser, runs):
    """From the report of the second to the comparison, and to the first event that differs."""
    browser.open(f"/runs/{runs[1]}")
    browser.one("select[name=other]")
    browser.click("Compare with this run", "button")
    browser.heading("Two runs compared")
    assert "with another verdict" in browser.one("main").text
    browser.chrome.execute_script("document.querySelectorAll('td .mono, td.case strong')."
                                  "forEach((one) => { one.textContent = arguments[0]; })", LONG)
    details = browser.one("tbody details")
    browser.press(details.find_element("tag name", "summary"))
    browser.wait.until(lambda _: "events before it are alike" in details.text, "the first event that differs")
    browser.shot("compare")
    narrow(browser, "compare")
    assert not browser.complaints()


def test_case_in_all_runs(browser, runs, service):
    """The page of a case that went another way shows both runs, and marks what was not as expected."""
    changes = service.client("compare").get(f"/api/v1/runs/{runs[0]}/compare/{runs[1]}").json["changes"]
    failed = next(one["id"] for one in changes if one["after"] and one["after"]["verdict"] == "fail")
    browser.open(f"/runs/{runs[1]}/cases/{failed}")
    browser.one("main mark")
    text = browser.one("main").text
    assert "This case in all runs" in text and "of 2 runs" in text and "this run" in text
    assert [element.text for element in browser.all(".beside mark")]
    result = service.client("compare").get(f"/api/v1/runs/{runs[1]}/results/{failed}").json
    step, judged = browser.one(".timeline .hit"), browser.one(".timeline .judged.fail")
    assert "not as expected" in step.text and result["observed"] in step.text
    row = next(one for one in result["requirement_rows"] if one["id"] == result["requirement"])
    for said in (result["requirement"], result["reason"], result["expected"], result["observed"], row["obligation"]):
        assert said in judged.text, judged.text
    assert judged.location["y"] > step.location["y"]
    browser.shot("case-failed")
    narrow(browser, "case-failed")
    assert not browser.complaints()


def test_matrix(browser):
    """No run of all cases yet: the page says so."""
    browser.open("/profiles/portals-3.0")
    browser.click("Your implementations by chapter")
    browser.heading("Implementations by chapter")
    assert "no finished run of all cases" in browser.one("main").text
    narrow(browser, "matrix")
    assert not browser.complaints()


def test_public_link(browser, runs):
    """Made on the run's page; who has it reads the report without signing in, until it is revoked there."""
    browser.open(f"/runs/{runs[1]}")
    browser.click("Make a public link", "summary")
    browser.fill("name", "Reviewers")
    browser.click("Make a link", "button")
    link = browser.wait.until(lambda _: next((pre.text for pre in browser.all("[role=status] pre")), None))
    browser.shot("shares")
    narrow(browser, "shares")
    browser.open(link)
    browser.wait.until(lambda _: "does not conform" in browser.one("body").text)
    browser.open(f"/runs/{runs[1]}")
    browser.click("Revoke", "td button")
    browser.wait.until(lambda _: not any("Reviewers" in one.text for one in browser.all("td")))
    assert not browser.complaints()
    browser.open(link)
    browser.wait.until(lambda _: "leads nowhere" in browser.one("body").text)


def made_again(browser, service, run):
    """The run that a page has made in place of this one, by its address."""
    address = browser.wait.until(lambda chrome: chrome.current_url if run not in chrome.current_url else None)
    browser.one(".steps .command pre")
    client = service.client("compare")
    new = client.get(f"/api/v1/runs/{address.rsplit('/', 1)[1]}").json
    client.post(f"/api/v1/runs/{new['id']}/cancel", None)
    return new


@pytest.mark.long
def test_failed_cases_again(browser, runs, service):
    """What failed is made a run of, with the same seed."""
    results = service.client("compare").get(f"/api/v1/runs/{runs[1]}/results").json["results"]
    wanting = {one["id"] for one in results if one["verdict"] in ("fail", "inconclusive")}
    browser.open(f"/runs/{runs[1]}")
    browser.click("again", "form button")
    new = made_again(browser, service, runs[1])
    assert set(new["case"].split(",")) == wanting and new["seed"] == 1 and len(wanting) > 1


@pytest.mark.long
def test_a_run_that_was_cut_off(browser, service):
    """The cases that it has not reached are made a run of."""
    client = service.client("compare")
    made = client.run(suite="foundations,smoke", seed=5)
    agent = service.agent(made["token"])
    run = made["run"]["id"]
    for _, kind, _ in client.events(run):
        if kind == "result":
            break
    client.post(f"/api/v1/runs/{run}/cancel", None)
    state = client.wait_over(run)
    agent.communicate(timeout=RUN_SECONDS)
    done = {one["id"] for one in client.get(f"/api/v1/runs/{run}/results").json["results"]}
    browser.open(f"/runs/{run}")
    if state["state"] == "finished":
        assert len(done) == state["total"]  # it was faster
        return
    browser.shot("cut-off")
    browser.click("cases that are left", "form button")
    new = made_again(browser, service, run)
    left = set(new["case"].split(","))
    assert not left & done and len(left) + len(done) == state["total"]
