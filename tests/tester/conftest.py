# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The fixture of this folder's tests."""

import pytest

from assay_program import Assay


@pytest.fixture
def assay(bin_dir, root, tmp_path):
    """The program `assay` with an own, empty folder of cases."""
    return Assay(bin_dir, root, tmp_path)
