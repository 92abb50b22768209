# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Headless Chromium, and a service for it. Screenshots go to <build>/screenshots."""

import pathlib
import shutil
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "web"))

from service import Service  # noqa: E402

webdriver = pytest.importorskip("selenium.webdriver", reason="python3-selenium is not installed")


@pytest.fixture(scope="module")
def service(bin_dir, tmp_path_factory):
    one = Service(bin_dir, tmp_path_factory.mktemp("browser") / "data")
    yield one
    one.end()


@pytest.fixture(scope="session")
def started_chrome():
    driver, browser = shutil.which("chromedriver"), shutil.which("chromium")
    if not driver or not browser:
        pytest.skip("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--window-size=1200,1000",
                 "--lang=en-GB", "--force-color-profile=srgb"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    from selenium.webdriver.chrome.service import Service as Driver
    one = webdriver.Chrome(service=Driver(driver), options=options)
    yield one
    one.quit()


@pytest.fixture(scope="module")
def chrome(started_chrome):
    """The browser, without what it was told by the tests of another module."""
    started_chrome.get("about:blank")
    started_chrome.execute_cdp_cmd("Network.clearBrowserCookies", {})
    started_chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    started_chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    for kind in ("browser", "performance"):
        started_chrome.get_log(kind)
    return started_chrome


@pytest.fixture(scope="module")
def screenshots(build):
    folder = build / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session", name="axe")
def fixture_axe(build):
    """The source of axe-core, as tests/deps.sh installs it."""
    path = build / "npm" / "node_modules" / "axe-core" / "axe.min.js"
    if not path.exists():
        pytest.skip("axe-core is not installed: make deps")
    return path.read_text()
