# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The job directory's protocol (specs/portals-wire.md, 8.1): each side against one written here from the text."""

import os
import pathlib
import socket
import subprocess
import threading

import pytest

DEADLINE = 180
KEY = "00112233445566778899aabbccddeeff"


class Line:
    """One end of a directory connection."""

    def __init__(self, sock: socket.socket):
        sock.settimeout(DEADLINE)
        self.sock = sock
        self.file = sock.makefile("rwb", buffering=0)

    def say(self, text: str) -> None:
        """Sends one line."""
        self.file.write(text.encode() + b"\n")

    def hear(self) -> str:
        """Receives one line, without its end; empty at the end of the stream."""
        return self.file.readline().decode().rstrip("\n")

    def close(self) -> None:
        """Ends the connection."""
        self.file.close()
        self.sock.close()


@pytest.fixture(name="launch")
def fixture_launch(bin_dir):
    """Starts a job whose processes only tell their environment; gives the job and how to call its directory."""
    jobs = []

    def launch(count: int):
        script = 'echo "$ASSAY_JOB $ASSAY_JOB_KEY $ASSAY_SIZE"; exec sleep 1000'
        job = subprocess.Popen(  # pylint: disable=consider-using-with
            [bin_dir / "portalsrun", "-np", str(count), "sh", "-c", script],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        jobs.append(job)
        place, key, size = job.stdout.readline().split()
        assert size == str(count)
        host, port = place.rsplit(":", 1)
        return job, key, lambda: Line(socket.create_connection((host, int(port)), timeout=DEADLINE))

    yield launch
    for job in jobs:
        job.terminate()
        job.communicate(timeout=DEADLINE)


def test_all_get_the_list(launch):
    """When the last has joined, and not before, each gets group, size and every address in the order of ranks."""
    _, key, call = launch(3)
    lines = [call() for _ in range(3)]
    for rank in (2, 0, 1):
        lines[rank].say(f"JOIN 1 {key} {rank} 2130706433 {5000 + rank}")
    for line in lines:
        word, gid, size = line.hear().split()
        assert (word, size) == ("JOB", "3") and 1 <= int(gid) <= 2**32 - 2
        assert [line.hear() for _ in range(3)] == [f"{rank} 2130706433 {5000 + rank}" for rank in range(3)]


@pytest.mark.parametrize(
    "join, reason",
    [
        ("JOIN 2 {key} 0 1 1", "version 1"),
        ("JOIN 1 " + KEY + " 0 1 1", "key"),
        ("JOIN 1 {key} 2 1 1", "no such rank"),
        ("JOIN 1 {key} 0 1", "expected JOIN 1 KEY RANK NID PID"),
        ("JOIN 1 {key} 0 1 1 1", "expected JOIN 1 KEY RANK NID PID"),
        ("JOIN 1 {key} -1 1 1", "expected JOIN 1 KEY RANK NID PID"),
        ("JOIN 1 {key} 0 4294967296 1", "expected JOIN 1 KEY RANK NID PID"),
        ("JOIN", "expected JOIN or LEAVE"),
        ("LEAVE", "expected JOIN or LEAVE"),
        ("", "expected JOIN or LEAVE"),
        ("x" * 256, "too long"),
    ],
)
def test_refusals(launch, join, reason):
    """What cannot be right is refused with a reason, and the job goes on without it."""
    _, key, call = launch(2)
    line = call()
    line.say(join.format(key=key))
    answer = line.hear()
    assert answer.startswith("REFUSED ") and reason in answer
    assert line.hear() == ""
    good = [call(), call()]
    for rank in (0, 1):
        good[rank].say(f"JOIN 1 {key} {rank} 1 1")
    assert good[0].hear().startswith("JOB ")


def test_a_rank_joins_once(launch):
    """A second process that claims a rank is refused."""
    _, key, call = launch(2)
    first, second = call(), call()
    first.say(f"JOIN 1 {key} 1 1 1")
    second.say(f"JOIN 1 {key} 1 1 2")
    # Whichever is read first has joined; the other is told so.
    third = call()
    third.say(f"JOIN 1 {key} 1 1 3")
    assert third.hear() == "REFUSED this rank has joined already"


def test_the_silent_keep_nobody_out(launch):
    """Whoever connects and says nothing is borne for a while, and makes room for the processes of the job."""
    _, key, call = launch(2)
    silent = [call() for _ in range(400)]
    assert [line.hear() for line in silent[:300]] == [""] * 300
    good = [call(), call()]
    for rank in (0, 1):
        good[rank].say(f"JOIN 1 {key} {rank} 1 1")
    assert good[0].hear().startswith("JOB ")
    silent[-1].say("LEAVE")
    assert silent[-1].hear() == "REFUSED expected JOIN or LEAVE"


def test_those_who_wait_are_told_of_the_end(launch):
    """A job that ends before it is complete tells those who have joined."""
    job, key, call = launch(2)
    line = call()
    line.say(f"JOIN 1 {key} 0 1 1")
    other = call()
    other.say("nonsense")
    assert other.hear().startswith("REFUSED")  # so the line before it has been read
    job.terminate()
    assert line.hear() == "REFUSED the launcher ends the job"


@pytest.mark.parametrize(
    "answer, words",
    [
        ("", "the job directory closed before all processes had joined"),
        ("REFUSED because I say so\n", "the job directory refused: because I say so"),
        ("HELLO\n", "speaks another protocol"),
        ("JOB 7 3\n", "speaks another protocol, or of another job"),
        ("JOB 7 2 9\n", "speaks another protocol"),
        ("JOB 7 2\n", "line for rank 0 is missing or broken"),
        ("JOB 7 2\n1 1 1\n0 1 1\n", "line for rank 0 is missing or broken"),
        ("JOB 7 2\n0 1 1\n1 1 x\n", "line for rank 1 is missing or broken"),
        ("JOB 7 2\n0 1 1\n1 1 4294967296\n", "line for rank 1 is missing or broken"),
        ("x" * 1000, "closed before all processes had joined"),
    ],
)
def test_a_process_meets_a_bad_directory(root, answer, words):
    """PtlInit fails with a line that says what the directory did wrong."""
    probe = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "scenario" / "job-probe"
    heard = []

    def serve(listener: socket.socket) -> None:
        sock, _ = listener.accept()
        line = Line(sock)
        heard.append(line.hear())
        line.file.write(answer.encode())
        line.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(DEADLINE)
        server = threading.Thread(target=serve, args=(listener,))
        server.start()
        done = subprocess.run(
            [probe, "ring"],
            env={
                **os.environ,
                "ASSAY_JOB": f"127.0.0.1:{listener.getsockname()[1]}",
                "ASSAY_JOB_KEY": KEY,
                "ASSAY_RANK": "0",
                "ASSAY_SIZE": "2",
            },
            capture_output=True,
            text=True,
            timeout=DEADLINE,
            check=False,
        )
        server.join(DEADLINE)
    word, version, key, rank, nid, pid = heard[0].split(" ")
    assert (word, version, key, rank, nid) == ("JOIN", "1", KEY, "0", str(0x7F000001)) and 1 <= int(pid) <= 65535
    assert done.returncode == 99
    assert words in done.stderr and "PtlInit returned 1" in done.stderr
