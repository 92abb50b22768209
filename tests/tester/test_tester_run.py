# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""`assay run` as a command: its reports and evidence, and how it refuses."""

import hashlib
import json
import pathlib
import resource
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import xml.etree.ElementTree

import jsonschema
import pytest

from assay_program import PATIENCE
from test_tester_misbehaviour import CASES
from waiting import ended, named, until

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
VERDICT = {"enum": ["pass", "fail", "warn", "skip", "inconclusive"]}
TEXT = {"type": "string"}
CASE = {
    "type": "object",
    "properties": {
        "id": TEXT, "title": TEXT, "suite": TEXT, "chapter": TEXT, "chapter_title": TEXT,
        "reason": TEXT, "expected": TEXT, "observed": TEXT,
        "requirements": {"type": "array", "items": TEXT, "minItems": 1}, "verdict": VERDICT,
        "axis": {"enum": ["", "sut", "configuration", "network", "tester"]}, "requirement": TEXT, "transcript": TEXT,
        "capture": {"type": ["string", "null"]}, "ladder": TEXT, "source_sha256": {"pattern": "^[0-9a-f]{64}$"},
        "duration_ms": {"type": "integer", "minimum": 0}, "file": TEXT, "evidence": {"type": "array", "minItems": 3},
    },
}
CASE["required"] = list(CASE["properties"])
CASE["properties"] |= {"symptom": TEXT, "blocked_by": {
    "type": "object", "required": ["requirement", "case"], "additionalProperties": TEXT}}
