# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The launch agent: templates, jobs, what they print; nothing outlives it (specs/interpreter.md, section 5)."""

import os
import re
import signal
import subprocess
import time

import pytest

from manager import PATIENCE, TOKEN, Failure
from waiting import ended as gone, until

JOB_TOKEN = "job-token_0123456789"
GRACE = 2  # seconds from SIGTERM to SIGKILL
SLEEP = ("sh", "-c", "exec sleep 1000")  # the arguments that the agent appends become the shell's


def start(peer, job=1, np=1, token=JOB_TOKEN, **values):
    return peer.do("start", job=job, np=np, token=token, **values)


def serve(peer, job=1, **values):
    """Start a job that has no interpreter."""
    return peer.do("start", job=job, **values)


def output(peer):
    """The next line that a job printed: (job, stream, text)."""
    _, pairs = peer.notice("output")
    return pairs["job"], pairs["stream"], pairs["text"]


def peer_address(peer):
    """Where the manager listens, as the agent was told."""
    return peer.request.split("Host: ", 1)[1].split("\r\n", 1)[0]


def ended(peer, job=1):
    """How the job ended, after all its output."""
    words = peer.take(lambda words: words[:2] == ["!", "ended"] and words[2] == f"job={job}")
    return words[3]


def test_hello(agent):
    program, peer = agent("mpirun", "-np", "{np}", "my prog", "{args}")
    assert peer.hello["role"] == "agent"
    assert peer.hello["template"] == "mpirun -np {np} my prog {args}"
    assert peer.hello["pid"] == str(program.process.pid)
    assert peer.do("jobs") == {"jobs": ""}
    assert peer.do("commands")["verbs"] == "start,stop,signal,jobs,agents,measure,commands,quit"


def test_other_agents(agent, manager):
    """Each has the run's token with a number behind it; all end with the one that was started."""
    program, peer = agent(*SLEEP, arguments=["--jobs", "3"])
    assert peer.hello["jobs"] == "3"
    for count in ("0", "3", "x", ""):
        assert peer.fails("agents", count=count) == "bad-value"
    assert peer.do("agents", count=2) == {}
    others = [manager.accept() for _ in range(2)]
    tokens = {other.request.split("Bearer ", 1)[1].split("\r\n", 1)[0] for other in others}
    assert tokens == {f"{TOKEN}-1", f"{TOKEN}-2"}
    for other in others:
        assert other.hello["template"] == peer.hello["template"] and other.hello["pid"] != peer.hello["pid"]
        assert other.hello["jobs"] == "1" and other.fails("agents", count=1) == "bad-value"
        assert other.do("jobs") == {"jobs": ""}
        start(other)
    assert peer.do("jobs") == {"jobs": ""}
    assert peer.fails("agents", count=2) == "busy"
    pids = [int(other.hello["pid"]) for other in others]
    program.process.send_signal(signal.SIGTERM)
    assert program.status() == 128 + signal.SIGTERM
    assert gone(pids, PATIENCE)


def test_one_job_at_a_time(agent):
    _, peer = agent(*SLEEP)
    assert peer.hello["jobs"] == "1"
    assert peer.fails("agents", count=1) == "bad-value"


@pytest.mark.parametrize("jobs", ["0", "17", "-1", "two", "", "4x"])
def test_bad_number_of_jobs(run, bin_dir, jobs):
    program = run(bin_dir / "sut-agent", "--jobs", jobs, "--", "true")  # no manager is asked
    assert program.status() == 2 and "--jobs is not a whole number from 1 to 16" in program.said()


def test_arguments(agent, manager):
    _, peer = agent("printf", r"<%s>\n", "a b", "-n{np}x{np}", "{args}", "$HOME;*", "{client}@{server}", "{other}{")
    pid = start(peer, np=3, client=0, server="127.0.0.1:4000")["pid"]
    assert int(pid) > 1
    shown = [output(peer) for _ in range(9)]
    assert {(job, stream) for job, stream, _ in shown} == {("1", "stdout")}
    assert [text for _, _, text in shown] == ["<a b>", "<-n3x3>", "<--manager>", f"<{manager.address}>", "<--token>",
                                              f"<{JOB_TOKEN}>",
                                              "<$HOME;*>", "<0@127.0.0.1:4000>", "<{other}{>"]
    assert ended(peer) == "status=0"


