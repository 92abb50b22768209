# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A run of a library in which something is broken that much rests on, in a browser: the fault stands there once."""

import os
import pathlib

import pytest

from pages import RUN_SECONDS, Browser


@pytest.fixture(scope="module", name="run")
def fixture_run(service, bin_dir, root):
    interpreter = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "tester" / "interp-broken"
    client = service.client("causes")
    made = client.run(suite="foundations,smoke")
    agent = service.agent(made["token"], "env", "BROKEN=entry", bin_dir / "portalsrun", "-np", "{np}", interpreter,
                          "{args}")
    run = client.wait_over(made["run"]["id"])
    agent.communicate(timeout=RUN_SECONDS)
    return run


def test_causes_are_shown(chrome, service, screenshots, run):
    browser = Browser(chrome, service, screenshots)
    browser.open(service.client("causes").post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    browser.click("Sign in", "button")
    browser.one("h1")
    browser.complaints()
    browser.open(f"/runs/{run['id']}")
    first = browser.one("ol.causes li").text
    assert "PtlMEAttach returns PTL_NOSPACE" in first and "P30-106, first-entry: 1 case failed" in first, first
    assert "are blocked by it" in first, first
    browser.shot("causes")
    assert not browser.complaints()
