# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The book in a browser: its policy lets it work, search and keys lead where they should, it fits a phone."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from pages import PATIENCE, Wait


@pytest.fixture(name="book")
def fixture_book(chrome, service):
    """A function that opens the book at an anchor and gives the browser."""
    def open_at(anchor=""):
        chrome.get("about:blank")
        chrome.get(f"{service.url}/book{anchor}")
        return chrome
    yield open_at
    complaints = [entry for entry in chrome.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    assert complaints == []


def shown(chrome) -> list:
    """The ids of the requirements that are not hidden."""
    return chrome.execute_script("return [...document.querySelectorAll('article.rule:not([hidden])')].map((e) => e.id)")


def type_keys(chrome, *keys):
    """Types where the keyboard is."""
    chrome.switch_to.active_element.send_keys(*keys)


def at(chrome, screenshots, name):
    """Waits until the keyboard is there."""
    Wait(chrome, PATIENCE, screenshots).until(
        lambda one: one.switch_to.active_element.get_attribute("id") == name, f"the keyboard at {name}")


def told(chrome, screenshots, words):
    """Waits until so much has been found."""
    Wait(chrome, PATIENCE, screenshots).until(lambda one: words in one.find_element(By.ID, "found").text, words)


def test_style_and_script_run(book, screenshots):
    """Under the policy of the service: the sheet colours, the script follows the anchor and opens what is there."""
    chrome = book("#P30-142")
    at(chrome, screenshots, "P30-142")
    assert chrome.execute_script("return getComputedStyle(document.querySelector('article')).borderTopStyle") == "solid"
    parts = chrome.find_elements(By.CSS_SELECTOR, "#P30-142 > details")
    assert parts and all(part.get_attribute("open") for part in parts)


def test_search_by_number_and_word(book, screenshots):
    chrome = book()
    assert len(shown(chrome)) < 100  # the rest comes when it is asked for
    type_keys(chrome, "/")
    type_keys(chrome, "threshold")
    told(chrome, screenshots, "requirements, ")
    some = shown(chrome)
    assert "P30-142" in some
    assert f"{len(some)} requirements" in chrome.find_element(By.ID, "found").text
    type_keys(chrome, Keys.ESCAPE)
    assert len(shown(chrome)) > 330
    type_keys(chrome, "/")
    type_keys(chrome, "77", Keys.ENTER)
    at(chrome, screenshots, "P30-077")
    assert chrome.current_url.endswith("#P30-077")


def test_filters(book, screenshots):
    chrome = book()
    chrome.find_element(By.CSS_SELECTOR, "[data-filter=ambiguous]").click()
    told(chrome, screenshots, "requirements, ")
    classes = chrome.execute_script(
        "return [...document.querySelectorAll('article:not([hidden]).rule')].map((e) => e.dataset.class)")
    assert classes and set(classes) == {"ambiguous"}


def test_walking_by_keys(book, screenshots):
    """j and k walk from section to section, o opens, a opens all that is there."""
    chrome = book("#P30-010")
    at(chrome, screenshots, "P30-010")
    for name in ("P30-011", "P30-012", "P30-013", "P30-014", "P30-015", "P30-016", "P30-017"):
        type_keys(chrome, "j")
        at(chrome, screenshots, name)
    type_keys(chrome, "o")
    assert chrome.find_elements(By.CSS_SELECTOR, "#P30-017 > details[open]")
    type_keys(chrome, "k")
    at(chrome, screenshots, "P30-016")
    type_keys(chrome, "a")
    assert not chrome.find_elements(By.CSS_SELECTOR, "#P30-016 > details:not([open]), #P30-010 > details:not([open])")


def test_links_lead_into_what_is_closed(book, screenshots):
    """A case links to the mutant that it has caught, which lies in a closed part of its requirement."""
    chrome = book("#case-md-full-takes-nothing")
    at(chrome, screenshots, "case-md-full-takes-nothing")
    links = chrome.find_elements(By.CSS_SELECTOR, "#case-md-full-takes-nothing a[href^='#mutant-']")
    if not links:
        pytest.skip("no mutant is proven yet: run `make mutants`")
    target = links[0].get_attribute("hash")[1:]
    chrome.execute_script("arguments[0].click()", links[0])
    Wait(chrome, PATIENCE, screenshots).until(lambda one: one.find_element(By.ID, target).is_displayed(), target)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone(book, screenshots, scheme):
    """Nothing but code and tables scrolls sideways."""
    chrome = book()
    try:
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia",
                               {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                               {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True})
        chrome.get(chrome.current_url + "#message-put")
        Wait(chrome, PATIENCE, screenshots).until(lambda one: one.find_elements(By.ID, "message-put"), "the message")
        type_keys(chrome, "a")
        assert chrome.execute_script("return document.documentElement.scrollWidth") <= 360
        chrome.save_screenshot(str(screenshots / f"book-phone-{scheme}.png"))
        chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        chrome.save_screenshot(str(screenshots / f"book-{scheme}.png"))
    finally:
        chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.long
def test_on_paper(book, screenshots):
    """What is printed has no navigation, is black on white even in the dark, and breaks long lines of code."""
    chrome = book("#P30-142")
    at(chrome, screenshots, "P30-142")
    features = [{"name": "prefers-color-scheme", "value": "dark"}]
    try:
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": features})
        style = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
        assert chrome.execute_script(style, "nav", "display") == "none"
        assert chrome.execute_script(style, "body", "color") == "rgb(0, 0, 0)"
        assert chrome.execute_script(style, "body", "backgroundColor") == "rgb(255, 255, 255)"
        assert chrome.execute_script(style, "pre code", "whiteSpace") == "pre-wrap"
        chrome.save_screenshot(str(screenshots / "book-paper.png"))
    finally:
        chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
