# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Programs of GASNet compile against the library and do what they say, over each network and at the limits of what the
environment can set."""

import os
import pathlib
import re
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = pathlib.Path(__file__).resolve().parent / "programs"
# Programs with arguments of their own, and the calls of Portals that go through them.
WRAPPED = {"leaving": ["PtlFini"], "underway": ["PtlPutRegion", "PtlEQGet", "PtlEQPoll", "PtlMDBind", "PtlMDUnlink"]}
SOURCES = {path.stem: path for path in FOLDER.glob("*.c*")}
PROGRAMS = sorted(name for name in SOURCES if name not in WRAPPED)
INCLUDES = [word for folder in ("gasnet", "portals-3.3") for word in ("-I", ROOT / "ref-impl" / "include" / folder)]
NETWORKS = ("shm", "tcp", "intercept")
CHECKS = {"asan": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"], "tsan": ["-fsanitize=thread"]}
DEADLINE = 300
# Networks over which a program takes long, or shows nothing that others do not; all but the first for those not named.
LONG = {"pingpong": [], "semantics": ["intercept"], "underneath": [], "fading": [], "polls": [], "vis": ["intercept"]}
SAYS_NOTHING = {"pingpong", "bandwidth"}

# What each case of the environment must leave right.
#= GASN-061 GASN-074 GASN-095 GASN-110 GASN-111 GASN-112 GASN-116 GASN-118 GASN-119 GASN-120 GASN-121 GASN-122
#= GASN-123 GASN-124 GASN-125 GASN-126 GASN-127 GASN-128 GASN-129 GASN-130 GASN-132 GASN-140 GASN-144 GASN-149
#= GASN-072 GASN-073 GASN-077 GASN-078 GASN-113 GASN-153
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
            compiler = ["cc", "-std=c17"] if SOURCES[name].suffix == ".c" else ["c++", "-std=c++11"]
            command = [*compiler, "-O1", "-g", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                       *CHECKS.get(variant, []), "-I", ROOT, *INCLUDES, "-o", program, SOURCES[name],
                       *[f"-Wl,--wrap={call}" for call in WRAPPED.get(name, [])], lib_dir / "libassay-gasnet.a",
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
    pytest.param(name, network, marks=[pytest.mark.long] if network in LONG.get(name, NETWORKS[1:]) else [])
    for name in PROGRAMS for network in NETWORKS])
def test_a_program_over_a_network(job, name, network):
    arguments = {"pingpong": [50], "bandwidth": [1], "randomaccess": [300]}.get(name, [])
    nodes = {"pingpong": 2, "bandwidth": 2, "threads": 2, "underneath": 2}.get(name, 4)
    is_right(job(name, nodes, "--nal", network, arguments=arguments), name)


@pytest.mark.parametrize("nodes", [1, 2, 3])
def test_every_call_with_few_nodes(job, nodes):
    is_right(job("semantics", nodes), "semantics")


@pytest.mark.parametrize("name, nodes", [
    *(pytest.param(name, 1, marks=pytest.mark.long) for name in ("sort", "stencil", "dictionary", "transpose", "uneven",
                                                                 "tickets", "mailbox")),
    ("threads", 1), ("sort", 7), ("transpose", 5), ("uneven", 3), ("vis", 1)])
def test_programs_with_other_numbers_of_nodes(job, name, nodes):
    is_right(job(name, nodes), name)


#= GASN-158
@pytest.mark.parametrize("network", NETWORKS)
def test_random_access_of_sixteen_nodes(job, network):
    is_right(job("randomaccess", 16, "--nal", network, arguments=[500, 42]), "randomaccess")


@pytest.mark.parametrize("case", LIMITS)
def test_every_call_at_a_limit(job, case):
    is_right(job("semantics", 2, **LIMITS[case]), "semantics")


@pytest.mark.parametrize("case", ["one chunk each", "credits that move", "little space"])
def test_random_access_at_a_limit(job, case):
    is_right(job("randomaccess", 4, arguments=[300], **LIMITS[case]), "randomaccess")


def credit_tables(tmp_path):
    """What each node says of its credits: what its bank still has; a row for each node, by the file's own names."""
    found = []
    for file in sorted(tmp_path.glob("gasnet-credits.*")):
        head, *lines = file.read_text().splitlines()
        names, bank = head.removeprefix("# ").split("; bank ")
        found.append((int(bank), [dict(zip(names.split(), map(int, line.split()), strict=True)) for line in lines]))
    return found


#= GASN-117 GASN-139 GASN-151
def test_credits_move_to_who_needs_them(job, tmp_path):
    environment = {**LIMITS["credits that move"], "GASNET_PORTAL_CREDIT_STATS": "1"}
    is_right(job("semantics", 3, **environment), "semantics")
    tables = credit_tables(tmp_path)
    assert [len(table) for _, table in tables] == [3, 3, 3]
    rows = [row for _, table in tables for row in table]
    assert all(row["held"] >= 4 for row in rows), "nobody has fewer than 4"
    assert sum(row["got"] for row in rows) > 0 and sum(row["returned"] for row in rows) > 0


