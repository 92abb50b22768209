#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A system under test that misbehaves as it is told: `fake.py BEHAVIOUR NP --manager HOST:PORT --token TOKEN`.

It starts NP processes, each of which speaks the interpreter protocol (specs/interpreter.md) and answers every function
with PTL_OK. BEHAVIOUR is a word, or WORD@VERB: then it shows when that command comes.
"""

import ipaddress
import os
import signal
import socket
import struct
import sys

VERBS = (
    "PtlInit PtlFini PtlGetId PtlTransId PtlNIInit PtlNIFini PtlNIBarrier PtlNIStatus PtlNIDist PtlNIHandle "
    "PtlMEAttach PtlMEInsert PtlMEUnlink PtlMDAttach PtlMDInsert PtlMDBind PtlMDUnlink PtlMDUpdate PtlEQAlloc "
    "PtlEQFree PtlEQCount PtlEQGet PtlEQWait PtlACEntry PtlPut PtlGet MPI_Finalize md alloc fill describe commands "
    "quit abandon").split()
PAIR = os.pipe()  # from rank 0 to rank 1
RESULTS = {"PtlNIStatus": " status=0", "PtlNIDist": " distance=1", "PtlEQCount": " count=0", "PtlNIHandle": " same=ni"}


class Interpreter:
    """One process of the job."""

    def __init__(self, behaviour, rank, size, manager, token):
        self.behaviour, _, self.trigger = behaviour.partition("@")
        self.rank, self.size, self.token = rank, size, token
        host, port = manager.rsplit(":", 1)
        self.address = (host, int(port))
        self.socket, self.lines = None, None

    def connect(self):
        """Makes the connection; returns the status of the answer."""
        self.socket = socket.create_connection(self.address, timeout=300)
        self.socket.sendall((f"GET /connect HTTP/1.1\r\nHost: {self.address[0]}\r\n"
                             "Connection: Upgrade\r\nUpgrade: assay/1\r\n"
                             f"Authorization: Bearer {self.token}\r\n\r\n").encode())
        self.lines = self.socket.makefile("rb")
        status = int(self.lines.readline().split()[1])
        while self.lines.readline() not in (b"\r\n", b""):
            pass
        return status

    def say(self, text):
        self.socket.sendall(text.encode() + b"\n")

    def hello(self):
        changed = {"version": ("versions=1", "versions=2,3"), "api": ("api=portals-3.0", "api=mpi-1"),
                   "role": ("role=interpreter", "role=agent"), "order": ("order=little", "order=middle"),
                   "no-hello": ("hello ", "good-day ")}
        line = (f"hello versions=1 role=interpreter api=portals-3.0 name=fake/1 pid={os.getpid()} host=here "
                "order=little features=")
        self.say(line.replace(*changed.get(self.behaviour, ("", ""))))
        answer = self.lines.readline().decode().strip()
        if answer != "welcome version=1":
            print(answer, flush=True)
            sys.exit(3)

    def misbehave(self, number):
        """Shows the behaviour; True when the command is not to be answered any more."""
        if self.behaviour == "crash":
            self.say(f"! crash signal=SIGSEGV function={self.trigger} id={number}")
            os._exit(70)
        if self.behaviour == "cut-crash":  # an LF ends what may stand half-written before the notice
            self.say("")
            self.say(f"! crash signal=SIGSEGV function={self.trigger} id={number}")
            os._exit(70)
        if self.behaviour == "hang":
            self.say(f"! hang function={self.trigger} id={number} ms=1000")
            os._exit(71)
        if self.behaviour == "exit":
            self.say("! exit status=5")
            os._exit(5)
        if self.behaviour == "parricide":
            os.kill(int(os.environ["FAKE_AGENT"]), signal.SIGKILL)
            return True
        if self.behaviour == "pair":  # rank 1 crashes; rank 0 goes too, and its connection closes before that is told
            if self.rank == 0:
                self.lines.close()
                self.socket.close()
                os.write(PAIR[1], b"x")
                os._exit(0)
            os.read(PAIR[0], 1)
            self.say(f"! crash signal=SIGSEGV function={self.trigger} id={number}")
            os._exit(70)
        if self.behaviour == "told":  # somebody ends the launch agent, which ends its jobs
            os.kill(int(os.environ["FAKE_AGENT"]), signal.SIGTERM)
            return True
        if self.behaviour == "vanish":
            os._exit(0)
        if self.behaviour == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.behaviour == "outsider":  # somebody ends the launcher
            os.kill(os.getppid(), signal.SIGTERM)
            return True
        if self.behaviour == "endless":  # a line of one GiB
            try:
                for _ in range(1 << 14):
                    self.socket.sendall(b"y" * 65536)
            finally:
                os._exit(0)
        if self.behaviour == "drip":
            for octet in f"{number} ok rc=PTL_OK\n".encode():
                self.socket.sendall(bytes([octet]))
            return True
        if self.behaviour == "flood":
            for _ in range(300):
                self.socket.sendall(b"! noise about=nothing\n" * 1000)
            return False
        answers = {
            "nul": f"{number} ok rc=PTL_OK \0", "eight-bit": f"{number} ok rc=PTL_\xff",
            "encoded": f"{number} error bad-value reason=%ff%c3%00%0a%1b[2J%e2%82%ac%ed%a0%80%",
            "error": f"{number} error bad-value reason=no%20such%20thing",
            "unknown": f"{number} error unknown-command reason=no",
            "wrong-id": "999999 ok", "garbage": "hello again", "control": f"{number} ok \x01", "silent": None,
            "long": f"{number} ok x=" + "y" * 300000, "twice": f"{number} ok rc=PTL_OK\n{number} ok rc=PTL_OK",
            "fails": f"{number} ok rc=PTL_FAIL", "no-rc": f"{number} ok"}
        if self.behaviour not in answers:
            return False
        if answers[self.behaviour]:
            self.say(answers[self.behaviour])
        return True

    def open_stream(self, words):
        """A stream of the binding to the target of a put, after a connection that says nothing."""
        nid, pid = map(int, next(word for word in words if word.startswith("target=")).split("/")[1:])
        where = (str(ipaddress.IPv4Address(nid)), pid)
        hello = b"PTL3" + struct.pack(">HH10I", 1, 0, nid, 100, 7, 0, nid, pid, 0xffffffff, 0xffffffff, 0, 1)
        self.streams = [socket.create_connection(where), socket.create_connection(where)]
        self.streams[1].sendall(hello)

    def answer(self, number, verb):
        if verb == "PtlGetId":
            process = 100 if self.behaviour == "same-address" else 100 + self.rank
            return f"{number} ok rc=PTL_OK id=both/1/{process}/7/{self.rank} gsize={self.size}"
        if verb == "commands":
            verbs = [known for known in VERBS if self.behaviour != "lacks" or known != self.trigger]
            return f"{number} ok verbs={','.join(verbs)}"
        if verb == "PtlPut" and self.behaviour not in ("mute", "speaks"):
            return f"{number} ok rc=PTL_INV_PROC"  # it knows nobody outside its job
        if verb.startswith("Ptl"):
            return f"{number} ok rc=PTL_OK{RESULTS.get(verb, '')}"
        if verb in VERBS:
            return f"{number} ok"
        return f"{number} ok" if self.behaviour == "yes" else f"{number} error unknown-command reason=none"

    def serve(self):
        for line in self.lines:
            number, _, verb, *words = line.decode().split()
            if verb == "PtlPut" and self.behaviour == "speaks":
                self.open_stream(words)
            if verb == self.trigger and self.misbehave(number):
                continue
            self.say(self.answer(number, verb))
            if verb == "quit":
                return
            if verb == "abandon":
                os._exit(0)


def run(behaviour, rank, size, manager, token):
    """One process: connects, greets, serves."""
    interpreter = Interpreter(behaviour, rank, size, manager, token)
    status = interpreter.connect()
    if status != 101:
        print(f"refused: {status}", flush=True)
        sys.exit(3)
    interpreter.hello()
    if behaviour == "reuse":
        print(f"second connection: {Interpreter(behaviour, rank, size, manager, token).connect()}", flush=True)
    interpreter.serve()


def main():
    behaviour, size, _, manager, _, token = sys.argv[1:]
    if behaviour == "early":
        print("I do not feel like it", flush=True)
        sys.exit(9)
    os.environ["FAKE_AGENT"] = str(os.getppid())
    children = []
    for rank in range(int(size)):
        child = os.fork()
        if child == 0:
            run(behaviour, rank, int(size), manager, token)
            sys.exit(0)
        children.append(child)
    statuses = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    if behaviour == "lingers":
        signal.pause()
    if behaviour.endswith("@MPI_Finalize"):
        sys.exit(max(statuses))


if __name__ == "__main__":
    main()
