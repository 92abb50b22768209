# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The unit for systemd is one that systemd takes. The examples for proxies are run, in test_operation.py and
test_several.py."""

import shutil
import subprocess

import pytest

from service import PATIENCE


def test_unit(root, bin_dir, tmp_path):
    """With the program where it was built."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed")
    text = (root / "web" / "deploy" / "assayd.service").read_text()
    assert "ExecStart=/usr/local/bin/assayd " in text
    (tmp_path / "assayd.service").write_text(text.replace("/usr/local/bin/assayd", str(bin_dir / "assayd")))
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", tmp_path / "assayd.service"], capture_output=True,
                          text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0 and "assayd.service:" not in done.stderr, done.stderr
