# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A library that crashes, hangs or exits is reported, never met with silence (specs/interpreter.md, section 2.2)."""

import time

import pytest


@pytest.fixture
def start(run, manager, bad):
    def begin(order, *arguments):
        program = run(bad, *arguments, BADLIB=order)
        return program, manager.accept()
    return begin


@pytest.mark.parametrize("act,signal", [("segv", "SIGSEGV"), ("abort", "SIGABRT"), ("fpe", "SIGFPE"),
                                        ("overflow", "SIGSEGV"),
                                        ("pipe", "SIGPIPE")])
def test_crash(start, act, signal, variant):
    if variant == "asan" and act in ("segv", "fpe"):
        pytest.skip("the sanitizer stops before the signal")
    program, peer = start("PtlInit:" + act)
    peer.do("commands")
    number = peer.start("PtlInit")
    assert peer.notice() == ("crash", {"signal": signal, "function": "PtlInit", "id": str(number)})
    assert peer.closed() == b""
    assert program.status() == 70


def test_crash_on_a_thread_of_the_library(start):
    program, peer = start("PtlInit:thread")
    number = peer.start("PtlInit")
    assert peer.notice() == ("crash", {"signal": "SIGSEGV", "function": "progress", "id": str(number)})
    assert program.status() == 70


def test_crash_on_a_named_thread(start):
    program, peer = start("PtlPut:abort")
    peer.do("PtlInit")
    peer.do("thread", name="t1")
    number = peer.start("PtlPut", thread="t1", mem_desc="zero", ack_req="PTL_ACK_REQ", target="gid/0/0", portal=0,
                        cookie=0, match_bits=0,
                        offset=0)
    assert peer.notice() == ("crash", {"signal": "SIGABRT", "function": "PtlPut", "id": str(number)})
    assert program.status() == 70


def test_crash_beside_replies(start):
    """Another thread is answering all the while: its replies stay whole, and no empty line comes before the notice."""
    for _ in range(8):
        program, peer = start("PtlFini:abort")
        peer.do("thread", name="t1")
        for _ in range(60):
            peer.start("commands", thread="t1")
        peer.start("PtlFini")
        said = peer.closed().split(b"\n")
        assert said[-2].startswith(b"! crash signal=SIGABRT function=PtlFini"), said[-3:]
        assert all(b" ok verbs=" in line for line in said[:-2]), said
        assert program.status() == 70


def test_crash_in_batch(start):
    program, peer = start("PtlNIFini:abort")
    number = peer.start_batch(3, ["PtlInit", "PtlNIFini interface=zero"])
    assert peer.notice() == ("crash", {"signal": "SIGABRT", "function": "PtlNIFini", "id": str(number)})
    assert program.status() == 70


def test_core(start):
    program, peer = start("PtlInit:abort", "--core")
    peer.start("PtlInit")
    assert peer.notice()[0] == "crash"
    assert program.status() == -6


def test_crash_outside_the_library(start):
    """A signal from outside, while no command runs."""
    program, peer = start("")
    peer.do("describe")
    program.process.send_signal(11)
    assert peer.notice() == ("crash", {"signal": "SIGSEGV", "function": "none", "id": "0"})
    assert program.status() == 70


def test_hang(start):
    program, peer = start("PtlInit:hang")
    begun = time.monotonic()
    number = peer.start("PtlInit", deadline=1000)
    assert peer.notice() == ("hang", {"function": "PtlInit", "id": str(number), "ms": "1000"})
    assert time.monotonic() - begun > 0.99  # it counts whole milliseconds
    assert peer.closed() == b""
    assert program.status() == 71


def test_hang_without_the_library(start):
    program, peer = start("")
    number = peer.start("pause", deadline=100, ms=60000)
    assert peer.notice() == ("hang", {"function": "none", "id": str(number), "ms": "100"})
    assert program.status() == 71


def test_hang_on_a_thread_beside_a_longer_deadline(start):
    program, peer = start("PtlFini:hang")
    peer.do("thread", name="t1")
    peer.start("pause", deadline=60000, ms=50000)
    number = peer.start("PtlFini", thread="t1", deadline=1000)
    assert peer.notice() == ("hang", {"function": "PtlFini", "id": str(number), "ms": "1000"})
    assert program.status() == 71


def test_hang_of_exit_handlers(start):
    program, peer = start("exit:hang")
    peer.do("PtlInit")
    number = peer.start("quit", deadline=1000)
    assert peer.reply(number) == {}
    assert peer.notice() == ("hang", {"function": "exit", "id": str(number), "ms": "1000"})
    assert program.status() == 71


def test_crash_of_exit_handlers(start):
    program, peer = start("exit:abort")
    peer.do("PtlInit")
    number = peer.start("quit")
    assert peer.reply(number) == {}
    assert peer.notice() == ("crash", {"signal": "SIGABRT", "function": "exit", "id": str(number)})
    assert program.status() == 70


def test_library_exits(start):
    program, peer = start("PtlInit:exit")
    number = peer.start("PtlInit")
    assert peer.notice() == ("exit", {"status": "unknown", "function": "PtlInit", "id": str(number)})
    assert peer.closed() == b""
    assert program.status() == 9


def test_library_exits_at_once(start):
    """_exit leaves nobody to tell it: the connection just ends."""
    program, peer = start("PtlInit:_exit")
    peer.start("PtlInit")
    assert peer.closed() == b""
    assert program.status() == 9


def test_abandon_runs_no_exit_handler(start):
    program, peer = start("exit:abort")
    peer.do("PtlInit")
    assert peer.do("abandon") == {}
    assert peer.closed() == b""
    assert program.status() == 0


@pytest.mark.parametrize("status", [0, 1, 255])
def test_abandon_with_a_status(start, status):
    program, peer = start("exit:abort")
    assert peer.fails("abandon", status=256) == "bad-value"
    assert peer.do("abandon", status=status) == {}
    assert program.status() == status


def test_manager_disappears_during_a_hang(start):
    program, peer = start("PtlInit:hang")
    peer.start("PtlInit", deadline=3600000)
    peer.close()
    assert program.status() == 3
