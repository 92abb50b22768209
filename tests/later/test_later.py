# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Programs as they were written for Portals 3.2 and 3.3 compile against the headers as they are, and run over each
network."""

import pathlib
import socket
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = pathlib.Path(__file__).resolve().parent / "programs"
CHECKS = {"asan": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"], "tsan": ["-fsanitize=thread"]}
DEADLINE = 120


@pytest.fixture(name="compiled")
def fixture_compiled(lib_dir, variant, tmp_path):
    """Compiles a program, whose name ends with the revision."""

    def compiled(name):
        revision = name[-2:]
        command = ["cc", "-std=gnu17", "-O1", "-g", "-Wall", "-Wextra", "-Werror", *CHECKS.get(variant, []),
                   "-I", ROOT, "-I", ROOT / "ref-impl" / "include" / f"portals-3.{revision[1]}", "-o", tmp_path / name,
                   FOLDER / f"{name}.c", lib_dir / f"libportals{revision}.a", "-lpthread", "-ldl"]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return tmp_path / name

    return compiled


@pytest.mark.parametrize("network", ["shm", "tcp", "intercept"])
@pytest.mark.parametrize("name", ["blocks33", "requests33", "unexpected33", "mover32"])
def test_a_job(bin_dir, compiled, tmp_path, name, network):
    """It does what it must, and its capture breaks no rule."""
    capture = tmp_path / "job.pcapng"
    arguments = [tmp_path, "2"] if name == "mover32" else []
    done = subprocess.run([bin_dir / "portalsrun", "-np", "3", "--nal", network, "--trace", capture, compiled(name),
                           *arguments], capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stdout + done.stderr
    checked = subprocess.run([bin_dir / "assay", "check", capture], capture_output=True, text=True, timeout=DEADLINE,
                             check=False)
    assert checked.returncode == 0 and " 0 violations" in checked.stdout, checked.stdout[-2000:]


#= P33-222 P33-265
@pytest.mark.parametrize("network", ["shm", "tcp"])
def test_a_put_that_the_network_does_not_take_ends(bin_dir, compiled, network):
    done = subprocess.run([bin_dir / "portalsrun", "-np", "1", "--nal", network, compiled("requests33"), "nobody"],
                          capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stdout + done.stderr


def free_port():
    """A port of this machine at which nobody listened just now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture(name="server")
def fixture_server(compiled):
    """A server that is ready, and the process id that it took; if somebody took the port meanwhile, another one."""
    program = compiled("ping32")
    for _ in range(10):
        pid = str(free_port())
        with subprocess.Popen([program, "server", pid], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            try:
                if process.stdout.readline() == "ready\n":
                    yield process, program, pid
                    return
            finally:
                process.kill()
    pytest.fail("no server could have any of ten ports")


def test_processes_that_are_started_by_hand_find_each_other(server):
    """The server takes the process id that it asks for; a second one at the same id is told so, in a line."""
    process, program, pid = server
    second = subprocess.run([program, "server", pid], capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert second.returncode == 1 and f"cannot be process {pid} of 127.0.0.1" in second.stderr
    client = subprocess.run([program, "client", pid], capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert (client.returncode, client.stdout) == (0, "right\n"), client.stderr
    assert process.wait(DEADLINE) == 0, process.stderr.read()


def test_a_process_id_in_a_job_is_the_launcher_s(bin_dir, compiled):
    """A process that a launcher started is known by its id already, and refuses another one."""
    done = subprocess.run([bin_dir / "portalsrun", "-np", "1", compiled("ping32"), "server", "5005"],
                          capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert done.returncode != 0 and "PtlNIInit" in done.stderr
