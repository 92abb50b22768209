# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The packets of a capture, decoded by confined processes: what a sound sharkd shows of a real one, and that one which
hangs, ends, floods, answers rubbish or was taken over harms nobody."""

import json
import os
import pathlib
import re
import select
import shutil
import tempfile
import threading

import pytest

from service import PATIENCE, Service
from test_account import sign_in
from test_evidence import run_suite
from test_openapi import check

FAKE = """#!/usr/bin/python3 -IS
import json, os, socket, sys, time
def answer(result, **more):
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result, **more}), flush=True)
def frame(info="info", number="1"):
    return {"c": [number, "0.5", "here", "there", "Portals", "60", info], "num": 1, "bg": "ffffff"}
def tried(attempt):
    try:
        attempt()
        return "done"
    except Exception as problem:
        return type(problem).__name__
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] == "load" and not LOADS:
        answer({"status": "OK"})
        continue
"""
NESTED = ("field = {'l': 'x'}\n    for _ in range(DEPTH): field = {'l': 'x', 'n': [field]}\n"
          "    answer({'tree': [field]})")
TAKEN_OVER = """    capture = open("/proc/self/fd/3", "rb").read()
    answer([frame(json.dumps({
        "capture": capture[:4].hex(), "secret": tried(lambda: open(SECRET).read()),
        "passwords": tried(lambda: open("/etc/passwd").read()), "folder": tried(lambda: os.listdir("/")),
        "memory": tried(lambda: open(f"/proc/{os.getppid()}/mem", "rb")),
        "file": tried(lambda: open("/tmp/assay-was-here", "w")), "change": tried(lambda: open("/proc/self/fd/3", "wb")),
        "socket": tried(socket.socket), "fork": tried(os.fork), "kill": tried(lambda: os.kill(os.getppid(), 9)),
        "program": tried(lambda: os.posix_spawn("/usr/bin/true", ["true"], {})),
        "octets": tried(lambda: bytearray(1 << 30)), "root": os.getuid() == 0,
        "descriptors": [fd for fd in range(256) if tried(lambda: os.fstat(fd)) == "done"]}))])
"""
RUBBISH = {
    "nothing": "print(flush=True)", "words": "print('ready', flush=True)", "end": "sys.exit(0)",
    "list": "print('[]', flush=True)", "octets": "os.write(1, b'\\xff\\xfe\\n')",
    "another answer": "answer([frame()], id=asked['id'] + 1)",
    "two answers": "os.write(1, 2 * (json.dumps({'id': asked['id'], 'result': [frame()]}) + '\\n').encode())",
    "twice": "print('{\"id\":2,\"id\":2,\"result\":[]}', flush=True)", "no frames": "answer({})",
    "no columns": "answer([{'num': 1}])", "numbers": "answer([frame(7)])",
    "no number": "answer([frame(number='one')])", "flood": "while True: os.write(1, b'x' * 65536)",
    "no memory": "bytearray(1 << 30)", "no time": "while True: pass", "crash": "os.abort()",
}
SLOW = "no time"  # which ends only when the time for an answer is over
BY_NUMBER = (f"    exec({[*RUBBISH.values()]!r}[asked['params']['skip'] - 1] "
             "if 'skip' in asked['params'] else 'answer([frame()])')\n")
WAITS = "    time.sleep(600)\n"


@pytest.fixture(name="place")
def fixture_place():
    """A folder that everybody may read, as the processes are another user's where the service is root."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-packets-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(name="fake")
def fixture_fake(place):
    """fake(body, loads): a program that answers in place of sharkd; the body answers `asked`."""
    def make(body, loads=False, **constants):
        program = place / f"fake{len(list(place.iterdir()))}"
        constants = {"LOADS": loads, **constants}
        program.write_text(FAKE.replace("import json,", "".join(f"{name} = {value!r}\n" for name, value in
                                                                 constants.items()) + "import json,", 1) + body)
        program.chmod(0o755)
        return program
    return make


@pytest.fixture(scope="module", name="recorded")
def fixture_recorded(bin_dir, tmp_path_factory):
    """A data folder with a run, the owner's token, and the run's cases that have captures: all that a service needs."""
    one = Service(bin_dir, tmp_path_factory.mktemp("recorded") / "data")
    client = one.client()
    made = client.run(suite="smoke")
    run, agent = made["run"]["id"], one.agent(made["token"])
    client.wait_over(run)
    agent.communicate(timeout=PATIENCE)
    results = client.get(f"/api/v1/runs/{run}/results").json["results"]
    yield one, client, [f"/api/v1/runs/{run}/results/{result['id']}/packets" for result in results]
    one.end()


