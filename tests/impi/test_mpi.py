# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""MPI programs over several clients: the same results as in one job; and the octets of the document's own example."""

import socket
import subprocess
import threading

import pytest
from peers import DEADLINE, Program, Server, command, ints

KEY = {"IMPI_AUTH_KEY": "5678"}


@pytest.fixture(name="program", scope="module")
def fixture_program(bin_dir, root, variant, tmp_path_factory):
    """Builds one of the MPI programs of tests/mpi/programs."""
    folder = tmp_path_factory.mktemp("programs")

    def build(name):
        if variant != "release":
            pytest.skip("programs are linked with the release library")
        path = folder / name
        if not path.exists():
            subprocess.run([bin_dir / "assay-mpicc", "-O1", "-o", path, root / f"tests/mpi/programs/{name}.c", "-lm"],
                           check=True, timeout=DEADLINE)
        return path

    return build


def clients(impirun, place, layout, program, *options, env=None):
    """One client for each (processes, hosts)."""
    return [Program([impirun, "-client", rank, place, "-np", np, "-hosts", hosts, *options, program], env or {})
            for rank, (np, hosts) in enumerate(layout)]


@pytest.mark.parametrize("layout", [pytest.param([(2, 1), (3, 2)], marks=pytest.mark.long), [(1, 1)] * 5,
                                    pytest.param([(5, 5)], marks=pytest.mark.long), [(2, 1), (2, 2), (1, 1)]])
@pytest.mark.parametrize("name", ["hello", "ring", "pi", "farm", "collectives", "matrix", "datatypes", "families"])
def test_same_as_in_one_job(impirun, bin_dir, server, program, name, layout):
    """IMPI-018, IMPI-077, IMPI-099: five processes, dealt to clients in several ways."""
    path = program(name)
    native = subprocess.run([bin_dir / "portalsrun", "-np", "5", path], capture_output=True, text=True,
                            timeout=DEADLINE, check=True)
    job = server(len(layout))
    started = clients(impirun, job.place, layout, path)
    assert [client.end() for client in started] == [0] * len(layout)
    assert job.end() == 0
    lines = [line for client in started for line in client.out]
    assert sorted(lines) == sorted(native.stdout.splitlines())


@pytest.mark.parametrize("values", [
    {"IMPI_DATALEN": "1"}, {"IMPI_DATALEN": "7", "IMPI_ACKMARK": "1", "IMPI_HIWATER": "1"},
    {"IMPI_ACKMARK": "3", "IMPI_HIWATER": "5"},
])
def test_narrow_channels(impirun, bin_dir, server, program, values):
    """IMPI-061, IMPI-126, IMPI-127, IMPI-137: packets of one octet, one packet under way."""
    path = program("collectives")
    native = subprocess.run([bin_dir / "portalsrun", "-np", "4", path], capture_output=True, text=True,
                            timeout=DEADLINE, check=True)
    job = server(2)
    started = clients(impirun, job.place, [(2, 1), (2, 2)], path, env=values)
    assert [client.end() for client in started] == [0, 0]
    assert sorted(line for client in started for line in client.out) == sorted(native.stdout.splitlines())


class Recorder:
    """Stands between clients and a server, passes everything on, and keeps it: a pair of octet strings for each."""

    def __init__(self, port):
        self.port = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.place = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.heard = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.port), DEADLINE)
            both = (bytearray(), bytearray())
            self.heard.append(both)
            for source, sink, store in ((near, far, both[0]), (far, near, both[1])):
                threading.Thread(target=self._carry, args=(source, sink, store), daemon=True).start()

    @staticmethod
    def _carry(source, sink, store):
        while octets := source.recv(65536):
            store += octets
            sink.sendall(octets)
        sink.shutdown(socket.SHUT_WR)


def test_the_documents_three_clients(impirun, program):
    """Figures 2.1 to 2.3: three clients of 3, 2, 2 hosts with 2, 3, 4 processes each, key 5678, 8000 octets."""
    job = Server(impirun, 3, env=KEY)
    recorder = Recorder(job.port)
    layout = [(6, 3, 8000), (6, 2, 4000), (8, 2, 4000)]
    started = [Program([impirun, "-client", rank, recorder.place, "-np", np, "-hosts", hosts, "-datalen", datalen,
                        program("hello")], KEY, without=("IMPI_AUTH_NONE",))
               for rank, (np, hosts, datalen) in enumerate(layout)]
    assert [client.end() for client in started] == [0, 0, 0]
    assert job.end() == 0
    recorder.listener.close()
    said = {int.from_bytes(up[28:32], "big"): (bytes(up), bytes(down)) for up, down in recorder.heard}
    assert set(said) == {0, 1, 2}
    every_port = b""
    for rank, (_, hosts, datalen) in enumerate(layout):
        up, down = said[rank]
        assert up.startswith(command("AUTH", ints(2)) + bytes.fromhex("000000000000162e") + command("IMPI", ints(rank)))
        assert down.startswith(ints(1, 0) + command("IMPI", ints(3)))
        assert command("COLL", ints(0x1100, hosts)) in up
        assert command("COLL", ints(0x1100, 7, 3, 2, 2)) in down
        assert command("COLL", ints(0x1300, datalen)) in up
        assert command("COLL", ints(0x1300, 7, 8000, 4000, 4000)) in down
        at = up.index(b"COLL" + ints(4 + 4 * hosts, 0x2100)) + 12
        every_port += up[at:at + 4 * hosts]
        assert up.endswith(command("DONE") + command("FINI"))
        assert down.endswith(command("DONE"))
    assert all(b"COLL" + ints(36, 0x2100, 7) + every_port in down for _, down in said.values())
