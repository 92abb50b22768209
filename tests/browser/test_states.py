# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Every page in each state that real runs bring it to: axe-core finds nothing, by day as a desktop shows it and in the
dark on a phone, where nothing is wider than the screen, and no more than 100 KB are sent for it. Pictures of each go to
<build>/screenshots/states. The book, one page of a thousand requirements, takes axe-core minutes and is left out."""

import os
import pathlib
import shutil

import pytest

from pages import Browser
from service import PATIENCE, Service
from test_again import Launcher, again
from test_account import sign_in
from test_certificate import SMALL
from test_waivers import CASES, ORDER

LOOKS = (("light", 1280), ("dark", 360))
HEAVIEST = 100_000  # octets as they are sent, of the page and of all that it loads
GUEST = "Other MPI 2.1"
PRINTABLE = ("run-failed", "report-page", "whole-certificate")
WAIVER_NEW = "/waivers?implementation={}&profile=portals-3.0&cases=first-entry"  # as the failed run's page links to it
STATEMENT = {"profile": "portals-3.0", "limits": {"match_entries": 64}}


@pytest.fixture(name="look")
def fixture_look(chrome, screenshots, axe):
    """look(service, owner, pages): what is wrong with the pages, {name: address}, as the owner sees them."""
    folder = screenshots / "states"
    folder.mkdir(exist_ok=True)

    def look(service, owner, pages):
        browser = Browser(chrome, service, folder)
        chrome.delete_all_cookies()
        chrome.set_script_timeout(PATIENCE)
        found = []
        if owner:
            browser.open(owner.post("/api/v1/sign-in-links", {"for": "this-account"}).json["link"])
            browser.click("Sign in", "button")
            browser.heading("Does it conform?")
        for name, address in pages.items():
            browser.open(address)
            browser.one("h1")
            browser.wait.until(lambda _: chrome.execute_async_script(SETTLED), f"{name} at rest")
            weight = chrome.execute_script(WEIGHT)
            assert weight > 0, name
            found += [f"{name}: {weight} octets were sent"] if weight > HEAVIEST else []
            for scheme, width in LOOKS:
                found += [f"{name}, {scheme}, {width}: {one}" for one in seen(browser, name, scheme, width, axe)]
            if name in PRINTABLE:
                printed = chrome.print_page()
                assert len(printed) > 10000, name
        return found
    yield look
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


# Tables that do not fit; those of many columns that mean something beside each other may scroll.
CUT = """
return [...document.querySelectorAll(".scroll")].filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.getAttribute("aria-label") ?? one.className);
"""
WIDER = ()

# What is written larger than the verdict, on a page that has one.
LARGER = """
const size = (one) => parseFloat(getComputedStyle(one).fontSize), word = document.querySelector(".verdict .word");
return word ? [...document.querySelectorAll("main *")].filter((one) => one !== word && size(one) > size(word))
  .map((one) => one.outerHTML.slice(0, 60)) : [];
