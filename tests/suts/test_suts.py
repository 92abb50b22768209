# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Libraries that are not the reference, judged as a vendor's are: permitted ones conform, forbidden ones do not. By
default some suites; `make suts` takes all of them."""

import os

import pytest

WHOLE = bool(os.environ.get("SUTS_WHOLE"))
PORTALS = [] if WHOLE else ["--suite", "start,interfaces,access-control"]
CLIENT = [] if WHOLE else ["--suite", "shutdown"]


def wrong(report):
    return [(one["id"], one["verdict"], one["reason"]) for one in report["cases"]
            if one["verdict"] not in ("pass", "warn", "skip")]


@pytest.mark.parametrize("which", ["wide", "narrow"])
def test_a_library_over_pipes(pipes, judge, which):
    template, said = pipes(which)
    assert "this portals.h has no PTL_INV_SR_INDEX" in said
    report, shown = judge("portals-3.0", template, *PORTALS)
    assert report["problem"] == "" and wrong(report) == [], shown
    assert report["summary"]["pass"] > (250 if WHOLE else 10)


def test_a_library_without_progress(pipes, judge):
    """Nothing moves while the application computes: that is what application bypass forbids."""
    template, _ = pipes("idle")
    report, shown = judge("portals-3.0", template, "--case", "move-bypass")
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
