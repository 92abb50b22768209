# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The cases of IMPI 0.0 against the bundled reference, in both roles: nothing may be held against it."""

import concurrent.futures
import json
import subprocess

import pytest

TEMPLATES = {
    "server": ["{bin}/impirun", "-server", "{clients}", "{options}"],
    "client": ["{bin}/impirun", "-client", "{client}", "{server}", "-np", "{np}", "-hosts", "{hosts}",
               "{bin}/interp-mpi", "{args}"],
}


# The suites of a role that run beside each other: most of their time is waiting for what must not come.
TOGETHER = {
    "server": ["server", "interop"],
    "client": ["startup", "packets", "p2p", "shutdown,collective", "communicators,interop"],
}


def test_every_suite_is_run(bin_dir, root):
    listed = json.loads(subprocess.run([bin_dir / "assay", "cases", "--profile", "impi-0.0", "--json"], check=True,
                                       capture_output=True, timeout=60,
                                       env={"ASSAY_CASES": str(root / "tester" / "cases")}).stdout)
    for role, groups in TOGETHER.items():
        assert {case["suite"] for case in listed if case["role"] == role} == set(",".join(groups).split(","))


@pytest.mark.parametrize("role", TEMPLATES)
def test_the_reference_conforms(assay, root, bin_dir, role):
    template = [word.replace("{bin}", str(bin_dir)) for word in TEMPLATES[role]]

    def run(suites):
        return assay.run("--profile", "impi-0.0", "--suite", suites, template=template,
                         cases=root / "tester" / "cases")

    with concurrent.futures.ThreadPoolExecutor(max_workers=3) as pool:
        outcomes = list(pool.map(run, TOGETHER[role]))
    for outcome in outcomes:
        wrong = [(one["id"], one["verdict"], one["reason"]) for one in outcome.report["cases"]
                 if one["verdict"] not in ("pass", "warn", "skip")]
        assert outcome.report["problem"] == "" and wrong == [] and outcome.status == 0
        assert outcome.report["sut"]["role"] == role
    assert sum(outcome.report["summary"]["pass"] for outcome in outcomes) > 100
