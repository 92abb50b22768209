#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""bench_dissector.py: what a packet costs in Wireshark, beside LNet's dissector, which Wireshark itself has for a
protocol that came of Portals. Captures of as many packets each, all between two processes: puts of 64 octets and their
acknowledgements; of IMPI, data of 64 octets both ways. Read in turn, round after round; the best round counts, in
seconds of processor time beyond those that an empty capture takes. `make bench-dissector` runs it."""

import argparse
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "dissector"), str(ROOT / "tests" / "upstream")]

import made  # noqa: E402
import wireshark  # noqa: E402
from impi_octets import packet as impi_packet, process as impi_process  # noqa: E402

DATA = bytes(range(64))
LNET_PORT = 988
MODES = {  # how tshark reads, and the part of the packets that is enough
    "list": (["-q", "-z", "io,stat,0"], 1), "two passes": (["-2", "-Y", "tcp"], 1), "tree": (["-V"], 10)}


def portals(number):
    """A put in one direction and its acknowledgement in the other, behind a HELLO of both."""
    ends = [struct.pack("!4I", 0x7f000001 + rank, 50001 + rank, 7, rank) for rank in (0, 1)]
    if number < 2:
        hello = struct.pack("!IHH", 0x50544c33, 1, 0) + ends[number] + ends[1 - number]
        return number, hello + struct.pack("!II", 0, 2)
    ids = struct.pack("!IIQQQQ", 4, 0, 0x2a, 0, number // 2, len(DATA))
    if number % 2 == 0:
        return 0, struct.pack("!I", 1) + ends[0] + ends[1] + ids + DATA
    return 1, struct.pack("!I", 2) + ends[1] + ends[0] + ids[:4] + ids[8:] + struct.pack("!Q", len(DATA))


def impi(number):
    """DATA of either side in turn, behind a rank."""
    ends = [impi_process("127.0.0.1", 65), impi_process("127.0.0.2", 67)]
    side = number % 2
    head = struct.pack("!I", 1) if number == 0 else b""
    return side, head + impi_packet("DATA", ends[side], ends[1 - side], DATA, srqid=number + 1, seqnum=number // 2)


def lnet(number):
    """A put and its acknowledgement, as the socket driver frames them."""
    nids = [struct.pack("<Q", 0x000200007f000001), struct.pack("<Q", 0x000200007f000002)]
    side = number % 2
    head = struct.pack("<IIQQ", 0xc1, 0, 0, 0) + nids[1 - side] + nids[side] + struct.pack("<II", 12345, 12345)
    if side == 0:
        return 0, (head + struct.pack("<II", 1, len(DATA)) + struct.pack("<QQQQII", 1, number, number, 0, 40, 0) + DATA)
    return 1, head + struct.pack("<II", 0, 0) + struct.pack("<QQQI", 1, number - 1, number - 1, len(DATA)) + bytes(12)


def capture(path, made_of, count, port):
    """Writes a capture of one connection."""
    sequence, ends = [1000, 9000], [(40000, bytes((127, 0, 0, 1))), (port, bytes((127, 0, 0, 2)))]
    said = iter([(0, b"", 2), (1, b"", 18), (0, b"", 16)])
    with path.open("wb") as out:
        out.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 262144, 101))
        number = 0
        for place in range(count + 3 if count else 0):
            side, octets, flags = next(said, (None, None, 24))
            if octets is None:
                side, octets = made_of(number)
                number += 1
            (source, here), (target, there) = ends[side], ends[1 - side]
            tcp = struct.pack("!HHIIBBHHH", source, target, sequence[side] % 2**32, sequence[1 - side] % 2**32, 80,
                              flags, 65535, 0, 0)
            ip = struct.pack("!BBHHHBBH4s4s", 69, 0, 40 + len(octets), 0, 0x4000, 64, 6, 0, here, there)
            out.write(struct.pack("<IIII", 1700000000 + place // 10000, place % 10000 * 100, 40 + len(octets),
                                  40 + len(octets)) + ip + tcp + octets)
            sequence[side] += len(octets) + (1 if flags & 2 else 0)
    path.chmod(0o644)
    return path


def measured(tshark, path, words):
    """Processor time and the most memory, in KiB, that tshark takes for a capture."""
    command = tshark.command("tshark", "-n", "-r", path, *words)
    with subprocess.Popen(command, env=tshark.environment, cwd=tshark.folder, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as running:
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = status
    assert status == 0, f"tshark ended with {status}"
    return used.ru_utime + used.ru_stime, used.ru_maxrss


def readers(build, folder):
    """name -> (tshark, packets, port, preferences)."""
    def opened(name, plugin):
        place = folder / name
        place.mkdir()
        place.chmod(0o755)
        return wireshark.Tshark(plugin, place)

    ours = opened("ours", wireshark.plugin_of(build))
    upstream = opened("tree", made.plugin(build / "upstream", folder))
    return {"LNet": (upstream, lnet, LNET_PORT, []), "Portals, for Wireshark's tree": (upstream, portals, 50002, []),
            "Portals": (ours, portals, 50002, []),
            "Portals, not judged": (ours, portals, 50002, ["-o", "portals.analyse:FALSE"]),
            "IMPI, for Wireshark's tree": (upstream, impi, 50002, []), "IMPI": (ours, impi, 50002, [])}


def main():
    """Writes the captures, reads them, prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--packets", type=int, default=1000000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="names of readers that have this in them")
    given = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-bench-"))
    folder.chmod(0o755)
    chosen = {name: told for name, told in readers(given.build.resolve(), folder).items() if given.only in name}
    empty = capture(folder / "empty.pcap", lnet, 0, 1)
    captures = {}
    for _, made_of, port, _ in chosen.values():
        for part in {part for _, part in MODES.values()}:
            path = folder / f"{made_of.__name__}-{part}.pcap"
            captures[made_of, part] = capture(path, made_of, given.packets // part, port)
    print(f"| dissector | {' | '.join(f'{mode}: packets/s' for mode in MODES)} | octets a packet, two passes |")
    print("|---|" + "---|" * (len(MODES) + 1))
    best = {}
    for _ in range(given.rounds):
        for mode, (words, part) in MODES.items():
            for name, (tshark, made_of, _, preferences) in chosen.items():
                none, base = measured(tshark, empty, words + preferences)
                taken, most = measured(tshark, captures[made_of, part], words + preferences)
                was = best.get((name, mode), (taken - none, most - base))
                best[name, mode] = (min(was[0], taken - none), min(was[1], most - base))
    for name in chosen:
        rates = [f"{given.packets / part / best[name, mode][0]:,.0f}" for mode, (_, part) in MODES.items()]
        memory = best[name, "two passes"][1] * 1024 / given.packets
        print(f"| {name} | {' | '.join(rates)} | {memory:,.0f} |")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
