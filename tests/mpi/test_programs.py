# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Ordinary MPI programs compile unchanged with assay-mpicc and with Debian's MPI libraries, and print the same.

MPICH has all of MPI-1; Open MPI lacks the names that MPI-3 removed, so programs that use those are compared with MPICH
only.
"""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from clients import printed

FOLDER = pathlib.Path(__file__).resolve().parent / "programs"
SOURCES = {path.stem: path for path in FOLDER.glob("**/*.c")}
PROGRAMS = sorted(SOURCES)
REMOVED = re.compile(
    r"MPI_(Address|Type_(extent|struct|h?indexed|hvector|lb|ub)|UB|LB|Errhandler_(create|get|set)|Attr_\w+)\b"
)
DEADLINE = 600
SIZES = (1, 2, 4, 7)
SHAPES = ((2, 2), *(pytest.param(shape, marks=pytest.mark.long) for shape in ((1, 2, 1), (2, 1, 1, 1, 1, 2))))
NEEDS_TWO = {"agreements", "pingpong", "datatypes", "between", "promises", "copies_later"}
# Windows are for one client, and so are copies that wait for nobody.
# MPICH 4.0 loses part of an accumulate of a megabyte, once in some thirty jobs of four; it
# crashed in long reductions in place at a root other than 0, and in
# MPI_Isendrecv_replace; its MPI_Isendrecv gives no status. It fetched other
# things than fetches expects, and did not end in jobs of three. In epochs of jobs of four it came out of
# MPI_Win_complete before what was got had come, and then crashed.
# MPICH 4.0 and Open MPI 4.1 take blocks of neighbours in a ring of one or two in the order of their sending, MPICH not
# even in all of those operations; MPI-4 says that what goes down comes from above.
# What a window's hints are nobody need tell: MPICH tells of more, Open MPI of none that it has not been given.
WITHIN_A_CLIENT = {"copies_later", "windows", "attributes", "bursts", "dynamic", "epochs", "fetches", "hints",
                   "shared"}
MPICH_ERRS = {"windows", "epochs", "reduce_in_place", "exchange_later", "fetches", "hints", "neighbors"}
# Frames of 512 octets take them minutes where others want the processors.
MEBIBYTES = {"collective_sizes", "epochs", "exchange_sizes", "nonblocking", "windows"}
# Enough, where all would take long, for each kind of operation; and for each that goes another way between clients.
QUICK = {"collectives", "datatypes", "pingpong"}
# What all of our ways would do alike, another library tells.
COMPARED = {"between", "objects"}
# These look themselves at what has come.
JUDGING = [name for name in PROGRAMS if "%d wrong" in SOURCES[name].read_text(encoding="utf-8")]
BETWEEN = QUICK | {"agreements", "between", "collective_sizes", "exchange_later", "families", "farm", "matched",
                   "nonblocking", "packing", "promises", "reduce_in_place", "ring", "short_collectives", "starts",
                   "statuses", "topologies"}
# Open MPI 4.1 did not end, in a minute, a broadcast whose root names its octets by another type than the others; it
# crashes where a communicator is freed that has operations under way.
# MPI_Isendrecv is of MPI-4, which it does not have yet. It crashed in fetches and in bursts. In files it takes the
# end of a view for another place, and has another class for an offset below 0.
# It shares memory that is aligned for 8 octets, and has an address for a part without any;
# an access to a dynamic window may not go over two parts that were attached.
# In external32 it leaves a long and a wide character as long as they are, and it reduces octets as numbers.
OPENMPI_ERRS = {"named_types", "collective_sizes", "nonblocking", "exchange_later", "fetches", "neighbors", "files",
                "shared", "bursts", "dynamic", "hints"}


def run(command, **environment):
    """What a command printed; it must succeed and say nothing on stderr."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=DEADLINE,
                          check=False, env={**os.environ, **environment})
    assert done.returncode == 0, f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(name="compiled", scope="module")
