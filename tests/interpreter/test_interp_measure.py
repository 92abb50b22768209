# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What a job consists of: the launch agent tells files of code and their digests (specs/interpreter.md, section 5)."""

import hashlib
import os
import pathlib
import shutil
import stat
import sys

import pytest

from manager import ask

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux alone shows what is mapped")


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def measure(peer):
    """What the agent tells now: {path: digest}, and how many files there are in all."""
    number = peer.start("measure")
    told = {}
    while True:
        words = peer.take(lambda words: words[0] == str(number) or words[:2] == ["!", "build"])
        if words[0] == str(number):
            assert words[1] == "ok", words
            return told, int(words[2].removeprefix("files="))
        pairs = dict(word.split("=", 1) for word in words[2:])
        told[pairs["file"]] = pairs["sha256"]


def running(peer, job=1):
    """Starts a job, and waits until its program runs."""
    peer.do("start", job=job)
    assert peer.notice("output")[1]["text"] == "here"


@pytest.fixture(name="program")
def fixture_program(tmp_path):
    """A program of one's own: a copy of the shell."""
    path = tmp_path / "own-shell"
    shutil.copy(os.path.realpath("/bin/sh"), path)
    return path


def test_program_script_and_libraries(agent, program, tmp_path):
    """The launcher, a script behind it, the program, what that has loaded; each once, under its path."""
    script = tmp_path / "start.sh"
    script.write_text(f"#!/bin/sh\n{program} -c 'echo here; read forever' <&0\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    _, peer = agent("env", f"{program}", "-c", "echo here; sleep 1000; :", f"{script}")
    assert "measure" in peer.hello["features"].split(",")
    before, count = measure(peer)
    assert before == {os.path.realpath(shutil.which("env")): digest(shutil.which("env")),
                      str(program): digest(program), str(script): digest(script)} and count == 3
    running(peer)
    told = {}
    ask(lambda: told.update(measure(peer)[0]) or os.path.realpath(shutil.which("sleep")) in told)
    assert any("/libc" in path for path in told) and str(program) not in told
    assert all(digest(path) == found for path, found in told.items())
    assert measure(peer) == ({}, 3 + len(told))


def test_a_file_that_changes(agent, program):
    """Told again; one that was replaced while it is mapped has no digest; who comes again is told all."""
    _, peer = agent(str(program), "-c", "echo here; sleep 1000; :")
    running(peer)
    told, _ = measure(peer)
    assert told[str(program)] == digest(program)
    peer.do("stop", job=1)
    with program.open("ab") as file:
        file.write(b"more")
    assert measure(peer)[0] == {str(program): digest(program)}
    running(peer, job=2)
    program.unlink()
    assert measure(peer)[0][str(program)] == ""


def test_nobody_else_is_measured(agent, manager):
    """Neither the agent, nor the other agents of the run and their jobs."""
    program, peer = agent("sh", "-c", "echo here; sleep 1000; :", arguments=["--jobs", "2"])
    peer.do("agents", count=1)
    other = manager.accept()
    running(other)
    told, _ = measure(peer)
    assert set(told) == {os.path.realpath(shutil.which("sh"))}
    told = {}
    ask(lambda: told.update(measure(other)[0]) or os.path.realpath(shutil.which("sleep")) in told)
    assert os.readlink(f"/proc/{program.process.pid}/exe") not in told
