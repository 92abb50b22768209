# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Meetings of implementations (suite interop): who takes part, the matrix of the report, and whose fault is what."""

import shutil
import stat
import subprocess
import sys

import pytest

from assay_program import HERE

SUITE = ("--profile", "impi-0.0", "--suite", "interop")
PROGRAMS = 13
INTERPRETERS_MS = 30000  # for so long a case waits for those of a job


def client(launcher, bin_dir):
    return [str(launcher), "-client", "{client}", "{server}", "-np", "{np}", str(bin_dir / "interp-mpi"), "{args}"]


def server(launcher):
    return [str(launcher), "-server", "{clients}", "{options}"]


@pytest.fixture(name="wrapped")
def fixture_wrapped(bin_dir, tmp_path):
    """wrapped(SCRIPT): a launcher that executes this before it becomes the reference's; $1 and so on are its words."""
    def write(script):
        path = tmp_path / "launcher"
        path.write_text(f'#!/bin/sh\n{script}\nexec "{bin_dir}/impirun" "$@"\n')
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path
    return write


def meetings(report):
    """{(server, client 0, client 1): {program: verdict}} of a report's matrix."""
    found = {}
    for cell in report["matrix"]:
        found.setdefault((cell["server"], cell["client_a"], cell["client_b"]), {})[cell["program"]] = cell["verdict"]
    return found


@pytest.mark.long
def test_everybody_meets_everybody(assay, root, bin_dir):
    """A vendor with client and server: eight meetings, in each every program; the terminal shows the same table."""
    launcher = bin_dir / "impirun"
    outcome = assay.run(*SUITE, "--server", " ".join(server(launcher)), template=client(launcher, bin_dir),
                        cases=root / "tester" / "cases")
    found = meetings(outcome.report)
    both = ("sut", "reference")
    assert set(found) == {(a, b, c) for a in both for b in both for c in both}
    assert all(len(row) == PROGRAMS and set(row.values()) == {"pass"} for row in found.values()), found
    assert outcome.status == 0 and outcome.report["verdict"] == "conforms"
    table = [line.split() for line in outcome.out.splitlines()]
    assert ["ring"] + 8 * ["pass"] in table and len([row for row in table if row[1:] == 8 * ["pass"]]) == PROGRAMS
    assert {cell["case"] for cell in outcome.report["matrix"]} == {one["id"] for one in outcome.report["cases"]}


def test_a_server_alone(assay, root, bin_dir):
    outcome = assay.run(*SUITE, template=server(bin_dir / "impirun"), cases=root / "tester" / "cases")
    assert list(meetings(outcome.report)) == [("sut", "reference", "reference")] and outcome.status == 0


def test_without_a_reference(assay, root, bin_dir, tmp_path):
    outcome = assay.run(*SUITE, "--reference", str(tmp_path), template=server(bin_dir / "impirun"),
                        cases=root / "tester" / "cases")
    reasons = {one["reason"] for one in outcome.report["cases"]}
    assert reasons == {f"the case needs the reference, but there is no program impirun in {tmp_path}"}
    assert {one["verdict"] for one in outcome.report["cases"]} == {"skip"} and outcome.status == 1


def test_a_client_that_gives_up(assay, root, bin_dir, wrapped):
    """It fails wherever it is client 0, and only there: the meetings that it has no part in are not held against it.
    What else cannot begin for that is blocked by the first failure."""
    outcome = assay.run(*SUITE, template=client(wrapped('[ "$1 $2" = "-client 0" ] && exit 3'), bin_dir),
                        cases=root / "tester" / "cases")
    found = {meeting: set(row.values()) for meeting, row in meetings(outcome.report).items()}
    broken = {"fail", "inconclusive"}
    assert found == {("reference", "sut", "sut"): broken, ("reference", "sut", "reference"): broken,
                     ("reference", "reference", "sut"): {"pass"}, ("reference", "reference", "reference"): {"pass"}}
    assert all(one["blocked_by"] for one in outcome.report["cases"] if one["verdict"] == "inconclusive")
    assert outcome.status == 1 and outcome.report["verdict"] == "does-not-conform"


def test_nobody_is_waited_for_who_waits_for_one_that_has_ended(assay, root, bin_dir, wrapped):
    in_a_meeting = "-client 1 127.0.0.2"
    outcome = assay.run(*SUITE[:2], "--case", "meet-ring-client-rrs",
                        template=client(wrapped(f'[ "$1 $2 $IMPI_HOST_NAME" = "{in_a_meeting}" ] && exit 3'), bin_dir),
                        cases=root / "tester" / "cases")
    one = outcome.case("meet-ring-client-rrs")
    assert (one["verdict"], one["axis"]) == ("fail", "sut") and one["duration_ms"] < INTERPRETERS_MS, one
    assert "client 1, the system under test, starts its processes" in str(one)


LIAR = """
#include <mpi.h>
int MPI_Scan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    int code = PMPI_Scan(from, to, count, type, op, comm);
    *(int *)to += 1;
    return code;
}
"""


