# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Who judges a capture: `assay check`, and the Wireshark plugin, whether TCP waits for what comes late or not, in one
pass and in two. Each tells a sorted list of (packet, requirement)."""

import contextlib
import json
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "dissector"))

import wireshark  # noqa: E402 pylint: disable=wrong-import-position

DEADLINE = 300
FIELDS = ("portals.requirement", "impi.requirement", "intercept.requirement")
SHOWN = " or ".join(FIELDS)
SETTINGS = ("FALSE", "TRUE")  # tcp.reassemble_out_of_order


def report(bin_dir, path):
    """All that `assay check` tells."""
    done = subprocess.run([bin_dir / "assay", "check", "--json", path], capture_output=True, text=True,
                          timeout=DEADLINE, check=False)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def told_of(said, kind="breaches"):
    """What a report tells of this kind."""
    return sorted((told["packet"], told["requirement"]) for told in said[kind])


def by_checker(bin_dir, path, kind="breaches"):
    """What `assay check` tells of this kind."""
    return told_of(report(bin_dir, path), kind)


def accused(said):
    """Whom a report accuses: for each violation the sender's address and, if known, its process."""
    return [{told["from"], told["sender"] and (told["sender"]["nid"], told["sender"]["pid"])} - {None}
            for told in said["breaches"] if not told.get("hearsay")]


def _listed(rows):
    return sorted((int(number), requirement) for (number,), *told in rows for cell in told for requirement in cell)


class Plugin:
    """The plugin under all conditions."""

    def __init__(self, build, variant="release"):
        plugin = wireshark.plugin_of(build, variant)
        self.folder = wireshark.public_folder()
        self.tshark = wireshark.Tshark(plugin, self.folder)
        self.sharkds = {setting: wireshark.Sharkd(plugin, self.folder,
                                                  preferences=[("tcp.reassemble_out_of_order", setting)])
                        for setting in SETTINGS}

    def close(self):
        """Ends it."""
        for sharkd in self.sharkds.values():
            sharkd.close()
        shutil.rmtree(self.folder)

    def twice(self, path, setting):
        """Read in two passes."""
        return _listed(self.sharkds[setting].fields(path, "frame.number", *FIELDS))

    def noted(self, path, setting):
        """Its notes of IMPI, read in two passes."""
        return _listed(self.sharkds[setting].fields(path, "frame.number", "impi.noted"))

    def once(self, path, setting):
        """Read in one pass."""
        return _listed(self.tshark.fields(path, "frame.number", *FIELDS, shown=SHOWN, passes=1,
                                          arguments=["-o", f"tcp.reassemble_out_of_order:{setting}"]))


@contextlib.contextmanager
def plugin(build, variant="release"):
    """A plugin for as long as it is needed."""
    opened = Plugin(build, variant)
    try:
        yield opened
    finally:
        opened.close()
