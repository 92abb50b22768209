# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The book at /book: for everybody, whole, and under a policy that lets nothing run but its own style and script."""

import base64
import hashlib
import re


def source(book: bytes, tag: str) -> str:
    """What a Content-Security-Policy calls the one piece in this tag."""
    pieces = re.findall(rf"<{tag}>(.*?)</{tag}>".encode(), book, re.DOTALL)
    assert len(pieces) == 1, f"{len(pieces)} <{tag}>"
    return f"'sha256-{base64.b64encode(hashlib.sha256(pieces[0]).digest()).decode()}'"


def directives(answer) -> dict:
    """The policy of an answer, by directive."""
    words = [part.split() for part in answer.headers["content-security-policy"].split(";")]
    return {name: " ".join(sources) for name, *sources in words}


def test_anybody_can_read_it(nobody, build):
    answer = nobody.get("/book")
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.body == (build / "share" / "portals-3.0.html").read_bytes()


def test_policy_names_its_own_pieces_only(nobody):
    answer = nobody.get("/book")
    policy = directives(answer)
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == policy["frame-ancestors"] == "'none'"
    assert policy["style-src"] == source(answer.body, "style")
    assert policy["script-src"] == source(answer.body, "script")
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_other_pages_keep_their_policy(nobody):
    assert directives(nobody.get("/sign-in"))["script-src"] == "'self'"


def test_kept_copy_is_good_until_it_changes(nobody):
    first = nobody.get("/book")
    again = nobody.get("/book", If_None_Match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert directives(again) == directives(first)


def test_pages_link_to_it(nobody):
    assert b'href="/book"' in nobody.get("/sign-in").body
    assert b"`/book/${profile}#${id}`" in nobody.get("/assets/dom.js").body


def test_each_profile_has_its_own(nobody, build):
    for profile in ("portals-3.0", "portals-3.2", "portals-3.3", "impi-0.0", "intercept-1.0"):
        answer = nobody.get(f"/book/{profile}")
        assert answer.body == (build / "share" / f"{profile}.html").read_bytes()
        assert directives(answer)["style-src"] == source(answer.body, "style")
    answer = nobody.get("/book/portals-9.9")
    assert (answer.status, answer.json["error"]["code"]) == (404, "not_found")
