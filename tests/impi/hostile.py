#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Random hostile peers against real servers and real host agents (`make fuzz-impi`).

Round after round a job is made in which some sides are hostile: they say what is right, and now and then something
else, cut it into pieces, stop in the middle, reset, or come back. Whatever happens, the real programs must end within
the deadline by themselves once their peers are gone, with a status that they document, without a sanitizer's report and
without a process left behind. The seed of a round that fails is printed; --seed runs it again.
"""

import argparse
import contextlib
import pathlib
import random
import socket
import struct
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import peers  # noqa: E402  pylint: disable=wrong-import-position
from peers import LABELS, Client, ScriptedServer, Stream, broadcast, command, ints, label, packet  # noqa: E402

STATUSES = {0, 1, 3, 137, 143}


def spoil(rng: random.Random, octets: bytes) -> bytes:
    """The octets, mostly as they are."""
    kind = rng.random()
    if kind < 0.7 or not octets:
        return octets
    at = rng.randrange(len(octets))
    if kind < 0.8:
        return octets[:at] + bytes([octets[at] ^ 1 << rng.randrange(8)]) + octets[at + 1:]
    if kind < 0.85:
        return octets[:at]
    if kind < 0.9:
        return octets[:at] + rng.randbytes(rng.randrange(1, 40)) + octets[at:]
    if kind < 0.95:
        extremes = (0, 1, 4, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFC)
        at -= at % 4
        return octets[:at] + ints(rng.choice(extremes)) + octets[at + 4:]
    return octets + octets


def talk(rng: random.Random, stream: Stream, octets: bytes) -> None:
    """Sends, in pieces of some size, and reads now and then."""
    size = rng.choice([0, 0, 1, 3, 100])
    with contextlib.suppress(OSError):
        stream.send(octets[:4000] if size else octets, size)
        if rng.random() < 0.5:
            # A pace, not a wait: the real program gets the time to answer some of what it hears before the rest comes.
            stream.sock.settimeout(0.002)
            stream.sock.recv(1 << 16)
        stream.sock.settimeout(1)


def leave(rng: random.Random, stream: Stream) -> None:
    """An end of some kind."""
    with contextlib.suppress(OSError):
        if rng.random() < 0.5:
            stream.reset()
        else:
            stream.close()


def client_octets(rng: random.Random, rank: int) -> list[bytes]:
    """What a client says to a server, message by message."""
    client = Client(hosts=rng.choice([(1,), (1, 1), (3,)]))
    client.close()
    messages = [command("AUTH", ints(1)), command("IMPI", ints(rank))]
    messages += [label(code, client.values[code]) for code in LABELS if rng.random() < 0.95]
    messages += [command("DONE")]
    if rng.random() < 0.3:
        messages.insert(rng.randrange(len(messages)), command("XYZW", rng.randbytes(rng.randrange(3000))))
    if rng.random() < 0.2:
        messages += [command("FINI")]
    return messages


def server_round(rng: random.Random, options) -> peers.Program:
    """A real server among hostile clients."""
    count = rng.choice([1, 2, 3, 32])
    real = peers.Server(options.bin / "impirun", count)
    streams = [real.connect() for _ in range(rng.randrange(1, 8))]
    queues = [client_octets(rng, rng.randrange(-1, count + 1)) for _ in streams]
    while any(queues) and real.process.poll() is None:
        which = rng.randrange(len(streams))
        if not queues[which]:
            continue
        if rng.random() < 0.03:
            leave(rng, streams[which])
            queues[which] = []
            continue
        talk(rng, streams[which], spoil(rng, queues[which].pop(0)))
    for stream in streams:
        leave(rng, stream)
    # A server waits for its clients, however many have failed: now proper ones come, until it has what it wants.
    deadline = time.monotonic() + peers.DEADLINE
    proper = {}
    while real.process.poll() is None and time.monotonic() < deadline:
        for rank in set(range(count)) - set(proper):
            with contextlib.suppress(OSError, AssertionError):
                proper[rank] = real.client(rank)
        for stream in proper.values():
            with contextlib.suppress(OSError):
                stream.send(command("DONE"))
        for rank, stream in list(proper.items()):
            stream.sock.settimeout(1)
            with contextlib.suppress(OSError, AssertionError, struct.error, UnicodeDecodeError):
                while stream.command()[0] != "DONE":
                    pass
                stream.send(command("FINI"))
                continue
            stream.close()
            del proper[rank]
    for stream in proper.values():
        stream.close()
    return real


def startup_round(rng: random.Random, options) -> peers.Program:
    """A real client with a hostile server."""
    with ScriptedServer(rng.choice([0, 1, 3]), {}) as server:
        real = peers.Program([options.bin / "impirun", "-client", server.own, server.place, "-np", rng.choice([1, 3]),
                              options.out / "impi" / "link-player", "fini"])
        stream = Stream(server.listener.accept()[0])
        messages = [ints(0, 0), command("IMPI", ints(server.own + 1))]
        client = Client()
        client.close()
        for code in LABELS:
            if rng.random() < 0.95:
                values = client.values[code] * (server.own + 1)
                messages.append(broadcast(code, (2 << server.own) - 1, values))
        messages.append(command("DONE"))
        for message in messages:
            talk(rng, stream, spoil(rng, message))
        leave(rng, stream)
    return real


def hostile_packet(rng: random.Random, processes, own) -> bytes:
    """A packet that is right, or almost."""
    kind = rng.choice([0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7])
    data = rng.randbytes(rng.choice([0, 1, 5, 1000])) if kind < 2 else b""
    big = rng.choice([0, 1, 5, 1 << 31, 1 << 32, 1 << 63, (1 << 64) - 1])
    small = rng.choice([0, 1, -1, 5, -(1 << 31), (1 << 31) - 1])
    return packet(kind, rng.choice(processes), rng.choice(own), data, srqid=big, drqid=big, lsrank=small,
                  tag=rng.choice([0, 99, small]), cid=rng.choice([0, 1, big]), msglen=rng.choice([len(data), big]))


def agent_round(rng: random.Random, options) -> peers.Program:
    """Real agents among hostile hosts."""
    own = rng.choice([0, 1])
    other = Client(hosts=rng.choice([(1,), (2, 1)]), x2300=ints(2, 2), x2400=ints(4, 4))
    other.values[0x2300] = ints(2) * len(other.hosts)
    other.values[0x2400] = ints(4) * len(other.hosts)
    with ScriptedServer(own, {1 - own: other}) as server:
        program = rng.choice([("greet", "hold"), ("echo", "fini"), ("fini",), ("greet", "greeted", "fini"), ("hold",)])
        real = peers.Program([options.bin / "impirun", "-client", own, server.place, "-np", 2, "-hosts", 2, "-timeout",
                              "2", options.out / "impi" / "link-player", *program])
        server.start()
        streams = []
        with contextlib.suppress(OSError, AssertionError):
            for i in range(len(other.hosts)):
                other.listeners[i].settimeout(3)
                for port in server.own_ports():
                    if own == 1:
                        streams.append(Stream(other.listeners[i].accept()[0]))
                        streams[-1].take(4)
                    else:
                        streams.append(Stream.to("127.0.0.1", port))
                        talk(rng, streams[-1], spoil(rng, ints(2 + i)) if rng.random() < 0.2 else ints(2 + i))
        for _ in range(rng.randrange(200)):
            if not streams:
                break
            stream = rng.choice(streams)
            octets = b"".join(hostile_packet(rng, other.processes, server.own_processes())
                              for _ in range(rng.choice([1, 1, 20])))
            talk(rng, stream, spoil(rng, octets) if rng.random() < 0.1 else octets)
            if rng.random() < 0.01:
                leave(rng, stream)
                streams.remove(stream)
        for stream in streams:
            leave(rng, stream)
    return real


def round_run(seed: int, options) -> str:
    """One round; a word for what happened, or an exception."""
    rng = random.Random(seed)
    kind = rng.choice([server_round, startup_round, agent_round])
    real = kind(rng, options)
    try:
        status = real.end()
    finally:
        real.kill()
    if status not in STATUSES:
        raise AssertionError(f"exit status {status}: {real.err}")
    if status != 0 and not real.err:
        raise AssertionError(f"exit status {status} and not a word")
    return f"{kind.__name__}:{status}"


def main() -> int:
    """Rounds until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, help="run this round only")
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of impirun")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder of impi/link-player")
    options = parser.parse_args()
    first = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 40)
    seed, end, seen = first, time.monotonic() + options.seconds, {}
    print(f"  FUZZ    impi for {options.seconds:g} s, first seed {first}", flush=True)
    while seed == first or (options.seed is None and time.monotonic() < end):
        try:
            what = round_run(seed, options)
        except (AssertionError, OSError, peers.subprocess.SubprocessError) as wrong:
            print(f"hostile: seed {seed}: {type(wrong).__name__}: {wrong}", file=sys.stderr)
            return 1
        seen[what] = seen.get(what, 0) + 1
        seed += 1
    print("         ", ", ".join(f"{count} {what}" for what, count in sorted(seen.items())))
    return 0


if __name__ == "__main__":
    socket.setdefaulttimeout(peers.DEADLINE)
    sys.exit(main())
