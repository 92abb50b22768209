# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Secure channels, -tls (specs/impi-tls.md): whole jobs, other sides that openssl plays, and what must be refused."""

import contextlib
import os
import pathlib
import subprocess

import conversation
import pytest
from peers import FINI, Client, ScriptedServer, Stream, broadcast, command, host_id, ints, packet
from test_job import GREET, expected, greeted
from tunnels import (HANDSHAKE, KEY, LABEL, MASK, METHOD, OTHER_KEY, TO_SERVER, Relay, SecureServer, Tunnel,
                     client_choose, server_accept)

MARK = 0x4d  # the octet of which the messages consist that are looked for


def key_file(folder, octets: bytes = KEY, mode: int = 0o600, name: str = "key") -> pathlib.Path:
    """A file with a key."""
    path = pathlib.Path(folder) / name
    path.write_bytes(octets)
    path.chmod(mode)
    return path


@pytest.fixture(name="key")
def fixture_key(tmp_path):
    """The key that the sides of a test share, in a file."""
    return key_file(tmp_path)


@pytest.mark.parametrize("env", [{}, {"IMPI_AUTH_KEY": "5678"}])
@pytest.mark.parametrize("layout", [[(2, 1), (2, 1)], [(2, 2), (3, 3), (1, 1)]])
def test_a_job(server, client, key, layout, env):
    """All channels are secure; the methods of the document go on inside."""
    job = server(len(layout), "-tls", key, env=env)
    programs = [client(rank, job.place, "-tls", key, "-np", np, "-hosts", hosts, "--", *GREET, env=env)
                for rank, (np, hosts) in reversed(list(enumerate(layout)))]
    assert [program.end() for program in programs] == [0] * len(layout)
    assert greeted(programs) == expected([np for np, _ in layout])
    assert job.end() == 0
    assert any("IMPI_AUTH_NONE" in line for line in job.err) == (not env)


def test_wrong_number_inside(server, client, key):
    """IMPI-031: the key of the document is asked for in the secure channel as well."""
    job = server(1, "-tls", key, env={"IMPI_AUTH_KEY": "5678"})
    wrong = client(0, job.place, "-tls", key, env={"IMPI_AUTH_KEY": "5679"})
    assert wrong.end() == 1
    assert any("is the key wrong" in line for line in wrong.err)
    job.says("wrong authentication key")


@contextlib.contextmanager
def relayed(client, key, spoils=-1, words=("send", 0, 60000, MARK, "fini")):
    """Two real clients, whose server is scripted and sends host 1 to host 0 by way of a relay."""
    first, second = ScriptedServer(0, {1: None}), ScriptedServer(1, {0: None})
    programs = [client(0, first.place, "-tls", key, "--", "await", 1, "fini"),
                client(1, second.place, "-tls", key, "--", *words)]
    sides = (first, second)
    for rank, side in enumerate(sides):
        side.stream = server_accept(Stream(side.listener.accept()[0]), rank)
        side.collect()
    relay = Relay(first.own_ports()[0], spoils=spoils)
    for side in sides:
        for code in sorted(first.labels):
            values = first.labels[code] + second.labels[code]
            if code == 0x2100 and side is second:
                values = ints(relay.port) + second.labels[code]
            side.stream.send(broadcast(code, 3, values))
        side.stream.send(command("DONE"))
    yield programs, sides, relay
    relay.close()
    for side in sides:
        side.listener.close()
        side.stream.close()


def test_nothing_between_hosts_can_be_read(client, key):
    """What goes over a channel is the rank, in plain, and records; no packet shows."""
    with relayed(client, key) as (programs, sides, relay):
        for side in sides:
            assert side.labels[LABEL] == b""
            assert side.stream.command() == ("FINI", b"")
        assert [program.end() for program in programs] == [0, 0]
        assert "60000 octets of 4d" in "\n".join(programs[0].out)
        assert relay.seen[:4] == ints(1)  # IMPI-084
        assert relay.seen[4] == HANDSHAKE
        assert b"impi host 1 to host 0" in relay.seen  # who connects to whom is no secret
        assert len(relay.seen) > 60000
        for octets in (relay.seen, relay.answered):
            assert bytes([MARK]) * 8 not in octets
            assert host_id() not in octets
            assert ints(FINI) + bytes(12) not in octets[4:]


