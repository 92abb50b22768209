# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Fixtures: a service that all tests of a module share, and services of one's own."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from service import Client, Service  # noqa: E402


@pytest.fixture(scope="module")
def service(bin_dir, tmp_path_factory):
    one = Service(bin_dir, tmp_path_factory.mktemp("service") / "data")
    one.read_link()
    yield one
    one.end()


@pytest.fixture
def own_service(bin_dir, tmp_path):
    """own_service(*options): a service that the test may kill."""
    started = []

    def start(*options):
        started.append(Service(bin_dir, tmp_path / f"data{len(started)}", *options))
        return started[-1]

    yield start
    for one in started:
        one.end()


@pytest.fixture(scope="module")
def client(service):
    return service.client()


@pytest.fixture
def nobody(service):
    return Client(service)
