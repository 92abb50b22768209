# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A vendor of IMPI in a browser: choosing profile and suites, the commands, a run, its report with the role that was
judged. The tests of this file build on each other, in this order."""

import shlex
import subprocess

import pytest
from selenium.webdriver.support.ui import Select

from test_whole_path import PATIENCE, Browser


@pytest.fixture(scope="module", name="browser")
def fixture_browser(chrome, service, screenshots):
    """Signed in, with an implementation."""
    one = Browser(chrome, service, screenshots)
    client = service.client("impi")
    client.implementation("Some MPI", "2.0")
    one.open(client.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    one.click("Sign in", "button")
    one.heading("Does it conform?")
    one.complaints()
    return one


def test_choosing_profile_and_suites(browser):
    browser.open("/runs/new")
    browser.heading("New run")
    assert len(browser.all("[name=suite]")) > 5 and "role" not in browser.one("fieldset").text
    Select(browser.one("[name=profile]")).select_by_value("impi-0.0")
    text = browser.one("fieldset").text
    assert "One run judges one role" in text and "an IMPI server" in text and "flow control" in text
    browser.shot("impi-new-run")
    for box in browser.all("[name=suite]"):
        if box.get_attribute("value") == "server":
            browser.press(box)
    browser.click("Make the run", "button")
    commands = [element.text for element in browser.wait.until(lambda _: browser.all(".command pre"))]
    assert any("impirun -server {clients} {options}" in text for text in commands)
    assert any("interp-mpi {args}" in text for text in commands)
    browser.click("What the service puts", "summary")
    assert "IMPI_AUTH_KEY" in browser.one("details").text
    browser.shot("impi-waiting")
    assert not browser.complaints()


def test_report_names_the_role(browser, service, bin_dir):
    start = next(text for text in [element.text for element in browser.all(".command pre")] if "-server" in text)
    token = shlex.split(start)[0].removeprefix("ASSAY_TOKEN=")
    agent = service.agent(token, bin_dir / "impirun", "-server", "{clients}", "{options}")
    browser.wait.until(lambda chrome: browser.all(".verdict .word"))
    agent.communicate(timeout=PATIENCE)
    assert agent.returncode == 0 and browser.one(".verdict .word").text == "conforms"
    assert "Judged as IMPI server" in browser.one(".verdict").text
    assert "impi-0.0, as server, suite server" in browser.one(".head").text
    browser.shot("impi-report")
    browser.open("/")
    browser.heading("conform")
    browser.wait.until(lambda chrome: "impi-0.0, as server" in browser.one("table").text)
    assert not browser.complaints()


def test_requirements_and_cases(browser):
    browser.open("/profiles/impi-0.0")
    browser.heading("What IMPI 0.0")
    assert len(browser.all("article.rule")) == 260
    browser.open("/profiles/impi-0.0/cases/server-prints-one-line")
    browser.wait.until(lambda chrome: "an IMPI server" in browser.one("main").text)
    browser.click("Run this case alone")
    browser.heading("New run")
    assert Select(browser.one("[name=profile]")).first_selected_option.get_attribute("value") == "impi-0.0"
    assert not browser.complaints()


def test_matrix_of_meetings(browser, service, bin_dir):
    """A run of the suite interop: the report shows who got on with whom, and leads to the case of each meeting."""
    made = service.client("impi").run(profile="impi-0.0", suite="interop")
    agent = service.agent(made["token"], bin_dir / "impirun", "-client", "{client}", "{server}", "-np", "{np}",
                          bin_dir / "interp-mpi", "{args}")
    browser.open(f"/runs/{made['run']['id']}")
    browser.wait.until(lambda chrome: browser.all(".matrix"))
    agent.communicate(timeout=PATIENCE)
    heads = [row.text.split() for row in browser.all(".matrix thead tr")]
    assert heads == [["server"] + 4 * ["reference"], ["client", "0", "yours", "yours", "reference", "reference"],
                     ["client", "1", "yours", "reference", "yours", "reference"]]
    rows = browser.all(".matrix tbody tr")
    assert len(rows) == 13 and all(row.text.count("pass") == 4 for row in rows)
    browser.shot("impi-matrix")
    browser.press(browser.all(".matrix tbody a")[1])
    browser.wait.until(lambda chrome: chrome.current_url.endswith("/cases/meet-types-client-rsr"))
    browser.heading("types")
    assert not browser.complaints()
