# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What the tests of this folder do in a browser: open, look for, click, fill in, take pictures; and wait, without sleep
and not for ever. Who waits in vain is told what was on the page."""

import json

from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 120  # seconds for what a page does by itself, on a machine that has much else to do
RUN_SECONDS = 2400  # for what a page shows in the course of a run, or at its end
SHOWN = 2000  # so many characters of a page are told


class Wait(WebDriverWait):
    """Waits until a condition holds. A page that is being filled replaces what it showed: what went away meanwhile is
    looked for again."""

    def __init__(self, chrome, seconds, screenshots):
        super().__init__(chrome, seconds, poll_frequency=0.1, ignored_exceptions=[StaleElementReferenceException])
        self.chrome, self.seconds, self.screenshots = chrome, seconds, screenshots

    def until(self, method, message=""):
        try:
            return super().until(method, message)
        except TimeoutException:
            pass
        raise AssertionError(f"{message or 'what was awaited'} did not come within {self.seconds} s; {self.page()}")

    def page(self):
        """What the page shows: its address, its text, what its console says, and where a picture of it is."""
        picture = self.screenshots / "awaited-in-vain.png"
        self.chrome.save_screenshot(str(picture))
        text = self.chrome.find_element(By.TAG_NAME, "body").text
        console = [entry["message"] for entry in self.chrome.get_log("browser")]
        return f"{self.chrome.current_url} shows (picture: {picture})\n{text[:SHOWN]}\nits console says {console}"


AXE = """
const [done] = arguments;
axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => done(violations.flatMap(({ id, nodes }) =>
  nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`))),
  (problem) => done([`${problem}`]));
"""


class Browser:
    """A person at the browser. `wait` is for what a page does, `run_wait` for what a run brings."""

    def __init__(self, chrome, service, screenshots):
        self.chrome, self.service, self.screenshots = chrome, service, screenshots
        self.wait = Wait(chrome, PATIENCE, screenshots)
        self.run_wait = Wait(chrome, RUN_SECONDS, screenshots)

    def open(self, address):
        """Goes to an address, of the service where it begins with a slash."""
        self.chrome.get(address if address.startswith("http") else self.service.url + address)

    def all(self, selector):
        """All elements that are there now, visible or not."""
        return self.chrome.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        """The first visible element, awaited."""
        return self.wait.until(lambda _: next((element for element in self.all(selector) if element.is_displayed()),
                                              None), f"an element {selector}")

    def click(self, text, tag="a, button"):
        """Clicks on the first visible element that has this text, awaited."""
        def find(_):
            element = next((element for element in self.all(tag) if element.is_displayed() and text in element.text),
                           None)
            if element:
                self.press(element)
            return element
        self.wait.until(find, f"something to click on ({tag}) that says {text!r}")

    def press(self, element):
        """Brings an element into view and clicks on it."""
        self.chrome.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        element.click()

    def fill(self, name, text):
        """Types into the field of this name."""
        self.one(f"[name={name}]").send_keys(text)

    def heading(self, text):
        """Waits for a heading that has this text."""
        self.wait.until(lambda _: any(text in element.text for element in self.all("h1")), f"a heading {text!r}")

    def shot(self, name):
        """A picture of the whole page."""
        size = self.chrome.execute_script("return [innerWidth, Math.min(document.documentElement.scrollHeight, 2600)]")
        self.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False})
        self.chrome.save_screenshot(str(self.screenshots / f"{name}.png"))
        self.chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def complaints(self):
        """What the console said that is not a mere note: blocked resources, exceptions, failed requests."""
        return [entry["message"] for entry in self.chrome.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def inaccessible(self, axe):
        """What axe-core, whose source that is, finds wrong with the page as it is now."""
        self.chrome.execute_script(axe)
        return self.chrome.execute_async_script(AXE)

    def requested(self):
        """Every address that was asked for since the last call."""
        messages = [json.loads(entry["message"])["message"] for entry in self.chrome.get_log("performance")]
        return [message["params"]["request"]["url"] for message in messages
                if message["method"] == "Network.requestWillBeSent"]
