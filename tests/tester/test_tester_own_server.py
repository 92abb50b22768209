# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A vendor of IMPI clients brings an own server to the meetings: started by the launch agent, reached or not."""

import stat

import pytest

from test_tester_interop import PROGRAMS, SUITE, client, meetings, server

ONE = (*SUITE[:2], "--case", "meet-ring-client-sss")
MIXED = (("sut", "sut", "reference"), ("sut", "reference", "sut"), ("sut", "reference", "reference"))


@pytest.fixture(name="script")
def fixture_script(tmp_path):
    """script(NAME, TEXT): a program of the vendor's."""
    def write(name, text):
        path = tmp_path / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path
    return write


def notes(outcome):
    return outcome.out + outcome.err


@pytest.mark.long
def test_a_server_out_of_reach(assay, root, bin_dir, script):
    """It prints an address that only the vendor's own machines know: the reference's clients stay away from it, the
    vendor's own meet there, and the report says why the others do not."""
    hidden = script("server", f'"{bin_dir}/impirun" "$@" | sed -u "s/^[0-9.]*:/255.255.255.255:/"\n')
    launcher = script("launcher", "for word; do shift; set -- \"$@\" \"$(echo \"$word\" | "
                                  f"sed s/^255.255.255.255:/127.0.0.1:/)\"; done\nexec \"{bin_dir}/impirun\" \"$@\"\n")
    outcome = assay.run(*SUITE, "--server", " ".join(server(hidden)), template=client(launcher, bin_dir),
                        cases=root / "tester" / "cases")
    found = {meeting: set(row.values()) for meeting, row in meetings(outcome.report).items()}
    assert found.pop(("sut", "sut", "sut")) == {"pass"}
    assert [found.pop(meeting) for meeting in MIXED] == 3 * [{"skip"}]
    assert len(found) == 4 and all(verdicts == {"pass"} for verdicts in found.values()), found
    reasons = {one["reason"] for one in outcome.report["cases"] if one["verdict"] == "skip"}
    assert len(reasons) == 1 and "connect to the own server, but it printed 255.255.255.255:" in reasons.pop()
    assert outcome.report["summary"]["skip"] == 3 * PROGRAMS and outcome.report["verdict"] == "conforms"


def test_report_names_it(assay, root, bin_dir):
    words = " ".join(server(bin_dir / "impirun"))
    outcome = assay.run(*ONE, "--server", words, template=client(bin_dir / "impirun", bin_dir),
                        cases=root / "tester" / "cases")
    assert outcome.status == 0 and outcome.report["sut"]["own_server"] == words
    assert meetings(outcome.report) == {("sut", "sut", "sut"): {"ring": "pass"}}


def test_a_server_that_does_not_serve(assay, root, bin_dir, script):
    """A command that starts no server is told as that before any case, with what it said; nobody is judged by it."""
    program = script("server", "echo 'say -server N' >&2; exit 4")
    outcome = assay.run(*ONE, "--server", f"{program} {{clients}}", template=client(bin_dir / "impirun", bin_dir),
                        cases=root / "tester" / "cases")
    assert outcome.status == 1 and outcome.report["verdict"] == "inconclusive" and not outcome.report["cases"]
    assert "the own server's first line of output names no address:port" in outcome.report["problem"]
    assert "it said: say -server N" in outcome.report["problem"], outcome.report["problem"]


def test_a_server_that_ends_early(assay, root, bin_dir, script, tmp_path):
    """It serves the look before the cases and not the job: that is judged where it happens, by the requirement."""
    program = script("server", f'[ -e "{tmp_path}/served" ] && exit 4\ntouch "{tmp_path}/served"\n'
                               f'exec "{bin_dir}/impirun" "$@"\n')
    outcome = assay.run(*ONE, "--server", " ".join(server(program)), template=client(bin_dir / "impirun", bin_dir),
                        cases=root / "tester" / "cases")
    one = outcome.case("meet-ring-client-sss")
    assert (one["verdict"], one["axis"], one["requirement"], one["observed"]) == ("fail", "sut", "IMPI-073", "ended")


def test_a_server_that_is_none(assay, root, bin_dir):
    """What cannot be executed is no matter of conformance."""
    outcome = assay.run(*ONE, "--server", "/no/such/server {clients}", template=client(bin_dir / "impirun", bin_dir),
                        cases=root / "tester" / "cases")
    assert outcome.status == 2 and outcome.report["verdict"] == "inconclusive"
    assert "the own server cannot be started" in outcome.report["problem"], outcome.report["problem"]


def test_no_meeting_needs_no_server(assay, root, bin_dir):
    """Where no case meets under it, nobody looks at it."""
    outcome = assay.run(*SUITE[:2], "--case", "meet-ring-client-rss", "--server", "/no/such/server {clients}",
                        template=client(bin_dir / "impirun", bin_dir), cases=root / "tester" / "cases")
    assert outcome.status == 0, notes(outcome)


def test_beside_a_server(assay, root, bin_dir):
    """A server that is judged needs no other one beside it."""
    launcher = bin_dir / "impirun"
    outcome = assay.run(*SUITE[:2], "--case", "meet-ring-server-srr", "--verbose", "--server",
                        " ".join(server(launcher)), template=server(launcher), cases=root / "tester" / "cases")
    assert outcome.status == 0 and "the own server takes no part" in notes(outcome)
    assert "own_server" not in outcome.report["sut"]


@pytest.mark.parametrize("profile, words, why", [
    ("impi-0.0", "server 2", "at character 9: {clients} is missing"),
    ("impi-0.0", "server {clients} {np}", "at character 18: a word of a client's command"),
    ("impi-0.0", "server '{clients}", "a quote is not closed"), ("impi-0.0", "server {clients}\t", "not printable"),
    ("impi-0.0", "x" * 501, "too long"), ("impi-0.0", "", "{clients} is missing"),
    ("portals-3.0", "server {clients}", "profile portals-3.0 knows no servers")])
def test_words_that_are_no_server(assay, root, tmp_path, profile, words, why):
    process = assay.call("run", "--profile", profile, "--report", str(tmp_path / "none"), "--server", words, "--",
                         "true", "{client}", cases=root / "tester" / "cases")
    assert process.returncode == 2 and why in process.stderr and not (tmp_path / "none").exists(), process.stderr
