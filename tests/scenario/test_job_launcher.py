# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""portalsrun: jobs that go well, jobs in which a process dies, wrong usage. Nobody waits for ever, nothing is left."""

import os
import pathlib
import re
import signal
import subprocess
import uuid

import pytest

from waiting import ended, named

DEADLINE = 180


def unique() -> str:
    """A number that stands in the command line of nobody but whom this test starts, whatever else runs now."""
    return f"1000.{uuid.uuid4().int}"


@pytest.fixture(name="portalsrun")
def fixture_portalsrun(bin_dir):
    """Path of the launcher."""
    return str(bin_dir / "portalsrun")


@pytest.fixture(name="probe")
def fixture_probe(root):
    """Path of the program that lives and dies in jobs."""
    return str(pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "scenario" / "job-probe")


@pytest.fixture(name="run")
def fixture_run(portalsrun):
    """Runs portalsrun with arguments to its end."""

    def run(*arguments, stdin="", env=None):
        return subprocess.run(
            [portalsrun, *map(str, arguments)],
            input=stdin,
            text=True,
            capture_output=True,
            timeout=DEADLINE,
            check=False,
            env={**os.environ, **(env or {})},
        )

    return run


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_ring(run, probe, count):
    """Every rank greets the next one, whatever their number (P30-003, P30-059, P30-090)."""
    done = run("-np", count, probe, "ring")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [f"rank {i} of {count}: greetings from rank {(i - 1) % count}" for i in range(count)]
    assert sorted(done.stdout.splitlines()) == lines


def test_more_processes_than_open_files(portalsrun, probe):
    """A soft limit is raised; where the hard one is too low, the launcher says so at once."""

    def limited(soft, hard):
        return subprocess.run(["prlimit", f"--nofile={soft}:{hard}", portalsrun, "-np", "60", probe, "ring"], text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE, check=False)

    good = limited(40, 1000)
    assert (good.returncode, good.stderr) == (0, "")
    assert len(good.stdout.splitlines()) == 60
    bad = limited(40, 100)
    assert bad.returncode == 1
    assert "needs 156 open files, and 100 are allowed: raise the limit (ulimit -Hn)" in bad.stderr


@pytest.mark.parametrize("count", [1, 2, 3])
def test_storm(run, probe, count):
    """Many puts in all directions at once, none waited for, are all delivered and acknowledged (P30-001, P30-008)."""
    done = run("-np", count, probe, "storm", 10000)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(done.stdout.splitlines()) == [f"rank {i}: all came" for i in range(count)]


def test_ring_on_another_address(run, probe):
    """--listen moves directory and processes to another address of the machine."""
    done = run("-n", 2, "--nal", "tcp", "--listen", "127.0.0.3", probe, "ring", env={"ASSAY_NID": "127.0.0.2"})
    assert (done.returncode, done.stderr) == (0, "")


def test_killed(run, probe):
    """A rank that is killed is named, the others, which wait for ever, are ended, the status tells."""
    mark = unique()
    done = run("-np", 3, probe, "killed", mark)
    assert done.returncode == 128 + signal.SIGKILL
    assert re.fullmatch(r"portalsrun: rank 1 \(process \d+\) was killed by signal 9 \(Killed\)\n", done.stderr)
    assert not named(mark)


def test_delivered_stays_delivered(run, probe):
    """What a rank had put before it died is there, and putting to the dead one still ends with PTL_EVENT_SENT."""
    done = run("-np", 2, probe, "delivered")
    assert done.returncode == 128 + signal.SIGKILL
    assert done.stdout == "rank 0: delivered stays delivered\n"
    assert "rank 1 (process" in done.stderr


def test_status(run, probe):
    """A rank that exits with a status other than 0 ends the job with it."""
    done = run("-np", 3, probe, "status", "7")
    assert done.returncode == 7
    assert re.fullmatch(r"portalsrun: rank 1 \(process \d+\) exited with status 7\n", done.stderr)


def test_no_leave(run, probe):
    """Exiting without PtlFini is not an orderly end."""
    done = run("-np", 2, probe, "noleave")
    assert done.returncode == 1
    assert re.search(r"rank [01] \(process \d+\) exited without leaving the job \(no PtlFini\)", done.stderr)


def test_never_joins(run, probe):
    """A rank that does not join is named when the others have waited long enough."""
    mark = unique()
    script = f'[ "$ASSAY_RANK" = 1 ] && exec sleep {mark}; exec {probe} ring'
    done = run("-np", 3, "--join-timeout", 5, "sh", "-c", script)
    assert done.returncode == 1
    assert re.search(r"still missing from the job: rank 1 \(process \d+\); 5 s after", done.stderr)
    assert not named(mark)


def test_exits_before_joining(run, probe):
    """A rank that is gone before it joined ends the job: the others would wait for ever."""
    done = run("-np", 3, "sh", "-c", f'[ "$ASSAY_RANK" = 2 ] && exit 0; exec {probe} ring')
    assert done.returncode == 1
    assert re.search(r"rank 2 \(process \d+\) exited without joining the job that others joined", done.stderr)


