# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The cases of IMPI 0.0 against the bundled reference, in both roles: nothing may be held against it."""

import pytest

TEMPLATES = {
    "server": ["{bin}/impirun", "-server", "{clients}", "{options}"],
    "client": ["{bin}/impirun", "-client", "{client}", "{server}", "-np", "{np}", "-hosts", "{hosts}",
               "{bin}/interp-mpi", "{args}"],
}


@pytest.mark.parametrize("role", TEMPLATES)
def test_the_reference_conforms(assay, root, bin_dir, role):
    template = [word.replace("{bin}", str(bin_dir)) for word in TEMPLATES[role]]
    outcome = assay.run("--profile", "impi-0.0", template=template, cases=root / "tester" / "cases")
    wrong = [(one["id"], one["verdict"], one["reason"]) for one in outcome.report["cases"]
             if one["verdict"] not in ("pass", "warn", "skip")]
    assert outcome.report["problem"] == "" and wrong == [] and outcome.status == 0
    assert outcome.report["sut"]["role"] == role and outcome.report["summary"]["pass"] > 100
