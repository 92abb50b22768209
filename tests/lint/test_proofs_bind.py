# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""What makes a proof stale: that a case, what it uses, the mutant or what it changes is weakened or otherwise another;
and what does not: comments, layout, titles, places, and everything that has nothing to do with it."""

import json
import pathlib
import shutil
import subprocess
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "mutants"))

import bindings  # noqa: E402
import entries  # noqa: E402
import groups  # noqa: E402
import lua  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = HERE.parent / "mutants" / "run.py"
CASES = "tester/cases/proof-1/some.lua"
SOURCE = "wire/x.c"
ENTRY = "tests/mutants/wire/x.c.mutants"
TREE = {
    "tester/cases/lib/judge.lua": """
function Test:holds(value)
  return self:agree(value)
end

function Test:agree(value)
  return value == LIMIT
end

function Test:other()
  return 1
end

for name in pairs(Known) do
  Test[name] = true
end
""",
    "tester/cases/lib/judge/deep.lua": "for name in pairs(Deep) do\n  Test[name] = 1\nend\n",
    "tester/cases/lib/proof.lua": "LIMIT = 3\n",
    "tester/cases/lib/another.lua": "function Test:holds() end\n",
    "tester/cases/another-1/some.lua": "case { id = \"elsewhere\" }\n",
    "tester/cases/proof-1/beside.lua": "local List = {}\nfunction List:holds() return 1 end\n",
    CASES: """-- Some cases.

local function prepared(t)
  return t:holds(1)
end

local function unused()
  return 2
end

case {
  id = "good",
  title = "It is good",
  run = function(t)
    prepared(t)
  end,
}

case {
  id = "other",
  run = function(t)
    t:other()
  end,
}

for _, verb in ipairs { "put", "get" } do
  case {
    id = "loop-" .. verb,
    run = function(t)
      t:other(verb)
    end,
  }
