# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The replay of Intercept jobs in a browser: lessons, keys, what a screen reader hears, one's own job, a phone."""

import json
import os
import pathlib
import subprocess

import pytest
from selenium.webdriver.common.keys import Keys

from pages import PATIENCE, Browser

LESSONS = {"short-put": "PtlPut", "long-put-lost-frame": "PtlPut", "get-dead-plane": "PtlGet"}


@pytest.fixture(scope="module", name="browser")
def fixture_browser(chrome, service, screenshots):
    browser = Browser(chrome, service, screenshots)
    browser.open(service.client("replay").post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    browser.click("Sign in", "button")
    browser.heading("Does it conform?")
    browser.complaints()
    return browser


def step(browser):
    """The number of the step that is shown, and how many there are."""
    words = browser.one("p.now").text.split()
    return int(words[1]), int(words[3].rstrip(","))


def at_step(browser, number):
    browser.wait.until(lambda _: step(browser)[0] == number, f"step {number}")


def narrow(browser, name, scheme):
    """The page as a phone shows it: nothing is wider than the screen."""
    browser.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                   {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    browser.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 360, "height": 1500, "deviceScaleFactor": 1, "mobile": True})
    width, room = browser.chrome.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    browser.chrome.save_screenshot(str(browser.screenshots / f"{name}-360-{scheme}.png"))
    browser.chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert width <= room, f"{name}: {width} points wide, the screen has {room}"


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson(browser, lesson):
    """Every step of a lesson can be shown; one of them was caused by the call that the lesson is about."""
    browser.open(f"/replay/{lesson}")
    assert step(browser)[0] == 1
    count = step(browser)[1]
    causes = browser.chrome.execute_script("""
        const seen = [];
        for (const button of document.querySelectorAll("ol.frames button")) {
          button.click();
          const rule = document.querySelector("main .rule p");
          seen.push([document.querySelector("p.now").textContent,
            document.querySelector("svg.replay").getAttribute("aria-label"),
            document.querySelector("dl.facts").textContent, document.querySelectorAll("svg .frame.now").length,
            rule && rule.textContent.length > 20]);
        }
        return seen;""")
    assert len(causes) == count > 50
    for number, (said, label, facts, frames, explained) in enumerate(causes, 1):
        assert said == label and said.startswith(f"Step {number} of {count}, "), said
        assert frames == 1 and explained, (number, facts)
    assert "[object" not in browser.one("main").text
    assert any(LESSONS[lesson] + " of rank 1, with rank 0" in facts for _, _, facts, _, _ in causes)
    lost = [said for said, *_ in causes if "is lost on its way" in said]
    assert len(lost) == (lesson == "long-put-lost-frame")
    if lesson == "get-dead-plane":
        assert not any("over plane 2" in said for said, *_ in causes)
    if lost:
        browser.press(browser.all("ol.frames button")[next(i for i, one in enumerate(causes) if one[0] in lost)])
    browser.shot(f"replay-{lesson}")
    narrow(browser, f"replay-{lesson}", "light")
    narrow(browser, f"replay-{lesson}", "dark")
    assert not browser.complaints()


@pytest.mark.long
def test_keyboard(browser):
    """Arrows step, Home and End go to the ends, space plays to the end and stops."""
    browser.open("/replay/short-put")
    stage, last = browser.one(".stage"), step(browser)[1]
    for key, number in ((Keys.ARROW_RIGHT, 2), (Keys.ARROW_RIGHT, 3), (Keys.ARROW_LEFT, 2), (Keys.END, last),
                        (Keys.ARROW_RIGHT, last), (Keys.HOME, 1), (Keys.ARROW_LEFT, 1)):
        stage.send_keys(key)
        at_step(browser, number)
    assert browser.all("#announce")[0].get_attribute("textContent") == browser.one("p.now").text
    browser.press(browser.all("label.inline input")[0])
    stage.send_keys(Keys.ARROW_RIGHT)
    at_step(browser, 3)  # the acknowledgement is passed over
    stage.send_keys(" ")
    at_step(browser, next_to_last(browser))
    browser.wait.until(lambda _: any(button.text == "Play" for button in browser.all(".controls button")), "the end")


def next_to_last(browser):
    """The number of the last step that is not of a link alone."""
    return browser.chrome.execute_script("""
        const all = [...document.querySelectorAll("ol.frames li")];
        return all.findLastIndex((one) => !one.classList.contains("link")) + 1;""")


def test_a_job_of_ones_own(browser, bin_dir, root, tmp_path):
    """A job is traced, turned into steps, and shown; a file that is none is refused with a sentence."""
    example = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "examples" / "one_message"
    subprocess.run([bin_dir / "portalsrun", "-np", "2", "--nal", "intercept", "--trace", tmp_path / "job.pcapng",
                    example, "put", "3000"], check=True, timeout=PATIENCE)
    steps = subprocess.run([bin_dir / "assay", "replay", tmp_path / "job.pcapng"], check=True, capture_output=True,
                           timeout=PATIENCE).stdout
    (tmp_path / "job.json").write_bytes(steps)
    browser.open("/replay")
    chosen = browser.one("#replay-file")
    chosen.send_keys(str(tmp_path / "job.json"))
    assert step(browser)[1] == len(json.loads(steps)["steps"])
    chosen.send_keys(str(tmp_path / "job.pcapng"))
    assert "assay replay CAPTURE" in browser.one("p.error").text
    (tmp_path / "other.json").write_text('{"steps": [{}], "cards": [], "causes": []}')
    chosen.send_keys(str(tmp_path / "other.json"))
    browser.wait.until(lambda _: "not what assay replay prints" in browser.one("p.error").text, "the refusal")
    browser.shot("replay")
    assert not browser.complaints()


def test_no_such_lesson(browser):
    browser.open("/replay/nothing")
    browser.heading("Not found")