def test_a_changed_bit_between_hosts(client, key):
    """One bit of a record, and the job is over for both."""
    with relayed(client, key, spoils=1) as (programs, sides, _):
        assert [program.end() for program in programs] == [1, 1]
        broken = ["the secure channel to host 1 (client 1) is broken: what it sent was changed",
                  "the secure channel to host 0 (client 0) is broken: what it received was changed"]
        assert all(words in "\n".join(program.err) for words, program in zip(broken, programs))
        assert all(side.stream.ended() for side in sides)


def test_a_changed_bit_before_the_server(server, client, key):
    """One bit on the way to the server."""
    job = server(1, "-tls", key)
    relay = Relay(job.port, plain=12, spoils=1)
    real = client(0, f"127.0.0.1:{relay.port}", "-tls", key)
    assert real.end() == 1
    assert "what it received was changed" in "\n".join(real.err)
    job.says("is cut off: the secure channel .* what it sent was changed")
    relay.close()


def captured(packets, ends, plain, relay):
    """What went by a relay, as packets: what is plain in turns, then the records of both sides."""
    connection = conversation.Connection(packets, *ends)
    connection.send(0, bytes(relay.seen[:plain]))
    connection.send(1, bytes(relay.answered[:8]))
    connection.send(0, bytes(relay.seen[plain:]))
    connection.send(1, bytes(relay.answered[8:]))
    for side in (0, 1):
        connection.finish(side)


def test_nobody_is_judged_by_it(server, client, key, bin_dir, tmp_path):
    """To assay check such connections are none of IMPI: nothing behind the choice can be read."""
    packets = []
    job = server(1, "-tls", key)
    relay = Relay(job.port, plain=12)
    real = client(0, f"127.0.0.1:{relay.port}", "-tls", key)
    assert (real.end(), job.end()) == (0, 0)
    captured(packets, (("127.0.0.1", 50001), ("127.0.0.1", job.port)), 12, relay)
    relay.close()
    with relayed(client, key) as (programs, _, between):
        assert [program.end() for program in programs] == [0, 0]
        captured(packets, (("127.0.0.1", 50002), ("127.0.0.1", between.port)), 4, between)
    capture = tmp_path / "tls.pcap"
    capture.write_bytes(conversation.pcap(packets))
    said = subprocess.run([bin_dir / "assay", "check", capture], capture_output=True, text=True, check=False)
    assert said.returncode == 2, said.stdout
    assert "0 violations" in said.stdout and "there is nothing to judge" in said.stderr


def test_another_key(server, client, key, tmp_path):
    """Neither side takes the other; each says so."""
    job = server(1, "-tls", key)
    real = client(0, job.place, "-tls", key_file(tmp_path, OTHER_KEY, name="other"))
    assert real.end() == 1
    assert "no secure channel (-tls) to the IMPI server: it does not take the key" in "\n".join(real.err)
    job.says("is cut off: the secure channel .* it has another key")


def test_a_client_that_knows_nothing_of_it(server, client, key):
    """To a server that demands secure channels its method is none."""
    job = server(1, "-tls", key)
    real = client(0, job.place)
    assert real.end() == 1
    assert "does it demand secure channels (-tls)?" in "\n".join(real.err)
    job.says(r"it offers 0x1 and no secure channel, which this server demands \(-tls\)")


def test_a_server_that_knows_nothing_of_it(server, client, key):
    """IMPI-033: a real one ends the connection; one that chooses what was not offered is not listened to."""
    job = server(1)
    real = client(0, job.place, "-tls", key)
    assert real.end() == 1
    assert "it has no secure channels, and this client has -tls" in "\n".join(real.err)
    job.says("no common authentication method: it offers 0x80000000, this server has 0x1$")
    with ScriptedServer(0, {}) as scripted:
        real = client(0, scripted.place, "-tls", key)
        stream = scripted.stream = Stream(scripted.listener.accept()[0])
        assert stream.command() == ("AUTH", MASK)
        stream.send(ints(0, 0))
        assert real.end() == 1
        assert "method 0: it has no secure channels" in "\n".join(real.err)


