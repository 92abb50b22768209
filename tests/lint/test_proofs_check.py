# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""When `make mutants MUTANTFLAGS=--check` calls proofs.json right: not only when it is equal to the letter."""

import argparse
import copy
import pathlib
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "mutants"))

import run  # noqa: E402

FAILS, WARNS = ({"verdict": verdict, "digest": "11"} for verdict in ("fail", "warn"))
KEPT = {
    "reply-lost": {"breaks": "P30-001", "why": "a", "source": "x.c", "in": ["f"], "digest": "1",
                   "caught_by": {"one": FAILS, "two": FAILS}},
    "ack-lost": {"breaks": "P30-002", "why": "b", "source": "x.c", "in": ["f"], "digest": "2",
                 "caught_by": {"three": FAILS}},
}


@pytest.fixture(name="check")
def check_fixture(capsys):
    """Checks a change of what was found; whether all proofs hold, and what is said."""
    def check(change):
        found = copy.deepcopy(KEPT)
        change(found)
        return run.check_proofs(KEPT, found), capsys.readouterr().out

    return check


def test_equal_proofs_say_nothing(check):
    assert check(lambda found: None) == (True, "")


def test_a_case_more_or_less_leaves_a_proof_standing(check):
    holds, said = check(lambda found: found["reply-lost"].update(caught_by={"two": FAILS, "four": FAILS}))
    assert holds
    assert said == "proofs.json: reply-lost: holds; this time not caught by one; newly caught by four\n"


@pytest.mark.parametrize("change, said", [
    (lambda found: found["ack-lost"].update(caught_by={"one": FAILS}),
     "ack-lost: does not hold; this time not caught by three"),
    (lambda found: found["ack-lost"].update(caught_by={}), "ack-lost: does not hold; this time not caught by three"),
    (lambda found: found["ack-lost"].update(breaks="P30-003"), "ack-lost: does not hold; other breaks"),
    (lambda found: found["ack-lost"].update(digest="3"), "ack-lost: does not hold; other digest"),
    (lambda found: found["ack-lost"].update(caught_by={"three": WARNS}),
     "ack-lost: does not hold; caught otherwise, or by a case that has changed: three"),
    (lambda found: found.update(new=KEPT["ack-lost"]), "new: is missing"),
], ids=["another case", "nobody", "another requirement", "another source", "another verdict", "a new mutant"])
def test_what_is_out_of_date_is_named(check, change, said):
    holds, text = check(change)
    assert not holds
    assert f"proofs.json: {said}" in text and "out of date" in text


@pytest.mark.parametrize("given, fine", [
    ({}, False), ({"names": ["ack-lost"]}, True), ({"stale": True}, True)], ids=["all", "some", "the stale ones"])
def test_status_of_what_is_tried(monkeypatch, capsys, given, fine):
    """An old proof is told of, but who asks for some mutants is answered for these: they are caught, or not."""
    monkeypatch.setattr(run.bindings, "load", lambda root: {**KEPT, "ack-lost": {**KEPT["ack-lost"], "digest": "0"}})
    assert run.compared(argparse.Namespace(**{"names": [], "stale": False, **given}), KEPT) == fine
    assert ("ack-lost: does not hold; other digest" in capsys.readouterr().out) == ("stale" not in given)
