# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Where a mutant belongs in files that have changed since it was written, which mutants are refused because they no
longer fit or no longer compile, which words mean which, and in which file each is kept."""

import pathlib
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "mutants"))

import clike  # noqa: E402
import compiling  # noqa: E402
import entries  # noqa: E402
import groups  # noqa: E402

HEAD = "mutant: {0}\nbreaks: P30-001\nwhy: It never works.\n"
ONE = "int one(void)\n{\n    int a = 1;\n\n    return a;\n}\n"
# Two functions that are alike within: what may be changed in either of them.
TWINS = f"{ONE}\n{ONE.replace('one', 'two')}"
RETURN = "- return a;\n+ return 2;\n"


def mutant(changes, name="m", source="x.c"):
    return entries.parse(HEAD.format(name) + changes, entries.path_of(source))[0]


def applied(changes, source="x.c", **files):
    files = {path.replace("_", "."): text for path, text in (files or {"x_c": TWINS}).items()}
    return entries.apply(mutant(changes, source=source), entries.Sources(files.__getitem__, files))


@pytest.mark.parametrize("name", ["one", "two"])
def test_the_function_tells_twins_apart(name):
    changed = applied(f"in: {name}\n{RETURN}")["x.c"]
    before, begun, body = changed.partition(f"int {name}(void)")
    assert begun and body.startswith("\n{\n    int a = 1;\n\n    return 2;\n}\n") and "return 2" not in before


@pytest.mark.parametrize("part", ["x.c", "y.c"])
def test_the_file_tells_twins_apart(part):
    files = applied(f"in: one of {part}\n{RETURN}", source="z.c", x_c=ONE, y_c=ONE)
    assert list(files) == [part] and "return 2;" in files[part]


@pytest.mark.parametrize("body", [
    "    int a = 1;\n    return a;\n", "        int a=1;\n        return  a; /* the first */ // or not\n",
    "    int a = 1;\n    // why\n    return\n        a;\n", "\tint a = 1; return a;\n",
])
def test_white_space_comments_and_line_breaks_do_not_matter(body):
    text = ONE.replace("    int a = 1;\n\n    return a;\n", body)
    changed = applied(f"in: one\n  int a = 1;\n{RETURN}", x_c=text)["x.c"]
    assert clike.plain(changed) == "int one ( void ) { int a = 1 ; return 2 ; }"


def test_new_lines_are_indented_as_their_neighbours():
    text = "int one(int a)\n{\n    while (a) {\n        a--;\n    }\n    return a;\n}\n"
    changed = applied("in: one\n  a--;\n+ if (a) {\n+     a--;\n+ }\n+\n", x_c=text)["x.c"]
    assert "        a--;\n        if (a) {\n            a--;\n        }\n\n    }\n" in changed
    changed = applied("in: one\n+ a++;\n  while (a) {\n+     --a;\n-     a--;\n", x_c=text)["x.c"]
    assert "{\n    a++;\n    while (a) {\n        --a;\n    }\n" in changed


@pytest.mark.parametrize("change, words", [
    ("in: three\n- return a;\n", "does not stand in three any more"),
    ("in: one\n- int a = 1;\n- return b;\n", "does not stand in one any more"),
    ("in: one\n- a\n", r"stands in one of x.c 2 times"),
    ("in: one\n+ int b;\n", "says nothing of where in it"),
    (f"in: one\n{RETURN}in: one\n{RETURN}", "touch the same lines"),
    ("in: one\n- return a;\n- }\n- int two(void)\n", "does not stand in one"),
], ids=["another function", "a changed line", "twice", "nowhere", "the same lines", "across functions"])
def test_what_does_not_fit_is_refused(change, words):
    with pytest.raises(entries.Misfit, match=words):
        applied(change)


def test_a_misfit_says_where_the_text_is_now():
    with pytest.raises(entries.Misfit, match="does not stand in one, but in three of y.c"):
        applied(f"in: one\n{RETURN}", y_c=ONE.replace("one", "three"), x_c="int x;\n")


def test_a_function_is_found_in_another_file():
    """The file of the group comes first: a static function of the same name elsewhere is another one."""
    changed = applied(f"in: one\n{RETURN}", y_c=ONE, x_c="int one(void);\n")
    assert list(changed) == ["y.c"]
    changed = applied(f"in: one\n{RETURN}", y_c=ONE, x_c=ONE)
    assert list(changed) == ["x.c"]
    with pytest.raises(entries.Misfit, match="in one of y.c, z.c 2 times"):
        applied(f"in: one\n{RETURN}", y_c=ONE, z_c=ONE)


def test_includes_are_those_of_the_next_change():
    files = {"x_c": f'#include "x.h"\n\n{ONE}', "y_c": '#include "x.h"\n\nint three;\n'}
    include = 'in: #include\n  #include "x.h"\n+ #include <string.h>\n'
    changed = applied(f"in: one\n{RETURN}{include}in: three\n- int three;\n+ long three;\n", **files)
    assert changed["x.c"].startswith('#include "x.h"\n\nint one')
    assert changed["y.c"] == '#include "x.h"\n#include <string.h>\n\nlong three;\n'
    changed = applied(f"in: #include\n+ #include <string.h>\nin: one\n{RETURN}", **files)
    assert changed["x.c"].startswith('#include <string.h>\n#include "x.h"\n\nint one')


ITEMS = '''#include "x.h"
#define WIDTH 3
#define LOOP(name, type) \\
    static type name(void) \\
    { \\
        return 1; \\
    }
LOOP(first, int)
enum { RED, GREEN = 2 };
enum colour { BLUE };
struct pair { int a; struct { int c; } b; };
typedef int (*handler)(struct pair *);
static const struct pair table[WIDTH] = {{1}, {2}};
static int (*rows(void))[3]
{
    return 0;
}
__attribute__((format(printf, 1, 2))) static void say(const char *text, ...);
enum colour shade(int a)
{
    return (enum colour){a};
}
extern int many;
'''


def test_everything_at_the_top_of_a_file_has_a_name():
    names = [item.names for item in clike.Source(ITEMS).items]
    assert names == [("#include",), ("WIDTH",), ("LOOP",), ("LOOP",), ("RED", "GREEN"), ("colour", "BLUE"), ("pair",),
                     ("handler",), ("table",), ("rows",), ("say",), ("shade",), ("many",)]


@pytest.fixture(name="tree")
def fixture_tree(tmp_path):
    """A tree with these files; mutants are given with the source that they are written for."""
    root = tmp_path / "tree"

    def make(*mutants, **files):
        for path, text in files.items():
            path = root / path.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        for source, text in mutants:
            path = root / entries.path_of(source)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text((path.read_text() + "\n" if path.exists() else "") + text)
        return root

    return make


def entry(name, changes=f"in: one\n{RETURN}", breaks="P30-001"):
    return HEAD.format(name).replace("P30-001", breaks) + changes


def test_words_mean_mutants(tree):
    root = tree(("wire/x.c", entry("ack-lost")), ("wire/x.c", entry("ack-late", breaks="P30-002")),
                ("wire/deep/y.c", entry("put-lost")))
    known = groups.load(root)

    def named(*words):
        return [one.name for one in groups.select(known, list(words))]

    assert named() == ["ack-late", "ack-lost", "put-lost"]
    assert named("ack-*", "put-lost") == named()
    assert named("*-lost") == ["ack-lost", "put-lost"] == named("P30-001")
    assert named("wire/x.c") == ["ack-late", "ack-lost"] == named("tests/mutants/wire/x.c.mutants")
    assert named("wire/deep/") == ["put-lost"]
    for unknown in ("get-*", "P30-003", "wire/z.c"):
        with pytest.raises(entries.Misfit, match="no mutant is meant by"):
            groups.select(known, ["ack-*", unknown])


def test_mutants_follow_their_group(tree):
    """What may belong to several functions of one name goes where the others of its group have gone."""
    root = tree(("wire/x.c", entry("static", "in: two\n- return a;\n")), ("wire/x.c", entry("known")), wire__y_c=TWINS,
                wire__z_c=ONE.replace("one", "two"))
    assert groups.regroup(root, entries.Sources.below(root)) == ["known", "static"]
    assert [one.group for one in groups.load(root)] == ["wire/y.c", "wire/y.c"]


def test_mutants_follow_their_functions(tree):
    """Into the file of another source; what does not fit stays, and a file that has become empty goes."""
    root = tree(("wire/x.c", entry("alone")), ("wire/y.c", entry("second", "in: two\n- return a;\n")),
                ("wire/y.c", entry("misfit", "in: three\n- return a;\n")), ("wire/y.c", entry("first")),
                wire__y_c=TWINS)
    assert groups.regroup(root, entries.Sources.below(root)) == ["alone"]
    files = {str(path.relative_to(root)) for path in root.rglob("*.mutants")}
    assert files == {"tests/mutants/wire/y.c.mutants"}
    text = (root / "tests/mutants/wire/y.c.mutants").read_text()
    assert [line[8:] for line in text.splitlines() if line.startswith("mutant: ")] == \
        ["misfit", "alone", "first", "second"]
    assert groups.regroup(root, entries.Sources.below(root)) == []
    assert (root / "tests/mutants/wire/y.c.mutants").read_text() == text


COMPILE = "\tcc -Wall -Werror -O2 -I. -Iwire/include -c -o build/"
MAKEFILE = f"build/bin/x: wire/x.c wire/y.c\n{COMPILE}x.o wire/x.c\n{COMPILE}y.o wire/y.c\n"


def test_mutants_that_do_not_compile_are_named(tree, tmp_path):
    """In what is changed, and in what includes a header that is changed; the tree stays as it was."""
    changes = {
        "good": "in: one\n- return a;\n+ return 2 * a;\n",
        "typing-error": "in: one\n- return a;\n+ return b;\n",
        "unused": "in: one\n  int a = 1;\n+ int b = 1;\n",
        "idle": "in: one\n+ static int idle(void) { return 0; }\n+\n  int one(void)\n  {\n",
        "misfit": "in: one\n- a\n",
        "header": "in: one\n- return a;\n+ return 2 * a;\nin: other\n- int other(void);\n+ int other(int);\n",
        "public-header": "in: all\n- int all(void);\n+ int all(int);\n",
    }
    root = tree(*[("wire/x.c", entry(name, change)) for name, change in changes.items()],
                ("wire/z.c", entry("elsewhere", "in: z\n- int z;\n+ int y;\n")), Makefile=MAKEFILE, wire__x_c=TWINS,
                wire__x_h="int other(void);\n", wire__y_h='#include "x.h"\n#include <all.h>\n',
                wire__include__all_h="int all(void);\n",
                wire__y_c='#include "y.h"\nint three(void) { return other() + all(); }\n', wire__z_c="int z;\n")
    faults = compiling.faults(root, tmp_path / "work", groups.load(root), {"x"}, 2)
    assert sorted(faults) == ["elsewhere", "header", "idle", "misfit", "public-header", "typing-error", "unused"]
    assert "nothing that is compiled" in faults["elsewhere"]
    assert "y.c:2" in faults["header"] and "y.c:2" in faults["public-header"]
    assert "'b' undeclared" in faults["typing-error"] and "unused variable" in faults["unused"]
    assert "defined but not used" in faults["idle"]
    assert "2 times" in faults["misfit"]
    for number in range(2):
        assert (tmp_path / "work" / f"compiling-{number}" / "wire" / "x.c").read_text() == TWINS
