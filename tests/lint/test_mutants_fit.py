# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Which patches of mutants are refused because they no longer fit or no longer compile, and which names take which."""

import pathlib
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "mutants"))

import compiling  # noqa: E402
import patches  # noqa: E402
import run  # noqa: E402

HEAD = "mutant: m\nbreaks: P30-001\nwhy: It never works.\n\n--- a/x.c\n+++ b/x.c\n"
# Two functions that are alike within: what may be changed in either of them.
TWINS = "int one(void)\n{\n    int a = 1;\n\n    return a;\n}\n\nint two(void)\n{\n    int a = 1;\n\n    return a;\n}\n"
INSIDE = "     int a = 1;\n \n-    return a;\n+    return 2;\n"


def applied(patch, text=TWINS):
    return patches.apply(HEAD + patch, {"x.c": text}.__getitem__)["x.c"]


@pytest.mark.parametrize("head, first", [
    ("@@ -3,3 +3,3 @@", "int one"), ("@@ -10,3 +10,3 @@", "int two"),
    ("@@ -3,3 +3,3 @@ int two(void)", "int two"), ("@@ -99,3 +99,3 @@ int one(void)", "int one"),
])
def test_the_line_or_the_function_tells_twins_apart(head, first):
    changed = applied(f"{head}\n{INSIDE}")
    assert changed.count("return 2;") == 1
    assert changed.index(first) < changed.index("return 2;") < changed.index("}", changed.index(first))


@pytest.mark.parametrize("patch, words", [
    (f"@@ -4,3 +4,3 @@\n{INSIDE}", "stands in x.c at lines 3, 10, and not at 4"),
    (f"@@ -3,3 +3,3 @@ int three(void)\n{INSIDE}", "not in `int three(void)`"),
    ("@@ -3,3 +3,3 @@\n     int a = 2;\n \n-    return a;\n+    return 2;\n", "does not stand in x.c any more"),
    (f"@@ -3,3 +3,3 @@\n{INSIDE}@@ -3,3 +3,3 @@\n{INSIDE}", "one behind the other"),
    ("", "changes nothing"),
], ids=["another line", "another function", "a changed line", "twice the same", "nothing"])
def test_what_does_not_fit_is_refused(patch, words):
    """patch(1) would take the first three by its fuzz or the nearest place."""
    with pytest.raises(patches.Misfit, match=words.replace("(", r"\(").replace(")", r"\)")):
        applied(patch)


def test_lines_that_moved_are_found():
    """A place that can be no other one is found at any line."""
    text = "\n" * 50 + "int three(void)\n{\n    return 3;\n}\n"
    assert "return 4;" in applied("@@ -3,2 +3,2 @@ int three\n {\n-    return 3;\n+    return 4;\n", text)


def test_two_files_and_two_hunks():
    files = {"x.c": TWINS, "y.c": "a\nb\n"}
    changed = patches.apply(f"{HEAD}@@ -3,3 +3,3 @@\n{INSIDE}@@ -10,3 +10,3 @@\n{INSIDE}"
                            "--- a/y.c\n+++ b/y.c\n@@ -1,2 +1,3 @@\n a\n+new\n b\n", files.__getitem__)
    assert changed == {"x.c": TWINS.replace("return a;", "return 2;"), "y.c": "a\nnew\nb\n"}


@pytest.fixture(name="mutants")
def fixture_mutants(tmp_path, monkeypatch):
    """Mutants of these names and changes, as the whole program reads them."""
    def make(**changes):
        for name, change in changes.items():
            name = name.replace("_", "-")
            (tmp_path / f"{name}.patch").write_text(HEAD.replace("mutant: m", f"mutant: {name}") + change)
        monkeypatch.setattr(run, "MUTANTS", tmp_path)

    return make


def test_names_may_be_patterns(mutants):
    mutants(ack_lost="", ack_late="", put_lost="")
    named = [mutant.name for mutant in run.select(["ack-*", "put-lost"])]
    assert named == ["ack-late", "ack-lost", "put-lost"]
    assert [mutant.name for mutant in run.select(["*-lost"])] == ["ack-lost", "put-lost"]
    assert len(run.select([])) == 3
    with pytest.raises(SystemExit, match=r"no mutant named get-\* in tests/mutants"):
        run.select(["ack-*", "get-*"])


COMPILE = "\tcc -Wall -Werror -O2 -I. -c -o build/"
MAKEFILE = f"build/bin/x: x.c y.c\n{COMPILE}x.o x.c\n{COMPILE}y.o y.c\n"


def test_mutants_that_do_not_compile_are_named(mutants, tmp_path):
    """In what is changed, and in what includes a header that is changed; the tree stays as it was."""
    tree = tmp_path / "tree"
    tree.mkdir()
    for name, text in {"Makefile": MAKEFILE, "x.c": TWINS, "x.h": "int one(void);\n", "y.h": '#include "x.h"\n',
                       "y.c": '#include "y.h"\nint three(void) { return one(); }\n', "z.c": "int z;\n"}.items():
        (tree / name).write_text(text)
    mutants(good="@@ -3,3 +3,3 @@\n     int a = 1;\n \n-    return a;\n+    return 2 * a;\n",
            typing_error="@@ -3,3 +3,3 @@\n     int a = 1;\n \n-    return a;\n+    return b;\n",
            unused="@@ -3,3 +3,3 @@\n     int a = 1;\n+    int b = 1;\n \n     return a;\n",
            idle="@@ -1,3 +1,5 @@\n+static int idle(void) { return 0; }\n+\n int one(void)\n {\n     int a = 1;\n",
            misfit=f"@@ -4,3 +4,3 @@\n{INSIDE}",
            header="@@ -3,3 +3,3 @@\n     int a = 1;\n \n-    return a;\n+    return 2 * a;\n"
                   "--- a/x.h\n+++ b/x.h\n@@ -1 +1 @@\n-int one(void);\n+int one(int);\n",
            elsewhere="--- a/z.c\n+++ b/z.c\n@@ -1 +1 @@\n-int z;\n+int y;\n")
    faults = compiling.faults(tree, tmp_path / "work", run.select([]), {"x"}, 2)
    assert list(faults) == ["elsewhere", "header", "idle", "misfit", "typing-error", "unused"]
    assert "nothing that is compiled" in faults["elsewhere"] and "y.c:2" in faults["header"]
    assert "'b' undeclared" in faults["typing-error"] and "unused variable" in faults["unused"]
    assert "defined but not used" in faults["idle"]
    assert "at lines 3, 10" in faults["misfit"]
    for number in range(2):
        assert (tmp_path / "work" / f"compiling-{number}" / "x.c").read_text() == TWINS
