# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""Captures made by hand: TCP connections over IPv4, segment by segment, written as pcap.

Nothing here knows Portals. Octets come from the vectors or from the test; this module only wraps them, so that a test
decides what stands in which segment, what is lost, sent twice or seen too late.
"""

import pathlib
import struct

SYN, ACK_FLAG, FIN, PSH, RST = 0x02, 0x10, 0x01, 0x08, 0x04


def hex_octets(text: str) -> bytes:
    """Octets of the vectors' text form: hexadecimal digits, `#` comments to the end of the line."""
    return bytes.fromhex("".join(line.split("#", 1)[0] for line in text.splitlines()))


def vector(root: pathlib.Path, name: str) -> bytes:
    """Octets of wire/vectors/NAME.hex."""
    return hex_octets((root / "wire" / "vectors" / f"{name}.hex").read_text())


class Capture:
    """A capture under construction. Each packet comes a millisecond after the one before."""

    def __init__(self):
        self.packets = []

    def add(self, packet: bytes, captured: int | None = None) -> int:
        """Adds an IPv4 packet, cut to `captured` octets, and returns its number, from 1."""
        self.packets.append((packet, len(packet) if captured is None else min(captured, len(packet))))
        return len(self.packets)

    def write(self, path: pathlib.Path) -> pathlib.Path:
        """Writes a pcap file of raw IPv4 packets."""
        out = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 101)]
        for number, (packet, captured) in enumerate(self.packets):
            seconds, milliseconds = divmod(number, 1000)
            out.append(struct.pack("<IIII", 1_700_000_000 + seconds, milliseconds * 1000, captured, len(packet)))
            out.append(packet[:captured])
        path.write_bytes(b"".join(out))
        path.chmod(0o644)
        return path


class Connection:
    """One TCP connection in a capture. `opener` and `acceptor` are (address, port)."""

    def __init__(self, capture: Capture, opener=("127.0.0.1", 40000), acceptor=("127.0.0.1", 50002), handshake=True):
        self.capture = capture
        self.ends = (opener, acceptor)
        self.sequence = [1000, 9000]
        if handshake:
            self.segment(0, b"", flags=SYN)
            self.sequence[0] += 1
            self.segment(1, b"", flags=SYN | ACK_FLAG)
            self.sequence[1] += 1
            self.segment(0, b"", flags=ACK_FLAG)

    def segment(self, side: int, octets: bytes, flags: int = PSH | ACK_FLAG, at: int | None = None,
                captured: int | None = None) -> int:
        """One packet from side 0 (opener) or 1; does not move the sequence number. Returns its number."""
        (source, sport), (target, dport) = self.ends[side], self.ends[1 - side]
        sequence = self.sequence[side] if at is None else at
        tcp = struct.pack("!HHIIBBHHH", sport, dport, sequence & 0xFFFFFFFF, self.sequence[1 - side] & 0xFFFFFFFF,
                          5 << 4, flags, 65535, 0, 0)
        ip = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 40 + len(octets), 0, 0x4000, 64, 6, 0,
                         bytes(map(int, source.split("."))), bytes(map(int, target.split("."))))
        return self.capture.add(ip + tcp + octets, captured)

    def send(self, side: int, octets: bytes, captured: int | None = None) -> int:
        """One segment in order. Returns the packet's number."""
        number = self.segment(side, octets, captured=captured)
        self.sequence[side] += len(octets)
        return number

    def finish(self, side: int, flags: int = FIN | ACK_FLAG) -> int:
        """The FIN of one side, or with RST its reset. Returns the packet's number."""
        number = self.segment(side, b"", flags=flags)
        self.sequence[side] += 1
        return number

    def close(self) -> None:
        """The FIN of both sides, the opener's first."""
        self.finish(0)
        self.finish(1)

    def skip(self, side: int, count: int) -> None:
        """Octets that were sent but that the capture does not hold."""
        self.sequence[side] += count
