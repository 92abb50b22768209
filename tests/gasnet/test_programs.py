# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Programs of GASNet compile against the library and do what they say, over each network and at the limits of what the
environment can set."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = pathlib.Path(__file__).resolve().parent / "programs"
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.c"))
INCLUDES = ["-I", ROOT, "-I", ROOT / "ref-impl" / "include" / "gasnet"]
CHECKS = {"asan": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"], "tsan": ["-fsanitize=thread"]}
DEADLINE = 300
# Networks over which a program takes long: frames of 512 octets, or buffers of a socket, make a mebibyte long.
LONG = {"bandwidth": ["intercept", "tcp"], "pingpong": [], "semantics": []}
SAYS_NOTHING = {"pingpong", "bandwidth"}

# What each case of the environment must leave right.
#= GASN-061 GASN-074 GASN-095 GASN-110 GASN-111 GASN-112 GASN-116 GASN-118 GASN-119 GASN-120 GASN-121 GASN-122
#= GASN-123 GASN-124 GASN-125 GASN-126 GASN-127 GASN-128 GASN-129 GASN-130 GASN-132 GASN-140 GASN-144 GASN-149
#= GASN-077 GASN-078 GASN-113 GASN-153
LIMITS = {
    "one chunk each": {"GASNET_PORTAL_SB_CHUNKS": "1", "GASNET_PORTAL_RPL_CHUNKS": "1"},
    "few messages": {"GASNET_PORTAL_MSG_LIMIT": "4", "GASNET_PORTAL_NUM_TMPMD": "2"},
    "the older name of the limit": {"GASNET_PORTAL_PUTGET_LIMIT": "5"},
    "no limit": {"GASNET_PORTAL_MSG_LIMIT": "0"},
    "all long messages in two": {"GASNET_PORTAL_PACKED_LONG": "0"},
    "few credits that stay": {"GASNET_PORTAL_CRED_PER_NODE": "4", "GASNET_PORTAL_DYNAMIC_CREDITS": "0"},
    "credits that move": {"GASNET_PORTAL_CRED_PER_NODE": "5", "GASNET_PORTAL_EPOCH_DURATION": "10",
                          "GASNET_PORTAL_BANKED_CREDITS": "20"},
    "an event a poll": {"GASNET_PORTAL_SAFE_LIMIT": "1", "GASNET_PORTAL_AM_LIMIT": "1", "GASNET_PORTAL_SYS_LIMIT": "1"},
    "little space": {"GASNET_PORTAL_AMRECV_SPACE": "16K", "GASNET_PORTAL_MAX_CRED_PER_NODE": "6"},
    "no credits, much space": {"GASNET_PORTAL_FLOW_CONTROL": "0", "GASNET_PORTAL_AMRECV_SPACE": "64M"},
}


@pytest.fixture(name="compiled", scope="module")
def fixture_compiled(lib_dir, variant, tmp_path_factory):
    """Compiles a program, once."""
    folder = tmp_path_factory.mktemp("gasnet")

    def compiled(name):
        program = folder / name
        if not program.exists():
            command = ["cc", "-std=c17", "-O1", "-g", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                       *CHECKS.get(variant, []), *INCLUDES, "-o", program, FOLDER / f"{name}.c", lib_dir /
                       "libassay-gasnet.a",
                       lib_dir / "libportals33.a", "-lpthread", "-ldl"]
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
        return program

    return compiled


@pytest.fixture(name="job")
def fixture_job(bin_dir, compiled, tmp_path):
    """Runs a program as so many nodes; what came of it."""

    def job(name, nodes, *options, arguments=(), **environment):
        command = [bin_dir / "portalsrun", "-np", nodes, *options, compiled(name), *arguments]
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=DEADLINE,
                              check=False, cwd=tmp_path, env={**os.environ, **environment})

    return job


def is_right(done, name):
    """Whether a job ended well."""
    assert done.returncode == 0, done.stdout + done.stderr
    assert name in SAYS_NOTHING or done.stdout.startswith("right"), done.stdout