def test_arguments_are_appended(agent):
    _, peer = agent("echo", "x", arguments=["--advertise", "gateway:99"])
    start(peer)
    assert output(peer)[2] == f"x --manager gateway:99 --token {JOB_TOKEN}"


@pytest.mark.parametrize("placeholder", ["{client}", "{server}", "{clients}", "{hosts}", "x{clients}y"])
def test_missing_value(agent, placeholder):
    _, peer = agent("echo", placeholder)
    assert peer.fails("start", job=1, np=1, token=JOB_TOKEN) == "missing"
    assert peer.do("jobs") == {"jobs": ""}


def test_a_template_of_clients_without_a_client(agent):
    _, peer = agent("echo", "{np}")
    with pytest.raises(Failure, match="a template without {client} starts an IMPI server"):
        peer.do("start", job=1, clients=2, options="")


def test_a_job_without_interpreter(agent):
    """No token: no arguments of an interpreter, whether the template has a place for them or not."""
    _, peer = agent("echo", "-server", "{clients}", "{options}", "{args}", ".")
    serve(peer, clients=3)
    assert output(peer)[2] == "-server 3 ."
    serve(peer, job=2, clients=2, options="-port%205001%20-auth%203,1-0")
    assert output(peer)[2] == "-server 2 -port 5001 -auth 3,1-0 ."
    start(peer, job=3, clients=1)
    assert output(peer)[2] == "-server 1 --manager " + peer_address(peer) + f" --token {JOB_TOKEN} ."
    _, peer = agent("echo", "np", "{np}")
    assert peer.fails("start", job=1) == "missing"
    serve(peer, np=4)
    assert output(peer)[2] == "np 4"


def test_an_empty_value_leaves_its_argument_out(agent):
    _, peer = agent("printf", "<%s>\\n", "{client}", "a{server}", "{server}", "{clients}", "{options}", "end")
    serve(peer, client="", server="", clients=-1, options="")
    assert [output(peer)[2] for _ in range(3)] == ["<a>", "<-1>", "<end>"]
    _, peer = agent("{clients}")
    assert peer.fails("start", job=1, clients="") == "missing"


@pytest.mark.parametrize("options", ["", "-port%201", "-port%204294967296", "-auth%200,1", "-auth%201-0%20-port%2099"])
def test_options_of_a_server(agent, options):
    _, peer = agent("echo", "x", "{options}")
    serve(peer, options=options)
    assert output(peer)[2] == " ".join(["x", *options.split("%20")]).strip()


@pytest.mark.parametrize("options", [
    "-port", "-port%20", "-port%20x", "-port%201%20", "%20-port%201", "-port%20%201", "-port%201%20-port%202",
    "-port%20-1", "-port%2012345678901", "-auth%20a", "-auth%20" + "1" * 65, "-auth%20", "-p%201", "--help",
    "-port%201;reboot", "-port%0A1", "-port=1", "-port%zz", "-auth%201%20-auth%202", "5001"])
def test_options_that_no_server_has(agent, options):
    _, peer = agent("true", "{options}")
    assert peer.fails("start", job=1, options=options) == "bad-value"


def test_environment(agent):
    _, peer = agent("sh", "-c", 'echo "$IMPI_AUTH_KEY/$ASSAY_NAL/${ASSAY_TOKEN-unset}/$OWN"', ASSAY_TOKEN=TOKEN,
                    OWN="mine")
    start(peer, env__IMPI_AUTH_KEY="a%20b%3D", env__ASSAY_NAL="tcp")
    assert output(peer)[2] == "a b=/tcp/unset/mine"
    start(peer, job=2)
    assert output(peer)[2] == "//unset/mine"  # nothing stays from the job before