def test_program_without_portals(run):
    """A program that knows nothing of Portals can be started too; input goes to rank 0 only."""
    done = run("-np", 3, "sh", "-c", 'echo "$ASSAY_RANK/$ASSAY_SIZE:$(cat)"', stdin="input")
    assert done.returncode == 0
    assert sorted(done.stdout.split()) == ["0/3:input", "1/3:", "2/3:"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_are_forwarded(portalsrun, number):
    """A signal to the launcher reaches every process, and the launcher tells by its status."""
    script = f"trap 'echo caught; exit 0' {number.name[3:]}; echo ready; sleep 1000 & wait"
    with subprocess.Popen(
        [portalsrun, "-np", "2", "sh", "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # whoever runs the tests may ignore it
    ) as job:
        assert [job.stdout.readline(), job.stdout.readline()] == ["ready\n", "ready\n"]
        job.send_signal(number)
        assert job.stdout.read().split() == ["caught", "caught"]
        assert job.wait(DEADLINE) == 128 + number


def test_stubborn_processes_are_killed(portalsrun):
    """Who ignores SIGTERM is killed after the grace, and so is what it has started."""
    mark = unique()
    script = f"trap '' TERM; echo ready; (trap '' TERM; sleep {mark}) & wait"
    with subprocess.Popen(
        [portalsrun, "-np", "2", "sh", "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
    ) as job:
        assert [job.stdout.readline(), job.stdout.readline()] == ["ready\n", "ready\n"]
        job.terminate()
        assert job.wait(DEADLINE) == 128 + signal.SIGTERM
    assert not named(mark)


def test_launcher_killed(portalsrun):
    """Even a launcher that is killed leaves no process behind."""
    with subprocess.Popen(
        [portalsrun, "-np", "2", "sh", "-c", "echo $$; exec sleep 1000"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
    ) as job:
        processes = [int(job.stdout.readline()) for _ in range(2)]
        job.kill()
        job.wait(DEADLINE)
    assert ended(processes, DEADLINE)


def test_background_processes_do_not_stay(run):
    """What a process leaves running in a session of its own ends with the job."""
    mark = unique()
    done = run("-np", 1, "sh", "-c", f"setsid sleep {mark} >/dev/null 2>&1 & exit 0")
    assert done.returncode == 0
    assert not named(mark)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ([], "say how many processes"),
        (["-np"], "-np needs a value"),
        (["-np", "0", "true"], "must be 1 to"),
        (["-np", "two", "true"], "must be 1 to"),
        (["-np", "5000", "true"], "must be 1 to"),
        (["-np", "2"], "which program"),
        (["-np", "2", "--nal", "pigeon", "true"],
         "unknown network 'pigeon'; this library has tcp, shm, intercept and loop"),
        (["-np", "2", "--listen", "nowhere", "true"], "not an IPv4 address"),
        (["-np", "2", "--join-timeout", "0", "true"], "must be 1 to"),
        (["--frobnicate", "2", "true"], "unknown option --frobnicate"),
    ],
)
def test_wrong_usage(run, arguments, words):
    """Status 2 and one line that says what is wrong."""
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr and done.stderr.count("\n") == 1


def test_program_that_cannot_be_run(run, tmp_path):
    """127 and 126, as shells have it, with the program's name."""
    done = run("-np", 2, tmp_path / "nothing")
    assert done.returncode == 127
    assert done.stderr == f"portalsrun: cannot run {tmp_path}/nothing: No such file or directory\n"
    done = run("-np", 2, tmp_path)
    assert done.returncode == 126
    assert "Permission denied" in done.stderr


def test_address_of_another_machine(run):
    """A directory that cannot listen says where and why."""
    done = run("-np", 2, "--listen", "192.0.2.254", "true")
    assert done.returncode == 1
    assert "cannot run the job directory on 192.0.2.254" in done.stderr


def test_help_and_version(run):
    """Both print to standard output and succeed."""
    assert run("--help").stdout.startswith("usage: portalsrun -np N")
    assert run("--version").stdout.startswith("portalsrun ")


@pytest.mark.parametrize(
    "env, words",
    [
        ({"ASSAY_JOB": "nonsense"}, "ASSAY_JOB=nonsense is not HOST:PORT"),
        ({"ASSAY_JOB": "127.0.0.1:1", "ASSAY_JOB_KEY": "short"}, "ASSAY_JOB_KEY must be"),
        ({"ASSAY_JOB": "127.0.0.1:1", "ASSAY_JOB_KEY": "0" * 32, "ASSAY_RANK": "2", "ASSAY_SIZE": "2"}, "ASSAY_RANK"),
        (
            {"ASSAY_JOB": "127.0.0.1:1", "ASSAY_JOB_KEY": "0" * 32, "ASSAY_RANK": "0", "ASSAY_SIZE": "2"},
            "cannot reach the job directory 127.0.0.1:1",
        ),
        ({"ASSAY_NID": "999"}, "ASSAY_NID=999 is not an IPv4 address"),
        ({"ASSAY_NID": "192.0.2.254"}, "cannot listen on 192.0.2.254"),
    ],
)
def test_broken_environment(probe, env, words):
    """A process whose environment is broken says so, and PtlInit fails."""
    done = subprocess.run(
        [probe, "ring"], env={**os.environ, **env}, capture_output=True, text=True, timeout=DEADLINE, check=False
    )
    assert done.returncode == 99
    assert words in done.stderr and "PtlInit returned 1" in done.stderr


def test_wrong_key_is_refused(run, probe):
    """An outsider without the key does not get in, and its rank stays missing."""
    script = f'[ "$ASSAY_RANK" = 1 ] && export ASSAY_JOB_KEY=00000000000000000000000000000000; exec {probe} ring'
    done = run("-np", 2, "sh", "-c", script)
    assert done.returncode == 99
    assert "the job directory refused: the key is not that of this job" in done.stderr
