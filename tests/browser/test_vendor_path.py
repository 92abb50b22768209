# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What a vendor does from the host's invitation to a verified certificate, by clicking: registration, a conformance
statement, a run that fails, the mended implementation, the certificate's public page and the commands that it shows."""

import os
import re
import subprocess

from pages import PATIENCE, Browser
from test_account import sign_in
from test_revocation import fixture_own  # noqa: F401: the fixture `own`
from test_states import broken

STATEMENT = '{"limits": {"match_entries": 64}}'


def register(browser, link):
    """Somebody new, by the link that was sent, names himself and what he has built."""
    browser.chrome.delete_all_cookies()
    browser.open(link)
    browser.click("Sign in", "button")
    browser.fill("name", "Grace Hopper")
    browser.click("Sign in", "button")
    browser.click("Name an implementation")
    browser.fill("name", "Other Portals")
    browser.fill("version", "2.0")
    browser.click("Save", "button")
    browser.heading("New run")


def execute(browser, service, template=()):
    """Makes the run of the form and has the agent execute it: the agent's exit status and the verdict's word."""
    browser.click("Create the run", "button")
    command = browser.wait.until(lambda _: next((one.text for one in browser.all(".steps .command pre")
                                                 if one.text.startswith("ASSAY_TOKEN=")), None),
                                 "the command that starts the agent")
    agent = service.agent(command.split()[0].removeprefix("ASSAY_TOKEN="), *template)
    browser.run_wait.until(lambda _: browser.all(".verdict .word"), "the verdict")
    agent.communicate(timeout=PATIENCE)
    return agent.returncode, browser.one(".verdict .word").text


def test_from_invitation_to_verification(chrome, own, screenshots, bin_dir, root, tmp_path):
    browser = Browser(chrome, own, screenshots)
    owner, _ = sign_in(own, own.read_link(), name="Ada")
    browser.open(owner.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    browser.click("Sign in", "button")
    browser.heading("Does it conform?")
    browser.open("/account")
    browser.click("Link for a new account", "button")
    link = browser.wait.until(lambda _: re.search(r"http\S+/sign-in\?code=\S+", browser.one("main").text),
                              "the link")[0]
    register(browser, link)
    browser.click("Advanced", "summary")
    browser.fill("statement", STATEMENT)
    assert execute(browser, own, broken(bin_dir, root, "crash")) == (1, "does not conform")
    browser.shot("vendor-failed")
    failed = chrome.current_url
    browser.click("A put to a peer")
    browser.wait.until(lambda _: "not as expected" in browser.one(".timeline").text, "the step that is marked")
    browser.open(failed)
    browser.click("New run with these settings")
    assert browser.one("[name=statement]").get_property("value")
    assert execute(browser, own) == (0, "conforms")
    browser.click("View certificate")
    browser.heading("Certificate")
    chrome.delete_all_cookies()
    chrome.refresh()
    browser.wait.until(lambda _: "Genuine and unaltered" in browser.one(".verdict").text, "what everybody reads")
    said = browser.one("main").text
    assert "Other Portals 2.0" in said and "match_entries: at most 64" in said
    browser.shot("vendor-certificate")
    commands = next(one.text for one in browser.all(".command pre") if "assay verify" in one.text)
    done = subprocess.run(["sh", "-ec", commands], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE,
                          env={**os.environ, "PATH": f"{bin_dir}:{os.environ['PATH']}"})
    assert done.returncode == 0 and "good" in done.stdout and "log" in done.stdout, done
