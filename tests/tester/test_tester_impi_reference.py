# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The cases of IMPI 0.0 against the bundled reference, in both roles: nothing may be held against it."""

import concurrent.futures
import json
import shutil
import subprocess

import pytest

TEMPLATES = {
    "server": ["{bin}/impirun", "-server", "{clients}", "{options}"],
    "client": ["{bin}/impirun", "-client", "{client}", "{server}", "-np", "{np}", "-hosts", "{hosts}",
               "{bin}/interp-mpi", "{args}"],
}


# The suites of a role that run beside each other: most of their time is waiting for what must not come.
TOGETHER = {
    "server": ["foundations,server", "interop"],
    "client": ["foundations,startup", "packets", "p2p", "collective", "shutdown,communicators", "interop"],
}


def test_every_suite_is_run(bin_dir, root):
    listed = json.loads(subprocess.run([bin_dir / "assay", "cases", "--profile", "impi-0.0", "--json"], check=True,
                                       capture_output=True, timeout=300,
                                       env={"ASSAY_CASES": str(root / "tester" / "cases")}).stdout)
    for role, groups in TOGETHER.items():
        assert {case["suite"] for case in listed if case["role"] == role} == set(",".join(groups).split(","))


@pytest.mark.long
@pytest.mark.parametrize("role", ["server", "client"])
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


@pytest.mark.long
def test_an_mpi_without_the_attributes_does_not_conform(assay, root, bin_dir, tmp_path):
    """A header that lacks the four names, as one of an MPI without IMPI: a program has no way to ask for them."""
    header = (root / "ref-impl" / "include" / "mpi.h").read_text(encoding="utf-8")
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "mpi.h").write_text(
        "".join(line for line in header.splitlines(keepends=True) if "define IMPI_" not in line), encoding="utf-8")
    compiler = tmp_path / "mpicc"
    compiler.write_text(f'#!/bin/sh\nexec {bin_dir}/assay-mpicc -include {tmp_path}/include/mpi.h "$@"\n')
    compiler.chmod(0o755)
    folder = shutil.copytree(root / "interpreter", tmp_path / "interpreter")
    built = subprocess.run(["make", "-j2", "-C", folder, "interp-mpi", f"MPICC={compiler}", "CFLAGS=-O0"],
                           capture_output=True, text=True, timeout=900, check=True)
    assert "IMPI_CLIENT_SIZE" in built.stdout + built.stderr
    template = [word.replace("{bin}/interp-mpi", f"{folder}/interp-mpi").replace("{bin}", str(bin_dir))
                for word in TEMPLATES["client"]]
    outcome = assay.run("--profile", "impi-0.0", "--case", "attributes-of-the-world-one-client", template=template,
                        cases=root / "tester" / "cases")
    [one] = outcome.report["cases"]
    assert (one["verdict"], one["requirement"]) == ("fail", "IMPI-098") and "in mpi.h" in one["reason"], one
