# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The book at /book: for everybody, section by section or whole, and under a policy that lets nothing run but its own
style and script."""

import base64
import gzip
import hashlib
import re

import pytest

HEAVIEST = 100_000  # octets as they are sent


def source(book: bytes, tag: str) -> str:
    """What a Content-Security-Policy calls the one piece in this tag."""
    pieces = re.findall(rf"<{tag}>(.*?)</{tag}>".encode(), book, re.DOTALL)
    assert len(pieces) == 1, f"{len(pieces)} <{tag}>"
    return f"'sha256-{base64.b64encode(hashlib.sha256(pieces[0]).digest()).decode()}'"


def directives(answer) -> dict:
    """The policy of an answer, by directive."""
    words = [part.split() for part in answer.headers["content-security-policy"].split(";")]
    return {name: " ".join(sources) for name, *sources in words}


PROFILES = ("portals-3.0", "portals-3.2", "portals-3.3", "impi-0.0", "intercept-1.0")
SECTION = re.compile(rb'<section class="part" id="([^"]*)"( data-later)?>(.*?)</section>', re.DOTALL)


def test_anybody_can_read_it(nobody, build):
    answer = nobody.get("/book/portals-3.0/whole")
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.body == (build / "share" / "portals-3.0.html").read_bytes()
    assert nobody.get("/book").body == nobody.get("/book/portals-3.0").body


@pytest.mark.parametrize("profile", PROFILES)
def test_section_by_section(nobody, build, profile):
    """The outline with its sections put in is the whole book; as it is sent, it weighs little."""
    whole = (build / "share" / f"{profile}.html").read_bytes()
    outline = nobody.get(f"/book/{profile}").body
    sections = {name: inside for name, later, inside in SECTION.findall(outline) if later}
    assert len(sections) > 40 and len(gzip.compress(outline)) < HEAVIEST
    for name, heading in sections.items():
        answer = nobody.get(f"/book/{profile}/{name.decode()}")
        assert answer.status == 200 and len(gzip.compress(answer.body)) < HEAVIEST, name
        assert re.match(rb"<h[12]>", heading) and SECTION.fullmatch(answer.body)[3].startswith(heading)
        placeholder = b'<section class="part" id="%s" data-later>%s</section>' % (name, heading)
        assert outline.count(placeholder) == 1
        outline = outline.replace(placeholder, answer.body)
    assert outline == whole


def test_what_is_in_a_section_finds_it(nobody):
    """By the id of a requirement, of a case or of a mutant comes the section around it."""
    for name in ("P30-137", "case-md-full-takes-nothing", "mutant-empty-request-refused", "message-put"):
        section = nobody.get(f"/book/portals-3.0/{name}").body
        assert SECTION.fullmatch(section) and f' id="{name}"'.encode() in section
    for name in ("nothing", "top", "main", "wanted", "x%22y", "case-md-full-takes", "a" * 300):
        assert nobody.get(f"/book/portals-3.0/{name}").status == 404, name


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


def test_each_profile_has_its_own(nobody):
    for profile in PROFILES:
        answer = nobody.get(f"/book/{profile}")
        assert f'data-profile="{profile}"'.encode() in answer.body
        assert directives(answer)["style-src"] == source(answer.body, "style")
    answer = nobody.get("/book/portals-9.9")
    assert (answer.status, answer.json["error"]["code"]) == (404, "not_found")
