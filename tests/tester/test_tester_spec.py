# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""`assay spec`: every requirement with its trail, and what it says of one that does not exist; `assay profiles`."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

import profile_table  # noqa: E402

# What no catalogue has, written so that the lint of citations does not take it for one.
BEYOND, SHORT, FOREIGN = "P30" + "-999", "IMPI" + "-1", "XYZ" + "-001"
PLACE = re.compile(r"^(?P<file>[^\s:]+):(?P<line>\d+): (?P<text>.+)$")


def spec(bin_dir, root, *words, **environment):
    """`assay spec` in the root of the tree."""
    return subprocess.run([bin_dir / "assay", "spec", *words], cwd=root, capture_output=True, text=True, timeout=120,
                          env={"PATH": "/usr/bin:/bin", **environment}, check=False)


def row(root, name, profile="portals-3.0"):
    rows = json.loads((root / "specs" / f"{profile}.json").read_text(encoding="utf-8"))
    return next(one for one in rows if one["id"] == name)


def test_a_requirement_with_its_trail(bin_dir, root):
    """Each place is a line of the file that it names, and there stands what is said of it."""
    done = spec(bin_dir, root, "P30-141")
    assert (done.returncode, done.stderr) == (0, "")
    places = [match for match in map(PLACE.match, done.stdout.splitlines()) if match]
    texts = [place["text"] for place in places]
    lines = [(root / place["file"]).read_text(encoding="utf-8").splitlines()[int(place["line"]) - 1]
             for place in places]
    known = row(root, "P30-141")
    assert texts[0] == f"P30-141 (must, normative): {known['obligation']}" and '"P30-141"' in lines[0]
    assert f"    reading: {known['reading']}\n" in done.stdout
    kinds = {"fulfilled: ": "P30-141", "judged by ": 'case', "(not )?proven (now )?by the mutant ": "mutant: "}
    for words, there in kinds.items():
        found = [line for text, line in zip(texts, lines) if re.match(words, text)]
        assert found and all(there in line for line in found), (words, found)
    assert any("caught by " in text for text in texts)


def test_several_as_json(bin_dir, root):
    """The objects are the rows of the catalogues, in the order in which they were asked for, and more."""
    done = spec(bin_dir, root, "IMPI-049", "--json", "P30-141")
    first, second = json.loads(done.stdout)
    assert (first["id"], first["profile"], second["id"]) == ("IMPI-049", "impi-0.0", "P30-141")
    assert second.items() >= row(root, "P30-141").items()
    assert all(one["fulfilled"] and one["judged"] and one["proven"] for one in (first, second))
    assert set(second["proven"][0]["caught_by"].values()) <= {"fail", "warn"}


@pytest.mark.parametrize("profile, name, change", [
    ("portals-3.2", "P32-014", "kept"), ("portals-3.2", "P32-107", "changed"), ("portals-3.2", "P32-059", "gone"),
    ("portals-3.2", "P32-343", "new"), ("portals-3.3", "P33-107", "kept"), ("portals-3.3", "P33-125", "kept"),
    ("portals-3.3", "P33-059", "gone"), ("portals-3.3", "P33-179", "changed"), ("portals-3.3", "P33-360", "new")])
def test_a_later_revision(bin_dir, root, profile, name, change):
    """Its rows are whole, as the books have them, in the names of the revision."""
    (shown,) = json.loads(spec(bin_dir, root, "--json", name).stdout)
    whole = next(one for one in profile_table.requirements(profile, root / "specs") if one["id"] == name)
    assert shown.items() >= whole.items() and shown["change"] == change and shown["profile"] == profile
    assert shown["testable"] == (change != "gone")
    if name == "P33-125":
        assert "PTL_ME_INVALID" in shown["obligation"] and shown["same_as"] == ["P30-125", "P32-125"]
        assert any("P30-125" in place["text"] for place in shown["fulfilled"])


def test_a_catalogue_that_is_derived_from_itself(bin_dir, root, tmp_path):
    specs = tmp_path / "specs"
    shutil.copytree(root / "specs", specs)
    catalogue = json.loads((specs / "portals-3.2.json").read_text(encoding="utf-8"))
    (specs / "portals-3.2.json").write_text(json.dumps({**catalogue, "derived_from": "portals-3.3"}))
    done = spec(bin_dir, root, "P33-001", ASSAY_SPECS=str(specs))
    assert done.returncode == 2 and "derived from too many others, or from itself" in done.stderr


