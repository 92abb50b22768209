# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A lint that finds nothing may be blind: each is shown a clean tree, then the same tree with one planted defect."""

import contextlib
import io
import json
import pathlib
import runpy
import shutil
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
HEAD = "SPDX-License-Identifier: BSD-2-Clause\n{0}Copyright (c) 2026 The Assay authors\n"
C_HEAD = "// " + HEAD.format("// ")
LUA_HEAD = "-- " + HEAD.format("-- ")
# Ids of the catalogue in these trees; put together here so that the real lint does not look for them in the real one.
NEVER = "tests/mutants/wire/octets.c.mutants"
KNOWN, OTHER, UNKNOWN = ("P30" + number for number in ("-001", "-002", "-777"))


def row(name, **changes):
    """A requirement as it should be, with changes; a field changed to None is left out."""
    whole = {"id": name, "section": "2.1", "obligation": "It must work.", "class": "normative", "level": "must",
             "testable": True, "check": "It is tried.", **changes}
    return {field: value for field, value in whole.items() if value is not None}


def caught(*names, verdict="fail"):
    """How a proof tells by which cases a mutant is caught."""
    return {name: {"verdict": verdict, "digest": "0"} for name in names}


class Sample:
    """A small tree that is in order, and the lints run on it."""

    def __init__(self, root):
        self.root = root
        self.write("wire/octets.h", C_HEAD + "#include <stdint.h>\n\nint wire_octets(void);\n")
        self.write("wire/octets.c", C_HEAD + '#include "wire/octets.h"\n\n'
                   f"int wire_octets(void)\n{{\n    return 1; //= {KNOWN}\n}}\n")
        self.write("ref-impl/include/portals.h", C_HEAD + "int PtlInit(void);\n")
        self.write("ref-impl/nal/nal.h", C_HEAD + "int nal_open(void);\n")
        self.write("ref-impl/core/match.h", C_HEAD + "int match_find(void);\n")
        self.write("ref-impl/core/match.c",
                   C_HEAD + '#include "ref-impl/core/match.h"\n#include "ref-impl/nal/nal.h"\n')
        self.write("tester/engine/engine.h", C_HEAD + "int engine_run(void);\n")
        self.write("interpreter/portals/verbs.h", C_HEAD)
        self.write("interpreter/portals/verbs.c", C_HEAD + '#include "verbs.h"\n#include <portals.h>\n')
        self.write("tester/cases/proof-1/basic.lua",
                   LUA_HEAD + f'case {{\n  id = "a",\n  requirements = {{ "{KNOWN}" }},\n}}\n')
        self.write(NEVER, f"mutant: never\nbreaks: {KNOWN}\nwhy: It never works.\n"
                   "in: wire_octets\n- return 1;\n+ return 2;\n")
        self.proof()
        self.write("README.md", "# A title\n\n[here](wire/octets.h) and [there](#a-title)\n")
        self.write(".clang-format", (HERE.parent.parent / ".clang-format").read_text())
        self.catalogue([row(KNOWN), row(OTHER)])

    def write(self, path, text):
        """Makes the file with this text."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def proof(self, **changes):
        """Makes the proofs: that of the one mutant, with changes."""
        proof = {"breaks": KNOWN, "source": "wire/octets.c", "in": ["wire_octets"], "why": "It never works.",
                 "caught_by": caught("a"), "digest": "0", **changes}
        self.write("tests/mutants/proofs.json", json.dumps({"never": proof}) + "\n")

    def profile(self, **changes):
        """Makes the table of profiles: the one row of proof-1, with changes; a field that is None is left out."""
        whole = {"name": "proof-1", "title": "Proof 1", "document": "Proofs.", "prefix": "P30", "complete": False,
                 "requirements": 2, "ambiguities": 0, "interpreter": {}, "jobs": "engine", "preflight": "portals",
                 "passive_checker": "portals", "wire": {}, "roles": [], "suites": [], **changes}
        self.write("specs/profiles.json",
                   json.dumps([{field: value for field, value in whole.items() if value is not None}]) + "\n")

    def catalogue(self, rows, complete=False, switches=None):
        """Makes the catalogue of the profile proof-1."""
        self.profile(complete=complete, requirements=len(rows))
        self.write("specs/proof-1.json", json.dumps(rows, indent=1) + "\n")
        if switches is not None:
            self.write("specs/proof-1.switches.json", json.dumps({"switches": switches}, indent=1) + "\n")

    def lint(self, name, *arguments):
        """Runs one lint on the tree: as a program, but within this one, since hundreds of starts take their time."""
        words = [str(HERE / f"{name}.py"), "--root", str(self.root), *map(str, arguments)]
        with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()) as errors, \
                pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as end:
            patch.setattr(sys, "argv", words)
            patch.setattr(sys, "path", [str(HERE), *sys.path])
            runpy.run_path(words[0], run_name="__main__")
        return subprocess.CompletedProcess(words, end.value.code, output.getvalue(), errors.getvalue())

    def clean(self, name, *arguments):
        """The lint has nothing to say."""
        done = self.lint(name, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def caught(self, name, *fragments, arguments=()):
        """The lint ends with status 1 and one of its lines holds all fragments."""
        done = self.lint(name, *arguments)
        assert done.returncode == 1, done.stdout + done.stderr
        assert any(all(part in line for part in fragments) for line in done.stdout.splitlines()), done.stdout
        assert not done.stderr.startswith("Traceback"), done.stderr


@pytest.fixture(name="tree")
def make_tree(tmp_path):
    """A tree that is in order."""
    return Sample(tmp_path)


@pytest.mark.parametrize("name", ["layers", "sizes", "catalogue", "requirements", "forgeries", "proofs", "layout",
                                  "data"])
def test_clean_tree(tree, name):
    """The tree into which the defects are planted has none itself."""
    tree.clean(name)


INCLUDES = [
    ("tester/engine/run.c", '#include "ref-impl/core/match.h"', 'tester/ must not include "ref-impl/core/match.h"'),
    ("tester/engine/run.c", "#include <portals.h>", "must not include <portals.h>"),
    ("tester/engine/run.c", "#include <sqlite3.h>", "<sqlite3.h> is for web/"),
    ("wire/clock.c", "#include <time.h>", "wire/ must not include <time.h>"),
    ("wire/clock.c", "#include <sys/socket.h>", "wire/ must not include <sys/socket.h>"),
    ("wire/up.c", '#include "tester/engine/engine.h"', "wire/ must not include"),
    ("ref-impl/nal/tcp/tcp.c", '#include "ref-impl/core/match.h"', "ref-impl/nal/ must not include"),
    ("ref-impl/core/up.c", '#include "ref-impl/nal/tcp/tcp.h"', '"ref-impl/nal/tcp/tcp.h" does not exist'),
    ("ref-impl/core/up.c", "#include <sys/socket.h>", "the core must not include"),
    ("ref-impl/api/put.c", '#include "ref-impl/nal/nal.h"', "ref-impl/api/ must not include"),
    ("interpreter/core/far.c", '#include "wire/octets.h"', "must build alone"),
    ("interpreter/core/far.c", '#include "../wire/octets.h"', "must build alone"),
    ("interpreter/core/far.c", '#include "../../wire/octets.h"', "must build alone"),
    ("interpreter/core/far.c", '#include "../portals/verbs.h"', "interpreter/core/ must not include"),
    ("interpreter/core/far.c", "#include <portals.h>", "for interpreter/portals/ only"),
    ("interpreter/core/far.c", "#include <jansson.h>", "neither C99 nor POSIX"),
    ("web/pages.c", '#include "ref-impl/core/match.h"', "web/ must not include"),
    ("attic/old.c", "#include <stdint.h>", "no layer is declared"),
]


@pytest.mark.parametrize("path,include,words", INCLUDES)
def test_layers_catch_includes(tree, path, include, words):
    """An include across the layers is found with its line, one in a comment is not."""
    tree.write(path, C_HEAD + f"/* {include} */\n")
    if "no layer" not in words:
        tree.clean("layers")
    tree.write(path, C_HEAD + include + "\n")
    tree.caught("layers", path + (":1:" if "no layer" in words else ":3:"), words)


def test_layers_catch_calls_in_wire(tree):
    """A call that allocates is found; its name in a comment or a text is not."""
    tree.write("wire/octets/text.c", C_HEAD + 'static const char *a = "malloc(1)"; /* malloc(1) */\n')
    tree.clean("layers")
    tree.write("wire/octets/text.c", C_HEAD + "static void *a(void)\n{\n    return malloc (1);\n}\n")
    tree.caught("layers", "wire/octets/text.c:5:", "malloc()")


def function(lines):
    """A C function whose body has this many lines, braces included."""
    return "void wire_f(void)\n{\n" + "    ;\n" * (lines - 2) + "}\n"


def test_sizes_of_functions(tree):
    """60 lines are a function, 61 need a reason."""
    tree.write("wire/f.c", C_HEAD + function(60))
    tree.clean("sizes")
    tree.write("wire/f.c", C_HEAD + function(61))
    tree.caught("sizes", "wire/f.c:4:", "61 lines")
    excuse = "    /* lint: long because states stand together */\n"
    tree.write("wire/f.c", C_HEAD + function(61).replace("    ;\n", excuse, 1))
    tree.clean("sizes")


FILES = [("wire/f.c", "//", 600), ("wire/f.h", "//", 250), ("tester/cases/proof-1/f.lua", "--", 600)]


@pytest.mark.parametrize("path,mark,limit", FILES)
def test_sizes_of_files(tree, path, mark, limit):
    """A file at its limit passes, one line more does not, unless it says why."""
    head = LUA_HEAD if mark == "--" else C_HEAD
    tree.write(path, head + ";\n" * (limit - 2))
    tree.clean("sizes")
    tree.write(path, head + ";\n" * (limit - 1))
    tree.caught("sizes", f"{path}:{limit + 1}:", f"{limit + 1} lines")
    tree.write(path, head + f"{mark} lint: long because of its table\n" + ";\n" * limit)
    tree.clean("sizes")


def test_sizes_of_lines(tree):
    """A line of 120 columns passes, whatever octets they take; 121 do not."""
    tree.write("wire/f.c", C_HEAD + "// " + "ä" * 117 + "\n")
    tree.clean("sizes")
    tree.write("wire/f.c", C_HEAD + "// " + "x" * 118 + "\n")
    tree.caught("sizes", "wire/f.c:3:", "121 columns")
    (tree.root / "wire/f.c").unlink()
    tree.write("tester/cases/proof-1/long.lua", LUA_HEAD + '  purpose = "' + "x" * 120 + '",\n')
    tree.clean("sizes")
    tree.write("tester/cases/proof-1/long.lua", LUA_HEAD + "-- " + "x" * 120 + "\n")
    tree.caught("sizes", "tester/cases/proof-1/long.lua:3:", "123 columns")


ROWS = [
    ({"check": None}, "`check` is missing"),
    ({"testable": "yes"}, "`testable` is missing or not a bool"),
    ({"colour": "red"}, "`colour` is unknown"),
    ({"class": "guess"}, "class `guess`"),
    ({"level": "shall"}, "level `shall`"),
    ({"level": "may"}, "the obligation does not say so"),
    ({"obligation": "It must work"}, "not a sentence that ends"),
    ({"section": "two"}, "section `two`"),
    ({"class": "ambiguous"}, "ambiguous without a reading"),
    ({"testable": False}, "`why_not` must stand"),
    ({"why_not": "No reason."}, "`why_not` must stand"),
    ({"why_unproven": "No reason"}, "`why_unproven` is not a sentence"),
    ({"why_unproven": "No.", "testable": False, "why_not": "Nobody sees it."}, "`why_unproven` stands although"),
    ({"ambiguities": ["B1"]}, "ambiguity `B1`"),
    ({"id": KNOWN}, "unique and without gaps"),
    ({"id": "P30" + "-004"}, "unique and without gaps"),
    ({"id": "second"}, "no id"),
]


@pytest.mark.parametrize("changes,words", ROWS)
def test_catalogue_catches_rows(tree, changes, words):
    """Each defect of a row is told."""
    tree.catalogue([row(KNOWN), row(OTHER, **changes)])
    tree.caught("catalogue", "specs/proof-1.json:", words)


def test_catalogue_catches_loss(tree):
    """A profile may not lose a row or an ambiguity, and what profiles.json names must exist."""
    tree.profile(name="proof-2", requirements=334, ambiguities=114)
    tree.caught("catalogue", "specs/proof-2.json:1:", "is missing")
    tree.write("specs/proof-2.json", json.dumps([row(KNOWN)]) + "\n")
    tree.caught("catalogue", "1 requirements, 334 expected")
    tree.caught("catalogue", "ambiguity A114 is settled by no reading")
    tree.profile(complete=None)
    tree.caught("catalogue", "specs/profiles.json:1:", "proof-1: `complete` is missing or not a bool")
    tree.write("specs/profiles.json", '{"proof-1": {}}\n')
    tree.caught("catalogue", "specs/profiles.json:1:", "no array of profiles")
    tree.write("specs/profiles.json", "{\n")
    tree.caught("catalogue", "specs/profiles.json:2:", "is not JSON")


def test_catalogue_catches_switches(tree):
    """A switch needs readings, a default among them, and rows that know of its ambiguity."""
    rows = [row(KNOWN, **{"class": "ambiguous", "reading": "So.", "ambiguities": ["A01"]}), row(OTHER)]
    readings = [{"value": "a", "source": "printed", "meaning": "this"},
                {"value": "b", "source": "later", "meaning": "that"}]
    good = {"name": "s", "question": "Which?", "ambiguities": ["A01"], "requirements": [KNOWN], "readings": readings,
            "default": "a"}
    tree.catalogue(rows, switches=[good])
    tree.clean("catalogue")
    for changes, words in [({"default": "c"}, "one of them the default"), ({"requirements": [OTHER]}, OTHER),
                           ({"requirements": [UNKNOWN]}, UNKNOWN), ({"question": ""}, "lacks question"),
                           ({"readings": [readings[0], {**readings[1], "source": "rumour"}]}, "a source of")]:
        tree.catalogue(rows, switches=[{**good, **changes}])
        tree.caught("catalogue", "specs/proof-1.switches.json:", words)
    tree.catalogue(rows, switches=[good, good])
    tree.caught("catalogue", "stands twice")


@pytest.mark.parametrize("path", ["wire/a.c", "tester/cases/proof-1/a.lua", "tests/mutants/a.mutants", "tests/x.py",
                                  "specs/a.md"])
def test_requirements_catch_unknown_ids(tree, path):
    """A number that no catalogue has is found wherever it is cited."""
    tree.write(path, f"first\n//= {UNKNOWN}\n")
    tree.caught("requirements", f"{path}:2:", UNKNOWN)


def test_requirements_catch_unknown_rules(tree):
    """Rules of our own formats are known by their definition; others with the same prefix are not."""
    tree.write("specs/format.md",
               "**XY-01.** One.\n- **XY-02.** Two.\n\n| rule | |\n| --- | --- |\n| XY-03 | three |\n")
    tree.write("wire/a.c", "//= XY-01\n//= XY-02\n//= XY-03\n")
    tree.clean("requirements")
    tree.write("wire/a.c", "//= XY-01\n//= " + "XY" + "-04\n")
    tree.caught("requirements", "wire/a.c:2:", "XY" + "-04 is in no catalogue or format")


def test_requirements_catch_idle_cases(tree):
    """A case must judge something; a requirement in a comment is none."""
    for listed in ("", "requirements = {},", f'-- requirements = {{ "{KNOWN}" }},'):
        tree.write("tester/cases/proof-1/idle.lua", f'{LUA_HEAD}\ncase {{\n  id = "b",\n  {listed}\n}}\n')
        tree.caught("requirements", "tester/cases/proof-1/idle.lua:4:", "judges no requirement")


FORGING = """
local function through(t)
  Library.prove(t)
