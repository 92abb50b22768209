# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Variants: how they are read, several as one, pairs of readings, what makes a result stale, what the lint refuses."""

import itertools
import json
import pathlib
import shutil
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "mutants"), str(HERE.parent / "variants")]

import bindings  # noqa: E402
import entries  # noqa: E402
import lua  # noqa: E402
import permitted  # noqa: E402
import results  # noqa: E402

KNOWN = "P30" "-001"
SOURCE = "int one(void)\n{\n    int a = 1;\n\n    return a;\n}\n"
HEAD = "near: {0}\nallows: 1.1 says nothing of it.\nwhy: Some do.\n".format(KNOWN)
OTHER = f"variant: other\n{HEAD}in: one\n- int a = 1;\n+ int a = 2;\n"
LATER = f"variant: later\n{HEAD}in: one\n- return a;\n+ return a + 1;\n"
PATH = "tests/variants/proof-1/some.variants"


def read(text):
    return {one.name: one for one in permitted.parse_all([(PATH, text)])}


def applied(variant):
    return entries.apply(variant, entries.Sources({"x.c": SOURCE}.__getitem__, ["x.c"]))["x.c"]


def test_a_variant_of_others_is_put_together_in_their_order():
    both = read(f"{OTHER}\n{LATER}\nvariant: both\n{HEAD}of: other later\nin: one\n- return a + 1;\n+ return a - 1;\n")
    text = applied(both["both"])
    assert "int a = 2;" in text and "return a - 1;" in text
    bare = read(f"{OTHER}\n{LATER}\nvariant: both\n{HEAD}of: other later\n")["both"]
    assert "return a + 1;" in applied(bare)
    assert applied(permitted.together([both["other"], both["later"]])) == applied(bare)


@pytest.mark.parametrize("text, words", [
    (OTHER.replace("allows: 1.1 says nothing of it.\n", ""), "lacks `allows"),
    (f"variant: none\n{HEAD}", "lacks `in"),
    (f"variant: both\n{HEAD}of: nothing\n", "consists of nothing"),
    (f"variant: self\n{HEAD}of: self\n", "consists of self"),
    (f"variant: a\n{HEAD}of: b\n\nvariant: b\n{HEAD}of: a\n", "consists of"),
    (OTHER.replace("why", "breaks"), "is no part of a variant"),
    (OTHER + "\n" + OTHER, "has a variant other too"),
])
def test_what_cannot_be_read_is_refused(text, words):
    with pytest.raises(entries.Unreadable, match=words):
        read(text)


def test_pairs_of_readings_all_meet():
    text = "\n".join(f"variant: v{at}\n{HEAD}reading: s{at}=no\nin: one\n+ int b{at};\n  int a = 1;\n"
                     for at in range(7))
    lists = permitted.covering(permitted.alternatives(list(read(text).values())))
    names = [{one.name for one in each} for each in lists]
    for one, other in itertools.permutations((f"v{at}" for at in range(7)), 2):
        assert any(one in each and other in each for each in names)
        assert any(one in each and other not in each for each in names)
    assert len(names) <= 7
    assert permitted.alternatives(list(read(OTHER).values())) == []


def test_those_that_do_not_meet_are_put_together():
    def entry(name, where, reading="", role=""):
        more = f"reading: {reading}\n" * bool(reading) + f"role: {role}\n" * bool(role)
        return f"variant: {name}\n{HEAD}{more}in: {where}\n- int a = 1;\n+ int a = 2;\n"

    several = [entry("a", "one"), entry("b", "one"), entry("c", "two", "s=no"), entry("d", "three", "s=never"),
               entry("e", "four", "r=no"), entry("f", "five", "", "server"), entry("g", "six"), entry("h", "seven")]
    lists = permitted.grouped(list(read("\n".join(several)).values()), 4)
    assert [[one.name for one in each] for each in lists] == [["a", "c", "e", "g"], ["b", "d", "h"], ["f"]]


def test_words_mean_variants():
    several = list(read(f"{OTHER}\n{LATER}").values())

    def named(*words):
        return [one.name for one in permitted.select(several, list(words))]

    assert named() == ["later", "other"] and named("o*") == ["other"] and named("proof-1/some") == ["later", "other"]
    assert named(KNOWN) == ["later", "other"]
    assert named("later+other") == ["later+other"] and named("other", "later+other") == ["other", "later+other"]
    for word in ("nobody", "other+nobody"):
        with pytest.raises(entries.Misfit, match="no variant is meant by nobody"):
            named(word)


def bound(source=SOURCE, case="case { id = \"a\", run = function(t) t:step(1) end }"):
    cases = lua.Cases([("tester/cases/proof-1/a.lua", case)])
    return results.Tree(bindings.Tree(entries.Sources({"x.c": source}.__getitem__, ["x.c"]), cases))


def report(verdict, outcome="conforms"):
    return [{"outcome": {"name": outcome}, "cases": [{"id": "a", "verdict": verdict, "requirement": KNOWN,
                                                      "reason": "It works.", "expected": "1", "observed": "2"}]}]


