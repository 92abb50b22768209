# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""IMPI jobs in which one packet breaks a rule, amid sound ones: what proves it, and what may befall the rest."""

import conversation
import damage
import impi_job

AROUND = 6  # sound rounds before the violation, and behind it
LONG = {"length": 8, "message": 20, "srqid": 70}
# requirement -> the packets that prove it, the last of which breaks it: (type, source, what else impi_job.packet takes)
VIOLATIONS = {
    "IMPI-107": [(0, 1, {"length": 4, "tag": -3})],
    "IMPI-111": [(0, 1, {"length": 9})],
    "IMPI-113": [(1, 1, {"srqid": 70}), (1, 1, {"srqid": 70})],
    "IMPI-115": [(0, 1, {"length": 4, "message": 3})],
    "IMPI-132": [(0, 1, {"length": 1, "srqid": 70 + i}) for i in range(4)],
    "IMPI-146": [(1, 1, {"srqid": 70}), (3, 0, {"srqid": 70}), (3, 0, {"srqid": 70})],
    "IMPI-150": [(1, 1, LONG), (0, 1, LONG)],
    "IMPI-151": [(1, 1, LONG), (3, 0, {"srqid": 70, "drqid": 5}), (0, 1, LONG | {"drqid": 6})],
    "IMPI-168": [(1, 1, {"srqid": 70}), (4, 1, {"srqid": 70}), (5, 0, {"srqid": 70}), (3, 0, {"srqid": 70})],
    "IMPI-177": [(7, 1, {}), (0, 1, {"length": 1})],
}


def _rounds(job, tag):
    """Messages both ways within the limits, and what acknowledges them."""
    for source in (1, 0):
        job.send(0, source, 3, tag=tag, srqid=tag)
        job.send(1, source, 2, tag=tag, srqid=tag + 1)
        job.send(2, 1 - source)
        job.send(3, 1 - source, srqid=tag + 1, drqid=tag)
        job.send(0, 1 - source, 1, tag=tag, srqid=tag + 2)
        job.send(2, source)


def job(folder, requirement):
    """(packets, where the channel begins, where the proof begins, where it ends)."""
    made = impi_job.Job().start()
    begun = len(made.packets)
    for turn in range(AROUND):
        _rounds(made, 10 * turn + 120)
    proof = len(made.packets)
    for kind, source, fields in VIOLATIONS[requirement]:
        rest = dict(fields)
        length, message = rest.pop("length", 0), rest.pop("message", None)
        made.send(kind, source, length, message, **rest)
    ended = len(made.packets)
    if requirement != "IMPI-177":
        made.close(barrier=False)
    made.finish()
    path = folder / "guilty.pcap"
    path.write_bytes(conversation.pcap(made.packets))
    return damage.read(path), begun, proof, ended