end

case {{
  id = "f",
  requirements = {{ "{known}" }},
  {negative}
  run = function(t)
    local peer = t:peer {{}}
    {body}
  end,
}}

local function after(t)
  t:send_invalid() t:sanity()
end
"""


@pytest.mark.parametrize("negative,body,words", [
    (True, "through(t) t:sanity()", None),
    (True, "t:send_invalid() t:valid_counterpart()", None),
    (False, "t:sanity()", None),
    (True, "t:sanity()", "does not show that anything is invalid"),
    (True, "-- t:send_invalid()\n t:sanity()", "does not show that anything is invalid"),
    (True, "through(t)", "has no sanity step"),
    (False, "t:send_invalid() t:sanity()", "say `negative = true`"),
    (False, "t:drops(1)", "must be dropped here"),
])
def test_forgeries(tree, negative, body, words):
    """What a case shows is looked for in the functions that it calls, and nowhere else."""
    tree.write("tester/cases/lib/library.lua", LUA_HEAD + "\nfunction Library.prove(t)\n  t:confirm_violation()\nend\n")
    tree.write("tester/cases/proof-1/f.lua", LUA_HEAD + FORGING.format(
        known=KNOWN, negative="negative = true," if negative else "", body=body))
    if words is None:
        tree.clean("forgeries")
    else:
        tree.caught("forgeries", "tester/cases/proof-1/f.lua:8:", words)


VERBS = "function Words:say(t)\nend\n\nfunction Words.hidden(t)\nend\n\nfunction bare()\nend\n"


@pytest.mark.parametrize("page,words", [
    ("## lib/words.lua\n\n| `words:say(t)` | says |\n| `bare()` | is bare |\n", None),
    ("## lib/words.lua\n\n| `words:say(t)` | says |\n", "cases call `bare`"),
    ("## lib/words.lua\n\n| `bare()` | is bare |\n", "cases call `say`"),
    ("## lib/words.lua\n\n| `words:say(t)` | |\n| `bare()` | |\n| `words:gone(t)` | |\n", "`gone` is no function of"),
    ("## lib/words.lua\n\n| `words:say(t)` | |\n| `bare()` | |\n\n## lib/lost.lua\n", "there is no tester"),
])
def test_verbs(tree, page, words):
    """The page of verbs names what cases call of the library, and nothing that is not there."""
    tree.write("tester/cases/lib/words.lua", f"{LUA_HEAD}\n{VERBS}")
    tree.write("tester/cases/proof-1/f.lua", f"{LUA_HEAD}\nwords:say(t) bare() -- words.hidden()\n")
    tree.write("tester/cases/VERBS.md", page)
    if words is None:
        tree.clean("verbs")
    else:
        tree.caught("verbs", "", words)


@pytest.mark.parametrize("lost", ["mutant", "breaks", "why"])
def test_requirements_catch_mutant_heads(tree, lost):
    """A mutant without one of its three heads is found."""
    lines = [f"{field}: {value}" for field, value in
             {"mutant": "m", "breaks": KNOWN, "why": "It is so."}.items() if field != lost]
    tree.write(NEVER, "\n".join([*lines, "in: wire_octets", "- return 1;\n"]))
    tree.caught("requirements", f"{NEVER}:1:", f"`{lost}: ...`")


@pytest.mark.parametrize("text, words", [
    ("+++ a/x", "`+++ a/x` is no part of a mutant"), ("", "the mutant lacks `in: ...`"),
    (f"in: x\n- y\n\nmutant: never\nbreaks: {KNOWN}\nwhy: Why.\nin: x\n- y", "has a mutant never too"),
])
def test_requirements_catch_what_is_no_mutant(tree, text, words):
    """What cannot be read as mutants is found."""
    tree.write(NEVER, f"mutant: never\nbreaks: {KNOWN}\nwhy: Why.\n{text}\n")
    tree.caught("requirements", f"{NEVER}:", words)


@pytest.mark.parametrize("changes,words", [
    ({"source": "wire/a.c"}, "`source` is not what"),
    ({"in": []}, "`in` is not what"),
    ({"breaks": OTHER}, "`breaks` is not what"),
    ({"why": "It is another."}, "`why` is not what"),
    ({"caught_by": {}}, "is caught by no case"),
    ({"later": {OTHER: caught("a")}}, f"{OTHER} is not the same as {KNOWN}"),
    ({"caught_by": caught("b")}, "is caught by b, which is no case"),
])
def test_proofs_catch_untruth(tree, changes, words):
    """A proof that is not that of the mutant and the cases as they are is found."""
    tree.proof(**changes)
    tree.caught("proofs", "tests/mutants/proofs.json:1:", words)


def test_proofs_catch_cases_that_changed(tree):
    """A case that no longer lists what the mutant breaks is found."""
    tree.write("tester/cases/proof-1/basic.lua",
               LUA_HEAD + f'case {{\n  id = "a",\n  requirements = {{ "{OTHER}" }},\n}}\n')
    tree.caught("proofs", "tests/mutants/proofs.json:1:", f"the case a does not list {KNOWN}")


@pytest.mark.parametrize("made", ['"b-" .. name', 'string.format("b-%d", number)'])
def test_proofs_know_cases_made_by_a_loop(tree, made):
    """A case whose id is put together is known by its beginning, and no other is."""
    tree.write("tester/cases/proof-1/loop.lua", LUA_HEAD + f'case {{\n  id = {made},\n  requirements = {{}},\n}}\n')
    tree.proof(caught_by=caught("a", "b-7"))
    tree.clean("proofs")
    tree.proof(caught_by=caught("a", "c-7"))
    tree.caught("proofs", "tests/mutants/proofs.json:1:", "is caught by c-7, which is no case")


@pytest.mark.parametrize("text, words", [
    ("int wire_octets(void)\n{\n    return 7;\n}\n", "does not stand in wire_octets any more"),
    ("int wire_octets(void)\n{\n    return 1;\n    return 1;\n}\n", "in wire_octets of wire/octets.c 2 times"),
    ("int other(void)\n{\n    return 1;\n}\n", "in wire_octets, but in other of wire/octets.c"),
])
def test_proofs_need_mutants_that_fit(tree, text, words):
    """A mutant is found whose lines do not stand in its function any more, or stand there several times."""
    tree.write("wire/octets.c", text)
    tree.caught("proofs", f"{NEVER}:1:", words)


def test_proofs_want_mutants_where_one_looks_for_them(tree):
    """A function that has moved takes its mutants along, by one command."""
    file = tree.root / "wire/octets.c"
    (tree.root / "wire/deep").mkdir()
    file.rename(tree.root / "wire/deep/octets.c")
    tree.caught("proofs", f"{NEVER}:1:", "never changes wire/deep/octets.c now", "--regroup")
    moved = "tests/mutants/wire/deep/octets.c.mutants"
    (tree.root / moved).parent.mkdir(parents=True)
    (tree.root / NEVER).rename(tree.root / moved)
    tree.proof(source="wire/deep/octets.c")
    tree.clean("proofs")


def test_proofs_need_more_than_a_warning(tree):
    """A demand is not proven by a case that only warns, unless it has other readings."""
    tree.catalogue([row(KNOWN)], complete=True)
    tree.clean("proofs")
    tree.proof(caught_by=caught("a", verdict="warn"))
    tree.caught("proofs", "specs/proof-1.json:", f"{KNOWN}: its mutants are caught by no case that names it")
    tree.catalogue([row(KNOWN, **{"class": "reconstructed"}, reading="As others have it.")], complete=True)
    tree.clean("proofs")
    tree.catalogue([row(KNOWN, level="should")], complete=True)
    tree.clean("proofs")


def test_proofs_tell_how_many_are_stale(tree):
    """That is no finding: only trying the mutants can mend it."""
    assert "1 of 1 proofs are stale, as of never" in tree.clean("proofs")


def test_proofs_and_mutants_are_pairs(tree):
    """A mutant without a proof is found, and a proof without a mutant."""
    file = tree.root / NEVER
    file.write_text(file.read_text().replace("mutant: never", "mutant: ever"))
    tree.caught("proofs", f"{NEVER}:1:", "ever is not in tests/mutants/proofs.json")
    tree.caught("proofs", "tests/mutants/proofs.json:1:", "never is proven and is no mutant")
    (tree.root / "tests/mutants/proofs.json").unlink()
    tree.caught("proofs", f"{NEVER}:1:", "ever is not in tests/mutants/proofs.json")


def test_requirements_gaps(tree):
    """Gaps are counted before, and are findings after, a profile is declared complete."""
    assert "1 of 2 testable requirements have no case" in tree.clean("requirements")
    assert f"  {OTHER}\n" in tree.clean("requirements", "--gaps")
    tree.catalogue([row(KNOWN), row(OTHER)], complete=True)
    tree.caught("requirements", "specs/proof-1.json:", f"{OTHER} has no case")
    tree.catalogue([row(KNOWN), row(OTHER, testable=False, why_not="Nobody sees it.")], complete=True)
    tree.clean("requirements")
    (tree.root / NEVER).unlink()
    tree.caught("requirements", f"{KNOWN} has a case but no mutant")


def test_requirements_unproven(tree):
    """What says why no mutant can break it is no gap, but listed; it still needs a case, and a mutant disproves it."""
    why = "No library has a type of that width."
    tree.catalogue([row(KNOWN, why_unproven=why)], complete=True)
    tree.caught("requirements", "specs/proof-1.json:", f"{KNOWN} has a mutant and says")
    (tree.root / NEVER).unlink()
    assert f"{KNOWN} is unproven, because: {why}" in tree.clean("requirements", "--gaps")
    tree.catalogue([row(KNOWN, why_unproven=why), row(OTHER, why_unproven=why)], complete=True)
    tree.caught("requirements", f"{OTHER} has no case")


LOOKS = [
    ("wire/a.c", C_HEAD + "int  wire_a;\n", ":3:", "clang-format -i wire/a.c"),
    ("wire/a.c", "int wire_a;\n", ":1:", "lacks `SPDX-License-Identifier: BSD-2-Clause`"),
    ("wire/a.c", C_HEAD.replace("BSD-2-Clause", "MIT"), ":1:", "lacks `SPDX"),
    ("wire/a.c", C_HEAD.replace("2026", "2025"), ":1:", "lacks `Copyright"),
    ("dissector/a.c", C_HEAD, ":1:", "GPL-2.0-or-later"),
    ("tests/run", "#!/bin/sh\necho\n", ":1:", "lacks `SPDX"),
    ("specs/a.md", "words \n", ":1:", "white space"),
    ("specs/a.md", "one\r\ntwo\r\n", ":1:", "white space"),
    ("specs/a.md", "a\tb\n", ":1:", "a tab"),
    ("specs/a.md", "words", ":1:", "does not end"),
    ("specs/a.md", "see /" + "home/me/x\n", ":1:", "path of one machine"),
    ("specs/a.md", "in (/" + "root/x)\n", ":1:", "path of one machine"),
]


@pytest.mark.skipif(not shutil.which("clang-format"), reason="clang-format is not installed; make deps installs it")
@pytest.mark.parametrize("path,text,place,words", LOOKS)
def test_layout_catches(tree, path, text, place, words):
    """Each defect of looks is told with its place."""
    tree.write(path, text)
    tree.caught("layout", path + place, words)


def test_layout_catches_binaries(tree):
    """A program that was added by mistake is found."""
    (tree.root / "tests/a.out").write_bytes(b"\x7fELF\0\0")
    tree.caught("layout", "tests/a.out:1:", "binary")


@pytest.mark.parametrize("path,text,place,words", [
    ("specs/a.json", '{\n"a": 1,\n}\n', ":3:", "is not JSON"),
    ("specs/a.json", "", ":1:", "is not JSON"),
    ("specs/a.json", '{"a": 1,\n "a": 2}\n', ":1:", 'the key "a" twice'),
    ("specs/a.md", "x\n[gone](gone.md)\n", ":2:", "specs/gone.md, which does not exist"),
    ("specs/a.md", "![picture](../p.png)\n", ":1:", "p.png, which does not exist"),
    ("specs/a.md", "[title](../README.md#no-title)\n", ":1:", "#no-title, a heading"),
])
def test_data_catches(tree, path, text, place, words):
    """Broken data and links that lead nowhere are told with their place."""
    tree.write(path, text)
    tree.caught("data", path + place, words)


def test_data_leaves_examples_alone(tree):
    """Links in code and to other sites are not followed."""
    tree.write("specs/a.md", "```\n[x](gone)\n```\n`[x](gone)` [x](https://example.org/gone)\n")
    tree.clean("data")


def archive(tree, name, source, shared=False):
    """Compiles the C file of the tree into lib/NAME."""
    (tree.root / "lib").mkdir(exist_ok=True)
    compiler = ["cc", "-fPIC", f"-I{tree.root}"]
    if shared:
        subprocess.run([*compiler, "-shared", "-o", str(tree.root / "lib" / name), str(tree.root / source)], check=True)
        return
    made = tree.root / "lib" / (pathlib.PurePath(source).stem + ".o")
    subprocess.run([*compiler, "-c", "-o", str(made), str(tree.root / source)], check=True)
    subprocess.run(["ar", "rcs", str(tree.root / "lib" / name), str(made)], check=True)


def test_symbols(tree):
    """Globals bear their module's name, in an archive and in the shared library; statics may be called anything."""
    where = ("--lib", str(tree.root / "lib"))
    tree.caught("symbols", "there is no library", arguments=where)
    archive(tree, "libwire.a", "wire/octets.c")
    tree.write("ref-impl/nal/tcp/read.c", C_HEAD + "static int here;\nint tcp_a;\nint tcp_read_b;\nint *nal_c(void)\n"
               "{\n    return &here;\n}\nint PtlGet;\n")
    archive(tree, "libportals-inside.a", "ref-impl/nal/tcp/read.c")
    tree.clean("symbols", *where)
    tree.write("wire/shown.c", C_HEAD + "int wire_shown;\n")
    archive(tree, "libportals.a", "wire/shown.c")
    tree.caught("symbols", "libportals.a(shown.o):1:", "exports wire_shown", arguments=where)
    tree.write("wire/rows.c", C_HEAD + "int rows_count;\n")
    archive(tree, "libwire.a", "wire/rows.c")
    tree.caught("symbols", "libwire.a(rows.o):1:", "rows_count starts with none of wire_", arguments=where)
    tree.write("ref-impl/nal/tcp/reader.c", C_HEAD + "int tcp_a;\n")
    archive(tree, "libportals-inside.a", "ref-impl/nal/tcp/reader.c")
    tree.caught("symbols", "libportals-inside.a(reader.o):1:", "tcp_a is defined in read.o too", arguments=where)
    archive(tree, "libportals.so", "ref-impl/nal/tcp/read.c", shared=True)
    tree.caught("symbols", "libportals.so:1:", "exports tcp_a", arguments=where)