def test_environment_of_impi(agent):
    names = ["IMPI_DATALEN", "IMPI_TAGUB", "IMPI_COLL_XSIZE", "IMPI_COLL_MAXLINEAR", "IMPI_ACKMARK", "IMPI_HIWATER",
             "IMPI_HOST_NAME", "IMPI_AUTH_KEY", "ASSAY_RELIABLE"]
    _, peer = agent("sh", "-c", "echo " + " ".join(f"${name}" for name in names))
    start(peer, **{f"env__{name}": i for i, name in enumerate(names)})
    assert output(peer)[2] == "0 1 2 3 4 5 6 7 8"


def test_environment_is_taken_away(agent):
    _, peer = agent("sh", "-c", 'echo "${IMPI_AUTH_KEY-unset}/${IMPI_AUTH_NONE-unset}/$IMPI_ACKMARK"',
                    IMPI_AUTH_KEY="5", IMPI_AUTH_NONE="")
    start(peer)
    assert output(peer)[2] == "5//"
    start(peer, job=2, unset__IMPI_AUTH_KEY="", unset__IMPI_AUTH_NONE="", unset__IMPI_HIWATER="", env__IMPI_ACKMARK=1)
    assert output(peer)[2] == "unset/unset/1"
    start(peer, job=3)
    assert output(peer)[2] == "5//"


@pytest.mark.parametrize("values", [dict(unset__PATH=""), dict(unset__IMPI_AUTH_KEY="1"),
                                    dict(unset__IMPI_ACKMARK="", env__IMPI_ACKMARK="1")])
def test_environment_that_is_not_taken_away(agent, values):
    _, peer = agent("true")
    assert peer.fails("start", job=1, **values) == "bad-value"


@pytest.mark.parametrize("name", ["PATH", "LD_PRELOAD", "ASSAY_TOKEN", "IMPI_AUTH_KEYS", "IMPI_AUTH", "X"])
def test_environment_that_is_not_allowed(agent, name):
    _, peer = agent("true")
    assert peer.fails("start", job=1, np=1, token=JOB_TOKEN, **{"env__" + name: "x"}) == "bad-value"


@pytest.mark.parametrize("key,value", [("job", 0), ("job", "x"), ("np", 0), ("np", -1), ("token", "short"),
                                       ("token", "x" * 20 + ";"),
                                       ("server", "a:1;x"), ("server", "-x"), ("server", "/a:1"), ("server", "a" * 256),
                                       ("client", "--one"), ("client", "-one"), ("client", "-"), ("client", "1" * 13),
                                       ("client", "a=b"), ("clients", "../x"), ("clients", "{np}"), ("clients", "1,2"),
                                       ("hosts", 0), ("hosts", "x"), ("hosts", 65537), ("env__ASSAY_NAL", "%zz")])
def test_bad_values(agent, key, value):
    _, peer = agent("true")
    assert peer.fails("start", **{**dict(job=1, np=1, token=JOB_TOKEN), key: value}) == "bad-value"


@pytest.mark.parametrize("value", ["0", "-1", "2x", "one", "4294967296", "0x10", "33"])
def test_ranks_and_counts_that_a_program_refuses(agent, value):
    _, peer = agent("echo", "{client}", "{clients}")
    serve(peer, client=value, clients=value)
    assert output(peer)[2] == f"{value} {value}"


def test_errors(agent):
    _, peer = agent(*SLEEP)
    assert peer.fails("jump") == "unknown-command"
    assert peer.fails("start", np=1) == "missing"
    assert peer.fails("start", job=1, np=1, token=JOB_TOKEN, command="rm") == "unknown-pair"
    assert peer.fails("stop", job=7) == "unknown-name"
    assert peer.fails("signal", job=7, name="STOP") == "unknown-name"
    assert peer.fails("jobs", thread="t1") == "unknown-name"
    assert peer.fails("quit", verdict="splendid") == "bad-value"