def test_a_result_is_stale_when_what_it_binds_has_changed():
    variant = read(OTHER)["other"]
    kept = bound().result(variant, "proof-1", report("pass"), report("pass"))
    assert bound().stale(variant, "proof-1", kept) == ""
    assert bound().stale(variant, "proof-1", None) == "it has not been judged yet"
    assert "has changed" in bound(SOURCE.replace("return a", "return -a")).stale(variant, "proof-1", kept)
    assert "a case" in bound(case="case { id = \"a\" }").stale(variant, "proof-1", kept)


def test_of_several_that_conform_each_is_kept():
    tree = bound(SOURCE + SOURCE.replace("one", "two"))
    several = read(f"{OTHER}\nvariant: second\n{HEAD}in: two\n- int a = 1;\n+ int a = 2;\n")
    one = permitted.together(list(several.values()))
    found = tree.result(one, "proof-1", report("pass"), report("pass"))
    each = tree.of_each(one, "proof-1", found, {})
    assert {name: kept["with"] for name, kept in each.items()} == {"other": ["second"], "second": ["other"]}
    assert not any(tree.stale(several[name], "proof-1", kept) for name, kept in each.items())
    alone = tree.result(several["other"], "proof-1", report("pass"), report("pass"))
    assert list(tree.of_each(one, "proof-1", found, {"other": alone})) == ["second"], "alone says more"
    assert tree.of_each(several["other"], "proof-1", alone, {}) == {"other": alone}
    accused = tree.result(one, "proof-1", report("pass"), report("fail", "fails"))
    assert tree.of_each(one, "proof-1", accused, {}) == {}, "which of them it was is not known"


def test_a_result_names_what_the_unchanged_reference_is_not_told():
    variant = read(OTHER)["other"]
    for verdict, field in (("warn", "warned"), ("skip", "skipped"), ("fail", "accused"), ("inconclusive", "accused")):
        outcome = "does-not-conform" if verdict == "fail" else verdict if field == "accused" else "conforms-in-part"
        found = bound().result(variant, "proof-1", report("pass"), report(verdict, outcome))
        assert list(found[field]) == ["a"]
        assert found["outcome"] == (outcome if field == "accused" else "conforms")
    usual = bound().result(variant, "proof-1", report("warn"), report("warn"))
    assert (usual["warned"], usual["skipped"], usual["accused"]) == ([], [], {})


@pytest.fixture(name="tree")
def fixture_tree(tmp_path):
    """A tree that is in order but for what a test writes into it; `tree(files)` gives what the lint says."""
    row = {"id": KNOWN, "section": "1.1", "testable": True, "level": "must"}
    profile = {"name": "proof-1", "prefix": "P30", "complete": False, "requirements": 1, "ambiguities": 0,
               "roles": [{"name": "server"}]}
    switch = {"name": "s", "default": "yes", "requirements": [KNOWN], "readings": [{"value": "yes"}, {"value": "no"}]}
    files = {"specs/profiles.json": json.dumps([profile]), "specs/proof-1.json": json.dumps([row]),
             "specs/proof-1.switches.json": json.dumps({"profile": "proof-1", "switches": [switch]}),
             "wire/x.c": SOURCE, PATH: OTHER}
    for part in ("", "mutants", "lint", "variants"):
        for path in (HERE.parent / part).glob("*.py"):
            (tmp_path / "tests" / part).mkdir(parents=True, exist_ok=True)
            shutil.copy(path, tmp_path / "tests" / part)

    def say(**others):
        for path, text in {**files, **{"results.json": "", **others}}.items():
            if path == "results.json":
                path = results.RESULTS
            if text:
                (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / path).write_text(text)
        done = subprocess.run([sys.executable, str(tmp_path / "tests/lint/variants.py"), "--root", str(tmp_path)],
                              capture_output=True, text=True, check=False, timeout=60)
        return done.returncode, done.stdout

    return say


def test_the_lint_finds_nothing_in_good_variants(tree):
    status, said = tree(**{PATH: OTHER.replace("in: one", "role: server\nreading: s=no\nin: one")})
    assert status == 0 and "1 of 1 results are stale, as of other" in said


@pytest.mark.parametrize("path, text, words", [
    (PATH, OTHER.replace(KNOWN, "P30" "-777"), "which no catalogue has"),
    (PATH, OTHER.replace("in: one", "role: client\nin: one"), "proof-1 has no role `client`; it has server"),
    (PATH, OTHER.replace("in: one", "reading: s=yes\nin: one"), "is no other reading"),
    (PATH, OTHER.replace("int a = 1", "int a = 7"), "does not stand in one any more"),
    ("tests/variants/proof-2/a.variants", LATER, "is judged by proof-1; move it"),
    (PATH, OTHER.replace("why", "how"), "is no part of a variant"),
    ("results.json", json.dumps({"gone": {"outcome": "conforms", "accused": {}}}), "gone is no variant"),
    ("results.json", json.dumps({"other": {"outcome": "inconclusive", "accused": {"a": "fail"}}}), "is accused by a"),
], ids=["requirement", "role", "reading", "a misfit", "folder", "form", "no variant", "accused"])
def test_the_lint_finds(tree, path, text, words):
    status, said = tree(**{path: text})
    assert status == 1 and words in said, said
