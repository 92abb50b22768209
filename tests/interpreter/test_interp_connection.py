# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Reaching the manager, being refused, and the manager's mistakes (specs/interpreter.md, sections 1 and 2)."""

import os
import socket
import subprocess

import pytest

from manager import PATIENCE, TOKEN, encode


def test_request_and_hello(interp):
    program, peer = interp()
    head = peer.request.split("\r\n")
    assert head[0] == "GET /connect HTTP/1.1"
    assert {"Connection: Upgrade", "Upgrade: assay/1", f"Authorization: Bearer {TOKEN}"} <= set(head)
    assert peer.hello["versions"] == "1"
    assert peer.hello["role"] == "interpreter"
    assert peer.hello["api"] == "portals-3.0"
    assert peer.hello["pid"] == str(program.process.pid)
    assert peer.hello["host"] == socket.gethostname()
    assert peer.hello["order"] in ("little", "big")
    assert peer.hello["features"] == "threads,guard"


def test_token_from_environment_and_host_name(run, manager, bin_dir):
    port = manager.address.split(":")[1]
    process = subprocess.Popen([bin_dir / "interp-portals", "--manager", f"localhost:{port}"],
                               env={**os.environ, "ASSAY_TOKEN": "from-the_environment"})
    peer = manager.accept()
    assert "Authorization: Bearer from-the_environment" in peer.request
    peer.do("quit")
    assert process.wait(timeout=PATIENCE) == 0


@pytest.mark.parametrize("program", ["interp-portals", "sut-agent"])
@pytest.mark.parametrize("status,reason", [
    ("400 Bad Request", "not a request of an interpreter"), ("401 Unauthorized", "no such token"),
    ("409 Conflict", "this token has been used"), ("426 Upgrade Required", "this manager speaks assay/7")])
def test_refused(run, manager, bin_dir, program, status, reason):
    process = run(bin_dir / program, *(["--", "true"] if program == "sut-agent" else []))
    peer = manager.accept_raw()
    peer.upgrade(status, reason + "\nmore\n")
    peer.close()
    assert process.status() == 3
    said = process.said()
    assert said.count("\n") == 1
    assert reason in said and status[:3] in said and manager.address in said


@pytest.mark.parametrize("answer,expected", [
    ("refuse reason=too%20old%20a%20program\n", "too old a program"),
    ("welcome version=2\n", "'2'"), ("welcome\n", "''"), ("nonsense\n", "neither welcomed nor refused")])
def test_refused_by_protocol(run, manager, bin_dir, answer, expected):
    process = run(bin_dir / "interp-portals")
    peer = manager.accept_raw()
    peer.upgrade()
    peer.greet(answer)
    assert process.status() == 3
    assert expected in process.said()


def test_unknown_pairs_of_welcome_are_ignored(run, manager, bin_dir):
    run(bin_dir / "interp-portals")
    peer = manager.accept_raw()
    peer.upgrade()
    peer.greet("welcome colour=blue version=1 mood=100%\n")
    assert "verbs" in peer.do("commands")


@pytest.mark.parametrize("data", [b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
                                  b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
                                  b"HTTP/1.1 200 OK\r\n\r\n", b"", b"HTTP/1.1 101 Sw" + 20000 * b"x"],
                         ids=["other protocol", "other upgrade", "no upgrade", "nothing", "long head"])
def test_not_a_manager(run, manager, bin_dir, data):
    process = run(bin_dir / "interp-portals")
    peer = manager.accept_raw()
    peer.receive_until(b"\r\n\r\n")
    try:
        peer.send(data)
        peer.close()
    except OSError:
        pass  # it may have given up in the middle
    assert process.status() == 3
    assert manager.address in process.said()


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.1:0", "127.0.0.1:99999", ":80", "1:2:3", "host.invalid:80",
                                     "[::1:80", "x" * 400 + ":80"], ids=lambda text: text[:20])
def test_bad_address(run, bin_dir, address):
    process = run(bin_dir / "interp-portals", address=address)
    assert process.status() == 3
    assert process.said().count("\n") == 1


def test_nobody_listens(run, bin_dir):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        process = run(bin_dir / "interp-portals", address="127.0.0.1:%d" % silent.getsockname()[1])
        assert process.status() == 3
        assert "Connection refused" in process.said()


@pytest.mark.parametrize("program,arguments", [
    ("interp-portals", []), ("interp-portals", ["--manager"]), ("interp-portals",
                                                                ["--manager", "a:1", "--token", "short"]),
    ("interp-portals", ["--manager", "a:1"]), ("interp-portals", ["extra"]),
    ("sut-agent", []), ("sut-agent", ["--url", "ftp://a:1", "--token", TOKEN, "--", "true"]),
    ("sut-agent", ["--url", "http://a", "--token", TOKEN, "--", "true"]),
    ("sut-agent", ["--manager", "a:1", "--token", TOKEN]), ("sut-agent", ["--manager", "a:1", "--token", TOKEN, "--"]),
    ("sut-agent", ["--manager", "a:1", "--", "true"]), ("sut-agent", ["--bogus", "1"])])