REPORT = {
    "type": "object",
    "properties": {
        "profile": {"const": "portals-3.0"}, "verdict": {"enum": ["conforms", "does-not-conform", "inconclusive"]},
        "outcome": {"type": "object", "required": ["name", "words", "reasons"]},
        "problem": TEXT, "tester": {"pattern": r"^assay \d"},
        "digests": {"type": "object", "required": ["tester", "catalogue", "cases"],
                    "additionalProperties": {"pattern": "^[0-9a-f]{64}$"}}, "seed": {"pattern": r"^\d+$"},
        "started": {"pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}, "duration_ms": {"type": "integer"},
        "preflight": {"const": "cases/preflight.txt"},
        "sut": {"type": "object", "required": ["name", "interpreter"]},
        "summary": {"type": "object", "required": VERDICT["enum"], "additionalProperties": {"type": "integer"}},
        "cases": {"type": "array", "items": CASE},
        "causes": {"type": "array", "items": {
            "type": "object", "required": ["text", "requirement", "case", "failed", "blocked"], "properties": {
                "text": TEXT, "requirement": TEXT, "case": TEXT, "failed": {"type": "array", "items": TEXT},
                "blocked": {"type": "array", "items": TEXT}}, "additionalProperties": False}},
        "coverage": {"type": "object", "required": ["requirements", "judged", "not_judged"], "properties": {
            "requirements": {"type": "integer"}, "judged": {"type": "integer"}, "not_judged": {
                "type": "array", "items": {"type": "object", "required": ["reason", "requirements"]}}}},
    },
}
REPORT["required"] = list(REPORT["properties"])


def test_report_and_junit(assay):
    assay.write(CASES)
    outcome = assay.fake("fails@PtlNIBarrier", "--sut", 'A <name> & "more"')
    jsonschema.validate(outcome.report, REPORT)
    assert outcome.report["sut"]["name"] == 'A <name> & "more"'
    assert outcome.report["summary"]["fail"] == 1 and outcome.report["summary"]["pass"] == 1
    first = outcome.case("first")
    assert (first["expected"], first["observed"]) == ("PTL_OK", "PTL_FAIL")
    suite = xml.etree.ElementTree.parse(outcome.folder / "junit.xml").getroot().find("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    failure = suite.find("testcase[@name='first']/failure")
    assert "P30-091" in failure.text and "PTL_FAIL" in failure.text
    for file in first["evidence"]:
        octets = (outcome.folder / first[file["kind"]]).read_bytes()
        assert (file["path"], file["octets"]) == (first[file["kind"]], len(octets)) and octets
        assert file["sha256"] == hashlib.sha256(octets).hexdigest()
    assert outcome.report["outcome"] == {"name": "does-not-conform", "words": "does not conform",
                                         "reasons": ["1 case failed because of the system under test"]}
    assert suite.find("properties/property[@name='outcome']").get("value") == "does not conform"


def test_plain_lines_where_there_is_no_terminal(assay):
    assay.write(CASES)
    outcome = assay.fake("good")
    assert "\r" not in outcome.out and "\033" not in outcome.out
    lines = outcome.out.splitlines()
    assert "pass         first" in lines and "pass         second" in lines
    assert lines[-2] == "conforms" and lines[-3] == outcome.report["outcome"]["reasons"][0]


TITLES = '{"3.5": "Network Interfaces", "3.10": "Data Movement Operations"}'
SEVERAL = """
local function one(id, chapter, requirements, run)
  case { id = id, title = "T", purpose = "P.", suite = "s", chapter = chapter, requirements = requirements, run = run }
end
one("twice", "3.10", { "P30-091", "P30-092" }, function(t) t:open {} t:skip("it cannot") end)
one("once", "3.5", { "P30-091" }, function(t) t:open {} t:rc("P30-091", t.ranks[0]:PtlNIStatus {}, "PTL_OK") end)
one("never", "3.9", { "P30-093" }, function(t) t:open {} t:skip("nor this") end)
"""


def test_what_was_not_judged(assay):
    """A requirement counts as judged when one of its cases has judged it; chapters come in the document's order, by
    their titles where these are known."""
    assay.write(SEVERAL)
    (assay.folder / "specs").mkdir()
    shutil.copy(ROOT / "specs" / "profiles.json", assay.folder / "specs")
    (assay.folder / "specs" / "portals-3.0.sections.json").write_text(TITLES)
    outcome = assay.fake("good")
    assert outcome.report["coverage"] == {"requirements": 3, "judged": 1, "not_judged": [
        {"reason": "it cannot", "requirements": ["P30-092"]}, {"reason": "nor this", "requirements": ["P30-093"]}]}
    assert outcome.report["verdict"] == "conforms" and outcome.status == 0
    lines = [line.split() for line in outcome.out.splitlines()]
    assert [line for line in lines if line[:1] == ["chapter"]] == [
        ["chapter", "3.5", "Network", "Interfaces", "1", "pass"], ["chapter", "3.9", "1", "skip"],
        ["chapter", "3.10", "Data", "Movement", "Operations", "1", "skip"]]
    assert lines[-2] == ["conforms", "in", "part"]
    assert "not judged: 2 of 3 requirements" in outcome.out


DECLARES = """
case { id = "limits", title = "T", purpose = "P.", suite = "s", chapter = "3.5", requirements = { "P30-078" },
  run = function(t)
    t:open {}
    t:equal("P30-078", "what is declared", { t:declared("limits", "queue_events"),
      t:declared("limits", "descriptors") }, { 7 })
    t:reading("P30-078", "duplicate_interface", "the second", t.ranks[0]:PtlNIBarrier {}.rc,
      { { "refuse", "PTL_INIT_DUP" }, { "same_handle", "PTL_OK" } })
  end }
"""


@pytest.mark.parametrize("readings, verdict", [({}, "warn"), ({"duplicate_interface": "same_handle"}, "warn"),
                                               ({"duplicate_interface": "refuse"}, "fail")])
def test_what_is_declared(assay, tmp_path, readings, verdict):
    """A case learns of it; another reading than the declared one fails."""
    assay.write(DECLARES)
    file = tmp_path / "statement.json"
    file.write_text(json.dumps({"profile": "portals-3.0", "limits": {"queue_events": 7}, "readings": readings}))
    outcome = assay.fake("good", "--statement", file)
    assert outcome.case("limits")["verdict"] == verdict, outcome.case("limits")["reason"]


LIMITED = """
case { id = "uses-up", title = "T", purpose = "P.", suite = "s", chapter = "3.5", requirements = { "P30-078" },
  limit = "queue_events", run = function(t) t:check("P30-078", "it runs", true) end }
case { id = "three", title = "T", purpose = "P.", suite = "s", chapter = "3.5", requirements = { "P30-078" },
  ranks = 3, run = function(t) t:check("P30-078", "it runs", true) end }
case { id = "two", title = "T", purpose = "P.", suite = "s", chapter = "3.5", requirements = { "P30-078" },
  ranks = 2, run = function(t) t:check("P30-078", "it runs", true) end }
"""


def test_the_selection_follows_what_is_declared(assay, tmp_path):
    """A case that uses up a limit belongs to those who declare it; no job is larger than what is declared."""
    assay.write(LIMITED)

    def verdicts(limits, *given):
        file = tmp_path / "statement.json"
        file.write_text(json.dumps({"profile": "portals-3.0", "limits": limits}))
        outcome = assay.fake("good", "--statement", file, *given)
        return {case["id"]: case["verdict"] for case in outcome.report["cases"]}

    assert verdicts({}) == {"three": "pass", "two": "pass"}
    assert verdicts({"queue_events": 7, "processes": 2}) == {"uses-up": "pass", "three": "skip", "two": "pass"}
    assert verdicts({"processes": 3}, "--case", "uses-up,three") == {"uses-up": "skip", "three": "pass"}


FOLLOWS = """
local function asks(id, name)
  case { id = id, title = "What the run knows", purpose = "It asks.", suite = "try", chapter = "3.5",
    requirements = { "P30-078" }, ranks = 1, run = function(t)
      t:open {}
      t:equal("P30-078", "what is known", t:follows("duplicate_interface") or "nothing", name)
    end }
end
asks("before", "nothing")
case { id = "finds", title = "What the fake does", purpose = "It finds a reading.", suite = "try", chapter = "3.5",
  requirements = { "P30-078" }, ranks = 1, run = function(t)
    t:open {}
    t:reading("P30-078", "duplicate_interface", "the second", t.ranks[0]:PtlNIBarrier {}.rc,
      { { "refuse", "PTL_INIT_DUP" }, { "same_handle", "PTL_OK" } })
  end }
asks("behind", "same_handle")
"""


def test_a_reading_belongs_to_the_run(assay):
    """What one case has found holds for those behind it."""
    assay.write(FOLLOWS)
    outcome = assay.fake("good")
    assert outcome.report, outcome.err
    assert {case["id"]: case["verdict"] for case in outcome.report["cases"]} == {
        "before": "pass", "finds": "warn", "behind": "pass"}, outcome.out


@pytest.mark.parametrize("text, words", [
    ("{", "statement.json:1:"),
    ("[]", "it is no JSON object"),
    ("{}", 'its "profile" must be "portals-3.0"'),
    ('{"profile": "impi-0.0"}', 'its "profile" must be "portals-3.0"'),
    ('{"profile": "portals-3.0", "limit": {}}', 'there is no member "limit"'),
    ('{"profile": "portals-3.0", "limits": 3}', '"limits" must be an object'),
    ('{"profile": "portals-3.0", "limits": {"queue_event": 3}}', 'knows no limit "queue_event"'),
    ('{"profile": "portals-3.0", "limits": {"queue_events": 0}}', 'must be a whole number of at least 1'),
    ('{"profile": "portals-3.0", "limits": {"queue_events": "7"}}', 'must be a whole number of at least 1'),
    ('{"profile": "portals-3.0", "readings": {"sent": "yes"}}', 'knows no switch "sent"'),
    ('{"profile": "portals-3.0", "readings": {"sent_for_get": "maybe"}}', 'has no reading "maybe"'),
    ('{"profile": "portals-3.0", "readings": {"sent_for_get": 1}}', 'has no reading "that is no text"'),
    ('{"profile": "portals-3.0", "limits": {}, "limits": {}}', "duplicate"),
])
def test_statements_that_are_refused(assay, tmp_path, text, words):
    """The run does not begin; the message says where and what."""
    assay.write(DECLARES)
    file = tmp_path / "statement.json"
    file.write_text(text)
    outcome = assay.fake("good", "--statement", file)
    assert outcome.status == 2 and words in outcome.err and outcome.report is None, outcome.err


def test_a_statement_that_is_not_there(assay, tmp_path):
    assay.write(DECLARES)
    outcome = assay.fake("good", "--statement", tmp_path / "none.json")
    assert outcome.status == 2 and "none.json" in outcome.err


@pytest.mark.parametrize("features, words", [("other,outcome", "quit verdict=conforms outcome=conforms-in-part"),
                                             ("", "quit verdict=conforms"), ("outcomes", "quit verdict=conforms")])
def test_the_agent_is_told_the_outcome(assay, tmp_path, features, words):
    """As far as it says that it takes that: older ones refuse a command with more than they know."""
    assay.write(SEVERAL)
    agent, notes = tmp_path / "agent", tmp_path / "notes"
    words_of = [sys.executable, HERE / "noting_agent.py", assay.bin_dir / "sut-agent", notes, features]
    agent.write_text(f"#!/bin/sh\nexec {shlex.join(map(str, words_of))} \"$@\"\n")
    agent.chmod(0o755)
    outcome = assay.fake("good", environment={"ASSAY_AGENT": str(agent)})
    assert (outcome.status, outcome.report["verdict"]) == (0, "conforms")
    assert [line.split(" ", 2)[2] for line in notes.read_text().splitlines() if " quit" in line] == [words]


def test_what_was_never_begun(assay):
    """Cases that a run did not come to are not judged either."""
    assay.write(SEVERAL)
    outcome = assay.fake("crash@PtlInit")
    assert {"reason": "the run ended before the case began", "requirements": ["P30-091", "P30-092", "P30-093"]} in (
        outcome.report["coverage"]["not_judged"]), outcome.report


@pytest.mark.parametrize("arguments, count", [(["--suite", "two"], 1), (["--case", "first"], 1),
                                              (["--case", "second,first"], 2), ([], 2)])
def test_selection(assay, arguments, count):
    assay.write(CASES)
    assert len(assay.fake("good", *arguments).report["cases"]) == count


REFUSED = [
    (["run"], "the command template is missing"),
    (["run", "--seed", "x", "--", "true"], '--seed "x" is not a whole number'),
    (["run", "--profile", "mpi", "--", "true"], 'no profile "mpi"'),
    (["run", "--case", "none", "--", "true"], "has no case none"),
    (["run", "--case", "first,none", "--", "true"], "has no case none"),
    (["run", "--suite", "none", "--", "true"], "has no suite none"),
    (["run", "--report", "/dev/null/x", "--", "true"], "folder /dev/null/x cannot be written: Not a directory"),
    (["run", "--listen", "nowhere", "--", "true"], '"nowhere" is not an IPv4 address and port'),
    (["run", "--listen", "192.0.2.1:9", "--", "true"], "cannot listen at 192.0.2.1:9"),
    (["run", "--colour"], "see assay run --help"),
    (["sing"], 'there is no command "sing"'),
    (["cases", "more"], '"more" is not expected'),
]


@pytest.mark.parametrize("arguments, reason", REFUSED)
def test_refused(assay, arguments, reason):
    assay.write(CASES)
    process = assay.call(*arguments, cwd=assay.folder)
    assert process.returncode == 2
    assert reason in process.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["run", "--help"], ["cases", "--help"]])
