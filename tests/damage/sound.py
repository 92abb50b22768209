# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Captures by name: hand-written conversations, an IMPI job made by hand, a real one; and, where there is time to make
them, the evidence of the cases that the reference passes and the traces of its jobs."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests"), str(ROOT / "tests" / "tester")]

import conversation  # noqa: E402 pylint: disable=wrong-import-position
import damage  # noqa: E402 pylint: disable=wrong-import-position
import impi_job  # noqa: E402 pylint: disable=wrong-import-position
import profile_table  # noqa: E402 pylint: disable=wrong-import-position

# One stream's loss would show on another one only: these packets bear no acknowledgements of their own.
SEVERAL_STREAMS = {"stream-after-stream", "two-streams", "barrier-in-disorder"}
DEADLINE = 1800


def _performed(root, folder, guilty, chosen):
    for name in conversation.names(root):
        packets, expected = conversation.perform(root, name)
        if bool(expected) == guilty and chosen(name):
            path = folder / f"{name}.pcap"
            path.write_bytes(conversation.pcap(packets))
            yield name, damage.read(path)


def conversations(root, folder, guilty=False):
    """The conversations of wire/vectors/ that break nothing, or that do."""
    yield from _performed(root, folder, guilty, lambda name: name not in SEVERAL_STREAMS)


def several_streams(root, folder):
    """Those on several streams of which nothing may be lost."""
    yield from _performed(root, folder, False, SEVERAL_STREAMS.__contains__)


def impi(root, folder):
    """A small IMPI job, and that of LAM."""
    job = impi_job.Job().start()
    impi_job.traffic(job)
    path = folder / "impi-job.pcap"
    path.write_bytes(job.end())
    yield "impi-job", damage.read(path)
    yield "lam-impi", damage.read(root / "tests" / "captures" / "lam-impi.pcap")


def captures(root, folder):
    """Those that are made at once: name -> packets."""
    return dict(conversations(root, folder)) | dict(impi(root, folder))


def evidence(bin_dir, folder):
    """The captures over TCP of all cases that the reference passes, in every role: (name, packets)."""
    for profile in profile_table.load():
        for role in profile["roles"]:
            report = folder / f"{profile['name']}-{role['name']}"
            words = [bin_dir / word if (bin_dir / word).exists() else word for word in role["reference"]]
            if not report.exists():
                subprocess.run([bin_dir / "assay", "run", "--profile", profile["name"], "--jobs", "2", "--report",
                                report, "--", *words], stdout=subprocess.DEVNULL, timeout=DEADLINE, check=False)
            for case in json.loads((report / "report.json").read_text(encoding="utf-8"))["cases"]:
                path = report / (case.get("capture") or "")
                if case["verdict"] == "pass" and path.is_file():
                    packets = damage.read(path)
                    if all(damage.is_tcp(packet) for packet in packets):
                        yield case["id"], packets


def traces(bin_dir, folder):
    """The traces of jobs of the reference, each of them the captures of its processes: (name, [packets])."""
    probe = bin_dir.parent / "release" / "scenario" / "job-probe"
    for count in (2, 3):
        path = folder / f"ring-{count}"
        path.mkdir()
        subprocess.run([bin_dir / "portalsrun", "-np", str(count), "--nal", "tcp", probe, "ring"], timeout=DEADLINE,
                       stdout=subprocess.DEVNULL, check=True, env=os.environ | {"ASSAY_TRACE": str(path)})
        yield path.name, [damage.read(trace) for trace in sorted(path.iterdir())]
