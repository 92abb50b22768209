# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Programs as they were written for Portals 3.2 and 3.3 compile against the headers as they are, and run over each
network."""

import os
import pathlib
import re
import socket
import struct
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = pathlib.Path(__file__).resolve().parent / "programs"
CHECKS = {"asan": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"], "tsan": ["-fsanitize=thread"]}
DEADLINE = 120


@pytest.fixture(name="compiled", scope="module")
def fixture_compiled(lib_dir, variant, tmp_path_factory):
    """Compiles a program, whose name ends with the revision, once."""
    folder = tmp_path_factory.mktemp("programs")

    def compiled(name):
        revision, program = name[-2:], folder / name
        if program.exists():
            return program
        source = next(FOLDER.glob(f"{name}.c*"))
        compiler = ["cc", "-std=gnu17"] if source.suffix == ".c" else ["c++", "-std=c++11"]
        command = [*compiler, "-O1", "-g", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *CHECKS.get(variant, []),
                   "-DP3_NAL=<p3nal_utcp.h>",
                   "-I", ROOT, "-I", ROOT / "ref-impl" / "include" / f"portals-3.{revision[1]}", "-o", program, source,
                   lib_dir / f"libportals{revision}.a", "-lpthread", "-ldl"]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return program

    return compiled


@pytest.mark.parametrize("network", ["shm", "tcp", "intercept"])
@pytest.mark.parametrize("name", ["blocks33", "requests33", "unexpected33", "cnos33", "interfaces33",
                                  "posted33", "endpoint33", "scattered33", "priorities33",
                                  "ring33", "mover32", "symmetric33", "collective33"])
def test_a_job(bin_dir, compiled, tmp_path, variant, name, network):
    """It does what it must, and its capture breaks no rule."""
    if name == "symmetric33" and variant == "tsan":
        pytest.skip("it looks at memory while others write there")
    capture = tmp_path / "job.pcapng"
    arguments = [tmp_path, "2"] if name == "mover32" else []
    done = subprocess.run([bin_dir / "portalsrun", "-np", "3", "--nal", network, "--trace", capture, compiled(name),
                           *arguments], capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stdout + done.stderr
    checked = subprocess.run([bin_dir / "assay", "check", capture], capture_output=True, text=True, timeout=DEADLINE,
                             check=False)
    assert checked.returncode == 0 and " 0 violations" in checked.stdout, checked.stdout[-2000:]
    # Of interface 0 one for each pair, those of a process with itself among them; one of a pair for each of two more.
    assert name != "interfaces33" or " 12 Portals streams" in checked.stdout, checked.stdout


#= P32-196 P32-354 P32-024
@pytest.mark.parametrize("network", ["shm", "tcp", "intercept"])
def test_descriptors_that_tell_of_their_end(bin_dir, compiled, network):
    done = subprocess.run([bin_dir / "portalsrun", "-np", "1", "--nal", network, compiled("bandwidth32")],
                          capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stdout + done.stderr


@pytest.mark.parametrize("name", ["undocumented33", "ranks33", "waits32"])
def test_calls_that_the_document_does_not_have(bin_dir, compiled, name):
    """They do what programs of the time expect of them, and print lines that tell what is there."""
    count = "1" if name == "waits32" else "2"
    done = subprocess.run([bin_dir / "portalsrun", "-np", count, compiled(name)], capture_output=True, text=True,
                          timeout=DEADLINE, check=False)
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stdout + done.stderr
    entry = (r"entry 0x\w+: match bits 0x55, ignored 0xf00, from node any, process any, unlinks\n"
             r"  descriptor 0x\w+: 16 octets at 0x\w+, local offset 7, threshold 1, options 0x81, "
             r"queue 0x\w+, unlinks, 0 under way\n")
    said = (rf"{entry}portal 5: entries: 1\n{entry}portal 6: entries: 0\ninterface 0: event queues: 1\n"
            r"queue 0x\w+: 0 of 8 events, 1 logged, 0 to come\n")
    assert name != "undocumented33" or re.fullmatch(said, done.stderr), done.stderr


@pytest.mark.parametrize("compiler", [["cc", "-std=gnu89"], ["cc", "-std=c99", "-Wextra", "-pedantic-errors"],
                                      ["c++", "-xc++", "-std=c++98", "-pedantic-errors"]], ids=" ".join)
@pytest.mark.parametrize("revision", ["2", "3"])
def test_each_header_alone_is_for_compilers_of_the_time(tmp_path, revision, compiler):
    folder = ROOT / "ref-impl" / "include" / f"portals-3.{revision}"
    headers = [path.relative_to(folder) for path in folder.rglob("*.h")]
    for i, header in enumerate(headers):
        (tmp_path / f"{i}.c").write_text(f"#include <{header}>\nint main(void) {{ return 0; }}\n")
    assert pathlib.Path("portals/p30.h") in headers
    done = subprocess.run([*compiler, "-Wall", "-Werror", "-I", folder, "-fsyntax-only", *tmp_path.glob("*.c")],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# How programs of the time begin, each in its own way, and what they then use (specs/programs.md).
BEGINNINGS = {
    "cray": """#include <portals/portals3.h>
