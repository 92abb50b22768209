# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Captures in which nothing is wrong, by name: hand-written conversations, an IMPI job made by hand, a real one."""

import conversation
import damage
import impi_job

# One stream's loss would show on another one only: these packets bear no acknowledgements of their own.
SEVERAL_STREAMS = {"stream-after-stream", "two-streams", "barrier-in-disorder"}


def conversations(root, folder):
    """The conversations of wire/vectors/ that break nothing."""
    for name in conversation.names(root):
        packets, expected = conversation.perform(root, name)
        if not expected and name not in SEVERAL_STREAMS:
            path = folder / f"{name}.pcap"
            path.write_bytes(conversation.pcap(packets))
            yield name, damage.read(path)


def impi(root, folder):
    """A small IMPI job, and that of LAM."""
    job = impi_job.Job().start()
    impi_job.traffic(job)
    path = folder / "impi-job.pcap"
    path.write_bytes(job.end())
    yield "impi-job", damage.read(path)
    yield "lam-impi", damage.read(root / "tests" / "captures" / "lam-impi.pcap")


def captures(root, folder):
    """All of them: name -> packets."""
    return dict(conversations(root, folder)) | dict(impi(root, folder))
