# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""portalsrun --nal intercept: jobs over the network of the thesis, also where its cables are bad."""

import json
import os
import pathlib
import subprocess

import pytest

DEADLINE = 300


@pytest.fixture(name="job")
def fixture_job(bin_dir, root):
    """Runs the probe as a job over Intercept."""
    probe = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "scenario" / "job-probe"

    def job(count, faults="", launcher=True, options=(), **env):
        command = [bin_dir / "portalsrun", "-np", str(count), "--nal", "intercept", *options] if launcher else []
        ours = ("ASSAY_NAL", "ASSAY_INTERCEPT")
        clean = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
        if faults:
            clean["ASSAY_INTERCEPT_FAULTS"] = faults
        return subprocess.run([*command, probe, "ring"], env={**clean, **env}, capture_output=True, text=True,
                              timeout=DEADLINE, check=False)

    return job


@pytest.mark.parametrize("faults", ["", "lost=0.05,bit-errors=1e-5,seed=5", "cut=4", "cut=11,lost=0.01",
                                    "slow=3000000,lost=0.01"])
def test_ring(job, faults):
    """Every process greets the next one, with good cables and with bad ones, over four planes and over one."""
    done = job(6, faults)
    expected = [f"rank {rank} of 6: greetings from rank {(rank + 5) % 6}" for rank in range(6)]
    assert (done.returncode, sorted(done.stdout.splitlines())) == (0, expected), done.stderr


@pytest.mark.parametrize("time", ["live", "virtual"])
def test_one_card_lacks_a_plane(bin_dir, root, tmp_path, time):
    """The others leave it out too, and nothing is lost."""
    ping_pong = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "examples" / "ping_pong"
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\n[ "$ASSAY_RANK" = 1 ] && export ASSAY_INTERCEPT_FAULTS=cut=4\nexec {ping_pong}\n')
    program.chmod(0o755)
    done = subprocess.run([bin_dir / "portalsrun", "-np", "2", "--nal", "intercept", program], capture_output=True,
                          text=True, timeout=DEADLINE, check=False, env={**os.environ, "ASSAY_INTERCEPT_TIME": time})
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.count("is not on plane 2") == 1, done.stderr


@pytest.mark.parametrize("faults", ["", "lost=0.05,bit-errors=1e-5,seed=5", "cut=11,lost=0.01",
                                    "skew=3000,slow=20000,lost=0.02"])
def test_ring_in_virtual_time(job, faults):
    """The same where time is simulated, and passes only while everybody waits."""
    done = job(6, faults, ASSAY_INTERCEPT_TIME="virtual")
    expected = [f"rank {rank} of 6: greetings from rank {(rank + 5) % 6}" for rank in range(6)]
    assert (done.returncode, sorted(done.stdout.splitlines())) == (0, expected), done.stderr


def test_virtual_time_waits_for_who_is_stopped(bin_dir, root, tmp_path):
    """While a process does nothing for seconds with frames before it, time stands still: these are sent again a few
    times at most, and not forty times as live."""
    ping_pong = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "examples" / "ping_pong"
    program = tmp_path / "program"
    program.write_text(f"""#!/bin/sh
{ping_pong} &
child=$!
if [ "$ASSAY_RANK" = 0 ]; then
    sleep 1; kill -STOP $child; sleep 3; kill -CONT $child
fi
wait $child
""")
    program.chmod(0o755)
    capture = tmp_path / "job.pcapng"
    done = subprocess.run([bin_dir / "portalsrun", "-np", "2", "--nal", "intercept", "--trace", capture, program],
                          capture_output=True, text=True, timeout=DEADLINE, check=False,
                          env={**os.environ, "ASSAY_INTERCEPT_TIME": "virtual"})
    assert done.returncode == 0, done.stdout + done.stderr
    command = [bin_dir / "assay", "check", "--json", capture]
    judged = subprocess.run(command, capture_output=True, text=True, check=False)
    seen = json.loads(judged.stdout)["intercept"]
    assert seen["messages"] > 0 and seen["again"] <= 10, seen


def test_time_is_live_or_virtual(job):
    """Anything else is refused, with what it may be."""
    done = job(2, ASSAY_INTERCEPT_TIME="slow")
    assert done.returncode != 0
    assert "ASSAY_INTERCEPT_TIME=slow is neither live nor virtual" in done.stderr


@pytest.mark.parametrize("faults", ["", "lost=0.05,bit-errors=1e-5,seed=5", "cut=4"])
def test_trace_has_every_frame(job, bin_dir, tmp_path, faults):
    """What the switch sees of a job, with good cables and with bad ones, breaks no rule."""
    capture = tmp_path / "job.pcapng"
    done = job(3, faults, options=("--trace", capture))
    assert done.returncode == 0, done.stderr
    command = [bin_dir / "assay", "check", "--json", capture]
    judged = subprocess.run(command, capture_output=True, text=True, check=False)
    result = json.loads(judged.stdout)
    assert (judged.returncode, result["breaches"]) == (0, [])
    seen = result["intercept"]
    assert seen["messages"] >= 3 and seen["links"] == (9 if faults == "cut=4" else 12)
    assert seen["frames"] >= 2 * seen["links"] + 4 * seen["messages"]


def test_ring_in_a_network_namespace(bin_dir, root):
    """The planes are sockets of whatever loopback interface the job has."""
    alone = ["unshare", "--user", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine lets nobody make network namespaces")
    program = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "examples" / "one_message"
    done = subprocess.run([*alone, bin_dir / "portalsrun", "-np", "2", "--nal", "intercept", program, "put", "9000"],
                          capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("faults", ["", pytest.param("lost=0.05,seed=5", marks=pytest.mark.long)])
def test_more_processes_than_a_module_has_ports(job, faults):
    """With more than 32 processes there are modules below others, and messages go from one to another."""
    done = job(33, faults)
    expected = [f"rank {rank} of 33: greetings from rank {(rank + 32) % 33}" for rank in range(33)]
    assert (done.returncode, sorted(done.stdout.splitlines())) == (0, sorted(expected)), done.stderr


def test_a_switch_has_992_ports(job):
    """More processes than a switch of two levels has ports are refused before any of them starts."""
    done = job(993)
    assert done.returncode != 0 and done.stdout == ""
    assert "992 ports, too few for 993 processes" in done.stderr


def test_skew_is_of_virtual_time(job):
    """Cables of the machine are as long as they are."""
    done = job(2, "skew=300")
    assert done.returncode != 0 and done.stdout == ""
    assert "skew is of virtual time (ASSAY_INTERCEPT_TIME=virtual)" in done.stderr


def test_what_is_no_fault_is_refused(job):
    """The launcher says which part of the text it does not understand."""
    done = job(2, "lost=0.01,gremlins=3")
    assert done.returncode != 0 and "'gremlins=3' is no fault" in done.stderr


def test_without_a_switch_there_is_no_network(job):
    """A process that is started without the launcher is told what is missing."""
    done = job(1, launcher=False, ASSAY_NAL="intercept")
    assert done.returncode != 0
    assert "portalsrun --nal intercept" in done.stderr