#define PTL_EQ_HANDLER_NONE NULL
#define PTL_NO_ACK_REQ PTL_NOACK_REQ
#define WANTED IFACE_FROM_BRIDGE_AND_NALID(PTL_BRIDGE_UK, PTL_IFACE_SS)
""",
    "an interface of their own": """#define PTL_IFACE_DEFAULT PTL_IFACE_SS
#include <portals/portals3.h>
#define WANTED PTL_IFACE_DEFAULT
""",
    "a folder for all": """#include <portals/portals3.h>
#include <portals/p3nal_utcp.h>
#include <portals/p3api/debug.h>
#include <portals/p3rt/p3rt.h>
#define WANTED PTL_IFACE_DEFAULT
""",
    "names alone": """#include <portals3.h>
#include P3_NAL
#include <p3rt/p3rt.h>
#include <p3api/debug.h>
FILE *utcp_api_out, *utcp_lib_out;
#define WANTED PTL_IFACE_UTCP
"""}
USE = """
static ptl_handle_eq_t queue = PTL_INVALID_HANDLE;
int main(void)
{
    ptl_process_id_t anybody = {PTL_NID_ANY, PTL_PID_ANY};
    ptl_ni_limits_t limits;
    ptl_handle_ni_t ni;
    int count, code = PtlInit(&count);
    if (code == PTL_OK) {
        code = PtlNIInit(WANTED, PTL_PID_ANY, NULL, &limits, &ni);
    }
    if (code != PTL_OK && code != PTL_IFACE_DUP) {
        printf("%s\\n", ptl_err_str[code]);
        return 1;
    }
    code = PtlEQAlloc(ni, 8, PTL_EQ_HANDLER_NONE, &queue);
    (void)anybody;
    (void)PTL_NO_ACK_REQ;
    PtlFini();
    puts("right");
    return code;
}
"""


@pytest.mark.parametrize("compiler", [["cc", "-std=gnu89"], ["c++", "-xc++", "-std=c++98"]], ids=" ".join)
@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_each_way_to_begin(tmp_path, lib_dir, bin_dir, variant, beginning, compiler):
    """Programs include other headers, and define what theirs lack: nothing of it is in the way."""
    source, program = tmp_path / "program.c", tmp_path / "program"
    source.write_text("#include <stdio.h>\n" + BEGINNINGS[beginning] + USE)
    done = subprocess.run([*compiler, "-Wall", "-Werror", *CHECKS.get(variant, []), "-DP3_NAL=<p3nal_utcp.h>",
                           "-I", ROOT / "ref-impl" / "include" / "portals-3.3", "-o", program, source, "-xnone",
                           lib_dir / "libportals33.a", "-lpthread", "-ldl"], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([bin_dir / "portalsrun", "-np", "2", program], capture_output=True, text=True,
                          timeout=DEADLINE, check=False)
    assert (done.returncode, done.stdout) == (0, "right\n" * 2), done.stdout + done.stderr


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
    assert (client.returncode, client.stdout) == (0, "sent\nright\n"), client.stderr
    assert process.wait(DEADLINE) == 0, process.stderr.read()


#= P33-222
@pytest.mark.parametrize("pid", ["98", "1", "1023"])
def test_a_process_may_be_called_before_it_is_there(bin_dir, compiled, tmp_path, pid):
    """The client has sent before the server begins. The process id is one of those that programs of the time ask for,
    and no port that every user may have. A capture shows the port, and accuses nobody."""
    program = compiled("ping32")
    with subprocess.Popen([program, "client", pid], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, env={**os.environ, "ASSAY_TRACE": str(tmp_path)}) as client:
        try:
            assert client.stdout.readline() == "sent\n"
            server = subprocess.run([program, "server", pid], capture_output=True, text=True, timeout=DEADLINE,
                                    check=False)
            assert (server.returncode, server.stdout) == (0, "ready\n"), server.stderr
            assert (client.wait(DEADLINE), client.stdout.read()) == (0, "right\n"), client.stderr.read()
        finally:
            client.kill()
    traces = list(tmp_path.glob("*.pcapng"))
    checked = subprocess.run([bin_dir / "assay", "check", *traces], capture_output=True, text=True, timeout=DEADLINE,
                             check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert traces and all(struct.pack("!H", 31744 + int(pid)) in trace.read_bytes() for trace in traces)


def test_a_process_id_in_a_job_is_the_launcher_s(bin_dir, compiled):
    """A process that a launcher started is known by its id already, and refuses another one."""
    done = subprocess.run([bin_dir / "portalsrun", "-np", "1", compiled("ping32"), "server", "5005"],
                          capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert done.returncode != 0 and "PtlNIInit" in done.stderr


@pytest.mark.parametrize("by_words", [False, True])
def test_a_group_that_no_launcher_started(compiled, by_words):
    """Each process is who it is said to be, by the environment of the time or by the program's own word."""
    program, size = compiled("declared33"), 3
    maps = [":".join(str(value) for value in values)
            for values in ([0x7f000001] * size, [free_port() for _ in range(size)])]

    def start(rank):
        words = [str(rank), *maps] if by_words else []
        environment = {} if by_words else {"PTL_MY_RID": str(rank), "PTL_NIDMAP": maps[0], "PTL_PIDMAP": maps[1]}
        return subprocess.Popen([program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env={**os.environ, **environment})

    processes = []
    try:
        for rank in reversed(range(size)):
            processes.append(start(rank))
            assert processes[-1].stdout.readline() == "ready\n", processes[-1].stderr.read()
        for process in processes:
            assert process.wait(DEADLINE) == 0, process.stderr.read()
    finally:
        for process in processes:
            process.kill()


@pytest.mark.parametrize("name, value, complaint", [
    ("PTL_MY_RID", "2", "below the 2 of PTL_NIDMAP"), ("PTL_MY_RID", "one", "below the 2 of PTL_NIDMAP"),
    ("PTL_NIDMAP", "1:x", "PTL_NIDMAP must be 2 numbers"), ("PTL_PIDMAP", "5001", "PTL_PIDMAP must be 2 numbers"),
    ("PTL_PIDMAP", "5001:99999999999", "PTL_PIDMAP must be 2 numbers")])
def test_a_group_that_makes_no_sense(compiled, name, value, complaint):
    environment = {"PTL_MY_RID": "1", "PTL_NIDMAP": "2130706433:2130706433", "PTL_PIDMAP": "5001:5002", name: value}
    done = subprocess.run([compiled("declared33")], capture_output=True, text=True, timeout=DEADLINE, check=False,
                          env={**os.environ, **environment})
    assert done.returncode == 1 and complaint in done.stderr, done.stderr
