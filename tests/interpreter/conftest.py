# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Fixtures: a manager, interpreters linked with the reference and with a library that misbehaves, agents."""

import os
import pathlib
import signal
import subprocess
import sys
import tarfile

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from manager import PATIENCE, TOKEN, Manager  # noqa: E402


class Program:
    """A process whose stderr can be read when it has ended."""

    def __init__(self, arguments, environment, folder):
        self.error_file = folder / f"stderr-{os.urandom(4).hex()}"
        with open(self.error_file, "wb") as stderr:
            self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=stderr, stderr=stderr,
                                            env={**os.environ, **environment})

    def status(self):
        """Wait for the end; negative for a signal."""
        return self.process.wait(timeout=PATIENCE)

    def said(self):
        """What it has printed so far."""
        return self.error_file.read_text(errors="replace")

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


@pytest.fixture
def manager():
    with Manager() as one:
        yield one


@pytest.fixture
def run(tmp_path, manager):
    """run(program, *arguments, **environment): starts a program with the manager's address; it is killed at the end."""
    programs = []

    def start(program, *arguments, address=None, token=TOKEN, **environment):
        words = [str(program), "--manager", address or manager.address, "--token", token, *map(str, arguments)]
        programs.append(Program(words, environment, tmp_path))
        return programs[-1]

    yield start
    for program in programs:
        program.end()


@pytest.fixture
def interp(run, manager, bin_dir):
    """interp(**environment): (program, peer) of an interpreter linked with the reference."""
    def start(**environment):
        program = run(bin_dir / "interp-portals", **environment)
        return program, manager.accept()
    return start


@pytest.fixture
def peer(interp):
    """An interpreter linked with the reference; it must not have died when the test is over."""
    program, one = interp()
    yield one
    one.do("quit")
    assert program.status() == 0, program.said()


@pytest.fixture(scope="session")
def tarball(build):
    path = build / "share" / "assay-interpreter.tar.gz"
    if not path.exists():
        pytest.fail(f"{path} is missing: run make tarball")
    return path


@pytest.fixture(scope="session")
def unpack(tarball, tmp_path_factory):
    """unpack(): the archive's one folder, fresh."""
    def fresh():
        folder = tmp_path_factory.mktemp("archive")
        with tarfile.open(tarball) as archive:
            archive.extractall(folder)
        [inside] = folder.iterdir()
        return inside
    return fresh


@pytest.fixture(scope="session")
def bad(unpack, variant):
    """An interpreter built from the archive, with another vendor's header and a library that misbehaves on demand."""
    inside = unpack()
    flags = "-O0 -g1" + (" -fsanitize=address,undefined" if variant == "asan" else "")
    library = inside / "badportals.o"
    subprocess.run(["gcc", "-c", *flags.split(), "-Wall", "-Wextra", f"-I{HERE}/badlib", HERE / "badlib/badportals.c",
                    "-o", library], check=True)
    made = subprocess.run(["make", "-j2", "interp-portals", f"CFLAGS={flags} -Werror -DHANDLES_ARE_INTEGERS",
                           f"LDFLAGS={flags}", f"PORTALS_CFLAGS=-I{HERE}/badlib", f"PORTALS_LIBS={library}"],
                          cwd=inside, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    assert "this portals.h has no PTL_PT_INV_INDEX PTL_INV_SR_INDX PTL_INV_REG PTL_MD_NONE" in made.stderr
    return inside / "interp-portals"


class Job:
    """The processes of an MPI job, in the order of their ranks once MPI_Init was called."""

    def __init__(self, program, peers):
        self.program = program
        self.peers = peers

    def __getitem__(self, rank):
        return self.peers[rank]

    def all(self, verb, **values):
        """Give a command to every process, wait for all; the replies."""
        numbers = [peer.start(verb, **values) for peer in self.peers]
        return [peer.reply(number) for peer, number in zip(self.peers, numbers)]

    def init(self, **values):
        assert self.all("MPI_Init", **values) == [{"rc": "MPI_SUCCESS"}] * len(self.peers)
        ranks = [int(reply["rank"]) for reply in self.all("MPI_Comm_rank", comm="MPI_COMM_WORLD")]
        self.peers = [peer for _, peer in sorted(zip(ranks, self.peers), key=lambda pair: pair[0])]
        return self

    def end(self):
        """Finalize and quit everywhere; the launcher's exit status."""
        assert self.all("MPI_Finalize") == [{"rc": "MPI_SUCCESS"}] * len(self.peers)
        self.all("quit")
        return self.program.status()


MPI_LAUNCHERS = {
    "assay": ["portalsrun", "-np"],
    "mpich": ["mpirun.mpich", "-np"],
    "openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-np"],
}


@pytest.fixture(scope="session", params=[pytest.param(name, marks=[] if name == "assay" else [pytest.mark.long])
                                          for name in sorted(MPI_LAUNCHERS)])
def mpi(request, unpack, bin_dir, variant):
    """(launcher, program) of an interpreter built from the archive, with the reference or with a Debian MPI."""
    ours = request.param == "assay"
    if variant != "release" and not ours:
        pytest.skip("one variant is enough")
    inside = unpack()
    compiler = bin_dir / "assay-mpicc" if ours else f"mpicc.{request.param}"
    made = subprocess.run(["make", "-j2", "interp-mpi", f"MPICC={compiler}", "CFLAGS=-O0 -g1 -Werror"],
                          cwd=inside, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    launcher, *options = MPI_LAUNCHERS[request.param]
    return [bin_dir / launcher if ours else launcher, *options], inside / "interp-mpi"


@pytest.fixture
def job(mpi, manager, tmp_path):
    """job(np): a Job of so many processes."""
    started = []

    def start(np, *arguments, **environment):
        launcher, program = mpi
        words = [*launcher, np, program, "--manager", manager.address, "--token", TOKEN, *arguments]
        started.append(Program([str(word) for word in words], environment, tmp_path))
        return Job(started[-1], [manager.accept() for _ in range(np)])

    yield start
    for program in started:
        if program.process.poll() is None:  # a launcher takes its processes along
            program.process.send_signal(signal.SIGTERM)
            program.process.wait(timeout=PATIENCE)


@pytest.fixture
def agent(run, manager, bin_dir):
    """agent(*template, arguments=(), **environment): (program, peer) of a launch agent."""
    started = []

    def start(*template, arguments=(), **environment):
        program = run(bin_dir / "sut-agent", *arguments, "--", *template, **environment)
        started.append(program)
        return program, manager.accept()

    yield start
    for program in started:  # an agent stops its jobs on SIGTERM
        if program.process.poll() is None:
            program.process.send_signal(signal.SIGTERM)
            program.process.wait(timeout=PATIENCE)
