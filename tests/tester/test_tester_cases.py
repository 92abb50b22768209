# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Case files: what is refused when they are loaded, what a case cannot do, how its verdict comes about."""

import json
import shutil

import pytest

HEAD = 'case { id = "%s", title = "T", purpose = "P.", suite = "s", chapter = "1", requirements = { "P30-001" }, '


def one(body, name="one", more=""):
    """A file with a single case."""
    return HEAD % name + f"{more} run = function(t)\n{body}\nend }}\n"


BROKEN = {
    "case { id = ": "cases.lua:1: unexpected symbol near",
    "\n\nnonsense(1)": "cases.lua:3: attempt to call a nil value",
    "case(7)": "table expected, got number",
    one("", name="Big"): "a case's id is 1 to 64 of a-z, 0-9 and -",
    one("", name="preflight"): "the preflight has this id",
    one("", more="rank = 2,"): "a case has no field rank",
    one("", more="ranks = 'two',"): "the field ranks of a case must be a whole number",
    one("", more="features = { 1 },"): "the field features of a case must be a list of texts",
    one("", more="verbs = { 'pause', {} },"): "the field verbs of a case must be a list of texts",
    one("", more="ranks = 257,"): "ranks must be 1 to 256",
    one("", more="deadline = 0,"): "deadline must be 1 to 600 seconds",
    one("") + one(""): 'there is another case "one"',
    'case { id = "x", title = "T", purpose = "P", suite = "s", chapter = "1", run = print }': "lacks its field",
    one("").replace("P30-001", "somewhere"): "a requirement is written like P30-001",
    "\x1bLua": "attempt to load a binary chunk",
    "while true do end": "the case runs too many instructions",
    "local t = {} while true do t[#t + 1] = string.rep('x', 1000000) end": "not enough memory",
    "-- nothing": "holds no case",
    "defaults { suite = 7 }": "the field suite of a case must be a text",
    "defaults { requirements = { 'P30-001' } }": "each case says its field requirements for itself",
    "defaults { sweet = 's' }": "a case has no field sweet",
    "defaults 's'": "table expected, got string",
}


@pytest.mark.parametrize("source", BROKEN)
def test_broken_file(assay, source):
    assay.write(source)
    process = assay.call("cases")
    assert process.returncode == 2
    assert BROKEN[source] in process.stderr
    assert process.stderr.count("\n") == 1 and process.stderr.startswith("assay cases: ")
    outcome = assay.fake("good")
    assert outcome.status == 2 and outcome.report is None, "the run is refused"


def test_declaration_that_is_caught(assay):
    """A file may catch the error of one declaration; nothing of that stays among the cases."""
    assay.write("pcall(case, {}) pcall(case, { id = 'half' })" + one("t:equal('P30-001', 'one', 1, 1)"))
    process = assay.call("cases", "--json")
    assert process.returncode == 0 and [each["id"] for each in json.loads(process.stdout)] == ["one"], process
    assert assay.fake("good").status == 0


def test_error_names_the_file_as_it_is_seen_from_here(assay):
    assay.write("\n\n)")
    process = assay.call("cases", cwd=assay.folder)
    assert process.stderr.startswith("assay cases: cases/portals-3.0/cases.lua:3: ")


def test_defaults_of_a_file(assay):
    """What a file says once holds for its cases from there on, unless a case says it itself, and for no other file."""
    plain = one("t:equal('P30-001', 'one', 1, 1)").replace(' suite = "s", chapter = "1",', "")
    assay.write("defaults { suite = 'a', chapter = '1', ranks = 2 }" + plain
                + plain.replace('id = "one"', 'id = "two", suite = "own"')
                + "defaults { suite = 'b', chapter = '2' }" + plain.replace('id = "one"', 'id = "three"'))
    assay.write(one("", name="four"), "later.lua")
    listed = [(each["id"], each["suite"], each["chapter"], each["ranks"])
              for each in json.loads(assay.call("cases", "--json").stdout)]
    assert listed == [("one", "a", "1", 2), ("two", "own", "1", 2), ("three", "b", "2", 1), ("four", "s", "1", 1)]
    assert assay.fake("good", "--case", "three").status == 0
    assay.write(plain, "later.lua")
    assert "lacks its field suite" in assay.call("cases").stderr


def test_folders_are_read_in_the_order_of_their_names(assay):
    """Cases may stand in folders below the profile's, libraries below lib; a report names the folder."""
    for path, name in (("2-first/20-b.lua", "two"), ("2-first/10-a.lua", "one"), ("3-then/deeper/a.lua", "three")):
        assay.write(one("Words.check(t)", name=name), path)
    library = assay.cases / "lib"
    source = library.resolve()
    library.unlink()
    shutil.copytree(source, library)
    assay.write("Words = {}", "../lib/words.lua")
    assay.write("function Words.check(t) t:equal('P30-001', 'one', 1, 1) end", "../lib/words/check.lua")
    listed = json.loads(assay.call("cases", "--json").stdout)
    assert [each["id"] for each in listed] == ["one", "two", "three"]
    outcome = assay.fake("good")
    assert outcome.status == 0 and outcome.report["cases"][2]["file"] == "portals-3.0/3-then/deeper/a.lua"


