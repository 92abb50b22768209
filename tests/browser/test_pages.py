# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Waiting for what never comes: it ends, and what it says tells what was wanted and what was there instead."""

import pytest

from pages import Browser, Wait


def test_who_waits_in_vain_is_told_what_was_there(chrome, service, screenshots):
    browser = Browser(chrome, service, screenshots)
    browser.open("/sign-in")
    browser.heading("Sign in")
    with pytest.raises(AssertionError) as told:
        Wait(chrome, 0, screenshots).until(lambda _: browser.all("#no-such-element"), "an element #no-such-element")
    said = str(told.value)
    assert said.startswith("an element #no-such-element did not come within 0 s") and "Sign in" in said
    assert f"{service.url}/sign-in" in said and (screenshots / "awaited-in-vain.png").stat().st_size > 1000