@pytest.mark.skipif(not shutil.which("clang-tidy"), reason="clang-tidy is not installed; make deps installs it")
def test_tidy(tree):
    """A defect that only clang-tidy sees is told with file and line, by the flags that the makefile has."""
    tree.write(".clang-tidy", (HERE.parent.parent / ".clang-tidy").read_text())
    tree.write("Makefile", "all: wire/a.o\nwire/a.o: wire/a.c\n\tcc -DFLAG=1 -I. -MMD -c -o $@ $<\n")
    tree.write("wire/a.c", C_HEAD + "#ifndef FLAG\n#error the flags are lost\n#endif\n"
               "int wire_a(int b);\nint wire_a(int b)\n{\n    if (b)\n        return 1 / (b - b);\n    return 0;\n}\n")
    build = ("--build", str(tree.root / "out"))
    sound = (tree.root / "Makefile").read_text()
    tree.caught("tidy", "wire/a.c:10:", "clang-analyzer-core.DivideZero", arguments=build)
    tree.caught("tidy", "wire/none.c:1:", "not compiled", arguments=(*build, "wire/none.c"))
    tree.write("wire/a.c", C_HEAD + "int wire_a(int b);\nint wire_a(int b)\n{\n    return b;\n}\n")
    tree.clean("tidy", *build)
    tree.write("Makefile", sound.replace("all:", "all: nowhere.o"))
    tree.caught("tidy", "Makefile:1:", "nowhere.o", arguments=build)


