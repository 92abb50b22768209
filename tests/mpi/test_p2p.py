# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Point-to-point messages: the programs of p2p/, inside one client over Portals and between clients over IMPI."""

import os
import pathlib
import subprocess

import pytest

DEADLINE = 900
NETWORKS = ("shm", "tcp")
# Clients with so many processes, on so many hosts if not one, and what they agree on.
CLIENTS = {
    "one and one": ((1, 1), ()),
    "two and one": ((2, 1), ()),
    "one at a time": ((2, 2), ("-datalen", "1000", "-ackmark", "1", "-hiwater", "1")),
    "two hosts": (("4/2", 2), ()),
    "small packets": ((1, 2, 1), ("-datalen", "997", "-ackmark", "3", "-hiwater", "5")),
}


CROWD = {"crowd": (("8/2",) * 8, ())}


@pytest.fixture(name="program")
def fixture_program(root):
    """The path of one of the programs."""
    folder = pathlib.Path(os.environ.get("ASSAY_OUT", root / "build" / "release")) / "mpi"
    return lambda name: str(folder / f"p2p_{name}")


@pytest.fixture(name="inside")
def fixture_inside(bin_dir, program):
    """Runs a program inside one client; it must be content and say nothing else."""

    def inside(ranks, network, name, *arguments):
        command = [bin_dir / "portalsrun", "-np", str(ranks), "--nal", network, program(name), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "good\n", "")

    return inside


@pytest.fixture(name="job")
def fixture_job(bin_dir, program):
    """Runs a program as a job of several clients; how the clients and the server ended, and what the clients said."""

    def job(clients, name, *arguments):
        shape, options = {**CLIENTS, **CROWD}[clients]
        environment = {**os.environ, "IMPI_AUTH_NONE": "1"}
        server = subprocess.Popen([bin_dir / "impirun", "-server", str(len(shape))], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True, env=environment)
        started = []
        try:
            address = server.stdout.readline().strip()
            for rank, processes in enumerate(shape):
                np, _, hosts = str(processes).partition("/")
                command = [bin_dir / "impirun", "-client", str(rank), address, "-np", np, "-hosts", hosts or "1",
                           *options, program(name), *map(str, arguments)]
                started.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                                env=environment))
            said = [client.communicate(timeout=DEADLINE) for client in started]
            return [client.returncode for client in started] + [server.wait(timeout=DEADLINE)], said
        finally:
            for process in (server, *started):
                process.kill()
                process.wait()

    return job


@pytest.fixture(name="between")
def fixture_between(job):
    """Runs a program as a job of several clients; it must be content, and the server and all clients end well."""

    def between(clients, name, *arguments):
        statuses, said = job(clients, name, *arguments)
        assert not any(statuses), said
        assert said == [("good\n" if rank == 0 else "", "") for rank in range(len(said))]

    return between


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("ranks", (*(pytest.param(ranks, marks=pytest.mark.long) for ranks in (1, 2)), 3))
def test_every_mode(inside, ranks, network):
    """Modes, lengths, rooms and wildcards, each with each."""
    inside(ranks, network, "modes")


@pytest.mark.parametrize("clients", [pytest.param(name, marks=[pytest.mark.long] if options else [])
                                     for name, (_, options) in CLIENTS.items()])
def test_every_mode_between_clients(between, clients):
    """The same, with messages to oneself, inside the client and to another one."""
    between(clients, "modes")


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("ranks, seed", (*(pytest.param(seed, seed, marks=pytest.mark.long) for seed in (1, 2, 3)),
                                         (5, 4)))
def test_random_traffic(inside, ranks, seed, network):
    """Everybody to everybody, in order and complete."""
    inside(ranks, network, "stress", seed, 600)


@pytest.mark.parametrize("clients", CLIENTS)
def test_random_traffic_between_clients(between, clients):
    """Receives from anybody get each message once, wherever it comes from."""
    between(clients, "stress", 5, 200)