def test_help(assay, arguments):
    process = assay.call(*arguments)
    assert process.returncode == 0 and process.stdout and not process.stderr


def test_command_that_does_not_exist(assay):
    assay.write(CASES)
    outcome = assay.run(template=["/nowhere/mpirun", "-np", "{np}"])
    assert outcome.status == 2
    assert "the system under test cannot be started" in outcome.out and "/nowhere/mpirun" in outcome.out
    assert outcome.report["verdict"] == "inconclusive"


@pytest.mark.parametrize("agent, reason", [("/nowhere/agent", "/nowhere/agent cannot be executed"),
                                           ("/bin/false", "the launch agent has ended")])
def test_agent_that_is_none(assay, agent, reason):
    assay.write(CASES)
    outcome = assay.fake("good", environment={"ASSAY_AGENT": agent})
    assert outcome.status == 2
    assert reason in outcome.report["problem"]


def test_port_in_use(assay):
    assay.write(CASES)
    with socket.create_server(("127.0.0.1", 0)) as server:
        outcome = assay.fake("good", "--listen", "127.0.0.1:%d" % server.getsockname()[1])
    assert outcome.status == 2 and "Address already in use" in outcome.err


def test_full_disk(assay):
    """What cannot be written is told; the cases are judged all the same."""
    assay.write(CASES)

    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))

    outcome = assay.fake("good", preexec_fn=small_files, restore_signals=False)
    assert "pass         first" in outcome.out and "pass         second" in outcome.out
    assert "evidence in" in outcome.out and "File too large" in outcome.out
    assert "report.json cannot be written: File too large" in outcome.out
    assert outcome.status == 1 and outcome.report is None


