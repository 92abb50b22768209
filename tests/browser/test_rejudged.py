# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Evidence that was judged again: what start page and run page tell where a verdict is not what it was."""

from pages import Browser
from service import PATIENCE
from test_account import sign_in
from test_rejudge import rejudge, spoil
from test_revocation import fixture_own, narrow  # noqa: F401: the fixture `own`


def test_told_on_both_pages(chrome, own, screenshots):
    owner, _ = sign_in(own, own.read_link(), name="Ada")
    made = owner.run()
    agent = own.agent(made["token"])
    state = owner.wait_over(made["run"]["id"])
    assert agent.wait(PATIENCE) == 0 and state["certificate"], state
    agent.stderr.close()
    browser = Browser(chrome, own, screenshots)
    browser.open(owner.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    browser.click("Sign in", "button")
    browser.heading("Does it conform?")
    browser.one("table")
    assert "Judged again" not in browser.one("main").text
    spoil(own, owner, state["id"])
    assert rejudge(own)[0] == 1
    browser.open("/")
    browser.click("Some Portals 1.0", "main li a")
    browser.wait.until(lambda _: "Judged again" in browser.one("main").text, "what differs")
    assert "fails, " in browser.one("main").text and "conforms" in browser.one(".verdict").text
    browser.shot("rejudged-run")
    narrow(browser, "rejudged-run")
    browser.open("/")
    browser.wait.until(lambda _: "one verdict, on which a certificate rests" in browser.one("main").text, "the card")
    browser.shot("rejudged-home")
    narrow(browser, "rejudged-home")
    assert not browser.complaints()