@pytest.mark.parametrize("network", NETWORKS)
def test_more_than_there_is_room_for(inside, network):
    """Nothing is lost when buffers, numbers and match entries are used up."""
    inside(2, network, "flood")


@pytest.mark.parametrize("network", NETWORKS)
def test_nobody_asked(inside, network, tmp_path):
    """Whoever sends 100,000 short messages to a program that computes is not held up; of 140,000 some wait for room."""
    inside(2, network, "unmet", tmp_path / "sent")


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("ranks, messages", [(2, 9000), (24, 2000), pytest.param(24, 20000, marks=pytest.mark.long),
                                             pytest.param(2, 100000, marks=pytest.mark.long)])
def test_very_many_long_ones(inside, ranks, messages, network):
    """Messages that are all on offer at once are received in another order, cancelled, and fetched at once."""
    inside(ranks, network, "many", messages)


@pytest.mark.parametrize("network", NETWORKS)
def test_running_ahead(inside, network, tmp_path):
    """In a job of 24 nobody waits for a receiver that computes; and what it wants first comes first."""
    inside(24, network, "ahead", tmp_path / "sent")


def test_more_than_there_is_room_for_between_clients(between):
    """The same between clients."""
    between("one and one", "flood")


@pytest.mark.long
@pytest.mark.parametrize("network", NETWORKS)
def test_many_processes(inside, network):
    """A large job starts, exchanges and ends, every time."""
    for _ in range(3):
        inside(200, network, "crowd")


@pytest.mark.long
def test_many_processes_between_clients(between):
    """Eight clients with two hosts each."""
    between("crowd", "crowd")


@pytest.mark.parametrize("network", NETWORKS)
def test_cancelling(inside, network, tmp_path):
    """What is cancelled is not received, and what is received is not cancelled."""
    os.mkfifo(tmp_path / "meeting")
    inside(2, network, "cancel", tmp_path / "meeting")


@pytest.mark.parametrize("network", NETWORKS)
def test_cancelling_short_ones(inside, network, tmp_path):
    """A short message that nobody has received is taken back, out of the receiver's buffer."""
    os.mkfifo(tmp_path / "meeting")
    inside(2, network, "cancel_short", tmp_path / "meeting")


@pytest.mark.parametrize("clients", CLIENTS)
def test_cancelling_between_clients(between, clients, tmp_path):
    """The same between clients."""
    os.mkfifo(tmp_path / "meeting")
    between(clients, "cancel", tmp_path / "meeting")


@pytest.mark.long
@pytest.mark.parametrize("network", NETWORKS)
def test_nobody_is_held_up(inside, network):
    """While one posts a receive and a large message is arriving, wishes to cancel are answered."""
    inside(3, network, "held")


@pytest.mark.parametrize("network", NETWORKS)
def test_listed_receives(inside, network):
    """Receives in the library's list and in the match list get their messages in order, and hold up nobody."""
    inside(2, network, "listed")


@pytest.mark.parametrize("network", NETWORKS)
def test_waiting_costs_nothing(inside, network):
    """Nor where more was asked than there is room for."""
    inside(2, network, "idle")


@pytest.mark.parametrize("network", NETWORKS)
def test_signals_are_the_programs(inside, network):
    """No thread of the library takes a signal that the program has blocked."""
    inside(2, network, "signals")


def test_signals_are_the_programs_between_clients(between):
    """Nor does the wide-area device's."""
    between("two and one", "signals")


def test_abort_ends_the_job(bin_dir, program):
    """A program that finds something wrong ends all processes, and the launcher says who it was."""
    done = subprocess.run([bin_dir / "portalsrun", "-np", "3", program("stress")], capture_output=True, text=True,
                          timeout=DEADLINE, check=False)
    assert done.returncode == 9
    assert "MPI_Abort with error code 9" in done.stderr


def test_abort_ends_the_clients(job):
    """Between clients too: each has a status other than 0, and nobody waits for ever."""
    statuses, said = job("two and one", "stress")
    assert 9 in statuses and 0 not in statuses
    assert any("MPI_Abort with error code 9" in stderr for _, stderr in said)
