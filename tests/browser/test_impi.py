# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A vendor of IMPI in a browser: choosing profile and suites, the commands, a run, its report with the role that was
judged. The tests of this file build on each other, in this order."""

import fcntl
import shlex

import pytest
from selenium.webdriver.support.ui import Select

from pages import RUN_SECONDS, Browser

pytestmark = pytest.mark.long


@pytest.fixture(scope="module", name="browser")
def fixture_browser(chrome, service, screenshots):
    """Signed in, with an implementation."""
    one = Browser(chrome, service, screenshots)
    client = service.client("impi")
    client.implementation("Some MPI", "2.0")
    one.open(client.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
    one.click("Sign in", "button")
    one.heading("Does it conform?")
    one.complaints()
    return one


def suites(browser):
    return [box.get_attribute("value") for box in browser.all("[name=suite]")]


def test_choosing_profile_and_suites(browser):
    browser.open("/runs/new")
    browser.heading("New run")
    assert len(browser.all("[name=suite]")) > 5 and not browser.all("[name=brings]")
    Select(browser.one("[name=profile]")).select_by_value("impi-0.0")
    text = browser.one("form").text
    assert "One run judges one role" in text and "IMPI server" in text and "flow control" in text
    assert "server" not in suites(browser) and "p2p" in suites(browser)
    browser.shot("impi-new-run")
    browser.press(browser.one("[name=brings][value=server]"))
    assert suites(browser) == ["foundations", "server", "interop"] and not browser.all("[name=server]")
    browser.press(browser.one("[name=suite][value=server]"))
    browser.click("Create the run", "button")
    commands = [element.text for element in browser.wait.until(lambda _: browser.all(".steps .command pre"))]
    assert len(commands) == 3 and commands[-1].endswith("impirun -server {clients} {options}")
    assert not any("interp-mpi" in text for text in commands)
    browser.click("Words in braces", "summary")
    assert "IMPI_AUTH_KEY" in browser.one("details").text
    browser.click("On a cluster, or behind a firewall", "summary")
    relay, tunnel = [shlex.split(element.text) for element in browser.all("details .command pre")]
    start = shlex.split(commands[-1])
    assert [word for word in relay if word not in start] == ["--relay", "$(hostname):7440"]
    assert [word for word in tunnel if word not in start] == ["--tunnel", "ssh -W {host}:{port} outside.example.com"]
    browser.shot("impi-waiting")
    assert not browser.complaints()


def test_report_names_the_role(browser, service, bin_dir):
    start = browser.all(".steps .command pre")[-1].text
    token = shlex.split(start)[0].removeprefix("ASSAY_TOKEN=")
    agent = service.agent(token, bin_dir / "impirun", "-server", "{clients}", "{options}")
    browser.run_wait.until(lambda chrome: browser.all(".verdict .word"), "the verdict")
    agent.communicate(timeout=RUN_SECONDS)
    assert agent.returncode == 0 and browser.one(".verdict .word").text == "conforms"
    assert "Role judged: server" in browser.one(".verdict").text
    assert "impi-0.0, as server, suite server" in browser.one(".head").text
    browser.shot("impi-report")
    browser.open("/")
    browser.heading("conform")
    browser.wait.until(lambda chrome: "impi-0.0, as server" in browser.one("table").text)
    assert not browser.complaints()


def test_requirements_and_cases(browser):
    browser.open("/profiles/impi-0.0")
    browser.heading("Requirements of IMPI 0.0")
    assert len(browser.all("article.rule")) == 260
    browser.open("/profiles/impi-0.0/cases/server-prints-one-line")
    browser.wait.until(lambda chrome: "Role" in browser.one("main").text)
    browser.click("Run only this case")
    browser.heading("New run")
    assert Select(browser.one("[name=profile]")).first_selected_option.get_attribute("value") == "impi-0.0"
    assert not browser.complaints()


# A launcher that lets ten jobs begin, and the next ones when nobody holds the lock of the file that comes first.
GATE = """echo >>"$0.begun"; [ "$(wc -l <"$0.begun")" -le 10 ] || flock -s "$0" true; exec "$@" """


def test_matrix_of_meetings(browser, service, bin_dir, tmp_path):
    """A run of the suite interop: the report shows which pairs interoperate, and leads to the case of each meeting."""
    made = service.client("impi").run(profile="impi-0.0", suite="interop")
    browser.open(f"/runs/{made['run']['id']}")
    browser.wait.until(lambda chrome: "waiting for the launch agent" in browser.one(".log").text)
    # The page looks on from the beginning, and the run is not over before it has shown some meetings of it.
    with open(tmp_path / "gate", "w", encoding="ascii") as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)
        agent = service.agent(made["token"], "sh", "-c", GATE, gate.name, bin_dir / "impirun", "-client", "{client}",
                              "{server}", "-np", "{np}", bin_dir / "interp-mpi", "{args}")
        grown = browser.run_wait.until(lambda chrome: [row.text for row in browser.all(".matrix tbody tr")],
                                       "the first row of the matrix")
        assert len(grown) < 13 and browser.one("progress")  # it grows while the run goes on
    browser.run_wait.until(lambda chrome: len(browser.all(".matrix tbody tr")) > len(grown), "another row")
    browser.shot("impi-matrix-live")
    agent.communicate(timeout=RUN_SECONDS)
    browser.run_wait.until(lambda chrome: browser.all(".verdict .word"), "the verdict")
    heads = [row.text.split() for row in browser.all(".matrix thead tr")]
    assert heads == [["server"] + 4 * ["reference"], ["client", "0", "yours", "yours", "reference", "reference"],
                     ["client", "1", "yours", "reference", "yours", "reference"]]
    rows = browser.all(".matrix tbody tr")
    assert len(rows) == 13 and all(row.text.count("pass") == 4 for row in rows)
    browser.shot("impi-matrix")
    browser.press(browser.all(".matrix tbody a")[1])
    browser.wait.until(lambda chrome: chrome.current_url.endswith("/cases/meet-types-client-rsr"))
    browser.heading("types")
    assert not browser.complaints()


def test_an_own_server_comes_along(browser, service, bin_dir):
    """The vendor gives the command of an own server on the page; the command to type brings it, and the report shows
    the meetings under it."""
    browser.open("/runs/new?profile=impi-0.0")
    browser.press(browser.one("[name=brings][value=client-with-server]"))
    browser.fill("server", "server 2")
    assert "sut-agent starts it on your machine" in browser.one("form").text
    browser.shot("impi-own-server")
    browser.press(browser.one("[name=suite][value=interop]"))
    browser.click("Create the run", "button")
    browser.wait.until(lambda chrome: "{clients} is missing" in browser.one("form .error").text)
    browser.one("[name=server]").clear()
    browser.fill("server", f"{bin_dir}/impirun -server {{clients}} {{options}}")
    browser.click("Create the run", "button")
    words = shlex.split(browser.wait.until(lambda _: browser.all(".steps .command pre"))[-1].text)
    own = words[words.index("--server") + 1]
    assert own == f"{bin_dir}/impirun -server {{clients}} {{options}}" and "-client" in words
    agent = service.agent(words[0].removeprefix("ASSAY_TOKEN="), bin_dir / "impirun", "-client", "{client}", "{server}",
                          "-np", "{np}", bin_dir / "interp-mpi", "{args}", server=own)
    browser.run_wait.until(lambda chrome: browser.all(".verdict .word"), "the verdict")
    agent.communicate(timeout=RUN_SECONDS)
    heads = [row.text.split() for row in browser.all(".matrix thead tr")]
    assert heads[0] == ["server"] + 4 * ["reference"] + 4 * ["yours"]
    rows = browser.all(".matrix tbody tr")
    assert len(rows) == 13 and all(row.text.count("pass") == 8 for row in rows)
    assert "With your server: 52 of 52 jobs passed." in browser.one("main").text
    assert own in browser.one(".facts").text
    browser.shot("impi-own-server-matrix")
    browser.click("New run with these settings", "a")
    browser.heading("New run")
    assert browser.one("[name=server]").get_attribute("value") == own
    assert [box.get_attribute("value") for box in browser.all("[name=suite]:checked")] == ["interop"]
    complaints = browser.complaints()
    assert all("/api/v1/runs" in text and "400" in text for text in complaints), complaints


def test_long_lists_can_be_filtered(browser, service):
    """The table of cases by suite, as well as by verdict and word, of the run above."""
    [run] = [one for one in service.client("impi").get("/api/v1/runs").json["runs"] if one["suite"] == "server"]
    browser.open(f"/runs/{run['id']}")
    browser.heading("Some MPI")
    search = browser.one("[type=search]")
    search.send_keys("2.3.3")
    browser.wait.until(lambda chrome: 0 < len(browser.all("tbody tr")) < run["summary"]["pass"])


def test_on_a_phone(browser):
    """The form stays within a narrow window."""
    browser.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 380, "height": 800,
                                                                          "deviceScaleFactor": 1, "mobile": True})
    try:
        browser.open("/runs/new?profile=impi-0.0&brings=client-with-server")
        browser.one("[name=server]")
        assert browser.chrome.execute_script("return document.documentElement.scrollWidth") <= 380
        assert browser.one("[name=brings][value=server]") and browser.one("[name=suite][value=p2p]")
        browser.shot("impi-phone")
    finally:
        browser.chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