def test_interrupted(assay):
    """SIGINT: the running case is inconclusive, nothing is left behind."""
    assay.write("""case { id = "long", title = "Long", purpose = "Waits.", suite = "s", chapter = "1",
      requirements = { "P30-001" }, deadline = 300, run = function(t) t:peer {}:accept(200000) end }""")
    report = assay.folder / "report"
    process = subprocess.Popen([assay.program, "run", "--verbose", "--report", report, "--",
                                *assay.fake_template("good")], env=assay.environment(), stdout=subprocess.PIPE,
                               text=True)
    said = []
    for line in process.stdout:
        said.append(line)
        if "job 2 with 1 process" in line: # the preflight's was job 1
            process.send_signal(signal.SIGINT)
    assert process.wait(timeout=PATIENCE) == 1
    assert "the run was cancelled\n" in said
    assert ended(named(str(report)), PATIENCE), "a process was left behind"


def test_killed(assay):
    """A run that is cut off leaves no report of an earlier one behind."""
    assay.write("""case { id = "long", title = "Long", purpose = "Waits.", suite = "s", chapter = "1",
      requirements = { "P30-001" }, deadline = 300, run = function(t) t:peer {}:accept(200000) end }""")
    report = assay.folder / "report"
    report.mkdir()
    for name in ("report.json", "junit.xml", "report.html", "notes.txt"):
        (report / name).write_text("of an earlier run")
    process = subprocess.Popen([assay.program, "run", "--verbose", "--report", report, "--",
                                *assay.fake_template("good")], env=assay.environment(), stdout=subprocess.PIPE,
                               text=True)
    for line in process.stdout:
        if "job 2 with 1 process" in line:
            process.kill()
    process.wait(timeout=PATIENCE)
    assert {path.name for path in report.iterdir()} == {"cases", "notes.txt"}
    assert ended(named(str(report)), PATIENCE), "a process was left behind"


