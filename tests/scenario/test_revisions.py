# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The reference's libraries of Portals 3.2 and 3.3 conform to these: all cases of the revision, those of 3.0 that hold
for it among them."""

import json
import os
import subprocess

import pytest

pytestmark = pytest.mark.skipif(
    os.environ.get("ASSAY_VARIANT", "release") != "release", reason="the whole suite is run in the release build"
)


@pytest.mark.long
@pytest.mark.parametrize("revision, inherited", [("3.2", "portals-3.0"), ("3.3", "portals-3.2")])
def test_the_reference_conforms(bin_dir, tmp_path, revision, inherited):
    command = [bin_dir / "assay", "run", "--profile", f"portals-{revision}", "--jobs", "4", "--report", tmp_path, "--",
               bin_dir / "portalsrun", "-np", "{np}", bin_dir / f"interp-portals-{revision}", "{args}"]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, check=False,
                          env={**os.environ, "ASSAY_LOADAVG": os.devnull})
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["summary"]["skip"] == 0 and report["verdict"] == "conforms"
    prefix = f"P{revision.replace('.', '')}-"
    assert all(name.startswith(prefix) for case in report["cases"] for name in case["requirements"])
    assert any(case["file"].startswith(f"{inherited}/") for case in report["cases"])