def test_command_that_does_not_exist(agent):
    program, peer = agent("./no-such-program")
    with pytest.raises(Exception, match="exec: cannot execute './no-such-program': No such file or directory"):
        start(peer)
    assert peer.do("jobs") == {"jobs": ""}
    assert "no-such-program" in program.said()


def test_command_that_may_not_be_executed(agent, tmp_path):
    (tmp_path / "plain").write_text("x")
    _, peer = agent(tmp_path / "plain")
    assert peer.fails("start", job=1, np=1, token=JOB_TOKEN) == "exec"


def test_ends(agent):
    _, peer = agent("sh", "-c", "echo out; echo err >&2; printf unfinished; exit 7")
    start(peer)
    shown = [output(peer) for _ in range(3)]
    assert ("1", "stderr", "err") in shown
    assert [text for _, stream, text in shown if stream == "stdout"] == ["out", "unfinished"]
    assert ended(peer) == "status=7"
    assert peer.do("jobs") == {"jobs": ""}


@pytest.mark.parametrize("name", ["SEGV", "KILL", "ABRT"])
def test_ends_by_signal(agent, name):
    _, peer = agent("sh", "-c", f"ulimit -c 0; kill -{name} $$")
    start(peer)
    assert ended(peer) == f"signal=SIG{name}"


def test_no_input(agent):
    _, peer = agent("sh", "-c", "cat; echo done")
    start(peer)
    assert output(peer)[2] == "done"


def test_two_jobs(agent):
    _, peer = agent("sh", "-c", "echo $0; exec sleep 1000", "{np}")
    first, second = start(peer, job=5, np=2)["pid"], start(peer, job=9, np=3)["pid"]
    assert sorted([output(peer), output(peer)]) == [("5", "stdout", "2"), ("9", "stdout", "3")]
    assert sorted(peer.do("jobs")["jobs"].split(",")) == ["5", "9"]
    assert peer.fails("start", job=5, np=1, token=JOB_TOKEN) == "exists"
    assert peer.do("stop", job=5) == {}
    assert ended(peer, 5) == "signal=SIGTERM"
    assert gone([first], PATIENCE) and not os.path.exists(f"/proc/{first}")
    assert peer.do("jobs") == {"jobs": "9"}
    os.kill(int(second), 0)
    start(peer, job=5)  # the number is free again


def test_many_jobs(agent):
    _, peer = agent("sh", "-c", "echo {clients}; exec sleep 1000")
    for job in range(1, 65):
        serve(peer, job=job, clients=job)
    assert sorted(int(output(peer)[2]) for _ in range(64)) == list(range(1, 65))
    assert peer.fails("start", job=65, clients=1) == "no-memory"
    assert peer.do("jobs")["jobs"].count(",") == 63
    assert peer.do("quit") == {}


def test_stop_takes_a_whole_process_group(agent):
    _, peer = agent("sh", "-c", "sleep 1000 & echo $!; sh -c 'sleep 1000 & echo $!; wait' & echo $!; wait")
    start(peer)
    pids = [output(peer)[2] for _ in range(3)]
    assert peer.do("stop", job=1) == {}
    assert gone(pids, PATIENCE)


def test_stop_of_a_job_that_ignores_sigterm(agent):
    _, peer = agent("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1000; done")
    start(peer)
    assert output(peer)[2] == "ready"
    begun = time.monotonic()
    number = peer.start("stop", job=1)
    assert peer.fails("stop", job=1) == "busy"
    assert ended(peer) == "signal=SIGKILL"
    assert peer.reply(number) == {}
    assert time.monotonic() - begun > GRACE - 0.01  # it counts whole milliseconds


def test_stop_of_a_stopped_job(agent):
    _, peer = agent(*SLEEP)
    start(peer)
    assert peer.do("signal", job=1, name="STOP") == {}
    assert peer.fails("signal", job=1, name="KILL") == "bad-value"
    assert peer.do("stop", job=1) == {}
    assert ended(peer) == "signal=SIGTERM"


