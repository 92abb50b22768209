# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Accounts in a browser: the owner removes one, whoever has another one removes it; each must type its name."""

import pytest

from pages import Browser
from service import Service


@pytest.fixture(name="lone")
def fixture_lone(bin_dir, tmp_path):
    """A service of the test's own."""
    service = Service(bin_dir, tmp_path / "data")
    yield service
    service.end()


def join(browser, link, name):
    """A new account by its link."""
    browser.open(link)
    browser.click("Sign in", "button")
    browser.fill("name", name)
    browser.click("Sign in", "button")
    browser.heading("Does it conform?")


def invite(browser):
    """The owner's page makes a link for somebody else: the link."""
    return browser.chrome.execute_async_script("""
        const [done] = arguments;
        import("/assets/api.js").then(({ api, whoami }) => whoami().then(() =>
            api("POST", "/api/v1/sign-in-links", { for: "new-account" }))).then(({ link }) => done(link));""")


def test_accounts_are_removed(chrome, lone, screenshots):
    browser = Browser(chrome, lone, screenshots)
    join(browser, lone.read_link(), "Ada")
    owner = lone.client()
    for name, link in [(name, invite(browser)) for name in ("Eve", "Bob")]:
        join(browser, link, name)
    browser.open("/account")
    browser.fill("typed", "Eve")
    browser.click("Remove this account", "button")
    browser.wait.until(lambda _: "That is not the name" in browser.one("main").text)
    browser.one("[name=typed]").clear()
    browser.fill("typed", "Bob")
    browser.click("Remove this account", "button")
    browser.heading("Sign in")
    assert [one["name"] for one in owner.get("/api/v1/accounts").json["accounts"]] == ["Ada", "Eve"]
    browser.open(owner.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    browser.click("Sign in", "button")
    browser.heading("Does it conform?")
    browser.open("/account")
    browser.click("Remove", "details summary")
    browser.shot("accounts")
    browser.fill("typed", "Eve")
    browser.click("Remove", "form button")
    browser.wait.until(lambda _: "Eve" not in browser.one("main").text)
    assert [one["name"] for one in owner.get("/api/v1/accounts").json["accounts"]] == ["Ada"]
    # That a name is wanted is asked of the service, and so the browser notes it.
    assert all("/api/v1/session" in line and "409" in line for line in browser.complaints())


@pytest.mark.long
def test_people_of_an_account(chrome, lone, screenshots):
    """An administrator invites a viewer by the page, who chooses a name and a password and comes back by it; what the
    viewer may not do is not offered. Then the administrator ends that session, and the log tells of all of it."""
    chrome.delete_all_cookies()
    browser = Browser(chrome, lone, screenshots)
    join(browser, lone.read_link(), "Grace")
    browser.open("/account")
    browser.click("Invite somebody", "summary")
    browser.one("details[open] select[name=role] option[value=viewer]").click()
    browser.click("Make an invitation", "button")
    link = browser.wait.until(lambda _: next((pre.text for pre in browser.all("[role=status] pre")), None))
    join(browser, link, "Vera")
    browser.open("/account")
    browser.wait.until(lambda _: "You are Vera, viewer" in browser.one("main").text)
    assert "Invite somebody" not in browser.one("main").text and "Audit log" not in browser.one("main").text
    browser.click("Set one", "summary")
    browser.fill("password", "correct horse battery")
    browser.click("Set a password", "button")
    browser.wait.until(lambda _: "Change it" in browser.one("main").text)
    narrow(browser, "account-viewer")
    browser.click("Sign out", ".head button")
    browser.heading("Sign in")
    narrow(browser, "sign-in-by-password")
    browser.fill("name", "Vera")
    browser.fill("password", "correct horse battery")
    browser.click("Sign in", "button")
    browser.heading("Does it conform?")
    chrome.delete_all_cookies()
    browser.open(lone.client().post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    browser.click("Sign in", "button")
    browser.heading("Does it conform?")
    browser.open("/account")
    browser.wait.until(lambda _: "the session of Vera" in browser.one("main").get_attribute("textContent"))
    browser.click("Show it", "summary")
    browser.wait.until(lambda _: "by a link, as somebody new" in browser.one("main").text)
    assert all(word in browser.one("main").text for word in ("set a password", "made a link: new-member", "127.0.0.1"))
    browser.shot("account")
    narrow(browser, "account")
    assert all("/api/v1/session" in line and "409" in line for line in browser.complaints())


def narrow(browser, name):
    """The page as a phone shows it: nothing is wider than the screen."""
    browser.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 360, "height": 2400, "deviceScaleFactor": 1, "mobile": True})
    width, room = browser.chrome.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    browser.chrome.save_screenshot(str(browser.screenshots / f"{name}-360.png"))
    browser.chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert width <= room, f"{name}: {width} points wide, the screen has {room}"