@pytest.mark.parametrize("words, said", [
    ([BEYOND], f"{BEYOND} is no requirement of Portals 3.0; there are P30-001 to P30-334"),
    (["P30-141", SHORT], f"{SHORT} is no requirement of IMPI 0.0, Interoperable MPI; there are IMPI-001 to IMPI-260"),
    ([FOREIGN], f"{FOREIGN} is no requirement; there are: P30-NNN, P32-NNN, P33-NNN, IMPI-NNN"),
    (["threshold"], "threshold is no requirement; there are: P30-NNN, P32-NNN, P33-NNN, IMPI-NNN"),
    ([], "name a requirement"), (["--what"], "see assay spec --help")])
def test_what_is_none(bin_dir, root, words, said):
    """Nothing is printed, and the message says what there is."""
    done = spec(bin_dir, root, *words)
    assert (done.returncode, done.stdout) == (2, "") and said in done.stderr


def test_without_the_sources(bin_dir, root, tmp_path):
    """Installed, there are cases and specifications only: what is not known is said."""
    shutil.copytree(root / "tester" / "cases", tmp_path / "share" / "assay" / "cases")
    shutil.copytree(root / "specs", tmp_path / "share" / "assay" / "specs")
    done = spec(bin_dir, root, "P30-141", ASSAY_CASES=str(tmp_path / "share" / "assay" / "cases"))
    assert done.returncode == 0 and "judged by md-threshold-counts" in done.stdout
    assert "fulfilled, proven: not known here" in done.stdout and "fulfilled: " not in done.stdout


@pytest.fixture(name="tree")
def fixture_tree(root, tmp_path):
    """What of the source tree proofs bind, as a copy; with one proof that holds, for no other is asked."""
    for folder in ("tester/cases", "specs", "ref-impl", "wire", "interpreter", "tests/mutants"):
        shutil.copytree(root / folder, tmp_path / folder)
    shutil.copy(root / "tests" / "profile_table.py", tmp_path / "tests")
    asked = subprocess.run([tmp_path / "tests" / "mutants" / "run.py", "--reasons", MUTANT], capture_output=True,
                           text=True, timeout=120, check=True)
    if json.loads(asked.stdout):
        pytest.skip(f"the proof of {MUTANT} is stale already: run `make mutants MUTANTS={MUTANT}`")
    return tmp_path


MUTANT = "threshold-cut-to-15-bits"  # it breaks P30-141; the case md-threshold-large catches it
WEAKENED = ("tester/cases/portals-3.0/3-functions/37-last-operations.lua", 'id = "md-threshold-large",',
            'id = "md-threshold-large", deadline = 9,')
PROOFS = "tests/mutants/proofs.json"


@pytest.mark.parametrize("path, old, new, said", [
    (*WEAKENED, f"not proven now by the mutant {MUTANT}, caught by md-threshold-large (stale: the case "
                "md-threshold-large, or what it uses, has changed): "),
    (PROOFS, f'"{MUTANT}"', '"another"', f"not proven now by the mutant {MUTANT} (it has not been tried yet): ")])
def test_a_proof_that_says_nothing_any_more(bin_dir, tree, path, old, new, said):
    """It is told which proof is stale or missing, why, and what to do; as JSON too."""
    cases = {"ASSAY_CASES": str(tree / "tester" / "cases"), "ASSAY_SPECS": str(tree / "specs")}
    before = spec(bin_dir, tree, "P30-141", **cases).stdout
    assert f"proven by the mutant {MUTANT}, caught by md-threshold-large: " in before
    text = (tree / path).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (tree / path).write_text(text.replace(old, new), encoding="utf-8")
    after = spec(bin_dir, tree, "P30-141", **cases)
    assert (after.returncode, after.stderr) == (0, "") and said in after.stdout
    assert after.stdout.splitlines()[-1].endswith("try again: make mutants MUTANTS=P30-141")
    told = json.loads(spec(bin_dir, tree, "--json", "P30-141", **cases).stdout)[0]["proven"]
    assert [one["stale"] for one in told if one["mutant"] == MUTANT][0] in said


def test_when_nobody_can_tell(bin_dir, tree):
    """Without the program that knows what a proof binds, that is said."""
    (tree / "tests" / "mutants" / "run.py").unlink()
    done = spec(bin_dir, tree, "P30-141", ASSAY_CASES=str(tree / "tester" / "cases"))
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == (
        "    whether these proofs are stale is not known: tests/mutants/run.py --reasons did not answer")


def test_profiles_are_the_table(bin_dir, root):
    """In the order of the table; the templates name programs that are there."""
    def said(*words):
        return subprocess.run([bin_dir / "assay", "profiles", *words], capture_output=True, text=True, timeout=120,
                              check=True).stdout
    table = json.loads((root / "specs" / "profiles.json").read_text(encoding="utf-8"))
    assert json.loads(said("--json")) == table
    assert all(entry["title"] in said() for entry in table)
    lines = [line.split("\t") for line in said("--templates").splitlines()]
    assert [line[:2] for line in lines] == [[entry["name"], role["name"] or "-"] for entry in table
                                            for role in entry["roles"]]
    assert all(f"'{bin_dir}/" in line[4] for line in lines)