def returned(peer, job=1):
    """Wait for the word that the command has returned and the job goes on."""
    words = peer.take(lambda words: words[:2] == ["!", "returned"])
    assert words[:-1] == ["!", "returned", f"job={job}", "status=0"] and re.fullmatch(r"memory=[1-9]\d*", words[-1])


def test_leftovers_of_a_command_that_fails(agent):
    """What it leaves running in its group does not outlive it by more than half a second."""
    _, peer = agent("sh", "-c", "sleep 1000 & echo $!; exit 3")
    start(peer)
    pid = output(peer)[2]
    assert ended(peer) == "status=3"
    assert gone([pid], PATIENCE)


@pytest.mark.parametrize("silent", ["", ">/dev/null 2>&1"])
def test_a_command_that_returns(agent, tmp_path, silent):
    """The job goes on, whether it prints or not, until its processes have left."""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    _, peer = agent("sh", "-c", f"(read x <{gate}; echo late) {silent} & echo early")
    start(peer)
    assert output(peer)[2] == "early"
    returned(peer)
    assert peer.do("jobs") == {"jobs": "1"}
    gate.write_text("go on\n")
    if not silent:
        assert output(peer)[2] == "late"
    assert ended(peer) == "status=0"
    assert peer.do("jobs") == {"jobs": ""}


def test_stop_after_a_command_has_returned(agent):
    _, peer = agent("sh", "-c", "sleep 1000 & echo $!")
    start(peer)
    pid = output(peer)[2]
    returned(peer)
    os.kill(int(pid), 0)
    assert peer.do("stop", job=1) == {}
    assert ended(peer) == "status=0"
    assert gone([pid], PATIENCE)


def test_somebody_else_who_holds_the_output(agent):
    """A process that has left the group keeps nobody waiting for the end of what it may still print."""
    _, peer = agent("sh", "-c", "setsid sh -c 'echo $$; exec sleep 1000' &")
    start(peer)
    pid = output(peer)[2]
    returned(peer)
    assert peer.do("stop", job=1) == {}
    assert ended(peer) == "status=0"
    os.kill(int(pid), signal.SIGKILL)
    assert gone([pid], PATIENCE)


def test_stop_continue(agent):
    _, peer = agent("sh", "-c", "trap 'echo continued' CONT; sleep 1000 & echo ready; while :; do wait; done")
    start(peer)
    assert output(peer)[2] == "ready"
    peer.do("signal", job=1, name="STOP")
    peer.do("signal", job=1, name="CONT")
    assert output(peer)[2] == "continued"


def test_flood(agent):
    _, peer = agent("sh", "-c", "yes 'x y' | head -n 300000; echo end >&2")
    start(peer)
    lines = [output(peer)[2] for _ in range(1000)]
    assert lines == ["x y"] * 1000
    assert "1000 lines" in output(peer)[2]
    assert ended(peer) == "status=0"
    assert not [words for words in peer.early if words[1] == "output"]


def test_long_and_binary_lines(agent):
    _, peer = agent("sh", "-c", r"head -c 10000 /dev/zero | tr '\0' a; echo; printf '\001\0\377=%%\n'")
    start(peer)
    assert output(peer)[2] == "a" * 4096
    words = peer.take(lambda words: words[1] == "output")
    assert words[4] == "text=%01%00%FF%3D%25"


def test_no_zombies(agent):
    program, peer = agent("true")
    for job in range(1, 11):
        start(peer, job=job)
        assert ended(peer, job) == "status=0"
    listed = subprocess.run(["ps", "--ppid", str(program.process.pid), "-o", "pid="], capture_output=True, text=True,
                            check=False).stdout
    assert listed.strip() == ""


