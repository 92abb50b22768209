# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""ASSAY_TRACE, --trace and ASSAY_FAULT around the network of a real job."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

DEADLINE = 180
TSHARK = shutil.which("tshark")


@pytest.fixture(name="job")
def fixture_job(bin_dir, root):
    """Runs the probe as a job with further environment variables."""
    probe = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "scenario" / "job-probe"

    def job(count, *arguments, options=(), **env):
        return subprocess.run(
            [bin_dir / "portalsrun", "-np", str(count), *options, probe, *map(str, arguments)],
            env={**os.environ, **env},
            capture_output=True,
            text=True,
            timeout=DEADLINE,
            check=False,
        )

    return job


def tshark(capture: pathlib.Path, *arguments: str) -> list[str]:
    """Lines that tshark prints about a capture."""
    done = subprocess.run(
        [TSHARK, "-r", capture, *arguments], capture_output=True, text=True, timeout=DEADLINE, check=True
    )
    return done.stdout.splitlines()


@pytest.mark.skipif(TSHARK is None, reason="tshark is not installed")
def test_trace_is_a_capture(job, tmp_path):
    """One file for each process, whose connections Wireshark finds nothing wrong with."""
    done = job(2, "ring", ASSAY_TRACE=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    captures = sorted(tmp_path.glob("portals-*.pcapng"))
    assert [re.sub(r"\d+\.", "PID.", c.name) for c in captures] == ["portals-0-PID.pcapng", "portals-1-PID.pcapng"]
    for capture in captures:
        assert not tshark(capture, "-Y", "tcp.analysis.flags || _ws.malformed || ip.checksum.status == 0")
        assert not tshark(
            capture, "-o", "tcp.check_checksum:TRUE", "-Y", "tcp.checksum.status == 0"
        ), "a checksum is wrong"
        # Put together again, the connection holds one HELLO from either side.
        stream = tshark(capture, "-q", "-z", "follow,tcp,raw,0")
        octets = "".join(line.strip() for line in stream if re.fullmatch(r"\t?[0-9a-f]+", line))
        assert octets.count("50544c33") == 2
        comments = tshark(capture, "-T", "fields", "-e", "frame.comment")
        assert any(re.match(r"sent by rank \d: Put", comment) for comment in comments)
        assert any(re.match(r"received by rank \d: Put", comment) for comment in comments)


@pytest.mark.skipif(TSHARK is None, reason="tshark is not installed")
def test_trace_of_a_whole_job(job, bin_dir, tmp_path):
    """--trace puts what all processes wrote into one capture, in the order of time, and leaves nothing beside it."""
    capture = tmp_path / "job.pcapng"
    done = job(3, "ring", options=("--trace", capture))
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == [capture]
    columns = "-T fields -e frame.time_epoch -e frame.interface_name -e frame.comment"
    fields = [line.split("\t") for line in tshark(capture, *columns.split())]
    assert {name for _, name, _ in fields} == {"rank0-portals0", "rank1-portals0", "rank2-portals0"}
    times = [float(time) for time, _, _ in fields]
    assert times == sorted(times)
    for name, verb in (("rank0-portals0", "sent"), ("rank1-portals0", "received")):
        comments = [comment for _, interface, comment in fields if interface == name]
        assert any(comment.startswith(verb) and "Put" in comment for comment in comments)
    checked = subprocess.run(
        [bin_dir / "assay", "check", capture], capture_output=True, text=True, timeout=DEADLINE, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout


def test_trace_where_no_file_can_be(job, tmp_path):
    """A file that cannot be made ends the launcher before anything is started."""
    done = job(2, "ring", options=("--trace", tmp_path / "none" / "job.pcapng"))
    assert done.returncode == 1
    assert done.stderr == f"portalsrun: cannot write the trace {tmp_path}/none/job.pcapng: No such file or directory\n"


def test_trace_of_a_process_that_wrote_half_a_packet(bin_dir, tmp_path):
    """What a crash has cut off is left out; the rest is there."""
    capture = tmp_path / "job.pcapng"
    script = 'printf "\\012\\015\\015\\012\\377\\377\\377\\377" > "$ASSAY_TRACE/portals-0-1.pcapng"'
    done = subprocess.run(
        [bin_dir / "portalsrun", "-np", "1", "--trace", capture, "sh", "-c", script],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == [capture] and capture.stat().st_size == 28


@pytest.mark.skipif(TSHARK is None, reason="tshark is not installed")
def test_trace_survives_a_kill(job, tmp_path):
    """The file of a process that was killed can be read."""
    done = job(2, "killed", ASSAY_TRACE=str(tmp_path))
    assert done.returncode == 128 + 9
    capture = next(tmp_path.glob("portals-1-*.pcapng"))
    assert len(tshark(capture)) >= 5


def test_trace_without_folder(job, tmp_path):
    """A folder that does not exist is named."""
    done = job(1, "ring", ASSAY_TRACE=str(tmp_path / "nothing"))
    assert done.returncode == 99
    assert f"cannot write the trace {tmp_path}/nothing/portals-0-" in done.stderr


def faults_of(stderr: str, seed: int) -> tuple[int, int, int]:
    """What the faults of rank 0, which is the one that sends, were: messages, dropped, doubled."""
    found = re.findall(rf"fault \(seed {seed}\): of (\d+) messages (\d+) dropped, (\d+) doubled", stderr)
    return max(tuple(map(int, numbers)) for numbers in found)


@pytest.mark.parametrize("seed", [1, 42])
def test_faults_are_counted_and_repeat(job, seed):
    """What arrives is what was sent, less the dropped, plus the doubled; and the same again with the same seed."""
    spec = f"drop=0.2,dup=0.1,kinds=put,seed={seed}"
    first = job(2, "flood", 500, ASSAY_FAULT=spec)
    assert first.returncode == 0
    sent, dropped, doubled = faults_of(first.stderr, seed)
    assert sent == 500 and 50 < dropped < 150 and 10 < doubled < 100
    assert first.stdout == f"rank 1: {sent - dropped + doubled} came\n"
    second = job(2, "flood", 500, ASSAY_FAULT=spec)
    assert faults_of(second.stderr, seed) == (sent, dropped, doubled)
    assert second.stdout == first.stdout


def test_delays_do_no_harm(job):
    """Messages that are late or in another order still make a job that goes well."""
    done = job(3, "ring", ASSAY_FAULT="delay_ms=20,reorder=0.5")
    assert done.returncode == 0


def test_malformed_faults(job):
    """A spec that cannot be read stops the interface, and the line says which part."""
    done = job(1, "ring", ASSAY_FAULT="drop=0.1,speed=9")
    assert done.returncode == 99
    assert "ASSAY_FAULT=drop=0.1,speed=9: 'speed=9' needs drop, dup, reorder" in done.stderr
