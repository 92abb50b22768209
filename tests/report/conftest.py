# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The program `assay`, as the tests of the engine have it."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tester"))

from assay_program import Assay  # noqa: E402


@pytest.fixture
def assay(bin_dir, root, tmp_path):
    """The program `assay` with an own, empty folder of cases."""
    return Assay(bin_dir, root, tmp_path)
