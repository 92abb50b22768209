# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""Installing and uninstalling the plugin, and what both say."""

import csv
import os
import re
import shutil
import subprocess

import pytest


@pytest.fixture
def make(root, build):
    """make with a target, in an environment of its own; the tree under test is already built."""

    def run(*arguments):
        return subprocess.run(["make", "-s", f"B={build}", *arguments], cwd=root, capture_output=True, text=True,
                              timeout=1200, env=os.environ | {"MAKEFLAGS": ""}, check=False)

    return run


def test_install_and_uninstall(make, tmp_path):
    done = make("install-dissector", f"WS_PLUGINDIR={tmp_path}/plugins")
    assert done.returncode == 0, done.stderr
    installed = list(tmp_path.glob("plugins/*/epan/assay.so"))
    assert len(installed) == 1 and str(installed[0]) in done.stdout
    assert "tshark -G plugins" in done.stdout
    done = make("uninstall-dissector", f"WS_PLUGINDIR={tmp_path}/plugins")
    assert done.returncode == 0 and f"removed {installed[0]}" in done.stdout and not installed[0].exists()
    done = make("uninstall-dissector", f"WS_PLUGINDIR={tmp_path}/plugins")
    assert done.returncode == 0 and "nothing to do" in done.stdout


def test_a_folder_that_cannot_be_written(make, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    done = make("install-dissector", f"WS_PLUGINDIR={tmp_path}/file")
    assert done.returncode != 0 and "cannot write" in done.stderr and "WS_PLUGINDIR" in done.stderr


def test_the_profile_has_columns(tshark, root, capture_path):
    """A capture is read with it, and its columns are those that it names."""
    profile = tshark.folder / "home" / ".config" / "wireshark" / "profiles" / "Assay"
    shutil.copytree(root / "dissector" / "profiles" / "Assay", profile, dirs_exist_ok=True)
    for path in (tshark.folder / "home").rglob("*"):
        path.chmod(0o777)
    shutil.copy(root / "tests" / "captures" / "lam-impi.pcap", capture_path)
    capture_path.chmod(0o644)
    asked = "(impi.response_in && impi.pk_type == 1) || frame.number == 210"
    lines = tshark.read(capture_path, "-C", "Assay", "-Y", asked).splitlines()
    graphs = (profile / "io_graphs").read_text(encoding="utf-8").splitlines()
    filters = [words[2] for words in csv.reader(line for line in graphs if not line.startswith("#")) if words[2]]
    assert len(filters) > 4 and tshark.read(capture_path, "-Y", " || ".join(f"({one})" for one in filters))
    columns = re.findall(r"%Cus:[^:\"]+", (profile / "preferences").read_text(encoding="utf-8"))
    assert columns == re.findall(r'"(%Cus:[^"]+)"', (profile / "recent").read_text(encoding="utf-8"))
    assert len(lines) == 3 and any(re.search(r"IMPI +0\.0502\d+ +\d+ +SYNCACK", line) for line in lines), lines
