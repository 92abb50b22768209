# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The packets of a case's capture in a browser: a list, and all fields of one that is clicked on."""

import shutil

import pytest

from pages import RUN_SECONDS, Browser
from service import Service

pytestmark = pytest.mark.skipif(not shutil.which("sharkd"), reason="sharkd is not installed")


@pytest.fixture(name="case")
def fixture_case(bin_dir, build, tmp_path, monkeypatch):
    """case(*options): a service, an account of it, and the page of a case that was run."""
    plugins = build / "wireshark"
    monkeypatch.setenv("WIRESHARK_PLUGIN_DIR", str(plugins))
    started = []

    def make(*options):
        service = Service(bin_dir, tmp_path / f"data{len(started)}", *options)
        started.append(service)
        client = service.client()
        made = client.run(suite="smoke")
        agent = service.agent(made["token"])
        run = client.wait_over(made["run"]["id"])
        agent.communicate(timeout=RUN_SECONDS)
        return service, client, f"/runs/{run['id']}/cases/smoke-put"
    yield make
    for service in started:
        service.end()


def opened(chrome, service, client, page, screenshots):
    browser = Browser(chrome, service, screenshots)
    browser.open(client.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    browser.click("Sign in", "button")
    browser.heading("Does it conform?")
    browser.complaints()
    browser.open(page)
    browser.one("h1")
    browser.wait.until(lambda _: browser.all(".timeline"), "the time line")
    return browser


def test_packets_and_fields(chrome, case, screenshots, request):
    browser = opened(chrome, *case(), screenshots)
    browser.click("Packets, as Wireshark decodes them", "summary")
    rows = "[aria-label='Packets of the capture'] tbody tr"
    row = browser.wait.until(lambda _: next((one for one in browser.all(rows) if "Assay" in one.text and
                                             "PtlPut" in one.text), None), "a call of PtlPut among the packets")
    button = row.find_element("tag name", "button")
    browser.press(button)
    browser.wait.until(lambda _: any("Assay" in one.text for one in browser.all("ul.packet summary")), "its fields")
    text = next(one for one in browser.all("ul.packet") if one.is_displayed()).text
    assert "Internet Protocol" in text and "PtlPut" in text and len(text.splitlines()) > 5, text
    assert button.get_attribute("aria-expanded") == "true"
    browser.shot("packets")
    browser.press(button)
    browser.wait.until(lambda _: not any(one.is_displayed() for one in browser.all("ul.packet")), "a closed packet")
    assert not browser.complaints()
    browser.press(button)
    assert not browser.inaccessible(request.getfixturevalue("axe"))


def test_what_goes_wrong_is_said(chrome, case, screenshots):
    """Where the program fails its end is told, and the capture is there to download."""
    browser = opened(chrome, *case("--sharkd", "/usr/bin/false"), screenshots)
    browser.click("Packets, as Wireshark decodes them", "summary")
    browser.wait.until(lambda _: any("could not be decoded here" in one.text for one in browser.all("p.error")),
                       "what went wrong")
    assert browser.one("a[href$='/capture']")
    browser.click("Try again", "button")
    assert any("502" in line for line in browser.complaints())


def test_not_offered_without_sharkd(chrome, case, screenshots):
    browser = opened(chrome, *case("--sharkd", "none"), screenshots)
    assert browser.one("a[href$='/capture']")
    assert not any("Wireshark" in one.text for one in browser.all("summary"))
    assert not browser.complaints()