def request(address, text):
    with socket.create_connection(address, timeout=PATIENCE) as connection:
        connection.sendall(text)
        answer = b""
        while b"\n" not in answer.partition(b"\r\n\r\n")[2]:
            got = connection.recv(4096)
            if not got:
                break
            answer += got
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), body.decode()


UPGRADE = ("GET /connect HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: %s\r\n"
           "Authorization: %s\r\n\r\n")
REQUESTS = [
    (b"POST /connect HTTP/1.1\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\n\r\n", 400),
    (b"GET /connect HTTP/1.1\r\nUpgrade: assay/1\r\n\r\n", 400),
    (b"\0\0\0\r\n\r\n", 400),
    ((UPGRADE % ("websocket", "Bearer 0123456789abcdef")).encode(), 426),
    ((UPGRADE % ("assay/1", "Bearer short")).encode(), 401),
    ((UPGRADE % ("assay/1", "Basic 0123456789abcdef")).encode(), 401),
    ((UPGRADE % ("assay/1", "Bearer 0123456789abcdef")).encode(), 401),
    (b"GET /connect HTTP/1.1\r\nX: " + b"y" * 9000, 431),
]


def test_door(assay):
    """Requests that are not the one of the protocol are refused with the status that it names, and a reason."""
    assay.write(CASES)
    idler, told = assay.folder / "idler", assay.folder / "told"
    idler.write_text(f'#!/bin/sh\necho "$@" > "{told}.new" && mv "{told}.new" "{told}"\nexec sleep {PATIENCE}\n')
    idler.chmod(0o755)
    process = subprocess.Popen([assay.program, "run", "--report", assay.folder / "report", "--listen",
                                "127.0.0.2:0", "--", "true"],
                               env=assay.environment(ASSAY_AGENT=str(idler)), stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    try:
        assert until(told.exists, assay.folder, PATIENCE)
        host, port = told.read_text().split("--manager ", 1)[1].split()[0].rsplit(":", 1)
        assert host == "127.0.0.2"
        address = host, int(port)
        for text, status in REQUESTS:
            got, body = request(address, text)
            assert got == status, text
            assert body.endswith("\n") and len(body) > 10
    finally:
        process.send_signal(signal.SIGTERM)
        process.stdout.read()
        process.wait(timeout=PATIENCE)