end
""",
    SOURCE: "int one(int a)\n{\n    return a;\n}\n\nint two(int a)\n{\n    return a;\n}\n",
    ENTRY: "mutant: m\nbreaks: P30" "-001\nwhy: It never works.\nin: one\n- return a;\n+ return 2;\n",
    "specs/profiles.json": "[]",
}


class Planted:
    """A tree with a mutant whose proof is fresh."""

    def __init__(self, root):
        self.root = root
        for path, text in TREE.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        for part in ("", "mutants", "lint"):
            for path in (HERE.parent / part).glob("*.py"):
                (root / "tests" / part).mkdir(parents=True, exist_ok=True)
                shutil.copy(path, root / "tests" / part)
        mutant = groups.load(root)[0]
        proof = bindings.Tree.below(root).proof(mutant, {mutant.breaks: {"good": "fail", "loop-put": "warn"}})
        (root / bindings.PROOFS).write_text(bindings.one_by_line({"m": proof}))

    def change(self, path, old, new):
        """Puts other text in its place."""
        text = (self.root / path).read_text()
        assert old in text
        (self.root / path).write_text(text.replace(old, new))

    def reasons(self):
        """Why the proof is stale."""
        mutant = groups.load(self.root)[0]
        return bindings.Tree.below(self.root).stale(mutant, bindings.load(self.root)["m"])

    def run(self, *arguments):
        """What the program says of it."""
        program = self.root / "tests" / "mutants" / "run.py"
        return subprocess.run([sys.executable, str(program), *arguments], cwd=self.root, capture_output=True, text=True,
                              check=False, timeout=60)


@pytest.fixture(name="planted")
def fixture_planted(tmp_path):
    """That tree."""
    return Planted(tmp_path)


CASE = ["the case good, or what it uses, has changed"]
BOTH = [*CASE, "the case loop-put, or what it uses, has changed"]
MUTANT = ["the mutant, or one, has changed"]


@pytest.mark.parametrize("path, old, new, reasons", [
    (CASES, "    prepared(t)\n", "", CASE),
    (CASES, "t:holds(1)", "true", CASE),
    ("tester/cases/lib/judge.lua", "value == LIMIT", "true", CASE),
    ("tester/cases/lib/proof.lua", "3", "4", CASE),
    ("tester/cases/lib/judge.lua", "= true\n", "= false\n", BOTH),
    ("tester/cases/lib/judge.lua", "return 1", "return 2", BOTH[1:]),
    (CASES, '"get"', '"reply"', BOTH[1:]),
    (CASES, 'id = "good"', 'id = "best"', ["there is no case good"]),
    (SOURCE, "one(int a)\n{\n    return a;", "one(int a)\n{\n    return a;\n    return 1;", MUTANT),
    (ENTRY, "+ return 2;", "+ return 3;", MUTANT),
    (ENTRY, "P30" "-001", "P30" "-002", MUTANT),
    (ENTRY, "- return a", "- return b", MUTANT),
], ids=["an emptied case", "a helper of its file", "a helper of a helper", "a limit", "what fills a table", "a word",
        "a loop", "no case", "the function", "the change", "the requirement", "a misfit"])
def test_what_makes_a_proof_stale(planted, path, old, new, reasons):
    assert planted.reasons() == []
    planted.change(path, old, new)
    assert planted.reasons() == reasons


@pytest.mark.parametrize("path, old, new", [
    (CASES, "-- Some cases.", "-- Some other cases."),
    (CASES, "    prepared(t)\n", "      prepared(t) -- it is\n\n"),
    (CASES, "It is good", "It is better"),
    (CASES, "return 2", "return 3"),
    (CASES, 'id = "other"', 'id = "others"'),
    ("tester/cases/lib/another.lua", "end", "return 7 end"),
    ("tester/cases/another-1/some.lua", "elsewhere", "nowhere"),
    ("tester/cases/proof-1/beside.lua", "return 1", "return 2"),
    (SOURCE, "two(int a)\n{\n    return a;", "two(int a)\n{\n    return 7;"),
    (SOURCE, "    return a;\n}\n\n", "        return a; // why\n}\n\n"),
    (ENTRY, "It never works", "It works at times"),
    (ENTRY, "- return a", "-     return  a"),
], ids=["a comment", "layout", "a title", "a helper that is not used", "another case", "another family",
        "another profile", "a method of another file", "another function", "layout of C", "why",
        "layout of the mutant"])
def test_what_does_not(planted, path, old, new):
    planted.change(path, old, new)
    assert planted.reasons() == []


def test_moves_do_not(planted):
    """Neither of a source with its mutants nor of a file of cases."""
    for path, to in ((SOURCE, "wire/deep.c"), (CASES, "tester/cases/proof-1/deep/any.lua")):
        (planted.root / to).parent.mkdir(exist_ok=True)
        (planted.root / path).rename(planted.root / to)
    assert planted.run("--regroup").stdout.startswith("1 mutants were put into the file of another source: m")
    assert (planted.root / "tests/mutants/wire/deep.c.mutants").exists()
    assert planted.reasons() == []
    assert json.loads((planted.root / bindings.PROOFS).read_text())["m"]["source"] == "wire/deep.c"


def test_a_weakened_case_is_refused(planted):
    """It is told by the lint, by the list, and by what the books and the service are given to show."""
    def lint():
        program = planted.root / "tests/lint/proofs.py"
        return subprocess.run([sys.executable, str(program), "--root", str(planted.root)], capture_output=True,
                              text=True, check=False, timeout=60).stdout

    assert "are stale" not in lint()
    assert "stale:" not in planted.run("--list").stdout
    assert planted.run("--stale").stdout == "no proof is stale\n"
    assert list(json.loads(planted.run("--current").stdout)) == ["m"]
    planted.change(CASES, "    prepared(t)\n", "")
    assert "1 of 1 proofs are stale, as of m; run `make mutants MUTANTFLAGS=--stale`" in lint()
    assert f"stale: {CASE[0]}" in planted.run("--list").stdout
    assert json.loads(planted.run("--current").stdout) == {}
    done = planted.run("--stale")
    assert done.returncode == 1 and "no proof is stale" not in done.stdout


def test_a_warning_may_be_all():
    """Of a `must` without other readings a warning catches nothing, unless the mutant says why it can be no more."""
    catalogue = bindings.Catalogue([{"id": "row", "level": "must"}], [])
    text = "mutant: odd\nbreaks: row\nwhy: It is.\nwarns: The text is lost.\nin: f\n- a\n"
    mutant = entries.parse(text, "f.mutants")[0]
    assert (mutant.warns, mutant.text) == ("The text is lost.", text)
    assert not catalogue.caught("row", ["warn"])
    assert catalogue.caught("row", ["warn"], mutant.warns) and catalogue.caught("row", ["fail", "warn"])
    assert not catalogue.caught("row", [], mutant.warns)


def test_every_case_of_the_tree_is_found():
    """Each has parts of its own, and so none is bound by nothing."""
    folder = HERE.parents[1] / "tester" / "cases"
    cases = lua.Cases([(f"{bindings.CASES}{path.relative_to(folder)}", path.read_text())
                       for path in sorted(folder.rglob("*.lua"))])
    proven = {case for proof in bindings.load(HERE.parents[1]).values() for case in proof["caught_by"]}
    assert [case for case in sorted(proven) if not cases.digest(case)] == []
