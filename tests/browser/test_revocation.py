# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A certificate's page: the badge, how the log is asked, and how the owner of the service revokes it."""

import shutil

import pytest

from pages import Browser
from service import PATIENCE, Service
from test_account import sign_in
from test_certificate import SMALL


@pytest.fixture(name="own")
def fixture_own(root, tmp_path, monkeypatch, bin_dir):
    """A service whose profile has one case."""
    cases = tmp_path / "cases"
    (cases / "portals-3.0").mkdir(parents=True)
    shutil.copytree(root / "tester" / "cases" / "lib", cases / "lib")
    (cases / "portals-3.0" / "small.lua").write_text(SMALL)
    monkeypatch.setenv("ASSAY_CASES", str(cases))
    one = Service(bin_dir, tmp_path / "data")
    yield one
    one.end()


def narrow(browser, name):
    """Nothing is wider than a phone."""
    browser.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 360, "height": 1800, "deviceScaleFactor": 1, "mobile": True})
    width = browser.chrome.execute_script("return document.documentElement.scrollWidth")
    browser.chrome.save_screenshot(str(browser.screenshots / f"{name}-360.png"))
    browser.chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert width <= 360, f"{name} is {width} points wide"


def test_revoked_by_the_owner(chrome, own, screenshots):
    owner, _ = sign_in(own, own.read_link(), name="Ada")
    made = owner.run(statement={"profile": "portals-3.0", "limits": {"match_entries": 64}})
    agent = own.agent(made["token"])
    state = owner.wait_over(made["run"]["id"])
    assert agent.wait(PATIENCE) == 0 and state["certificate"], state
    agent.stderr.close()
    browser = Browser(chrome, own, screenshots)
    browser.open(owner.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    browser.click("Sign in", "button")
    browser.heading("Does it conform?")
    browser.complaints()
    browser.open(f"/certificates/{state['certificate']}")
    browser.wait.until(lambda _: "conforms" in browser.one(".verdict .word").text, "the word conforms")
    assert "Genuine and unaltered" in browser.one(".verdict").text
    assert "assay verify certificate.json --key key --log proof" in browser.one("main").text
    assert "match_entries: at most 64" in browser.one("main").text
    image = browser.one("main img")
    browser.wait.until(lambda _: image.get_property("naturalWidth") > 100, "the badge")
    browser.shot("certificate-owner")
    narrow(browser, "certificate-owner")
    browser.fill("reason", "It was issued for another version.")
    browser.click("Revoke this certificate", "button")
    browser.wait.until(lambda _: chrome.switch_to.alert, "the question").accept()
    browser.wait.until(lambda _: "Revoked" in browser.one(".verdict .word").text, "the word revoked")
    assert "It was issued for another version." in browser.one(".verdict").text
    assert not browser.all("[name=reason]")
    browser.shot("certificate-revoked")
    assert not browser.complaints()