"""

PAPER = 718  # points

WEIGHT = "return performance.getEntries().reduce((sum, one) => sum + (one.encodedBodySize || 0), 0);"

# Whether nothing was asked for in the last fifth of a second; live events are never over.
SETTLED = """
const [done] = arguments;
const count = () => performance.getEntriesByType("resource").length;
const before = count();
setTimeout(() => done(count() === before), 200);
"""


def cut_on_paper(chrome):
    """What does not fit on a sheet of A4 between its margins."""
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": PAPER, "height": 1000,
                                                                  "deviceScaleFactor": 1, "mobile": False})
    wide = chrome.execute_script("return document.documentElement.scrollWidth")
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    return [f"{wide} points wide on paper"] if wide > PAPER else []


def seen(browser, name, scheme, width, axe):
    """What is wrong in one look; the second opens what the first left closed."""
    chrome = browser.chrome
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme",
                                                                        "value": scheme}]})
    if scheme == "dark":
        chrome.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        browser.wait.until(lambda _: chrome.execute_async_script(SETTLED), f"{name} at rest, opened")
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900,
                                                                  "deviceScaleFactor": 1, "mobile": width < 500})
    height = min(chrome.execute_script("return document.documentElement.scrollHeight"), 4000)
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height,
                                                                  "deviceScaleFactor": 1, "mobile": width < 500})
    chrome.save_screenshot(str(browser.screenshots / f"{name}-{scheme}-{width}.png"))
    found = browser.inaccessible(axe)
    wide = chrome.execute_script("return document.documentElement.scrollWidth")
    found += [f"{wide} points wide"] if wide > width else []
    found += [f"{one} is larger than the verdict" for one in chrome.execute_script(LARGER)]
    found += [f"{one} is wider than its place" for one in chrome.execute_script(CUT) if one not in WIDER]
    return found + cut_on_paper(chrome)


def judge(service, client, *template, **order):
    """A run that is over."""
    made = client.run(**order)
    agent = service.agent(made["token"], *template)
    state = client.wait_over(made["run"]["id"])
    agent.communicate(timeout=PATIENCE)
    return state["id"]


def report_of_everybody(owner, run):
    return owner.post(f"/api/v1/runs/{run}/shares", {"name": "a customer", "days": 3}).json["link"]


def broken(bin_dir, root, order="entry"):
    """The template of an implementation that fails."""
    program = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "tester" / "interp-broken"
    return "env", f"BROKEN={order}", bin_dir / "portalsrun", "-np", "{np}", program, "{args}"


def test_first_visit(bin_dir, tmp_path, look):
    """Before anything was done, and what there is not."""
    service = Service(bin_dir, tmp_path / "data")
    try:
        found = look(service, None, {"sign-in": "/sign-in", "sign-in-used": "/sign-in?code=used", "verify": "/verify",
                                     "certificate-unknown": "/certificates/none", "shared-unknown": "/shared/none",
                                     "nowhere": "/nowhere"})
        owner, _ = sign_in(service, service.read_link(), name="Ada")
        found += look(service, owner, {"home-empty": "/", "implementation-new": "/implementations/new",
                                       "run-new-first": "/runs/new", "waivers-empty": "/waivers",
                                       "account-first": "/account", "run-unknown": "/runs/none",
                                       "profile-unknown": "/profiles/none", "replay": "/replay"})
    finally:
        service.end()
    assert not found, "\n".join(found)


def test_runs(bin_dir, root, tmp_path, look):
    """Runs in each state, and what is made of them."""
    service = Service(bin_dir, tmp_path / "data")
    try:
        owner, _ = sign_in(service, service.read_link(), name="Ada")
        failed = judge(service, owner, *broken(bin_dir, root), suite="foundations,smoke")
        passed = judge(service, owner, suite="foundations,smoke")
        unstarted = judge(service, owner, "false", "{np}", "{args}")
        waiting, guest, paused, cancelled = [
            owner.run(**order) for order in ({"suite": "smoke"}, {"profile": "impi-0.0", "guest": GUEST},
                                             {"suite": "smoke"}, {"suite": "smoke"})]
        owner.post(f"/api/v1/runs/{paused['run']['id']}/pause", None)
        owner.post(f"/api/v1/runs/{cancelled['run']['id']}/cancel", None)
        owner.wait_over(cancelled["run"]["id"])
        owner.post("/api/v1/tokens", {"name": "nightly", "days": 30})
        owner.post("/api/v1/organisations", {"name": "Example Ltd"})
        owner.post("/api/v1/sign-in-links", {"for": "new-account"})
        found = look(service, owner, {
            "home": "/", "run-new": "/runs/new", "account": "/account", "profile": "/profiles/portals-3.0",
            "matrix": "/profiles/portals-3.0/matrix", "case-of-profile": "/profiles/portals-3.0/cases/first-entry",
            **{f"run-{name}": f"/runs/{one['run']['id']}" for name, one in (
                ("waiting", waiting), ("waiting-for-guest", guest), ("paused", paused), ("cancelled", cancelled))},
            "run-failed": f"/runs/{failed}", "run-passed": f"/runs/{passed}", "run-unstarted": f"/runs/{unstarted}",
            "case-failed": f"/runs/{failed}/cases/first-entry", "case-passed": f"/runs/{passed}/cases/smoke-put",
            "compare": f"/runs/{failed}/compare/{passed}", "compare-itself": f"/runs/{failed}/compare/{failed}",
            "case-unknown": f"/runs/{failed}/cases/none", "waiver-new": WAIVER_NEW.format(owner.implementation()),
            "report-page": f"/api/v1/runs/{failed}/report.html", "shared": report_of_everybody(owner, failed)})
    finally:
        service.end()
    assert not found, "\n".join(found)


@pytest.mark.long
def test_whole_run(bin_dir, root, tmp_path, look):
    """Long tables: a run of all cases, and one beside it."""
    service = Service(bin_dir, tmp_path / "data")
    try:
        owner, _ = sign_in(service, service.read_link(), name="Ada")
        failed, whole = judge(service, owner, *broken(bin_dir, root), suite="smoke"), judge(service, owner)
        found = look(service, owner, {
            "run-whole": f"/runs/{whole}", "compare-whole": f"/runs/{failed}/compare/{whole}",
            "case-of-whole": f"/runs/{whole}/cases/stress-thousands-of-entries"})
    finally:
        service.end()
    assert not found, "\n".join(found)


def test_runs_under_way(bin_dir, tmp_path, look):
    """In the middle; and one of which all cases are judged and the agent is still there: a case that may be run again,
    and one that was."""
    (tmp_path / "slow").mkdir()
    service, launcher, slow = Service(bin_dir, tmp_path / "data"), *(
        Launcher(folder, bin_dir) for folder in (tmp_path, tmp_path / "slow"))
    try:
        owner, _ = sign_in(service, service.read_link(), name="Ada")
        middle = owner.run(suite="movement")
        delayed = service.agent(middle["token"], *slow.template)
        slow.jobs("", "")
        next(event for event in owner.events(middle["run"]["id"]) if event[1] == "result")
        found = look(service, owner, {"run-running": f"/runs/{middle['run']['id']}"})
        assert owner.get(f"/api/v1/runs/{middle['run']['id']}").json["state"] == "running"
        owner.post(f"/api/v1/runs/{middle['run']['id']}/cancel", None)
        delayed.communicate(timeout=PATIENCE)
        made = owner.run(case="smoke-put,smoke-get", linger=30)
        run = made["run"]["id"]
        agent = service.agent(made["token"], *launcher.template)
        launcher.jobs("", "crash", "crash")
        next(event for event in owner.events(run) if event[2].get("kind") == "lingering")
        assert again(owner, run).status == 202
        launcher.jobs("")
        next(event for event in owner.events(run) if event[2].get("attempt") == 2)
        found += look(service, owner, {
            "run-lingering": f"/runs/{run}", "case-may-again": f"/runs/{run}/cases/smoke-get",
            "case-was-again": f"/runs/{run}/cases/smoke-put"})
        owner.post(f"/api/v1/runs/{run}/finish", None)
        owner.wait_over(run)
        agent.communicate(timeout=PATIENCE)
    finally:
        launcher.close()
        slow.close()
        service.end()
    assert not found, "\n".join(found)


def test_certificates(bin_dir, root, tmp_path, monkeypatch, look):
    """A certificate that holds, one with a waiver, one that was revoked; their runs."""
    found = []
    for name, cases in (("whole", SMALL), ("waived", CASES)):
        folder = tmp_path / name / "cases"
        (folder / "portals-3.0").mkdir(parents=True)
        shutil.copytree(root / "tester" / "cases" / "lib", folder / "lib")
        (folder / "portals-3.0" / "cases.lua").write_text(cases)
        monkeypatch.setenv("ASSAY_CASES", str(folder))
        service = Service(bin_dir, tmp_path / name / "data")
        try:
            owner, _ = sign_in(service, service.read_link(), name="Ada")
            if name == "waived":
                order = {**ORDER, "implementation": owner.implementation(), "cases": "bad"}
                waiver = owner.post("/api/v1/waivers", order)
                assert waiver.status == 201, waiver.body
                assert owner.post(f"/api/v1/waivers/{waiver.json['id']}/grant", None).status in (200, 204)
            run = judge(service, owner, **({"statement": STATEMENT} if name == "whole" else {}))
            certificate = owner.get(f"/api/v1/runs/{run}").json["certificate"]
            assert certificate
            pages = {f"{name}-run": f"/runs/{run}", f"{name}-certificate": f"/certificates/{certificate}",
                     f"{name}-home": "/", f"{name}-waivers": "/waivers"}
            found += look(service, owner, pages)
            found += look(service, None, {f"{name}-certificate-public": f"/certificates/{certificate}"})
            if name == "whole":
                revoked = owner.post(f"/api/v1/certificates/{certificate}/revoke", {"reason": "for another version"})
                assert revoked.status in (200, 204), revoked.body
                found += look(service, None, {"revoked-certificate": f"/certificates/{certificate}"})
                found += look(service, owner, {"revoked-run": f"/runs/{run}", "revoked-verify": "/verify"})
        finally:
            service.end()
    assert not found, "\n".join(found)
