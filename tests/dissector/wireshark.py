# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""Debian's tshark and sharkd with the plugin under test.

As root they load plugins from the system folder only, so they run as an unprivileged user here; everything that they
read lies in a folder that anybody may read.
"""

import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile

NOBODY = "65534"
DEADLINE = 600
REQUESTS_MAX = 100  # of one sharkd, which grows by some megabytes with each file that it opens
DECODE_AS = ("-d", "tcp.port==50002,portals")


def plugin_of(build: pathlib.Path, variant: str = "release") -> pathlib.Path:
    """The plugin that was built."""
    base = build if variant == "release" else build / variant
    found = sorted(base.glob("wireshark/*/epan/assay.so"))
    assert found, f"no plugin under {base}/wireshark: 'make deps dissector' builds it"
    return found[-1]


def public_folder() -> pathlib.Path:
    """A new folder that the unprivileged user may read."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-dissector-"))
    folder.chmod(0o755)
    return folder


class Plugged:
    """A program of Wireshark's with the plugin. `folder` is where captures for it can be written."""

    def __init__(self, plugin: pathlib.Path, folder: pathlib.Path, preload: str = ""):
        self.folder = folder
        plugins = folder / "plugins" / plugin.parent.parent.name / "epan"
        plugins.mkdir(parents=True, exist_ok=True)
        if not (plugins / plugin.name).exists():
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

    def command(self, *words) -> list[str]:
        """The command as an unprivileged user."""
        command = [str(word) for word in words]
        if os.getuid() == 0:
            command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
        return command


class Tshark(Plugged):
    """Runs tshark over captures."""

    def run(self, *arguments, check=True) -> subprocess.CompletedProcess:
        """tshark with these arguments; its complaints are part of the failure."""
        command = self.command("tshark", *arguments)
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=DEADLINE,
                              cwd=self.folder, check=False)
        if check:
            assert done.returncode == 0, f"tshark ended with {done.returncode}:\n{done.stderr[-4000:]}"
        return done

    def read(self, capture, *arguments, passes=2) -> str:
        """What tshark prints of a capture, without names of hosts."""
        return self.run("-n", *(["-2"] if passes == 2 else []), "-r", capture, *arguments).stdout

    def fields(self, capture, *names, arguments=(), shown="portals", passes=2) -> list[list[list[str]]]:
        """For each packet that is shown: for each named field its values, in the order of the packet."""
        chosen = [part for name in names for part in ("-e", name)]
        text = self.read(capture, "-Y", shown, "-T", "fields", "-E", "aggregator=;", *chosen, *arguments,
                         passes=passes)
        return [[cell.split(";") if cell else [] for cell in line.split("\t")] for line in text.splitlines()]

    def info(self, capture, *arguments, shown="portals") -> list[str]:
        """The information column of each packet that is shown, one entry a message."""
        text = self.read(capture, "-Y", shown, "-T", "fields", "-e", "_ws.col.Info", *arguments)
        return [part.strip() for line in text.splitlines() for part in line.split(" | ")]

    def layers(self, capture, *arguments) -> list[dict]:
        """The packets' Portals layers as JSON."""
        text = self.read(capture, "-T", "json", "--no-duplicate-keys", "-J", "portals", *arguments)
        return [packet["_source"]["layers"] for packet in json.loads(text)]


class Sharkd(Plugged):
    """One sharkd that opens a capture after the other, each read in two passes as Wireshark itself does."""

    def __init__(self, plugin: pathlib.Path, folder: pathlib.Path, preload: str = "", preferences=()):
        super().__init__(plugin, folder, preload)
        self.preferences = preferences
        self._start()

    def _start(self) -> None:
        self.number, self.pending = 0, b""
        self.process = subprocess.Popen(self.command("sharkd", "-"), env=self.environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.folder)
        for name, value in self.preferences:
            self.ask("setconf", name=name, value=value)

    def close(self) -> None:
        """Ends it."""
        self.process.stdin.close()
        self.process.wait(DEADLINE)
        self.process.stdout.close()

    def _line(self) -> bytes:
        while b"\n" not in self.pending:
            assert select.select([self.process.stdout], [], [], DEADLINE)[0], "sharkd does not answer"
            read = os.read(self.process.stdout.fileno(), 1 << 20)
            assert read, f"sharkd has ended: {self.process.wait(DEADLINE)}"
            self.pending += read
        line, self.pending = self.pending.split(b"\n", 1)
        return line

    def ask(self, method: str, **parameters):
        """What it answers to one request."""
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self._line())
        assert answer["id"] == self.number and "result" in answer, answer
        return answer["result"]

    def fields(self, capture, *names) -> list[list[list[str]]]:
        """For each packet: for each named field its values. Without a filter: what one has let through is remembered
        beyond the capture."""
        if self.number > REQUESTS_MAX:
            self.close()
            self._start()
        self.ask("load", file=str(capture))
        columns = {f"column{place}": f"{name}:0" for place, name in enumerate(names)}
        return [[cell.split(",") if cell else [] for cell in frame["c"]] for frame in self.ask("frames", **columns)]