@pytest.mark.long
def test_a_wrong_result(assay, root, bin_dir, variant, tmp_path):
    """A library that gives one sum wrong, with nothing wrong on the wire: it fails wherever it takes part."""
    if variant != "release":
        pytest.skip("programs are linked with the release library")
    compiler, folder, liar = bin_dir / "assay-mpicc", tmp_path / "interpreter", tmp_path / "liar.o"
    (tmp_path / "liar.c").write_text(LIAR)
    shutil.copytree(root / "interpreter", folder)
    for command in ([compiler, "-c", "-o", liar, tmp_path / "liar.c"],
                    ["make", "-s", "-C", folder, "interp-mpi", f"MPICC={compiler}", f"MPI_LIBS={liar}"]):
        subprocess.run(command, check=True, capture_output=True, timeout=900)
    outcome = assay.run(*SUITE, template=client(bin_dir / "impirun", folder), cases=root / "tester" / "cases")
    wrong = {(cell["client_a"], cell["client_b"], cell["program"]) for cell in outcome.report["matrix"]
             if cell["verdict"] != "pass"}
    assert wrong == {(a, b, "collectives") for a, b in (("sut", "sut"), ("sut", "reference"), ("reference", "sut"))}
    one = outcome.case("meet-collectives-client-rsr")
    assert (one["verdict"], one["requirement"], one["expected"], one["observed"]) == ("fail", "IMPI-228", "1", "2")


def test_a_limit_that_one_does_not_keep(assay, root, bin_dir, wrapped):
    """A client that drops its user's limit does not make others fail: the smaller value is in force."""
    outcome = assay.run(*SUITE[:2], "--case", "meet-sizes-client-rsr",
                        template=client(wrapped("unset IMPI_DATALEN"), bin_dir), cases=root / "tester" / "cases")
    assert outcome.status == 0, outcome.report["cases"]


def test_an_agent_that_does_not_end(assay, root, bin_dir, tmp_path):
    """The launch agent beside the system under test has done its work, but stays and takes no SIGTERM: it is killed,
    and the run ends."""
    stubborn = tmp_path / "agent"
    stubborn.write_text(f'''#!/bin/sh
case "$*" in *-client*) trap "" TERM; "{bin_dir}/sut-agent" "$@"; exec sleep 1000;; esac
exec "{bin_dir}/sut-agent" "$@"
''')
    stubborn.chmod(stubborn.stat().st_mode | stat.S_IXUSR)
    outcome = assay.run(*SUITE, "--case", "meet-ring-server-srr", template=server(bin_dir / "impirun"),
                        cases=root / "tester" / "cases", environment={"ASSAY_AGENT": str(stubborn)})
    assert outcome.status == 0 and outcome.report["summary"]["pass"] == 1


def test_a_reference_that_is_not_one(assay, root, bin_dir, tmp_path):
    """What goes wrong where the system under test takes no part is nobody's non-conformance."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in ("impirun", "interp-mpi"):
        (folder / name).write_text('#!/bin/sh\n[ "$1" = -server ] && exec "%s/impirun" "$@"\nexit 9\n' % bin_dir)
        (folder / name).chmod(0o755)
    outcome = assay.run(*SUITE[:2], "--reference", str(folder), "--case", "meet-ring-client-rrr",
                        template=client(bin_dir / "impirun", bin_dir), cases=root / "tester" / "cases")
    one = outcome.case("meet-ring-client-rrr")
    assert (one["verdict"], one["axis"]) == ("inconclusive", "tester") and "status 9" in str(one), one


@pytest.mark.parametrize("cell", ["rrs", "rsr"])
def test_a_reference_that_crashes(assay, root, bin_dir, tmp_path, cell):
    """A signal ends the reference's client beside one of the system under test: that is held against nobody else, and
    the case does not wait for the other one."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in ("impirun", "interp-mpi"):
        (folder / name).write_text(f'#!/bin/sh\n[ "$1" = -server ] && exec "{bin_dir}/impirun" "$@"\nkill -SEGV $$\n')
        (folder / name).chmod(0o755)
    outcome = assay.run(*SUITE[:2], "--reference", str(folder), "--case", f"meet-ring-client-{cell}",
                        template=client(bin_dir / "impirun", bin_dir), cases=root / "tester" / "cases")
    one = outcome.case(f"meet-ring-client-{cell}")
    assert (one["verdict"], one["axis"]) == ("inconclusive", "tester"), one
    assert one["reason"] == "the command of the reference ended with signal SIGSEGV"
    assert outcome.report["verdict"] == "inconclusive" and one["duration_ms"] < INTERPRETERS_MS


def test_an_agent_that_speaks_for_others(assay, root, bin_dir, tmp_path):
    """What the agent of the system under test says about jobs that it has not started is not believed."""
    liar = tmp_path / "agent"
    liar.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{HERE}/liar_agent.py" "{bin_dir}/sut-agent" "$@"\n')
    liar.chmod(liar.stat().st_mode | stat.S_IXUSR)
    outcome = assay.run(*SUITE[:2], "--case", "meet-ring-server-srr", template=server(bin_dir / "impirun"),
                        cases=root / "tester" / "cases", environment={"ASSAY_AGENT": str(liar)})
    assert outcome.status == 0, outcome.report
    assert "status 9" not in (outcome.folder / outcome.case("meet-ring-server-srr")["transcript"]).read_text()


@pytest.mark.parametrize("cell", ['{ "sut" }', '{ "sut", "sut", "sut" }', '{ "sut", "other", "sut", "x" }',
                                  '{ "sut", "sut", "sut", "x", "y" }'])
def test_a_cell_that_is_none(assay, cell):
    (assay.cases / "impi-0.0").mkdir()
    (assay.cases / "impi-0.0" / "cases.lua").write_text(
        'case { id = "one", title = "t", purpose = "p", role = "client", suite = "s", chapter = "2", '
        f'cell = {cell}, requirements = {{ "IMPI-010" }}, run = function(t) end }}')
    process = assay.call("cases", "--profile", "impi-0.0")
    assert process.returncode == 2 and "cell is empty, or has four texts" in process.stderr
