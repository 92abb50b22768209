# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The fixtures of this folder's tests."""

import json
import resource
import subprocess

import pytest

from assay_program import Assay


@pytest.fixture
def assay(bin_dir, root, tmp_path):
    """The program `assay` with an own, empty folder of cases."""
    return Assay(bin_dir, root, tmp_path)


@pytest.fixture(name="check")
def fixture_check(bin_dir, tmp_path):
    """Runs `assay check --json` on octets: (status, parsed output or None, standard error). It gets a minute of the
    processor, whatever else that has to do: what grows faster than a capture takes minutes."""

    def limited():
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))

    def run(octets, *options):
        path = tmp_path / "capture.pcap"
        path.write_bytes(octets)
        done = subprocess.run([bin_dir / "assay", "check", *(options or ["--json"]), path], capture_output=True,
                              text=True, timeout=1800, check=False, preexec_fn=limited)
        assert done.returncode in (0, 1, 2), done
        return done.returncode, json.loads(done.stdout) if done.stdout and not options else done.stdout, done.stderr

    return run
