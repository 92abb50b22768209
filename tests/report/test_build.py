# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What was judged stands in the report, by the digests that the launch agent has measured; a run judges one system."""

import hashlib
import os
import pathlib
import shutil
import sys

from assay_program import HERE

CASES = """
for i = 1, 4 do
  case { id = "case-" .. i, title = "T", purpose = "P.", suite = "s", chapter = "3.5", requirements = { "P30-091" },
    run = function(t) t:open {} t:rc("P30-091", t.ranks[0]:PtlNIBarrier {}, "PTL_OK") end }
end
"""


def by_hand(files):
    """As a person finds it out: sha256sum of all files, sorted, and of that again."""
    lines = sorted(f"{file['sha256']}  {pathlib.Path(file['file']).name}\n" for file in files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def test_build_stands_in_the_report(assay):
    """The interpreter, the launcher, and what they load; twice the same, also with several jobs at once."""
    assay.write(CASES)
    builds = [assay.run(*more, template=assay.reference_template()).report["sut"]["build"]
              for more in ((), ("--jobs", "2"))]
    files = {file["file"]: file["sha256"] for file in builds[0]["files"]}
    for name in ("portalsrun", "interp-portals"):
        path = os.path.realpath(assay.bin_dir / name)
        assert files[path] == hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
    assert any("/libc" in path for path in files) and not any("sut-agent" in path or "assay" == path for path in files)
    assert builds[0]["sha256"] == by_hand(builds[0]["files"]) and builds[0] == builds[1]


def test_another_build_in_the_middle(assay, tmp_path):
    """The third job finds another program: the run ends there, inconclusive, and says which file it was."""
    assay.write(CASES)
    own, swap = tmp_path / "own-shell", tmp_path / "jobs"
    shutil.copy(os.path.realpath("/bin/sh"), own)
    change = f"cp {own} {own}.new; echo >>{own}.new; mv {own}.new {own}"
    script = f'echo >>{swap}; [ $(wc -l <{swap}) != 3 ] || {{ {change}; }}; "$@"'
    outcome = assay.run(template=[str(own), "-c", script, "own", sys.executable, str(HERE / "fake.py"), "good", "{np}",
                                  "{args}"])
    assert outcome.status == 1 and outcome.report["verdict"] == "inconclusive"
    assert f"{own} of the system under test has changed during the run" in outcome.report["problem"]
    assert len(outcome.report["cases"]) < 4
