# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""IMPI messages octet by octet, as chapters 2 and 3 of the IMPI 0.0 document lay them down, and whole jobs of them.

A job is a list of clients, a client a list of hosts, a host (address, port, [pid, ..]).
"""

import struct

from capture import Connection

SERVER = ("127.0.0.1", 47000)
TYPES = {"DATA": 0, "DATASYNC": 1, "PROTOACK": 2, "SYNCACK": 3, "CANCEL": 4, "CANCELYES": 5, "CANCELNO": 6, "FINI": 7}
TWO = [[("127.0.0.2", 47002, [65, 66])], [("127.0.0.3", 47003, [67])]]


def host(address):
    """The 16 octets of a host identifier with an IPv4 address."""
    return bytes(12) + bytes(map(int, address.split(".")))


def process(address, pid):
    """The 24 octets of a process."""
    return host(address) + struct.pack("!q", pid)


def command(code, payload=b"", length=None):
    """A command: four letters, a length, so many octets."""
    return code.encode() + struct.pack("!i", len(payload) if length is None else length) + payload


def ints(*values):
    """Numbers of four octets."""
    return b"".join(struct.pack("!i", value) for value in values)


def packet(kind, src, dest, data=b"", **fields):
    """A packet: what is not told is 0, lengths are those of `data`."""
    told = {"len": len(data), "srqid": 0, "drqid": 0, "msglen": len(data), "lsrank": 0, "tag": 0, "cid": 0, "seqnum": 0,
            "count": 0, "dtype": 0, "reserved": 0} | fields
    code = TYPES.get(kind, kind)
    return (struct.pack("!II", code, told["len"]) + src + dest
            + struct.pack("!QQQiiQQqQQ", *(told[name] for name in ("srqid", "drqid", "msglen", "lsrank", "tag", "cid",
                                                                    "seqnum", "count", "dtype", "reserved"))) + data)


def values(client, datalen=65536, ackmark=10, hiwater=20):
    """What a client gives under each label, ascending."""
    processes = [(address, pid) for address, _, pids in client for pid in pids]
    return {
        0x1000: ints(0, 0), 0x1100: ints(len(client)), 0x1200: ints(len(processes)), 0x1300: ints(datalen),
        0x1400: ints(0x7FFFFFFF), 0x1500: ints(-1), 0x1600: ints(-1),
        0x2000: b"".join(host(address) for address, _, _ in client),
        0x2100: ints(*(port for _, port, _ in client)), 0x2200: ints(*(len(pids) for _, _, pids in client)),
        0x2300: ints(*(ackmark for _ in client)), 0x2400: ints(*(hiwater for _ in client)),
        0x3000: b"".join(host(address) for address, _ in processes),
        0x3100: b"".join(struct.pack("!q", pid) for _, pid in processes),
    }


def join(capture, rank, size, clients=None, server=SERVER, port=30000):
    """A client's connection with AUTH and IMPI of both sides done."""
    address = clients[rank][0][0] if clients else "127.0.0.9"
    connection = Connection(capture, (address, port + rank), server)
    connection.send(0, command("AUTH", ints(1)))
    connection.send(1, ints(0, 0))
    connection.send(0, command("IMPI", ints(rank)))
    if size:
        connection.send(1, command("IMPI", ints(size)))
    return connection


def start(capture, clients, port=30000, server=SERVER, **told):
    """The whole start-up of a job; returns each client's connection to the server."""
    connections = [join(capture, rank, 0, clients, server, port) for rank in range(len(clients))]
    given = [values(client, **told) for client in clients]
    for connection in connections:
        connection.send(1, command("IMPI", ints(len(clients))))
    for label in given[0]:
        for connection, own in zip(connections, given):
            connection.send(0, command("COLL", ints(label) + own[label]))
        joined = ints(label, (1 << len(clients)) - 1) + b"".join(own[label] for own in given)
        for connection in connections:
            connection.send(1, command("COLL", joined))
    for connection in connections:
        connection.send(0, command("DONE"))
    for connection in connections:
        connection.send(1, command("DONE"))
    return connections


def channel(capture, clients, connector, acceptor, port=40000):
    """The connection between two hosts of the job by their ranks, with the rank that opens it."""
    hosts = [entry for client in clients for entry in client]
    connection = Connection(capture, (hosts[connector][0], port), hosts[acceptor][:2])
    connection.send(0, ints(connector))
    return connection
