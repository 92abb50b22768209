# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A waiver by the pages: from the failed run to the form, granted by the owner, and what the certificate says then."""

import shutil

import pytest

from pages import Browser
from service import PATIENCE, Service
from test_account import sign_in
from test_revocation import narrow
from test_waivers import CASES


@pytest.fixture(name="own")
def fixture_own(root, tmp_path, monkeypatch, bin_dir):
    """A service whose profile has a case that the reference fails."""
    cases = tmp_path / "cases"
    (cases / "portals-3.0").mkdir(parents=True)
    shutil.copytree(root / "tester" / "cases" / "lib", cases / "lib")
    (cases / "portals-3.0" / "cases.lua").write_text(CASES)
    monkeypatch.setenv("ASSAY_CASES", str(cases))
    one = Service(bin_dir, tmp_path / "data")
    yield one
    one.end()


def judge(service, client):
    made = client.run()
    agent = service.agent(made["token"])
    state = client.wait_over(made["run"]["id"])
    agent.wait(PATIENCE)
    agent.stderr.close()
    return state


def dark(browser, name):
    """A picture as those see it who want dark pages."""
    feature = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    browser.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", feature)
    browser.shot(f"{name}-dark")
    browser.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.long
def test_from_the_failure_to_the_certificate(chrome, own, screenshots):
    owner, _ = sign_in(own, own.read_link(), name="Ada")
    failed = judge(own, owner)
    browser = Browser(chrome, own, screenshots)
    browser.open(owner.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    browser.click("Sign in", "button")
    browser.heading("Does it conform?")
    browser.complaints()
    browser.open(f"/runs/{failed['id']}")
    browser.click("Ask for a waiver")
    browser.heading("Waivers")
    assert browser.one("[name=cases]").get_property("value") == "bad"
    browser.fill("reason", "A barrier of one process returns too early; mended in 2.1.")
    browser.fill("owner", "Grace Hopper, Example Ltd")
    chrome.execute_script("arguments[0].value = '2999-12-31'", browser.one("[name=expires]"))
    browser.shot("waiver-form")
    browser.click("Ask for the waiver", "form button")
    browser.wait.until(lambda _: "requested" in browser.one("section.rule").text, "the waiver, requested")
    browser.click("Grant", "button")
    browser.wait.until(lambda _: chrome.switch_to.alert, "the question").accept()
    browser.wait.until(lambda _: "granted" in browser.one("section.rule h3").text, "the waiver, granted")
    browser.shot("waivers")
    narrow(browser, "waivers")
    dark(browser, "waivers")
    state = judge(own, owner)
    browser.open(f"/runs/{state['id']}")
    browser.wait.until(lambda _: "conforms in part" in browser.one(".verdict .word").text, "the outcome")
    said = browser.one("main").text
    assert "1 case failed and is waived" in said and "Failed and waived: bad" in said
    assert "Grace Hopper, Example Ltd" in said and "Ask for a waiver" not in said
    browser.shot("run-waived")
    narrow(browser, "run-waived")
    browser.open(f"/certificates/{state['certificate']}")
    browser.wait.until(lambda _: "conforms in part" in browser.one(".verdict .word").text, "the certificate")
    said = browser.one("main").text
    assert "mended in 2.1" in said and "files of code, measured by the launch agent" in said
    browser.click("files of code", "summary")
    browser.shot("certificate-waived")
    narrow(browser, "certificate-waived")
    assert not browser.complaints()
