# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""A profile is one row: with a row, a catalogue of one requirement and one case, a profile is everywhere, and no other
line is written for it."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.request

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The prefix is cut off from the number so that the lint of citations does not take this for one.
ROW = {
    "name": "portals-9.9", "title": "Portals of tomorrow", "document": "A document that nobody has written.",
    "prefix": "P99",
    "complete": False, "requirements": 1, "ambiguities": 0,
    "interpreter": {"program": "interp-portals", "api": "portals-3.0"}, "jobs": "engine", "preflight": "portals",
    "passive_checker": "portals", "wire": {"protocols": ["portals"], "transport": "as before", "required": False},
    "roles": [{"name": "", "title": "Portals of tomorrow", "about": "your library",
               "reference": ["portalsrun", "-np", "{np}", "interp-portals", "{args}"],
               "build": {"title": "Build it", "command": "make -C {folder}"},
               "start": {"title": "Start it", "command": "mpirun -np {np} {folder}/interp-portals {args}"}}],
    "suites": [{"name": "dawn", "about": "whatever comes first"}],
}
REQUIREMENT = ROW["prefix"] + "-001"
DEMAND = {"id": REQUIREMENT, "section": "1", "obligation": "A library must start.", "class": "normative",
          "level": "must", "testable": True, "check": "It is started."}
CASE = """-- SPDX-License-Identifier: BSD-2-Clause
-- Copyright (c) 2026 The Assay authors
case {
  id = "dawn-breaks", title = "The library starts", purpose = "It is started.", suite = "dawn", chapter = "1",
  requirements = { "%s" }, ranks = 1,
  run = function(t) t:equal("%s", "PtlInit", t.ranks[0]:PtlInit().rc, "PTL_OK") end,
}
"""


@pytest.fixture(name="tree", scope="module")
def fixture_tree(tmp_path_factory) -> pathlib.Path:
    """specs/ and tester/cases/ with the new profile beside all others."""
    root = tmp_path_factory.mktemp("tree")
    shutil.copytree(ROOT / "specs", root / "specs")
    shutil.copytree(ROOT / "tester" / "cases", root / "tester" / "cases")
    table = json.loads((root / "specs" / "profiles.json").read_text(encoding="utf-8"))
    (root / "specs" / "profiles.json").write_text(json.dumps([*table, ROW], indent=1) + "\n", encoding="utf-8")
    (root / "specs" / f"{ROW['name']}.json").write_text(json.dumps([DEMAND], indent=1) + "\n", encoding="utf-8")
    (root / "tester" / "cases" / ROW["name"]).mkdir()
    (root / "tester" / "cases" / ROW["name"] / "dawn.lua").write_text(CASE % (REQUIREMENT, REQUIREMENT))
    return root


@pytest.fixture(name="environment", scope="module")
def fixture_environment(tree) -> dict:
    return {**os.environ, "ASSAY_CASES": str(tree / "tester" / "cases"), "ASSAY_SPECS": str(tree / "specs")}


