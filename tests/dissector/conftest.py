# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""Debian's tshark with the plugin under test.

As root tshark loads plugins from the system folder only, so it runs as an unprivileged user here; everything that it
reads lies in a folder that anybody may read.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

NOBODY = "65534"
DEADLINE = 600
DECODE_AS = ("-d", "tcp.port==50002,portals")


class Tshark:
    """Runs tshark over captures. `folder` is where captures for it can be written."""

    def __init__(self, plugin: pathlib.Path, folder: pathlib.Path, preload: str = ""):
        self.folder = folder
        plugins = folder / "plugins" / plugin.parent.parent.name / "epan"
        plugins.mkdir(parents=True, exist_ok=True)
        shutil.copy(plugin, plugins)
        home = folder / "home"
        home.mkdir(exist_ok=True)
        home.chmod(0o777)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(home), "TZ": "UTC", "LC_ALL": "C.UTF-8",
            "WIRESHARK_PLUGIN_DIR": str(folder / "plugins"),
        }
        if preload:
            self.environment |= {"LD_PRELOAD": preload, "WIRESHARK_DEBUG_WMEM_OVERRIDE": "simple",
                                 "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1",
                                 "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1"}

    def run(self, *arguments, check=True) -> subprocess.CompletedProcess:
        """tshark with these arguments; its complaints are part of the failure."""
        command = ["tshark", *map(str, arguments)]
        if os.getuid() == 0:
            command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=DEADLINE,
                              cwd=self.folder, check=False)
        if check:
            assert done.returncode == 0, f"tshark ended with {done.returncode}:\n{done.stderr[-4000:]}"
        return done

    def read(self, capture, *arguments) -> str:
        """What tshark prints of a capture, read in two passes and without names of hosts."""
        return self.run("-n", "-2", "-r", capture, *arguments).stdout

    def fields(self, capture, *names, arguments=(), shown="portals") -> list[list[list[str]]]:
        """For each packet that is shown: for each named field its values, in the order of the packet."""
        chosen = [part for name in names for part in ("-e", name)]
        text = self.read(capture, "-Y", shown, "-T", "fields", "-E", "aggregator=;", *chosen, *arguments)
        return [[cell.split(";") if cell else [] for cell in line.split("\t")] for line in text.splitlines()]

    def info(self, capture, *arguments, shown="portals") -> list[str]:
        """The information column of each packet that is shown, one entry a message."""
        text = self.read(capture, "-Y", shown, "-T", "fields", "-e", "_ws.col.Info", *arguments)
        return [part.strip() for line in text.splitlines() for part in line.split(" | ")]

    def layers(self, capture, *arguments) -> list[dict]:
        """The packets' Portals layers as JSON."""
        text = self.read(capture, "-T", "json", "--no-duplicate-keys", "-J", "portals", *arguments)
        return [packet["_source"]["layers"] for packet in json.loads(text)]


def _plugin(build: pathlib.Path, variant: str) -> pathlib.Path:
    base = build if variant == "release" else build / variant
    found = sorted(base.glob("wireshark/*/epan/assay.so"))
    assert found, f"no plugin under {base}/wireshark: 'make deps dissector' builds it"
    return found[-1]


@pytest.fixture(scope="session")
def public_folder():
    """A folder that the unprivileged user may read."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-dissector-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def tshark(build, variant, public_folder) -> Tshark:
    """tshark with the plugin of the variant under test."""
    preload = _libasan() if variant == "asan" else ""
    return Tshark(_plugin(build, variant), public_folder, preload)


def _libasan() -> str:
    return subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True,
                          check=True).stdout.strip()


@pytest.fixture(scope="session")
def tshark_asan(build, root, tmp_path_factory) -> Tshark:
    """tshark with a plugin that is built to stop at the first bad access to memory or undefined behaviour."""
    subprocess.run(["make", "-s", "-j2", "VARIANT=asan", "CC=gcc", f"B={build}", "dissector"], cwd=root, check=True,
                   timeout=1800, env=os.environ | {"MAKEFLAGS": ""})
    folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-dissector-asan-"))
    folder.chmod(0o755)
    yield Tshark(_plugin(build, "asan"), folder, _libasan())
    shutil.rmtree(folder)


@pytest.fixture
def capture_path(public_folder, request) -> pathlib.Path:
    """Where this test may write a capture."""
    name = "".join(c if c.isalnum() else "-" for c in request.node.name)[:80]
    return public_folder / f"{name}.pcap"