def test_a_client_without_the_label(client, key):
    """A client that has no secure channels between hosts is named, and no program runs."""
    with SecureServer(0, {1: Client()}, without=(1,)) as scripted:
        real = client(0, scripted.place, "-tls", key)
        scripted.start()
        assert real.end() == 1
        assert real.out == [] and "client 1 has no secure channels" in "\n".join(real.err)


def test_every_octet_of_a_client_that_openssl_plays(server, key):
    """The server's side, from AUTH to FINI."""
    job = server(1, "-tls", key)
    outside = client_choose(job)
    stream = Tunnel(outside.sock, TO_SERVER, False)
    stream.send(command("AUTH", ints(1)))
    assert stream.take(8) == ints(0, 0)
    stream.send(command("IMPI", ints(0)))
    assert stream.command() == ("IMPI", ints(1))
    stream.send(command("COLL", ints(LABEL)) + command("DONE"))
    assert stream.command() == ("COLL", ints(LABEL, 1))
    assert stream.command() == ("DONE", b"")
    stream.send(command("FINI"))
    assert job.end() == 0
    stream.close()


def test_plain_octets_behind_the_choice(server, client, key):
    """What comes in plain where TLS was to begin ends the connection, on either side."""
    job = server(1, "-tls", key)
    stream = job.connect()
    stream.send(command("AUTH", MASK) + command("IMPI", ints(0)))
    job.says("is cut off: it sends 12 plain octets")
    assert stream.take(8) == ints(METHOD, 0) and stream.ended()
    with ScriptedServer(0, {}) as scripted:
        real = client(0, scripted.place, "-tls", key)
        stream = scripted.stream = Stream(scripted.listener.accept()[0])
        assert stream.command() == ("AUTH", MASK)
        stream.send(ints(METHOD, 0) + command("IMPI", ints(1)))
        assert real.end() == 1
        assert "the server sends 12 plain octets" in "\n".join(real.err)


@pytest.mark.parametrize("said, told", [(command("AUTH", ints(1)), "is not TLS"), (b"", "ended the connection")])
def test_a_client_that_makes_no_handshake(server, key, said, told):
    """It speaks on in plain, or goes."""
    job = server(1, "-tls", key)
    stream = client_choose(job)
    if said:
        stream.send(said)
    else:
        stream.close()
    job.says(f"is cut off: the secure channel .* {told}")
    stream.close()


@pytest.mark.parametrize("name, octets", [("impi client to servex", KEY), (TO_SERVER, OTHER_KEY)])
def test_somebody_else(server, key, name, octets):
    """With another name, or another key, nobody gets in; the job still can begin."""
    job = server(1, "-tls", key)
    stream = Tunnel(client_choose(job).sock, name, False, octets)
    assert stream.ended()
    job.says("is cut off: the secure channel")
    stream.close()
    good = Tunnel(client_choose(job).sock, TO_SERVER, False)
    good.send(command("AUTH", ints(1)))
    assert good.take(8) == ints(0, 0)
    good.close()


@pytest.mark.parametrize("said", [b"", ints(0, 0) * 4])
def test_a_server_that_makes_no_handshake(client, key, said):
    """It goes, or speaks on in plain."""
    with ScriptedServer(0, {}) as scripted:
        real = client(0, scripted.place, "-tls", key)
        stream = scripted.stream = Stream(scripted.listener.accept()[0])
        assert stream.command() == ("AUTH", MASK)
        stream.send(ints(METHOD, 0))
        assert stream.take(3) == bytes([HANDSHAKE, 3, 1])
        stream.send(said)
        stream.sock.shutdown(1)
        assert real.end() == 1
        assert "no secure channel (-tls) to the IMPI server: " in "\n".join(real.err)


def test_a_server_that_dies(server, client, key):
    """While the job runs; the client cannot say FINI, and its processes have ended in order."""
    job = server(1, "-tls", key)
    real = client(0, job.place, "-tls", key, "--", "table", "hold")
    real.says("^rank 0", "out")
    job.kill()
    real.says("the IMPI server has ended the connection before this client's FINI")


