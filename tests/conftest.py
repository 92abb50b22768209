# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What every Python test knows about the build under test.

`make pytest` sets the environment; run by hand, a test takes the release build of this tree.
"""

import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent


def _folder(variable: str, default: pathlib.Path) -> pathlib.Path:
    return pathlib.Path(os.environ.get(variable, default)).resolve()


@pytest.fixture(scope="session")
def root() -> pathlib.Path:
    """The root of the source tree."""
    return ROOT


@pytest.fixture(scope="session")
def build() -> pathlib.Path:
    """The build folder (`make B=`)."""
    return _folder("ASSAY_BUILD", ROOT / "build")


@pytest.fixture(scope="session")
def bin_dir() -> pathlib.Path:
    """Where the programs of the variant under test are."""
    return _folder("ASSAY_BIN", ROOT / "build" / "bin")


@pytest.fixture(scope="session")
def lib_dir() -> pathlib.Path:
    """Where the libraries of the variant under test are."""
    return _folder("ASSAY_LIB", ROOT / "build" / "lib")


@pytest.fixture(scope="session")
def variant() -> str:
    """release, debug, asan, tsan or fuzz."""
    return os.environ.get("ASSAY_VARIANT", "release")