@pytest.mark.parametrize("verdict,status", [("conforms", 0), ("does-not-conform", 1), ("inconclusive", 1), (None, 0)])
def test_quit(agent, verdict, status):
    program, peer = agent(*SLEEP)
    pid = start(peer)["pid"]
    assert peer.do("quit", **({"verdict": verdict} if verdict else {})) == {}
    assert program.status() == status
    assert gone([pid], PATIENCE)
    words = str(verdict).replace("-", " ")
    assert (f"the run is over; its verdict: {words}\n" in program.said()) == bool(verdict)


@pytest.mark.parametrize("verdict,outcome,said", [
    ("conforms", "conforms", "conforms"),
    ("conforms", "conforms-in-part", "conforms in part"),
    ("does-not-conform", "does-not-conform", "does not conform"),
])
def test_the_agent_says_the_outcome(agent, verdict, outcome, said):
    """As the manager has decided it; the exit status is that of the verdict."""
    program, peer = agent(*SLEEP)
    assert "outcome" in peer.hello["features"].split(",")
    assert peer.fails("quit", verdict=verdict, outcome="conforms-in-parts") == "bad-value"
    assert peer.do("quit", verdict=verdict, outcome=outcome) == {}
    assert program.status() == (0 if verdict == "conforms" else 1)
    assert program.said().splitlines()[-1].endswith(f"the run is over; its verdict: {said}")


def test_a_quiet_agent_says_nothing(agent):
    program, peer = agent(*SLEEP, arguments=["--quiet"])
    start(peer)
    peer.do("quit", verdict="conforms")
    assert (program.status(), program.said()) == (0, "")


def test_manager_disappears(agent):
    program, peer = agent(*SLEEP, arguments=["--patience", "0"])
    pids = [start(peer, job=job)["pid"] for job in (1, 2, 3)]
    peer.close()
    assert program.status() == 3
    assert gone(pids, PATIENCE)
    assert "stopping all jobs" in program.said()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals(agent, number):
    program, peer = agent(*SLEEP)
    pid = start(peer)["pid"]
    program.process.send_signal(number)
    assert peer.notice() == ("leaving", {"signal": signal.Signals(number).name}), "the manager is told first"
    assert ended(peer) == "signal=SIGTERM"
    assert program.status() == 128 + number
    assert gone([pid], PATIENCE)


def signalled_twice(agent):
    """How long it takes to end an agent by two signals, while its job ignores the first."""
    program, peer = agent("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 1000; done")
    start(peer)
    assert output(peer)[2] == "ready"
    begun = time.monotonic()
    program.process.send_signal(signal.SIGTERM)
    assert until(lambda: "SIGTERM; stopping all jobs" in program.said(), program.error_file, PATIENCE)
    program.process.send_signal(signal.SIGINT)
    assert ended(peer) == "signal=SIGKILL"
    taken = time.monotonic() - begun
    assert program.status() == 128 + signal.SIGTERM
    return taken


def test_second_signal_is_impatient(agent):
    """Whoever is patient takes the whole grace every time; a machine that stands still does not do so five times."""
    assert any(signalled_twice(agent) < GRACE - 0.1 for _ in range(5))


def test_quiet(agent):
    program, peer = agent("echo", "hello", arguments=["--quiet"])
    start(peer)
    assert output(peer)[2].startswith("hello")
    assert ended(peer) == "status=0"
    peer.do("quit")
    assert program.status() == 0
    assert program.said() == ""


def test_shows_output(agent):
    program, peer = agent("echo", "hello", "{args}")
    start(peer)
    ended(peer)
    peer.do("quit")
    assert program.status() == 0
    assert "[job 1] hello --manager" in program.said()


def test_start_and_drive(agent, manager, bin_dir):
    """The real thing: the agent starts an interpreter, which connects with the job's token."""
    _, peer = agent(bin_dir / "interp-portals")
    start(peer, job=3)
    interp = manager.accept()
    assert f"Bearer {JOB_TOKEN}" in interp.request
    assert interp.do("PtlInit") == {"rc": "PTL_OK"}
    assert interp.do("abandon") == {}
    assert ended(peer, 3) == "status=0"