@contextlib.contextmanager
def channel(client, key, *words):
    """A real client 0 with one host, and a scripted client 1: gives the real one and the plain channel, on which host 1
    has said its rank."""
    with SecureServer(0, {1: Client()}) as scripted:
        real = client(0, scripted.place, "-tls", key, *words)
        scripted.start()
        stream = Stream.to("127.0.0.1", scripted.own_ports()[0])
        stream.send(ints(1))
        yield real, stream
        stream.close()


@pytest.mark.parametrize("said, told", [(packet(FINI), "TLS"), (b"", "ended the connection before the handshake")])
def test_a_host_that_makes_no_handshake(client, key, said, told):
    """A plain packet, or the end."""
    with channel(client, key) as (real, stream):
        stream.send(said)
        stream.sock.shutdown(1)
        assert real.end() == 1
        assert any("no secure channel (-tls) to host 1 (client 1): " in line and told in line for line in real.err)


def test_a_host_whose_handshake_never_ends(client, key):
    """Its time is the one that hosts have to connect."""
    with channel(client, key, "-timeout", 1) as (real, _):
        assert real.end() == 1
        assert "to host 1 (client 1): the handshake has not come to its end in time" in "\n".join(real.err)


@pytest.mark.parametrize("name, octets", [("impi host 2 to host 0", KEY), ("impi host 0 to host 1", KEY),
                                         ("impi host 1 to host 0", OTHER_KEY)])
def test_a_host_that_is_another(client, key, name, octets):
    """The name of the channel is proven with the key; the right one with the right key is taken."""
    with channel(client, key) as (real, stream):
        tunnel = Tunnel(stream.sock, name, False, octets)
        assert real.end() == 1
        assert "no secure channel (-tls) to host 1 (client 1): it " in "\n".join(real.err)
        tunnel.close()


def test_a_packet_with_the_handshake(client, key):
    """What comes together with the end of the handshake is not forgotten."""
    with channel(client, key) as (real, stream):
        tunnel = Tunnel(stream.sock, "impi host 1 to host 0", False)
        tunnel.send(packet(FINI))
        assert tunnel.packet()["type"] == FINI
        tunnel.close()
        assert real.says("FINI", "out")


@pytest.mark.parametrize("octets, mode, told", [
    (KEY, 0o640, "others than its owner may use it (mode 640): chmod 600"), (KEY, 0o604, "mode 604"),
    (KEY[:15] + b"\n", 0o600, "too short"), (b"", 0o600, "too short"), (KEY * 8 + b"xx", 0o600, "too long"),
])
def test_key_files(impirun, client, tmp_path, octets, mode, told):
    """What a file must be; wrong usage before anything is said to anybody."""
    path = key_file(tmp_path, octets, mode)
    real = client(0, "127.0.0.1:9", "-tls", path)
    assert real.end() == 2
    assert real.err[0].startswith(f"impirun: -tls {path}: ") and told in real.err[0]
    assert impirun.exists()


@pytest.mark.parametrize("name, told", [("nothing", "No such file"), (".", "is no file")])
def test_no_key_file(client, tmp_path, name, told):
    """It must be there, and a file."""
    real = client(0, "127.0.0.1:9", "-tls", tmp_path / name)
    assert real.end() == 2
    assert told in real.err[0]


def test_a_line_end_is_no_part_of_the_key(server, client, key, tmp_path):
    """Nor is the shortest or the longest key refused."""
    for octets in (KEY[:16], KEY * 8):
        files = [key_file(tmp_path, octets + end, name=f"key{len(end)}") for end in (b"", b"\n")]
        job = server(1, "-tls", files[0])
        real = client(0, job.place, "-tls", files[1])
        assert (real.end(), job.end()) == (0, 0)
    assert os.path.exists(key)


def test_not_with_a_launcher(client, key):
    """Agents on other nodes would need the key."""
    real = client(0, "127.0.0.1:9", "-tls", key, "-launcher", "mpirun -np {np}")
    assert real.end() == 2
    assert "-tls and -launcher do not go together" in real.err[0]
