# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""Debian's tshark with the plugin under test (wireshark.py)."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import wireshark  # noqa: E402

Tshark = wireshark.Tshark


@pytest.fixture(scope="session")
def public_folder():
    """A folder that the unprivileged user may read."""
    folder = wireshark.public_folder()
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def tshark(build, variant, public_folder) -> Tshark:
    """tshark with the plugin of the variant under test."""
    preload = _libasan() if variant == "asan" else ""
    made = Tshark(wireshark.plugin_of(build, variant), public_folder, preload)
    yield made
    made.close()


def _libasan() -> str:
    return subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True,
                          check=True).stdout.strip()


@pytest.fixture(scope="session")
def tshark_asan(build, root, tmp_path_factory) -> Tshark:
    """tshark with a plugin that is built to stop at the first bad access to memory or undefined behaviour."""
    subprocess.run(["make", "-s", "-j2", "VARIANT=asan", "CC=gcc", f"B={build}", "dissector"], cwd=root, check=True,
                   timeout=1800, env=os.environ | {"MAKEFLAGS": ""})
    folder = wireshark.public_folder()
    yield Tshark(wireshark.plugin_of(build, "asan"), folder, _libasan())
    shutil.rmtree(folder)


@pytest.fixture
def capture_path(public_folder, request) -> pathlib.Path:
    """Where this test may write a capture."""
    name = "".join(c if c.isalnum() else "-" for c in request.node.name)[:80]
    return public_folder / f"{name}.pcap"