def run(*words, environment, **options):
    """A program that must end well: what it printed."""
    done = subprocess.run([str(word) for word in words], env=environment, capture_output=True, text=True, timeout=300,
                          check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_commands(bin_dir, environment):
    """assay lists it, shows it in every help text, and knows its case and its requirement."""
    assay = bin_dir / "assay"
    for command in ([], ["run"], ["cases"], ["certify"]):
        assert re.search(rf"^  {re.escape(ROW['name'])} +{ROW['title']}$", run(assay, *command, "--help",
                                                                              environment=environment), re.MULTILINE)
    assert ROW["document"] in run(assay, "profiles", environment=environment)
    assert "dawn-breaks" in run(assay, "cases", "--profile", ROW["name"], environment=environment)
    assert "judged by dawn-breaks" in run(assay, "spec", REQUIREMENT, environment=environment)
    wrong = subprocess.run([assay, "cases", "--profile", "portals-9"], env=environment, capture_output=True, text=True,
                           timeout=60, check=False)
    assert wrong.returncode == 2 and wrong.stderr.strip().endswith(f", {ROW['name']}")


def test_a_run(bin_dir, environment, tmp_path):
    """The reference is judged by it, started as the row says."""
    words = [bin_dir / word if (bin_dir / word).exists() else word for word in ROW["roles"][0]["reference"]]
    run(bin_dir / "assay", "run", "--profile", ROW["name"], "--report", tmp_path, "--", *words, environment=environment)
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (report["profile"], report["verdict"]) == (ROW["name"], "conforms")
    assert report["outcome"]["name"] == "conforms-in-part"  # as long as the row is not complete
    assert [(case["id"], case["verdict"]) for case in report["cases"]] == [("dawn-breaks", "pass")]


def test_a_book(build, bin_dir, environment, tmp_path):
    """It has a book, although it draws no messages and nobody has written down the titles of its sections."""
    (layout,) = build.glob("release/trace/layout") or build.glob("*/trace/layout")
    run(sys.executable, ROOT / "tests" / "trace" / "trace.py", "--profile", ROW["name"], "--layout", layout, "--assay",
        bin_dir / "assay", "--output", tmp_path / "book.html", environment=environment)
    book = (tmp_path / "book.html").read_text(encoding="utf-8")
    assert ROW["title"] in book and DEMAND["obligation"] in book and "dawn-breaks" in book
    names = run("make", "-s", "--eval=names: ; @echo $(BOOKS)", "names", environment=environment, cwd=ROOT)
    assert f"/share/{ROW['name']}.html" in names


def test_lints_and_mutants(tree, environment):
    """The lints look at its catalogue, and the mutants' runner knows by which programs it is judged."""
    lint = ROOT / "tests" / "lint" / "catalogue.py"
    run(sys.executable, lint, "--root", tree, environment=environment)
    path = tree / "specs" / f"{ROW['name']}.json"
    whole = path.read_text(encoding="utf-8")
    path.write_text(json.dumps([{**DEMAND, "level": "perhaps"}]), encoding="utf-8")
    told = subprocess.run([sys.executable, str(lint), "--root", str(tree)], capture_output=True, text=True, timeout=60,
                          check=False)
    path.write_text(whole, encoding="utf-8")
    assert told.returncode == 1 and f"{ROW['name']}.json:1: {REQUIREMENT}: level `perhaps`" in told.stdout
    script = ("import pathlib, sys; sys.path.insert(0, sys.argv[1]); import profiles\n"
              "print([one.programs for one in profiles.known(pathlib.Path(sys.argv[2])) if one.name == sys.argv[3]])")
    known = run(sys.executable, "-c", script, ROOT / "tests" / "mutants", tree, ROW["name"], environment=environment)
    assert known.strip() == "[('portalsrun', 'interp-portals', 'sut-agent')]"


def test_the_service(bin_dir, tree, environment, tmp_path):
    """Its menu of profiles has it, with title, suites and cases; so the page of a new run, which is made from that."""
    service = subprocess.Popen([bin_dir / "assayd", "--listen", "127.0.0.1:0", "--data", tmp_path / "data"],
                               env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        url = re.search(r"http://\S+", service.stdout.readline())[0]
        token = run(bin_dir / "assayd", "--data", tmp_path / "data", "--issue-token", "test", environment=environment)

        def get(path):
            asked = urllib.request.Request(f"{url}{path}", headers={"Authorization": f"Bearer {token.strip()}"})
            with urllib.request.urlopen(asked, timeout=60) as answer:
                return answer.read().decode()

        profiles = {one["id"]: one for one in json.loads(get("/api/v1/profiles"))["profiles"]}
        ours = profiles[ROW["name"]]
        assert (ours["title"], ours["cases"], ours["requirements"]) == (ROW["title"], 1, 1)
        assert [(suite["id"], suite["about"]) for suite in ours["suites"]] == [("dawn", "whatever comes first")]
        assert DEMAND["obligation"] in get(f"/api/v1/profiles/{ROW['name']}/requirements")
        script = get("/assets/page_new_run.js")
        assert ROW["name"] not in script and "/api/v1/profiles" in script
        menu = dict(re.findall(r'data-profile="([^"]*)".* data-servers="([^"]*)"', get(f"/profiles/{ROW['name']}")))
        assert menu == {row["name"]: " ".join(role["name"] for role in row["roles"] if role.get("server"))
                        for row in json.loads((tree / "specs" / "profiles.json").read_text(encoding="utf-8"))}
    finally:
        service.terminate()
        service.wait(timeout=60)
        service.stdout.close()
