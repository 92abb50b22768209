# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""The first messages of protocols that are neither Portals nor IMPI: name -> [(side, octets)]; 0 is who connects."""

import struct

pack = struct.pack


def rpc(number, kind, *words):
    """A record of ONC RPC, as NFS sends it: the last fragment, its number, call or reply."""
    body = pack(f"!{2 + len(words)}I", number, kind, *words)
    return pack("!I", 0x80000000 | len(body)) + body


def tls(kind, size, chance):
    """A record of TLS of random octets."""
    return pack("!BHH", kind, 0x303, size) + chance.randbytes(size)


def _ber(tag, body):
    return bytes([tag, 0x82]) + pack("!H", len(body)) + body


def _http2(kind, flags, stream, body):
    return pack("!I", len(body))[1:] + pack("!BBI", kind, flags, stream) + body


def _mongodb(operation, body):
    return pack("<4i", 16 + len(body), 7, 0, operation) + body


def _kafka(call, version, body):
    return pack("!ihhih", 14 + len(body), call, version, 1, 4) + b"test" + body


def _cassandra(version, operation, body):
    return pack("!BBHBi", version, 0, 1, operation, len(body)) + body


def _amqp(kind, body):
    return pack("!BHI", kind, 0, len(body)) + body + b"\xce"


def _smb(body):
    head = b"\xfeSMB" + pack("<HHIHHIIQ", 64, 0, 0, 0, 1, 0, 0, 1) + bytes(32)
    return pack("!I", len(head + body)) + head + body


def _bgp(kind, body):
    return b"\xff" * 16 + pack("!HB", 19 + len(body), kind) + body


def _iscsi(operation, body):
    return pack("!II", operation << 24 | 1 << 23, len(body)) + bytes(8) + pack("!4I", 1, 0, 1, 1) + bytes(16) + body


def services(chance):
    """What servers of a site speak."""
    noise = chance.randbytes
    return {
        "mqtt": [(0, b"\x10\x0f\0\4MQTT\4\2\0\x3c\0\3abc"), (1, b"\x20\2\0\0"), (0, b"\x30\5\0\1aHI")],
        "amqp": [(0, b"AMQP\0\0\x09\x01"), (1, _amqp(1, pack("!HH", 10, 10) + bytes(20))), (0, _amqp(1, noise(60)))],
        "ldap": [(0, _ber(0x30, b"\2\1\1" + _ber(0x60, b"\2\1\3\4\4cn=x\x80\2pw"))), (1, _ber(0x30, b"\2\1\1"))],
        "kerberos": [(0, pack("!I", 199) + _ber(0x6a, noise(195))), (1, pack("!I", 294) + _ber(0x6b, noise(290)))],
        "rdp": [(0, b"\3\0\0\x13\x0e\xe0\0\0\0\0\0\1\0\x08\0\3\0\0\0"), (1, b"\3\0\0\x0b\6\xd0\0\0\x124\0")],
        "smb": [(0, _smb(noise(40))), (1, _smb(noise(90))), (0, b"\x85\0\0\0")],
        "x11": [(0, b"l\0\x0b\0\0\0\x12\0\x10\0\0\0MIT-MAGIC-COOKIE-1\0\0" + noise(16)),
                (1, pack("<BBHHH", 1, 0, 11, 0, 50) + noise(200)), (0, pack("<BBHI", 98, 0, 5, 12) + b"BIG-REQUESTS")],
        "vnc": [(1, b"RFB 003.008\n"), (0, b"RFB 003.008\n"), (1, b"\1\1"), (0, b"\1"), (1, bytes(4)), (0, b"\1"),
                (1, pack("!HH", 640, 480) + bytes(16) + pack("!I", 4) + b"desk")],
        "kafka": [(0, _kafka(18, 0, b"")), (1, pack("!iihi", 10, 1, 0, 0)), (0, _kafka(0, 3, noise(80)))],
        "grpc": [(0, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _http2(4, 0, 0, pack("!HI", 3, 100))),
                 (1, _http2(4, 0, 0, b"") + _http2(4, 1, 0, b"")), (0, _http2(0, 1, 1, b"\0\0\0\0\5hello")),
                 (1, _http2(6, 0, 0, bytes(8)))],
        "memcached": [(0, b"get key\r\n"), (1, b"VALUE key 0 4\r\nDONE\r\nEND\r\n"), (0, b"set a 0 0 4\r\nFINI\r\n")],
        "memcached, binary": [(0, b"\x80\0\0\3" + bytes(4) + b"\0\0\0\3" + bytes(12) + b"key"),
                              (1, b"\x81" + bytes(7) + b"\0\0\0\4" + bytes(12) + b"COLL")],
        "cassandra": [(0, _cassandra(4, 5, b"")), (1, _cassandra(0x84, 6, b"\0\1\0\3CQL")),
                      (0, _cassandra(4, 15, noise(9)))],
        "mongodb": [(0, _mongodb(2004, bytes(4) + b"admin.$cmd\0" + noise(40))), (1, _mongodb(1, noise(60)))],
        "mysql": [(1, b"\x4a\0\0\0\x0a8.0\0" + noise(69)),
                  (0, b"\x32\0\0\1" + noise(50)), (1, b"\7\0\0\2\0\0\0\2\0\0\0")],
        "ftp": [(1, b"220 ok\r\n"), (0, b"AUTH TLS\r\n"), (1, b"234 go\r\n"), (0, tls(22, 200, chance))],
        "rsync": [(1, b"@RSYNCD: 31.0\n"), (0, b"@RSYNCD: 31.0\n"), (0, b"mod\n"), (1, b"@RSYNCD: AUTHREQD x\n")],
        "zookeeper": [(0, pack("!iiqiqi", 44, 0, 0, 30000, 0, 16) + bytes(16)), (0, pack("!iii", 8, -2, 11))],
    }


