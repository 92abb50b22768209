# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The whole path of a vendor, by clicking: sign in, name an implementation, make a run, copy the command, run it,
watch the cases tick, read the report, a case, the certificate. Every page stays within its Content-Security-Policy,
asks nobody but this service, and can be used on a phone. The tests of this file build on each other, in this order."""

import os
import re
import shlex
import subprocess

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from pages import PATIENCE, RUN_SECONDS, Browser

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def browser(chrome, service, screenshots):
    return Browser(chrome, service, screenshots)


@pytest.fixture(scope="module")
def kept():
    """What one test leaves for the next."""
    return {}


def test_signing_in_by_the_link(browser, service):
    browser.open(service.read_link())
    browser.heading("Sign in")
    browser.click("Sign in", "button")
    browser.fill("name", "Ada Lovelace")
    browser.shot("sign-in")
    browser.click("Sign in", "button")
    browser.heading("Does it conform?")
    browser.shot("first-home")
    complaints = [line for line in browser.complaints() if "/api/v1/session" not in line]
    assert not complaints  # the session's 409 asks for the name; nothing else may be amiss


def test_naming_and_choosing(browser, kept):
    browser.click("Name an implementation")
    browser.heading("New implementation")
    browser.fill("name", "Reference Portals")
    browser.fill("version", "0.1.0")
    browser.fill("vendor", "Assay")
    browser.click("Save", "button")
    browser.heading("New run")
    assert len(browser.all("[name=suite]")) > 5
    assert len(browser.all("[name=suite]")) == len(browser.all(".choices .about"))  # each says what it is about
    browser.shot("new-run")
    browser.click("Create the run", "button")
    browser.one(".steps .command pre")
    kept["run"] = browser.chrome.current_url
    browser.shot("waiting")
    assert not browser.complaints()


def test_the_command_works_as_it_is_shown(browser, kept, bin_dir, tmp_path):
    """The commands are executed as they stand; only the launcher and the interpreter are this machine's."""
    get, build, start = [element.text for element in browser.all(".steps .command pre")]
    subprocess.run(["sh", "-c", get], cwd=tmp_path, check=True, timeout=PATIENCE)
    assert re.match(r"make -C assay-interpreter-\S+ PORTALS_CFLAGS=", build)
    folder = shlex.split(build)[2]
    assert (tmp_path / folder / "Makefile").exists()
    subprocess.run(["make", "-C", folder, "sut-agent"], cwd=tmp_path, check=True, timeout=PATIENCE, capture_output=True)
    # mpirun and the interpreter built against the vendor's library are here the reference's own.
    start = start.replace("mpirun", str(bin_dir / "portalsrun")).replace(f"{folder}/interp-portals",
                                                                         str(bin_dir / "interp-portals"))
    kept["agent"] = subprocess.Popen(["sh", "-c", f"exec env {start}"], cwd=tmp_path, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    browser.run_wait.until(lambda _: len(browser.all(".board a")) >= 5, "the fifth case")
    assert "on" in browser.all(".lights li")[0].get_attribute("class")
    assert browser.all(".log li")
    browser.shot("live")


def test_report(browser, kept):
    browser.run_wait.until(lambda _: browser.all(".verdict .word"), "the verdict")
    assert browser.one(".verdict .word").text == "conforms"
    assert kept.pop("agent").wait(RUN_SECONDS) == 0
    rows = browser.all("tbody tr")
    assert len(rows) >= 90
    browser.shot("report")
    search = browser.one("input[type=search]")
    search.send_keys("P30-015")
    browser.wait.until(lambda chrome: 0 < len(chrome.find_elements(By.CSS_SELECTOR, "tbody tr")) < len(rows))
    assert all("P30-015" in row.text for row in browser.all("tbody tr"))
    assert not browser.complaints()


def test_case_page(browser, kept):
    search = browser.one("input[type=search]")
    search.send_keys(Keys.CONTROL + "a")
    search.send_keys("wire-ack")
    browser.wait.until(lambda chrome: "wire-ack" in chrome.find_element(By.CSS_SELECTOR, "tbody tr").text)
    browser.press(browser.one("tbody tr a"))
    assert "PtlInit returns PTL_OK" in browser.one(".timeline").text and browser.one(".rule p").text
    browser.click("later events", ".timeline button")
    assert browser.all(".timeline .judged.good") and browser.all(".timeline .wire dl.fields")
    browser.click("As a drawing", "summary")
    browser.one(".ladder svg")
    browser.click("Transcript", "summary")
    browser.wait.until(lambda _: "PtlInit" in browser.one("pre.tall").text, "the transcript")
    lines = browser.all(".ladder line.call")
    assert lines and browser.all(".ladder line.wire")
    browser.shot("case")
    browser.click("Next", "a")
    browser.wait.until(lambda chrome: "wire-ack" != chrome.current_url.rsplit("/", 1)[1])
    browser.one(".tag")
    assert not browser.complaints()


def test_certificate_for_everybody(browser, kept):
    browser.open(kept["run"])
    browser.click("View certificate")
    browser.heading("Certificate")
    browser.chrome.delete_all_cookies()
    browser.chrome.refresh()
    browser.heading("Certificate")
    browser.wait.until(lambda chrome: "conforms" in chrome.find_element(By.CSS_SELECTOR, ".verdict .word").text)
    assert "Genuine" in browser.one(".verdict").text
    browser.shot("certificate")
    browser.open("/runs/new")
    browser.heading("Sign in")
    assert browser.chrome.current_url.endswith("next=/runs/new")
    assert not browser.complaints()


def test_requirements_dark_and_on_a_phone(browser, service, kept):
    """Signing in anew by a link that the owner made; then the same pages in the dark and 360 points wide."""
    link = service.client().post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"]
    browser.open(link)
    browser.click("Sign in", "button")
    browser.heading("Does it conform?")
    browser.shot("home")
    for address, heading in (("/profiles/portals-3.0", "Requirements"), ("/account", "Ada"), (kept["run"], "Reference"),
                             ("/runs/new", "New run"), ("/", "conform"), ("/verify", "Verify")):
        browser.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme",
                                                                                    "value": "dark"}]})
        browser.open(address)
        browser.heading(heading)
        name = re.sub(r"\W+", "-", address.replace(service.url, "")).strip("-") or "home"
        name = "report" if name.startswith("runs-") and name != "runs-new" else name
        browser.shot(f"dark-{name}")
        browser.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        browser.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740,
                                                                              "deviceScaleFactor": 1, "mobile": True})
        wide = browser.chrome.execute_script("return document.documentElement.scrollWidth")
        browser.chrome.save_screenshot(str(browser.screenshots / f"phone-{name}.png"))
        browser.chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        assert wide <= 360, f"{address} is {wide} points wide on a phone"
    assert not browser.complaints()


def test_keyboard_alone(browser):
    """From the top: the first stop skips to the content; every stop has a name."""
    browser.open("/runs/new")
    browser.heading("New run")
    body = browser.chrome.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.TAB)
    assert browser.chrome.switch_to.active_element.get_attribute("class") == "to-content"
    nameless = browser.chrome.execute_script("""
        const named = (e) => e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length || e.title;
        const all = [...document.querySelectorAll("a, button, input, select, textarea, summary")];
        return all.filter((e) => !named(e)).map((e) => e.outerHTML);""")
    assert nameless == []
    assert browser.chrome.execute_script("return document.querySelectorAll('main, header, nav, footer').length") >= 4
    assert browser.chrome.execute_script("return document.documentElement.lang") == "en"


def test_nobody_else_was_asked(browser, service):
    """No page has sent a request to anything but this service."""
    foreign = [url for url in browser.requested() if not url.startswith((service.url, "data:", "blob:", "about:",
                                                                         "chrome"))]
    assert foreign == []


def test_pictures_are_there(screenshots):
    for name in ("sign-in", "new-run", "waiting", "live", "report", "case", "certificate", "dark-report",
                 "phone-report"):
        assert os.path.getsize(screenshots / f"{name}.png") > 5000, name