# Jobs start, puts and gets end and arrive at their place, and calls that block return.
#= GASN-016 GASN-017 GASN-044 GASN-060 GASN-080 GASN-090 GASN-097 GASN-100
@pytest.mark.parametrize("name, network", [
    pytest.param(name, network, marks=[pytest.mark.long] if network in LONG.get(name, ["intercept"]) else [])
    for name in PROGRAMS for network in ("shm", "tcp", "intercept")])
def test_a_program_over_a_network(job, name, network):
    arguments = {"pingpong": [50], "bandwidth": [1], "randomaccess": [300]}.get(name, [])
    nodes = {"pingpong": 2, "bandwidth": 2, "threads": 2}.get(name, 4)
    is_right(job(name, nodes, "--nal", network, arguments=arguments), name)


@pytest.mark.parametrize("nodes", [1, 2, 3])
def test_every_call_with_few_nodes(job, nodes):
    is_right(job("semantics", nodes), "semantics")


@pytest.mark.parametrize("name, nodes", [("sort", 1), ("stencil", 1), ("dictionary", 1), ("threads", 1), ("sort", 7)])
def test_programs_with_other_numbers_of_nodes(job, name, nodes):
    is_right(job(name, nodes), name)


#= GASN-158
def test_random_access_of_sixteen_nodes(job):
    is_right(job("randomaccess", 16, arguments=[500, 42]), "randomaccess")


@pytest.mark.parametrize("case", LIMITS)
def test_every_call_at_a_limit(job, case):
    is_right(job("semantics", 2, **LIMITS[case]), "semantics")


@pytest.mark.parametrize("case", ["one chunk each", "credits that move", "little space"])
def test_random_access_at_a_limit(job, case):
    is_right(job("randomaccess", 4, arguments=[300], **LIMITS[case]), "randomaccess")


#= GASN-117 GASN-139 GASN-151
def test_credits_move_to_who_needs_them(job, tmp_path):
    environment = {**LIMITS["credits that move"], "GASNET_PORTAL_CREDIT_STATS": "1"}
    is_right(job("semantics", 3, **environment), "semantics")
    tables = [[[int(word) for word in line.split()] for line in file.read_text().splitlines()[1:]]
              for file in sorted(tmp_path.glob("gasnet-credits.*"))]
    assert [len(table) for table in tables] == [3, 3, 3]
    rows = [row for table in tables for row in table]
    assert all(len(row) == 8 and row[1] >= 4 for row in rows), "nobody has fewer than 4"
    assert sum(row[5] for row in rows) > 0 and sum(row[6] for row in rows) > 0, "given and returned"


#= GASN-031 GASN-065 GASN-138
def test_without_flow_control_too_many_requests_end_the_job(job):
    done = job("semantics", 2, GASNET_PORTAL_FLOW_CONTROL="0", GASNET_PORTAL_AMRECV_SPACE="16K")
    assert done.returncode != 0
    assert "GASNET_PORTAL_FLOW_CONTROL" in done.stderr and "node" in done.stderr


#= GASN-115 GASN-150
@pytest.mark.parametrize("name, value, says", [
    ("GASNET_PORTAL_SB_CHUNKS", "0", "from 1 to 8192"),
    ("GASNET_PORTAL_SB_CHUNKS", "9000", "from 1 to 8192"),
    ("GASNET_PORTAL_AM_LIMIT", "many", "is no number"),
    ("GASNET_PORTAL_MSG_LIMIT", "3", "at least 4"),
    ("GASNET_PORTAL_AMRECV_SPACE", "1K", "credits"),
    ("GASNET_MAX_SEGSIZE", "-1", "is no number"),
    ("GASNET_MAX_SEGSIZE", "99999999999G", "is no number"),
])
def test_a_value_that_is_wrong_is_refused(job, name, value, says):
    done = job("semantics", 1, **{name: value})
    assert done.returncode == 3
    assert name in done.stderr and says in done.stderr, done.stderr


#= GASN-043 GASN-134
def test_segments_are_capped(job):
    done = job("semantics", 2, GASNET_MAX_SEGSIZE="2M")
    assert done.returncode == 4 and "gasnet_getMaxGlobalSegmentSize() >= SEGMENT" in done.stderr
