# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""An MPI library that crashes, hangs or exits is reported (specs/interpreter.md, sections 2.2 and 7)."""

import os
import pathlib
import subprocess

import pytest

from manager import PATIENCE, TOKEN

# Its library is built with MPICH.
pytestmark = pytest.mark.long

HERE = pathlib.Path(__file__).resolve().parent
WORLD = "MPI_COMM_WORLD"


@pytest.fixture(scope="session")
def bad_mpi(unpack, variant):
    """interp-mpi with a library in between that misbehaves on demand."""
    if variant != "release":
        pytest.skip("one variant is enough")
    inside = unpack()
    subprocess.run(["mpicc.mpich", "-c", "-O1", "-Wall", "-Wextra", HERE / "badlib/badmpi.c",
                    "-o", inside / "badmpi.o"], check=True)
    made = subprocess.run(["make", "-j2", "interp-mpi", "MPICC=mpicc.mpich", "MPI_LIBS=badmpi.o", "CFLAGS=-O1 -g"],
                          cwd=inside, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return inside / "interp-mpi"


@pytest.fixture
def start(run, manager, bad_mpi):
    """start(order): (program, peer) of a world of one."""
    def begin(order, **environment):
        program = run(bad_mpi, BADLIB=order, **environment)
        return program, manager.accept()
    return begin


@pytest.mark.parametrize("act,signal,place", [("segv", "SIGSEGV", "MPI_Barrier"), ("abort", "SIGABRT", "MPI_Barrier"),
                                              ("thread", "SIGSEGV", "progress")])
def test_crash(start, act, signal, place):
    """Also when the library put signal handlers of its own in place."""
    program, peer = start("MPI_Barrier:" + act, BADLIB_HANDLERS="1")
    assert peer.do("MPI_Init") == {"rc": "MPI_SUCCESS"}
    number = peer.start("MPI_Barrier", comm=WORLD)
    assert peer.notice() == ("crash", {"signal": signal, "function": place, "id": str(number)})
    assert peer.closed() == b""
    assert program.status() == 70


def test_crash_in_init(start):
    program, peer = start("MPI_Init:segv")
    number = peer.start("MPI_Init")
    assert peer.notice() == ("crash", {"signal": "SIGSEGV", "function": "MPI_Init", "id": str(number)})
    assert program.status() == 70


@pytest.mark.parametrize("function", ["MPI_Init", "MPI_Barrier", "MPI_Finalize"])
def test_hang(start, function):
    program, peer = start(function + ":hang")
    values = dict(comm=WORLD) if function == "MPI_Barrier" else {}
    if function != "MPI_Init":
        peer.do("MPI_Init")
    number = peer.start(function, deadline=1000, **values)
    assert peer.notice() == ("hang", {"function": function, "id": str(number), "ms": "1000"})
    assert peer.closed() == b""
    assert program.status() == 71


def test_exit(start):
    program, peer = start("MPI_Finalize:exit")
    peer.do("MPI_Init")
    number = peer.start("MPI_Finalize")
    assert peer.notice() == ("exit", {"status": "unknown", "function": "MPI_Finalize", "id": str(number)})
    assert program.status() == 9


def test_codes_without_the_library(start):
    """Outside MPI_Init and MPI_Finalize nobody can be asked for the class of a code."""
    program, peer = start("MPI_Init:code=987654")
    assert peer.do("MPI_Init") == {"rc": "#987654", "code": "987654"}
    assert peer.do("abandon") == {}
    assert program.status() == 0


def test_arguments_that_come_with_init(bad_mpi, manager, tmp_path):
    """A system may give a program its arguments in MPI_Init only."""
    words = f"--manager {manager.address} --token {TOKEN}"
    environment = {**os.environ, "BADLIB": "MPI_Init:arguments", "BADLIB_ARGUMENTS": words}
    with subprocess.Popen([bad_mpi], env=environment, stdin=subprocess.DEVNULL) as process:
        peer = manager.accept()
        assert "initialized" in peer.hello["features"].split(",")
        assert peer.do("MPI_Initialized") == {"rc": "MPI_SUCCESS", "flag": "true"}
        assert peer.do("MPI_Init") == {"rc": "MPI_SUCCESS"}  # what came out then
        assert peer.do("MPI_Errhandler_get", comm=WORLD)["errhandler"] == "MPI_ERRORS_RETURN"
        assert peer.do("MPI_Finalize") == {"rc": "MPI_SUCCESS"}
        peer.do("quit")
        assert process.wait(timeout=PATIENCE) == 0


def test_arguments_for_init(bad_mpi, manager):
    """A system's start-up may add some, which MPI_Init takes away."""
    words = [bad_mpi, "--manager", manager.address, "--token", TOKEN, "-p4job", "7"]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        peer = manager.accept()
        assert peer.do("MPI_Init") == {"rc": "MPI_SUCCESS"}
        assert peer.do("MPI_Finalize") == {"rc": "MPI_SUCCESS"}
        peer.do("quit")
        assert process.wait(timeout=PATIENCE) == 0
        assert "argument -p4job is left to MPI_Init\n" in process.stderr.read()


def test_no_arguments_at_all(bad_mpi):
    done = subprocess.run([bad_mpi], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert "--manager is missing; try --help" in done.stderr


def test_help_and_version(bad_mpi):
    done = subprocess.run([bad_mpi, "--help"], capture_output=True, text=True, check=True)
    assert "usage: interp-mpi --manager" in done.stdout and "the MPI library" in done.stdout
    done = subprocess.run([bad_mpi, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("interp-mpi ") and "api mpi-1" in done.stdout
