# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Systems that are not the reference, or are it and slow, judged as a vendor's are: permitted ones conform, forbidden
ones do not. By default some suites; `make suts` takes all of them."""

import os
import pathlib

import pytest

pytestmark = pytest.mark.long

HERE = pathlib.Path(__file__).resolve().parent
WHOLE = bool(os.environ.get("SUTS_WHOLE"))
PORTALS = [] if WHOLE else ["--suite", "start,interfaces,access-control"]
SERVER = [] if WHOLE else ["--suite", "interop"]
CLIENT = [] if WHOLE else ["--suite", "shutdown"]
SLOW_LIBRARY = [] if WHOLE else ["--suite", "smoke"]


def wrong(report):
    return [(one["id"], one["verdict"], one["reason"]) for one in report["cases"]
            if one["verdict"] not in ("pass", "warn", "skip")]


@pytest.mark.parametrize("which,least", [("wide", 250), ("narrow", 250), ("late", 200)])
def test_a_library_over_pipes(pipes, judge, which, least):
    template, said = pipes(which)
    assert "this portals.h has no PTL_INV_SR_INDEX" in said
    report, shown = judge("portals-3.0", template, *PORTALS)
    assert report["problem"] == "" and wrong(report) == [], shown
    assert report["summary"]["pass"] > (least if WHOLE else 10)


@pytest.mark.parametrize("which", ["as-it-is", "few", "members", "lazy"])
def test_a_library_of_a_later_revision(onesided, judge, which):
    """It has no messages: who puts or gets does the target's half as well. What it has it declares."""
    template, said = onesided(which)
    declared = HERE / "onesided" / ("few.json" if which == "few" else "statement.json")
    assert "<portals3.h> is of Portals 3.3" in said and "lacks" not in said
    report, shown = judge("portals-3.3", template, "--statement", declared, *PORTALS)
    assert report["problem"] == "" and wrong(report) == [], shown
    assert report["summary"]["pass"] > ((400 if which == "few" else 500) if WHOLE else 30)


def test_a_library_without_progress(pipes, judge):
    """Nothing moves while the application computes: that is what application bypass forbids."""
    template, _ = pipes("idle")
    report, shown = judge("portals-3.0", template, "--case", "move-bypass", ASSAY_LOADAVG=os.devnull)
    [one] = report["cases"]
    assert (one["verdict"], one["axis"], one["requirement"]) == ("fail", "sut", "P30-008"), shown


def test_a_client_that_connects_in_init_only(in_init, judge):
    """The preflight finds out, and says what to do."""
    report, _ = judge("impi-0.0", in_init(), "--suite", "shutdown")
    assert report["cases"] == [] and report["verdict"] == "inconclusive"
    assert "the client connects to the server only in MPI_Init" in report["problem"]
    assert "add --initialize to the arguments of interp-mpi" in report["problem"]


def test_a_client_within_init(in_init, judge):
    report, shown = judge("impi-0.0", in_init("--initialize"), *CLIENT)
    assert report["problem"] == "" and wrong(report) == [], shown
    assert report["summary"]["pass"] > (500 if WHOLE else 20)


def test_a_server_of_another_style(judge):
    report, shown = judge("impi-0.0", [HERE / "rendezvous" / "server.py", "-server", "{clients}", "{options}"], *SERVER)
    assert report["problem"] == "" and wrong(report) == [], shown
    assert report["outcome"]["name"] == "conforms"


@pytest.mark.parametrize("knobs", [{"SEND": "2-8", "ANSWER": "4", "START": "2000", "PROGRAMS": "interp-portals"},
                                   {"SEND": "0-2", "ANSWER": "40", "PROGRAMS": "interp-portals"}])
def test_a_slow_library(slow, judge, bin_dir, knobs):
    """Each message and each call takes its time, an answer is seen late, and it is long before anything begins."""
    reference = [bin_dir / "portalsrun", "--nal", "tcp", "-np", "{np}", bin_dir / "interp-portals", "{args}"]
    report, shown = judge("portals-3.0", slow(reference, **knobs), *SLOW_LIBRARY)
    assert report["problem"] == "" and wrong(report) == [], shown
    assert report["summary"]["skip"] == 0


def test_a_slow_server(slow, judge, bin_dir):
    reference = [bin_dir / "impirun", "-server", "{clients}", "{options}"]
    report, shown = judge("impi-0.0", slow(reference, SEND="2-8", ANSWER="40", START="3000"), *SERVER)
    assert report["problem"] == "" and wrong(report) == [], shown


def test_a_slow_client(slow, judge, bin_dir):
    reference = [bin_dir / "impirun", "-client", "{client}", "{server}", "-np", "{np}", "-hosts", "{hosts}",
                 bin_dir / "interp-mpi", "{args}"]
    report, shown = judge("impi-0.0", slow(reference, SEND="2-8", ANSWER="4", START="500"), *CLIENT)
    assert report["problem"] == "" and wrong(report) == [], shown