# body: verdict, axis, what the reason says
BODIES = {
    "io.open('x')": ("inconclusive", "tester", "global 'io'"),
    "os.exit(1)": ("inconclusive", "tester", "global 'os'"),
    "require('os')": ("inconclusive", "tester", "global 'require'"),
    "load('return 1')": ("inconclusive", "tester", "global 'load'"),
    "core.nothing()": ("inconclusive", "tester", "field 'nothing'"),
    "while true do pcall(function() while true do end end) end": ("inconclusive", "tester", "too many instructions"),
    "local x = 'x' while true do x = x .. x end": ("inconclusive", "tester", "not enough memory"),
    "local s = ''": ("inconclusive", "tester", "ended without a judgement by P30-001"),
    "error({})": ("inconclusive", "tester", "an error that is not a text"),
    "t:equal('P30-002', 'x', 1, 1)": ("inconclusive", "tester", 'judges "P30-002", which its list'),
    "t:equal('P30-001', 'one', 1, 2)": ("fail", "sut", "one"),
    "t:equal('P30-001', 'tables', {1, {a = 'x'}}, {1, {a = 'x'}})": ("pass", "", ""),
    "pcall(t.equal, t, 'P30-001', 'first', 1, 2) t:equal('P30-001', 'second', 1, 1)": ("fail", "sut", "first"),
    "t:equal_or_warn('P30-001', 'code', 'B', 'A', { B = 'later reading' })": ("warn", "sut", "code: later reading"),
    "t:equal_or_warn('P30-001', 'code', 'C', 'A', { B = 'later reading' })": ("fail", "sut", "code"),
    "t:sanity('two and two', 2 + 2 == 5)": ("inconclusive", "sut", "what the case rests on does not hold: two and two"),
    "t:skip('no such thing')": ("skip", "sut", "no such thing"),
    "t:inconclusive('network', 'no cable')": ("inconclusive", "network", "no cable"),
    "t.random('x')": ("inconclusive", "tester", "random wants an integer as its first argument, got string"),
    "pcall(t.random) t.random()": ("inconclusive", "tester", "wants an integer as its first argument, got nothing"),
    "t:inconclusive('weather', 'rain')": ("inconclusive", "tester", "refuses its second argument: it is no axis"),
    "t.ranks[0]:pause(60000)": ("skip", "configuration", "does not know the command pause"),
    "t.ranks[0]:PtlPut {}": ("inconclusive", "tester", "PtlPut needs target"),
    "t.ranks[0]:quit() t.ranks[0]:PtlInit()": ("inconclusive", "tester", "sent to a process that was told to end"),
    "t:peer {}:accept(1e9)": ("inconclusive", "tester", "longer than its deadline of 1 s"),
    "t:send_invalid('P30-001', nil, {}, { state = 'x' })": ("inconclusive", "tester", "attempt to index a nil value"),
}


def test_bodies(assay):
    """All in one run, each in a case of its own: no case disturbs the next."""
    assay.write("".join(one(body, name=f"case-{i}", more="deadline = 1," if "1e9" in body else "")
                        for i, body in enumerate(BODIES)))
    outcome = assay.fake("good")
    for i, (body, (verdict, axis, reason)) in enumerate(BODIES.items()):
        case = outcome.case(f"case-{i}")
        assert (case["verdict"], case["axis"]) == (verdict, axis), (body, case)
        assert reason in case["reason"], (body, case)
    assert outcome.report["summary"]["pass"] == 1


def test_cases_do_not_see_each_other(assay):
    assay.write(one("leftover = 1 string.rep = nil t:check('P30-001', 'x', true)", name="a")
                + one("t:check('P30-001', 'nothing is left', leftover == nil and string.rep ~= nil)", name="b"))
    assert assay.fake("good").status == 0


def test_files_do_not_see_each_other(assay):
    """What a file assigns to a global variable ends with the file, while cases are listed as while they run."""
    assay.write("leftover = 1 " + one("t:equal('P30-001', 'one', leftover, 1)", name="a"), "a.lua")
    assay.write("assert(leftover == nil) " + one("t:check('P30-001', 'x', leftover == nil)", name="b"), "b.lua")
    assert assay.call("cases").returncode == 0
    assert assay.fake("good").status == 0


def test_chance_comes_from_the_seed(assay):
    assay.write(one("local n = t.random(1 << 62) .. ' ' .. t.random(6) t:equal('P30-001', 'x', n, n)"))

    def drawn(seed):
        outcome = assay.fake("good", "--seed", str(seed))
        assert outcome.report["seed"] == str(seed)
        return (outcome.folder / "cases" / "one.txt").read_text().split("good: x: ")[1].split("\n")[0]

    assert drawn(7) == drawn(7)
    assert drawn(7) != drawn(8)


def test_listing(assay, root):
    process = assay.call("cases", "--profile", "portals-3.0", "--json", cases=root / "tester" / "cases")
    listed = json.loads(process.stdout)
    assert process.returncode == 0 and len(listed) >= 90
    keys = {"id", "title", "suite", "chapter", "requirements", "ranks", "wire", "negative", "file"}
    assert all(keys <= set(case) for case in listed)
    assert len({case["id"] for case in listed}) == len(listed)
    known = {row["id"] for row in json.loads((root / "specs" / "portals-3.0.json").read_text())}
    assert {name for case in listed for name in case["requirements"]} <= known


def test_unknown_profile_lists_the_known(assay):
    process = assay.call("cases", "--profile", "portals-9")
    assert process.returncode == 2
    assert 'no profile "portals-9"' in process.stderr and "there are: portals-3.0" in process.stderr