def machines(chance):
    """What speaks between the machines of a cluster: storage, routing, schedulers, other libraries of messages."""
    noise = chance.randbytes
    return {
        "nfs": [(0, rpc(1, 0, 2, 100003, 3, 0, 0, 0, 0, 0)), (1, rpc(1, 1, 0, 0, 0, 0)),
                (0, rpc(2, 0, 2, 100003, 3, 6, 1, 20, *range(5), 0, 0, 32, *range(8), 0, 0, 0, 4096)),
                (1, rpc(2, 1, 0, 0, 0, 0, 0, 1, *range(21), 4096) + noise(4096))],
        "portmap": [(0, rpc(1, 0, 2, 100000, 2, 3, 0, 0, 0, 0, 100003, 3, 6, 0)), (1, rpc(1, 1, 0, 0, 0, 0, 2049))],
        "iscsi": [(0, _iscsi(0x43, b"InitiatorName=iqn\0")), (1, _iscsi(0x23, b"TargetPortalGroupTag=1\0")),
                  (0, _iscsi(1, b"")), (1, _iscsi(0x25, noise(512)))],
        "bgp": [(0, _bgp(1, pack("!BHHIB", 4, 65000, 90, 1, 0))), (1, _bgp(1, pack("!BHHIB", 4, 65001, 90, 2, 0))),
                (0, _bgp(4, b"")), (1, _bgp(2, bytes(4)))],
        "nbd": [(1, b"NBDMAGICIHAVEOPT\0\3"), (0, pack("!I", 3) + b"IHAVEOPT" + pack("!IIQ", 7, 8, 0)),
                (1, pack("!IIQ", 0x67446698, 0, 1) + bytes(4096))],
        "ceph": [(1, b"ceph v027" + noise(136)), (0, b"ceph v027" + noise(68)), (0, b"\7" + pack("<I", 3))],
        "lustre": [(0, pack("<IIQQIIII", 0xacce7100, 1, 1, 2, 3, 4, 5, 6)), (0, pack("<QQIIII", 1, 2, 9, 9, 0, 0) * 4)],
        "slurm": [(0, pack("!IHHHHI", 300, 0x2700, 0, 1001, 0, 280) + noise(280)), (1, pack("!I", 44) + noise(44))],
        "pmix": [(0, pack("!4I", 0, 1, 0, 96) + noise(96)), (1, pack("!4I", 0, 1, 0, 20) + noise(20))],
        "libfabric": [(0, pack("!BBHIQ", 3, 1, 0, 0, 1) + noise(56)), (0, pack("<8BQ", 1, 0, 0, 0, 0, 0, 0, 0, 64))],
        "nccl": [(0, pack("<QQ", 0xd00d, 0) + pack("<4i", 0, 2, 1, 1) * 4), (1, pack("<4i", 1, 2, 1, 1) * 4)],
        "gloo": [(0, pack("<5q", 1, 0, 0, 64, 0) + bytes(64)), (1, pack("<5q", 1, 0, 0, 8, 0) + bytes(8))],
        "zmq": [(side, b"\xff" + bytes(8) + b"\x7f\3\0NULL" + bytes(48)) for side in (0, 1)],
        "dce": [(0, pack("<4BIHHI", 5, 0, 11, 3, 16, 72, 0, 1) + noise(56)), (1, pack("<4BI", 5, 0, 12, 3, 16))],
        "9p": [(0, pack("<IBHIH", 19, 100, 65535, 8192, 6) + b"9P2000"), (0, pack("<IBHIII", 23, 104, 1, 1, 2, 0))],
        "bittorrent": [(side, b"\x13BitTorrent protocol" + bytes(8) + noise(40)) for side in (0, 1)] + [
            (1, pack("!IB", 5, 5) + b"\xff" * 4), (0, pack("!IBIII", 13, 6, 0, 0, 1024)),
            (1, pack("!IBII", 9, 7, 0, 0))],
        "iwarp": [(0, b"MPA ID Req Frame" + pack("!BBHI", 64, 1, 4, 0)),
                  (1, b"MPA ID Rep Frame" + pack("!BBH", 64, 1, 0)),
                  (0, pack("!HBBIIII", 18, 65, 67, 0, 0, 1, 0) + noise(4))],
        "modbus": [(0, pack("!HHHBBHH", 1, 0, 6, 1, 3, 0, 10)), (1, pack("!HHHBBB", 1, 0, 23, 1, 3, 20) + bytes(20))],
    }


def numbers(chance):
    """Integers of every size and order, of patterns that programs write; headers of small numbers; noise."""
    patterns = {"count": lambda at: at, "ones": lambda at: 1, "small": lambda at: chance.randrange(20),
                "lengths": lambda at: (1, 40, 0, 2, 8)[at % 5]}
    found = {f"{name} as {order}{size}": [(side, b"".join(pack(order + size, made(at)) for at in range(96)))
                                          for side in (0, 1, 0)]
             for size in "HIQ" for order in "<!" for name, made in patterns.items()}
    few = (0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 16, 64, 0x7f000001, 0x0100007f)
    for turn in range(20):
        order = "<!"[turn % 2]
        found[f"header {turn}"] = [(chance.randrange(2), pack(order + "32I", *chance.choices(few, k=32)))
                                   for _ in range(4)]
        found[f"noise {turn}"] = [(chance.randrange(2), chance.randbytes(chance.choice((1, 4, 7, 12, 128, 132, 500))))
                                  for _ in range(5)]
    return found