@pytest.fixture(name="decoding")
def fixture_decoding(recorded):
    """decoding(program, *options): the service of the recorded run, started anew with this sharkd."""
    service, client, paths = recorded

    def start(program, *options):
        if service.process.poll() is None:
            service.stop()
        service.start("--sharkd", program, *options)
        return service, client, paths
    return start


def processes(program):
    """Those that run the program, as descriptors that tell of their end."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "cmdline").read_bytes().endswith(f"\0{program}\0-\0".encode()):
                found.append(os.pidfd_open(int(folder.name)))
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended meanwhile
    return found


def wait_gone(descriptors):
    for descriptor in descriptors:
        assert select.select([descriptor], [], [], PATIENCE)[0], "a process is left"
        os.close(descriptor)


def everything(tree):
    """All texts of a tree."""
    for one in tree:
        yield one["text"]
        yield from everything(one.get("fields", []))


def all_packets(document, client, path):
    """Those of a capture, page after page."""
    shown, more = 0, True
    while more:
        answer = client.get(f"{path}?skip={shown}")
        assert answer.status == 200, answer.body
        check(document, "GET", path, answer)
        yield from answer.json["packets"]
        shown, more = shown + len(answer.json["packets"]), answer.json["more"]
        assert not more or len(answer.json["packets"]) == 100


@pytest.mark.skipif(not shutil.which("sharkd"), reason="sharkd is not installed")
def test_of_a_real_capture(decoding, root, build, place, monkeypatch):
    """All packets, some at a time; in one of Portals all fields by the plugin; what is asked for again is kept."""
    document = json.loads((root / "specs" / "openapi.json").read_text())
    shutil.copytree(build / "wireshark", place / "wireshark")
    monkeypatch.setenv("WIRESHARK_PLUGIN_DIR", str(place / "wireshark"))
    _, client, paths = decoding(shutil.which("sharkd"))
    assert client.get("/api/v1/session").json["decodes"] is True
    for path in paths:  # some cases are seen on the wire, others are not
        found = list(all_packets(document, client, path))
        assert [packet["number"] for packet in found] == list(range(1, len(found) + 1)) and found
        message = next((packet for packet in found if packet["protocol"] == "Portals"), None)
        if message:
            break
    answer = client.get(f"{path}/{message['number']}")
    check(document, "GET", f"{path}/1", answer)
    texts = list(everything(answer.json["fields"]))
    assert any(text.startswith("Portals") for text in texts) and len(texts) > 20, texts
    assert client.get(f"{path}/{message['number']}", If_None_Match=answer.headers["etag"]).status == 304
    assert client.get(f"{path}?skip={len(found)}").json == {"packets": [], "more": False}
    for wrong in ("0", "x", str(len(found) + 1), "99999999999", "-1", "1.5"):
        assert (client.get(f"{path}/{wrong}").status, client.get(f"{path}/{wrong}").code) == (404, "no_packet"), wrong
    assert client.get(f"{path}?skip=-1").code == "bad_skip"


@pytest.mark.skipif(not shutil.which("sharkd"), reason="sharkd is not installed")
def test_of_a_service_of_low_priority(decoding):
    """As under nice: a process may not have more of it than who starts it."""
    service, client, paths = decoding(shutil.which("sharkd"))
    for thread in pathlib.Path(f"/proc/{service.process.pid}/task").iterdir():
        os.setpriority(os.PRIO_PROCESS, int(thread.name), 5)  # lower than what decodes sets
    assert client.get(paths[0]).status == 200


def test_without_sharkd(decoding):
    _, client, paths = decoding("none")
    assert client.get("/api/v1/session").json["decodes"] is False
    assert (client.get(paths[0]).status, client.get(paths[0]).code) == (404, "no_decoder")


def test_taken_over(decoding, fake, recorded):
    """It has its capture and system files; everything else of the service, the system and the network is closed."""
    secret = str(recorded[0].data / "assay.db")
    _, client, paths = decoding(fake(TAKEN_OVER, SECRET=secret))
    told = json.loads(client.get(paths[0]).json["packets"][0]["info"])
    assert (told.pop("capture"), told.pop("root"), told.pop("descriptors")) == ("0a0d0d0a", False, [0, 1, 2, 3])
    assert told.pop("octets") == "MemoryError"
    assert set(told.values()) == {"PermissionError"}, told
    assert not pathlib.Path("/tmp/assay-was-here").exists()


def test_rubbish(decoding, fake):
    """Told as such; the process is gone, and the next request has another one."""
    program = fake(BY_NUMBER)
    _, client, paths = decoding(program)
    for number, name in enumerate(RUBBISH, 1):
        if name != SLOW:
            answer = client.get(f"{paths[0]}?skip={number}")
            assert (answer.status, answer.code) == (502, "not_decoded"), (name, answer.body)
            assert not processes(program), name
    assert client.get(paths[0]).json["packets"][0]["info"] == "info"


@pytest.mark.parametrize("name", ("words", "end", "flood"))
def test_rubbish_at_the_start(decoding, fake, name):
    _, client, paths = decoding(fake(f"    {RUBBISH[name]}", loads=True))
    assert client.get(paths[0]).code == "not_decoded"


@pytest.mark.long
def test_no_answer_in_time(decoding, fake):
    program = fake(f"    {RUBBISH[SLOW]}")
    _, client, paths = decoding(program)
    assert client.get(paths[0]).code == "not_decoded"
    assert not processes(program)


@pytest.mark.parametrize("depth, status", ((31, 200), (32, 502)))
def test_fields_in_fields(decoding, fake, depth, status):
    _, client, paths = decoding(fake("    " + NESTED, DEPTH=depth))
    assert client.get(f"{paths[0]}/1").status == status


def test_long_texts_are_cut_off(decoding, fake):
    _, client, paths = decoding(fake("    answer([frame('\\u00fc' * 5000)])"))
    assert client.get(paths[0]).json["packets"][0]["info"] == "\u00fc" * 512


def asked_aside(client, path):
    """A request that is under way; what it was answered is in the list when the thread has ended."""
    answers = []
    thread = threading.Thread(target=lambda: answers.append(client.get(path)))
    thread.start()
    return thread, answers


def wait_for(program):
    """The processes of the program, as soon as there is one."""
    found = []
    while not found:
        found = processes(program)
    return found


def test_few_at_once(decoding, fake, recorded):
    """An account's captures are refused beyond its limit, another's beyond that of all; who waits is answered at the
    end of the service, which ends in order whatever the processes do."""
    program = fake(WAITS)
    service, client, paths = decoding(program, "--limit", "account-decoders=1", "--limit", "decoders=1",
                                      "--sign-in-link")
    thread, answers = asked_aside(client, paths[0])
    running = wait_for(program)
    refused = client.get(paths[1])
    assert (refused.status, refused.code) == (429, "too_many_decoders") and refused.headers["retry-after"]
    assert client.get(f"/api/v1/runs/{paths[0].split('/')[4]}").status == 200
    owner, _ = sign_in(service, service.read_link(), name="Owner")
    link = owner.post("/api/v1/sign-in-links", {"for": "new-account"}).json["link"]
    other, _ = sign_in(service, link, name="Other")
    own = run_suite(service, other)
    case = other.get(f"/api/v1/runs/{own}/results").json["results"][0]["id"]
    busy = other.get(f"/api/v1/runs/{own}/results/{case}/packets")
    assert (busy.status, busy.code) == (503, "busy")
    assert service.stop() == 0
    thread.join(PATIENCE)
    assert answers[0].status == 503
    wait_gone(running)


def test_one_that_is_idle_gives_way(decoding, fake):
    """However many captures somebody opens one after the other, there are no more processes than the limit."""
    program = fake("    answer([frame()])")
    _, client, paths = decoding(program, "--limit", "decoders=2")
    for path in paths[:8]:
        assert client.get(path).json["packets"]
        running = processes(program)
        assert len(running) <= 2
        for descriptor in running:
            os.close(descriptor)


def test_killed_with_the_service(decoding, fake):
    """Nothing outlives a service that was killed."""
    program = fake(WAITS)
    service, client, paths = decoding(program)
    connection = threading.Thread(target=lambda: pytest.raises(Exception, client.get, paths[0]))
    connection.start()
    running = wait_for(program)
    service.kill()
    wait_gone(running)
    connection.join(PATIENCE)


def test_one_that_cannot_be_used(bin_dir, tmp_path):
    """A program that was named must be there."""
    with pytest.raises(AssertionError, match="there is no such program: /nonexistent"):
        Service(bin_dir, tmp_path / "data", "--sharkd", "/nonexistent")
    assert re.search("assayd: --sharkd", (tmp_path / "data.stderr").read_text())