def test_misuse(bin_dir, program, arguments):
    environment = {key: value for key, value in os.environ.items() if key != "ASSAY_TOKEN"}
    result = subprocess.run([bin_dir / program, *arguments], capture_output=True, text=True, env=environment,
                            check=False)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1 and "--help" in result.stderr


@pytest.mark.parametrize("program", ["interp-portals", "sut-agent"])
def test_help_and_version(bin_dir, program):
    shown = subprocess.run([bin_dir / program, "--help"], capture_output=True, text=True, check=True).stdout
    assert shown.startswith("usage: " + program)
    assert program in subprocess.run([bin_dir / program, "--version"], capture_output=True, text=True,
                                     check=True).stdout


BROKEN = {
    "long": (b"1 1000 describe" + 262144 * b" ", "longer than 262144"),
    "nul": (b"1 1000 desc\0ribe\n", "NUL"),
    "return": (b"1 1000 describe\r\n", "control"),
    "accent": ("1 1000 descr\u00edbe\n".encode(), "ASCII"),
    "empty": (b"\n", "number"),
    "word": (b"hello\n", "number"),
    "zero": (b"0 1000 describe\n", "number"),
    "hexadecimal": (b"0x7 1000 describe\n", "number"),
    "large": (b"2147483648 1000 describe\n", "number"),
    "space": (b" 1 1000 describe\n", "number"),
}


@pytest.mark.parametrize("data,reason", BROKEN.values(), ids=BROKEN.keys())
@pytest.mark.parametrize("program", ["interp-portals", "sut-agent"])
def test_manager_breaks_protocol(run, manager, bin_dir, program, data, reason):
    process = run(bin_dir / program, *(["--", "true"] if program == "sut-agent" else []))
    peer = manager.accept()
    peer.send(data)
    word, notice = peer.notice()
    assert word == "protocol"
    assert reason in notice["reason"]
    peer.closed()
    assert process.status() == 3
    assert reason in process.said()


def test_numbers_must_grow(interp):
    program, peer = interp()
    peer.do("describe")
    peer.send("1 1000 describe\n")
    assert peer.notice()[0] == "protocol"
    peer.closed()
    assert program.status() == 3


@pytest.mark.parametrize("line", [
    "describe", "0 describe", "3600001 describe", "x describe", "1000", "1000 ", "1000  describe", "1000 describe ",
    "1000 @ describe",
    "1000 @Up describe", "1000 @t1", "1000 pause ms", "1000 pause =1", "1000 pause ms=1 ms=2",
    "1000 describe" + " a=1" * 30], ids=repr)
def test_syntax(peer, line):
    peer.last_id += 1
    peer.send(f"{peer.last_id} {line}\n")
    assert peer.take(lambda words: words[0] == str(peer.last_id))[1:3] == ["error", "syntax"]


def test_longest_line(peer):
    """A line of 262,144 octets, its LF included, is taken."""
    peer.do("alloc", name="a", octets=70000)
    hexadecimal = "5a" * 65536
    assert peer.do("write", name="a", offset=4000, hex=hexadecimal) == {}
    assert peer.do("read", name="a", offset=4000, octets=65536)["hex"] == hexadecimal
    start = f"{peer.last_id + 1} 1000 pause ms="
    peer.last_id += 1
    peer.send(start + "1" * (262144 - len(start) - 1) + "\n")
    assert peer.take(lambda words: words[0] == str(peer.last_id))[1:3] == ["error", "bad-value"]


def test_manager_disappears(interp):
    program, peer = interp()
    peer.close()
    assert program.status() == 3
    assert "closed" in program.said()


def test_manager_disappears_while_the_library_blocks(interp):
    program, peer = interp()
    for verb, values in [("PtlInit", {}), ("PtlNIInit", dict(interface="default", ptl_size=4, acl_size=4, handle="ni")),
                         ("PtlEQAlloc", dict(interface="ni", count=4, handle="eq"))]:
        assert peer.do(verb, **values)["rc"] == "PTL_OK"
    peer.start("PtlEQWait", deadline=3600000, eventq="eq", event="out")
    peer.close()
    assert program.status() == 3


def test_commands_in_one_segment(peer):
    """Lines are lines, however they are cut into segments."""
    first = peer.last_id + 1
    text = "".join(f"{first + i} 1000 pause ms=0\n" for i in range(40)) + f"{first + 40} 1000 describe\n"
    for i in range(0, len(text), 7):
        peer.send(text[i:i + 7])
    peer.last_id = first + 40
    for i in range(40):
        assert peer.reply(first + i) == {}
    assert "pagesize" in peer.reply(first + 40)


def test_encode_is_the_protocols():
    assert encode("a b%c|d=e") == "a%20b%25c%7Cd%3De"
