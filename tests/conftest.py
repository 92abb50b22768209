# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What every Python test knows about the build under test.

`make pytest` sets the environment; run by hand, a test takes the release build of this tree.
"""

import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent


def pytest_configure(config):
    config.addinivalue_line("markers", "long: left to `make check-long` by `make check`")


def pytest_collection_modifyitems(config, items):
    """ASSAY_LONG: `no` leaves the long tests out, `only` takes nothing else; otherwise all are run."""
    wanted = os.environ.get("ASSAY_LONG")
    if wanted not in ("no", "only"):
        return
    left_out = [item for item in items if (item.get_closest_marker("long") is None) == (wanted == "only")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


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