def fixture_compiled(bin_dir, tmp_path_factory):
    """Compiles a program with a compiler, once."""
    folder = tmp_path_factory.mktemp("programs")

    def compiled(name, compiler):
        program = folder / f"{name}.{pathlib.Path(compiler).name}"
        if not program.exists():
            said = run([compiler, "-O1", "-Wall", "-Wextra", "-Werror", "-o", program, SOURCES[name], "-lm"])
            assert said == ""
        return program

    return lambda name, compiler="assay-mpicc": compiled(name, bin_dir / compiler if "assay" in compiler else compiler)


@pytest.fixture(name="ours")
def fixture_ours(bin_dir, compiled):
    """What a program prints as a job of so many processes with the library under test."""

    def ours(name, size, **environment):
        return run([bin_dir / "portalsrun", "-np", size, compiled(name)], **environment)

    return ours


def sizes(name):
    """The sizes of jobs that make sense for a program."""
    return [size for size in SIZES if size > 1 or name not in NEEDS_TWO]


def theirs(compiler, launcher):
    """The compiler and launcher of another library, or a skip."""
    if not shutil.which(compiler) or not shutil.which(launcher):
        pytest.skip(f"{compiler} or {launcher} is not installed")
    return compiler


@pytest.mark.parametrize("name", JUDGING)
def test_nothing_is_wrong(name, ours):
    """Programs that judge themselves find nothing."""
    found = re.findall(r"(\d+) wrong", ours(name, 4))
    assert found and set(found) == {"0"}


@pytest.mark.parametrize("name", [pytest.param(name, marks=[] if name in COMPARED else [pytest.mark.long])
                                  for name in PROGRAMS if name not in MPICH_ERRS])
def test_same_as_mpich(name, ours, compiled):
    """MPICH prints the same, whatever the number of processes."""
    program = compiled(name, theirs("mpicc.mpich", "mpirun.mpich"))
    for size in sizes(name):
        assert ours(name, size) == run(["mpirun.mpich", "-np", size, program])


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in OPENMPI_ERRS])
def test_same_as_openmpi(name, ours, compiled):
    """Open MPI prints the same."""
    if REMOVED.search(SOURCES[name].read_text(encoding="utf-8")):
        pytest.skip("Open MPI lacks functions that MPI-3 removed")
    program = compiled(name, theirs("mpicc.openmpi", "mpirun.openmpi"))
    size = sizes(name)[-1]
    assert ours(name, size) == run(["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", size, program])


@pytest.fixture(name="clients")
def fixture_clients(bin_dir, compiled):
    """What a program prints as an IMPI job, each client of which has so many processes."""

    return lambda name, *shape: printed(bin_dir / "impirun", compiled(name), shape)


@pytest.mark.parametrize("name", [pytest.param(name, marks=[] if name in BETWEEN else [pytest.mark.long])
                                  for name in PROGRAMS if name not in WITHIN_A_CLIENT])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "+".join(map(str, shape)))
def test_same_between_clients(name, shape, ours, clients):
    """It makes no difference that processes are in several clients: linear up to four of them, then along trees."""
    assert clients(name, *shape) == ours(name, sum(shape))


@pytest.mark.parametrize("name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.long])
                                  for name in PROGRAMS])
def test_same_over_networks(name, ours):
    """The network makes no difference."""
    assert ours(name, 3, ASSAY_NAL="tcp") == ours(name, 3, ASSAY_NAL="shm")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.long])
                                  for name in PROGRAMS if name not in MEBIBYTES])
def test_same_over_intercept(name, ours):
    """Nor does the simulated one, whose switch the launcher runs."""
    assert ours(name, 3, ASSAY_NAL="intercept") == ours(name, 3, ASSAY_NAL="shm")


@pytest.mark.parametrize("name", ["hello", "pingpong", "collectives"])
def test_clients_over_intercept(name, clients, monkeypatch):
    """Two IMPI clients, each with a switch of its own within."""
    over_shm = clients(name, 2, 2)
    monkeypatch.setenv("ASSAY_NAL", "intercept")
    assert clients(name, 2, 2) == over_shm


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in NEEDS_TWO])
def test_alone(name, ours, compiled):
    """Without a launcher a program is a world of one."""
    assert run([compiled(name)]) == ours(name, 1)