BROKEN = [
    ("[", "profiles.json:1: "), ("{}", "is no array of profiles"),
    ('[{"name": "a-1"}]', "row 1 (a-1): `title` is missing"),
]


@pytest.mark.parametrize("text, said", BROKEN)
def test_a_broken_table(bin_dir, tmp_path, text, said):
    """A table that is no table: what is wrong, and where."""
    (tmp_path / "profiles.json").write_text(text)
    done = subprocess.run([bin_dir / "assay", "cases"], capture_output=True, text=True, timeout=120, check=False,
                          env={"ASSAY_SPECS": str(tmp_path)})
    assert done.returncode == 2 and said in done.stderr and str(tmp_path) in done.stderr


WRONG = [
    ({"preflight": "mpi"}, "`preflight` is none of: portals, impi"),
    ({"passive_checker": 7}, "`passive_checker` is not a text"), ({"jobs": "own"}, "`jobs` is none of: engine, case"),
    ({"complete": "yes"}, "`complete` is neither true nor false"), ({"colour": "red"}, "`colour` is no field"),
    ({"name": "../x"}, "`name` has other characters"), ({"roles": []}, "`roles` is not a list of roles"),
    ({"suites": {}}, "`suites` is not a list of suites"), ({"suites": [{"name": "a"}]}, "`suites[0].about` is missing"),
    ({"wire": {"protocols": [], "transport": "x", "required": True}}, "`wire.protocols` is not a list of words"),
]


@pytest.mark.parametrize("changes, said", WRONG)
def test_a_wrong_row(bin_dir, root, tmp_path, changes, said):
    """The field, the row and the file are told."""
    table = json.loads((root / "specs" / "profiles.json").read_text(encoding="utf-8"))
    table[1].update(changes)
    (tmp_path / "profiles.json").write_text(json.dumps(table))
    done = subprocess.run([bin_dir / "assay", "profiles"], capture_output=True, text=True, timeout=120, check=False,
                          env={"ASSAY_SPECS": str(tmp_path)})
    assert done.returncode == 2 and said in done.stderr and "row 2" in done.stderr, done.stderr


@pytest.mark.parametrize("role, said", [
    ({"placeholder": "{x}"}, "needs one role without `placeholder`"), ({"name": "client"}, "two roles of one name"),
    ({"name": ""}, "a role without a name beside others"), ({"start": {"title": "x"}}, "`roles[1].start.command`"),
    ({"reference": "impirun"}, "`roles[1].reference` is not a list of words")])
def test_wrong_roles(bin_dir, root, tmp_path, role, said):
    """Every template belongs to exactly one role."""
    table = json.loads((root / "specs" / "profiles.json").read_text(encoding="utf-8"))
    next(row for row in table if row["name"] == "impi-0.0")["roles"][1].update(role)
    (tmp_path / "profiles.json").write_text(json.dumps(table))
    done = subprocess.run([bin_dir / "assay", "profiles"], capture_output=True, text=True, timeout=120, check=False,
                          env={"ASSAY_SPECS": str(tmp_path)})
    assert done.returncode == 2 and said in done.stderr, done.stderr


def test_two_rows_of_one_name(bin_dir, root, tmp_path):
    """Neither name nor prefix may be another's."""
    table = json.loads((root / "specs" / "profiles.json").read_text(encoding="utf-8"))
    for field in ("name", "prefix"):
        changed = [table[0], {**table[1], field: table[0][field]}]
        (tmp_path / "profiles.json").write_text(json.dumps(changed))
        done = subprocess.run([bin_dir / "assay", "profiles"], capture_output=True, text=True, timeout=120, check=False,
                              env={"ASSAY_SPECS": str(tmp_path)})
        assert done.returncode == 2 and f"an earlier row has the same `{field}`" in done.stderr


@pytest.mark.parametrize("case, change, holds", [
    ("smoke-put", "a change that it names", True), ("match-attach-replaces", "a change that it does not name", False),
    ("md-insert-has-its-own-flag", "one that its file names, and it does not", False),
    ("reading-lost-event", "none, but it is `only` for its own", False)])
def test_a_case_holds_for_a_later_revision(bin_dir, root, case, change, holds):
    environment = {**os.environ, "ASSAY_CASES": str(root / "tester/cases")}
    done = subprocess.run([bin_dir / "assay", "cases", "--profile", "portals-3.3", "--json"], capture_output=True,
                          text=True, timeout=20, check=True, env=environment)
    assert (case in {found["id"] for found in json.loads(done.stdout)}) == holds, change
