#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The job of chapter 2 of the IMPI document, to run and to look at: three clients with 3, 2 and 2 hosts, 20 processes.

    python3 ref-impl/examples/three_clients.py [--bin build/bin] [--keep FOLDER] [--key 5678]

Between the clients and the server stands a recorder that passes on every octet and keeps it. When the job is over, what
each client said to the server and what it heard is shown, label by label, as `assay decode` reads it. Compare the
numbers of hosts and processes and the lengths of packets with the figures 2.1 to 2.3 and the examples of section 2.3.5.
"""

import argparse
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
DEADLINE = 300
# Processes, hosts, and the most octets of data in a packet, of each client.
CLIENTS = [(6, 3, 8000), (6, 2, 4000), (8, 2, 4000)]


class Recorder:
    """A server's double: passes everything on, both ways, and keeps it. `heard` has (up, down) of each connection."""

    def __init__(self, port):
        self.port = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.place = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.heard, self.carriers = [], []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        """Takes clients until the listener is closed."""
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.port), DEADLINE)
            both = bytearray(), bytearray()
            self.heard.append(both)
            for source, sink, store in ((near, far, both[0]), (far, near, both[1])):
                source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.carriers.append(threading.Thread(target=self.carry, args=(source, sink, store), daemon=True))
                self.carriers[-1].start()

    @staticmethod
    def carry(source, sink, store):
        """One direction of one connection, to its end."""
        try:
            while octets := source.recv(65536):
                store += octets
                sink.sendall(octets)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the other side is gone: so is this one

    def finish(self):
        """What was heard, once all connections are over."""
        self.listener.close()
        for carrier in self.carriers:
            carrier.join(DEADLINE)
        return self.heard


def run_job(folder, program, key):
    """Server and clients; what each connection carried, in the order of the clients' ranks."""
    environment = {**os.environ, "IMPI_AUTH_KEY": key}
    environment.pop("IMPI_AUTH_NONE", None)
    impirun = folder / "impirun"
    with subprocess.Popen([impirun, "-server", str(len(CLIENTS))], stdout=subprocess.PIPE, text=True,
                          env=environment) as server:
        recorder = Recorder(int(server.stdout.readline().rsplit(":", 1)[1]))
        clients = [subprocess.Popen([impirun, "-client", str(rank), recorder.place, "-np", str(processes), "-hosts",
                                     str(hosts), "-datalen", str(octets), program], env=environment)
                   for rank, (processes, hosts, octets) in enumerate(CLIENTS)]
        ended = [client.wait(DEADLINE) for client in clients] + [server.wait(DEADLINE)]
    if any(ended):
        sys.exit(f"three_clients: the clients and the server ended with {ended}")
    # The rank stands behind AUTH (a head of 8 octets, the mask), the key (8) and the head of IMPI.
    return sorted(recorder.finish(), key=lambda both: int.from_bytes(both[0][28:32], "big"))


def show(folder, file, protocol):
    """One direction, decoded."""
    print(f"\n{file.stem}:")
    sys.stdout.flush()
    command = [folder / "assay", "decode", "--proto", protocol, "--text", file]
    done = subprocess.run(command, check=False, timeout=DEADLINE)
    if done.returncode == -signal.SIGPIPE:
        raise BrokenPipeError
    done.check_returncode()


def main():
    """Builds the program, runs the job, shows the octets."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, default=HERE.parents[1] / "build" / "bin", help="folder of impirun")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the octets of both directions of each client there")
    parser.add_argument("--key", default="5678", help="what all clients and the server know (5678)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        program = pathlib.Path(scratch) / "greet"
        subprocess.run([arguments.bin / "assay-mpicc", "-o", program, HERE / "greet.c"], check=True, timeout=DEADLINE)
        heard = run_job(arguments.bin, program, arguments.key)
        keep = arguments.keep or pathlib.Path(scratch)
        keep.mkdir(parents=True, exist_ok=True)
        for rank, both in enumerate(heard):
            for octets, way, protocol in zip(both, ("says", "hears"), ("impi-client", "impi-server")):
                file = keep / f"client-{rank}-{way}.bin"
                file.write_bytes(octets)
                show(arguments.bin, file, protocol)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