#= GASN-126 GASN-139 GASN-149 GASN-151 GASN-152
@pytest.mark.parametrize("one_by_one, most, lent, bank", [(0, 12, {12}, {13}), (300, 400, range(4, 9), range(17, 27))])
def test_credits_are_lent_while_they_are_used(job, tmp_path, one_by_one, most, lent, bank):
    """A burst brings credits up to the limit; long after it they are back in the bank. None is lost."""
    is_right(job("fading", 3, arguments=[400, one_by_one], GASNET_PORTAL_CREDIT_STATS="1",
                 GASNET_PORTAL_CRED_PER_NODE="5", GASNET_PORTAL_BANKED_CREDITS="20", GASNET_PORTAL_EPOCH_DURATION="20",
                 GASNET_PORTAL_MAX_CRED_PER_NODE=str(most)), "fading")
    tables = credit_tables(tmp_path)
    assert all(left + sum(row["lent"] for row in table) == 3 * 5 + 20 for left, table in tables)
    assert all(tables[lender][1][node]["lent"] >= tables[node][1][lender]["held"] >= 4
               for lender in range(3) for node in range(3))
    assert tables[0][1][2]["lent"] in lent and tables[0][0] in bank, tables[0]


#= GASN-127 GASN-128
@pytest.mark.parametrize("requests, safe", [("1", "100"), ("100", "1"), ("3", "2")])
def test_a_poll_handles_so_many_events_at_most(job, requests, safe):
    is_right(job("polls", 1, GASNET_PORTAL_AM_LIMIT=requests, GASNET_PORTAL_SAFE_LIMIT=safe), "polls")


#= GASN-121 GASN-132
@pytest.mark.parametrize("limits, most", [
    ({}, 250), ({"MSG": "20"}, 20), ({"PUTGET": "30"}, 30), ({"PUTGET": "30", "MSG": "20"}, 20),
    ({"PUTGET": "20", "MSG": "30"}, 30)])
def test_so_many_messages_are_under_way(job, limits, most):
    """All of them and no more; where both names of the limit are given, the one that the document lists holds."""
    environment = {f"GASNET_PORTAL_{name}_LIMIT": value for name, value in limits.items()}
    is_right(job("underway", 2, arguments=["limit", most], **environment), "underway")


#= GASN-066 GASN-067 GASN-120
@pytest.mark.parametrize("most", [2, 10])
def test_temporary_descriptors_are_few_and_go(job, most):
    is_right(job("underway", 2, arguments=["temporaries", most], GASNET_PORTAL_NUM_TMPMD=str(most)), "underway")


#= GASN-147
def test_halves_of_long_messages_find_those_of_their_node(job):
    is_right(job("underway", 3, arguments=["joins"]), "underway")


#= GASN-117
def test_credits_are_told_only_where_that_is_asked_for(job, tmp_path):
    is_right(job("fading", 2), "fading")
    assert not list(tmp_path.glob("gasnet-credits.*"))


#= GASN-045
@pytest.mark.parametrize("how", ["alone", "polled", "exited", "returned"])
@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("status", [0, 7])
def test_who_leaves_takes_all_others_along(job, network, status, how):
    done = job("leaving", 4, "--nal", network, arguments=[how, status])
    assert done.returncode == status and "killed" not in done.stderr, done.stderr


#= GASN-045 GASN-133
@pytest.mark.parametrize("seconds, limits", [
    (7, {"": "7"}), (7, {"_MIN": "1", "_FACTOR": "3"}), (1, {"_MIN": "3600", "_FACTOR": "3600", "_MAX": "1"})])
def test_the_end_of_a_job_takes_so_long_at_most(job, seconds, limits):
    """Portals is never closed: the nodes end when their time is over, and not before."""
    begun = time.monotonic()
    done = job("leaving", 2, arguments=["stuck", 7], **{f"GASNET_EXITTIMEOUT{name}": limits[name] for name in limits})
    assert done.returncode == 7 and time.monotonic() - begun >= seconds, done.stderr


#= GASN-091
@pytest.mark.parametrize("network", NETWORKS)
def test_a_put_beyond_a_segment_ends_the_job(job, network):
    done = job("leaving", 3, "--nal", network, arguments=["beyond"])
    assert done.returncode != 0
    assert re.search(r"node 0: a put or get of 9 octets at 0x\w+ is not within the segment of node 2", done.stderr)


def test_vector_data_of_two_lengths_ends_the_job(job):
    done = job("leaving", 2, arguments=["unequal"])
    assert done.returncode != 0 and "have different lengths" in done.stderr


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
    ("GASNET_EXITTIMEOUT_FACTOR", "-1", "from 0 to 3600"),
    ("GASNET_EXITTIMEOUT_FACTOR", "0.5s", "from 0 to 3600"),
    ("GASNET_EXITTIMEOUT_MAX", "0", "from 1 to 3600"),
])
def test_a_value_that_is_wrong_is_refused(job, name, value, says):
    done = job("semantics", 1, **{name: value})
    assert done.returncode == 3
    assert name in done.stderr and says in done.stderr, done.stderr


#= GASN-043 GASN-134
def test_segments_are_capped(job):
    done = job("semantics", 2, GASNET_MAX_SEGSIZE="2M")
    assert done.returncode == 4 and "gasnet_getMaxGlobalSegmentSize() >= SEGMENT" in done.stderr
