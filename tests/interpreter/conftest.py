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
    flags = "-O1 -g" + (" -fsanitize=address,undefined" if variant == "asan" else "")
    library = inside / "badportals.o"
    subprocess.run(["gcc", "-c", *flags.split(), "-Wall", "-Wextra", f"-I{HERE}/badlib", HERE / "badlib/badportals.c",
                    "-o", library], check=True)
    made = subprocess.run(["make", "-j2", "interp-portals", f"CFLAGS={flags} -Werror -DHANDLES_ARE_INTEGERS",
                           f"LDFLAGS={flags}", f"PORTALS_CFLAGS=-I{HERE}/badlib", f"PORTALS_LIBS={library}"],
                          cwd=inside, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    assert "this portals.h has no PTL_PT_INV_INDEX PTL_INV_SR_INDX PTL_INV_REG PTL_MD_NONE" in made.stderr
    return inside / "interp-portals"


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
