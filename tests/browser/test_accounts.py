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