@pytest.mark.skipif(not shutil.which("clang"), reason="clang is not installed; make deps installs it")
def test_clang(tree):
    """A defect of which only clang warns is told with file and line."""
    tree.write("Makefile", "all: wire/a.o\nwire/a.o: wire/a.c\n\t$(CC) -Wall -I. -c -o $@ $<\n")
    tree.write("wire/a.c", C_HEAD + "int wire_a(int b);\nint wire_a(int b)\n{\n    b = b;\n    return b;\n}\n")
    tree.caught("clang", "wire/a.c:6:", "to itself", arguments=("--build", str(tree.root / "out")))
    tree.write("wire/a.c", C_HEAD + "int wire_a(int b);\nint wire_a(int b)\n{\n    return b;\n}\n")
    tree.clean("clang", "--build", str(tree.root / "out"))
    assert not (tree.root / "wire/a.o").exists()


def test_files_come_from_git(tree):
    """In a checkout only tracked files are looked at."""
    subprocess.run(["git", "init", "-q", str(tree.root)], check=True)
    subprocess.run(["git", "-C", str(tree.root), "add", "."], check=True)
    tree.write("specs/draft.md", "not tracked \n")
    tree.clean("layout")
    subprocess.run(["git", "-C", str(tree.root), "add", "."], check=True)
    tree.caught("layout", "specs/draft.md:1:", "white space")
