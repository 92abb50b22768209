# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The lints of structure and words: modules, rooms, headers, comments, citations, words. As in test_lint.py, each is
shown a tree in order, then the same tree with one planted defect."""

import xml.dom.minidom

import pytest

from test_lint import C_HEAD, HERE, KNOWN, LUA_HEAD, Sample

HOUSE = ["modules", "rooms", "headers", "comments", "citations", "words", "profile_names"]


@pytest.fixture(name="tree")
def make_house(tmp_path):
    """A tree that is in order, with a page about each folder and a manual in each header."""
    tree = Sample(tmp_path)
    for folder, header, declaration in (("wire", "octets.h", "int wire_octets(void);"),
                                        ("ref-impl/core", "match.h", "int match_find(void);"),
                                        ("ref-impl/nal", "nal.h", "int nal_open(void);"),
                                        ("tester/engine", "engine.h", "int engine_run(void);")):
        tree.write(f"{folder}/README.md", f"# A folder\n\nBegin with `{header}`.\n")
        name = declaration.split()[1].split("(")[0]
        tree.write(f"{folder}/{header}", f"{C_HEAD}\n/* {name} - does it. */\n{declaration}\n")
    tree.write("interpreter/portals/README.md", "# A folder\n\nBegin with `verbs.h`.\n")
    tree.write("ref-impl/include/README.md", "# A folder\n\n`portals.h` is the interface.\n")
    tree.write("tests/README.md", "# The tests\n\n`unit/` holds the tests of wire.\n")
    return tree


@pytest.mark.parametrize("name", HOUSE)
def test_clean_house(tree, name):
    """The tree into which the defects are planted has none itself."""
    assert tree.clean(name) == ""


def test_modules_catch_a_circle(tree):
    """Two modules that include each other are told with the lines that tie them; a module's own header ties nothing."""
    tree.write("tester/a.h", C_HEAD + '#include "tester/b.h"\n')
    tree.write("tester/a.c", C_HEAD + '#include "tester/a.h"\n')
    tree.write("tester/b.h", C_HEAD)
    tree.write("tester/b.c", C_HEAD + '#include "tester/b.h"\n')
    tree.clean("modules")
    tree.write("tester/b.c", C_HEAD + '#include "tester/b.h"\n\n#include "tester/a.h"\n')
    tree.caught("modules", "tester/a.h:3: a circle: tester/a.h:3 includes tester/b.h; tester/b.c:5 includes "
                "tester/a.h; what both need is a third module")
    tree.write("tester/b.c", C_HEAD + '#include "tester/b.h"\n/*\n#include "tester/a.h"\n*/\n')
    tree.clean("modules")


def test_modules_catch_a_long_circle(tree):
    """A circle through three folders of the interpreter, whose includes are relative."""
    tree.write("interpreter/one/a.c", C_HEAD + '#include "../two/b.h"\n')
    tree.write("interpreter/two/b.h", C_HEAD + '#include "three/c.h"\n')
    tree.write("interpreter/three/c.h", C_HEAD)
    tree.clean("modules")
    tree.write("interpreter/one/a.h", C_HEAD)
    tree.write("interpreter/three/c.h", C_HEAD + '#include "../one/a.h"\n')
    tree.caught("modules", "interpreter/one/a.c:3: a circle:", "interpreter/two/b.h:3 includes interpreter/three/c.h",
                "interpreter/three/c.h:3 includes interpreter/one/a.h", "third module")


def test_modules_name_what_hangs_on_a_circle(tree):
    """The shortest circle is told, and who else is in the knot."""
    tree.write("tester/a.h", C_HEAD + '#include "tester/b.h"\n#include "tester/c.h"\n')
    tree.write("tester/b.h", C_HEAD + '#include "tester/a.h"\n')
    tree.write("tester/c.h", C_HEAD + '#include "tester/d.h"\n')
    tree.write("tester/d.h", C_HEAD + '#include "tester/a.h"\n')
    tree.caught("modules", "tester/b.h:3 includes tester/a.h (and with them tester/c, tester/d)")


def test_modules_catch_a_circle_of_folders(tree):
    """Folders form no circle even where modules form none; a folder may use the contract that lies above it."""
    tree.write("tester/contract.h", C_HEAD)
    tree.write("tester/door.c", C_HEAD + '#include "tester/low/a.h"\n')
    tree.write("tester/low/a.h", C_HEAD + '#include "tester/contract.h"\n')
    tree.write("tester/low/b.c", C_HEAD + '#include "tester/high/c.h"\n')
    tree.write("tester/high/c.h", C_HEAD)
    tree.clean("modules")
    tree.write("tester/high/c.h", C_HEAD + '#include "tester/low/a.h"\n')
    tree.caught("modules", "tester/high/c.h:3 includes tester/low/a.h; tester/low/b.c:3 includes tester/high/c.h",
                "a folder below both")


def test_modules_are_drawn(tree):
    """The picture has every folder and module on its floor, as text and as SVG that is XML."""
    picture = tree.root / "modules.svg"
    done = tree.lint("modules", "--picture", str(picture))
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    above, below = "  ref-impl/core/ includes ref-impl/nal", "  ref-impl/nal/ includes no other folder"
    assert lines.index(above) < lines.index(below)
    assert "     0  match" in lines
    xml.dom.minidom.parse(str(picture))
    assert "match<title>ref-impl/core/match includes ref-impl/nal/nal;" in picture.read_text()
    assert picture.read_text().count("<path") == 1


@pytest.mark.parametrize("count,path,words", [
    (26, "wire/f{}.c", "wire/:1: 26 .c files, at most 25"),
    (45, "wire/f{}.lua", "wire/:1: 48 files, at most 45"),
])
def test_rooms_catch_crowded_folders(tree, count, path, words):
    """A folder with more than can be taken in."""
    for number in range(count):
        tree.write(path.format(number), (LUA_HEAD if path.endswith(".lua") else C_HEAD))
    if count == 26:
        (tree.root / "wire/octets.c").unlink()
    tree.caught("rooms", words, "divide the folder")


def test_rooms_catch_readmes(tree):
    """A folder without a page, with a page that names no file, or that is longer than a page."""
    tree.write("wire/low/a.h", C_HEAD)
    tree.caught("rooms", "wire/low/README.md:1: is missing")
    tree.write("wire/low/README.md", "# Low\n\nBegin with `data.h`.\n")
    tree.caught("rooms", "wire/low/README.md:1: names no header or source")
    tree.write("wire/low/README.md", "# Low\n\nBegin with `a.h`.\n" + "\n" * 78)
    tree.caught("rooms", "wire/low/README.md:81: 81 lines")
    tree.write("wire/low/README.md", "# Low\n\nBegin with `a.h`.\n")
    tree.clean("rooms")
    tree.write("tests/slow/a.c", C_HEAD)
    tree.caught("rooms", "tests/README.md:1: does not name tests/slow/")
    tree.write("tests/unit/a.c", C_HEAD)
    (tree.root / "tests/slow/a.c").unlink()
    tree.clean("rooms")


HEADERS = [
    ("/* wire_a - what it does. */\nint wire_a(void);\n", None),
    ("/* wire_a and\n * wire_b do it. */\nint wire_a(void);\nint wire_b(int a,\n           int b);\n", None),
    ("/* wire_*_read read each. */\nint wire_a_read(void);\nint wire_b_read(void);\n", None),
    ("/* wire_a - in line. */\nstatic inline int wire_a(void)\n{\n    return wire_none(1);\n}\n", None),
    ("/* A type. */\ntypedef int (*wire_a)(void);\nstruct wire_b {\n    int (*call)(void);\n};\n", None),
    ("#define WIRE_A(x) \\\n    wire_a(x)\n", None),
    ("int wire_a(void);\n", ":4: nothing says what wire_a does"),
    ("/* Far above. */\n\nint wire_a(void);\n", ":6: nothing says what wire_a does"),
    ("/* It does this. */\nint wire_a(void);\n", ":5: the comment over wire_a does not name it"),
    ("/* wire_a - this. */\nint wire_a(void);\n__attribute__((format(printf, 1, 2))) int wire_b(const char *a, ...);\n",
     ":6: the comment over wire_b does not name it"),
    ("/* wire_a - this. */\nint *wire_ab(void);\n", ":5: the comment over wire_ab does not name it"),
]


@pytest.mark.parametrize("text,words", HEADERS)
def test_headers(tree, text, words):
    """Each function is named by the comment over it or over its group; other declarations need none."""
    tree.write("wire/more.h", C_HEAD + "\n" + text)
    if words is None:
        assert tree.clean("headers") == ""
    else:
        tree.caught("headers", "wire/more.h" + words)


def test_comments_keep_lists(tree):
    """The item of a list begins a line; a dash within a sentence is none."""
    tree.write("wire/more.h", C_HEAD + "/* wire_a - opens. The end - or not.\n * wire_b, wire_c - close. */\n")
    tree.clean("comments")
    tree.write("wire/more.h", C_HEAD + "/* wire_a - opens.\n * It is quick. wire_b, wire_c - close. */\n")
    tree.caught("comments", "wire/more.h:4: `wire_b, wire_c -` begins in the middle of a line")


def test_comments_are_kept_from_the_formatter(tree):
    """Without the setting the formatter would destroy what is drawn in comments."""
    settings = (tree.root / ".clang-format").read_text()
    tree.write(".clang-format", settings.replace("ReflowComments: false", "ReflowComments: true"))
    tree.caught("comments", ".clang-format:1: lacks `ReflowComments: false`")


@pytest.mark.parametrize("line,words", [
    (f"//= {KNOWN}", None),
    ("/* by SHA-256 and UTF-8 */", None),
    ("//= Q7" + "-001", "Q7- is the prefix of no catalogue"),
    ("/* what Q7" + "-001 demands */", "Q7- is the prefix of no catalogue"),
    ("//= as it should be", "`//=` names no requirement"),
])
def test_citations(tree, line, words):
    """What looks like a citation is one of a catalogue that is there."""
    tree.write("wire/a.c", f"{C_HEAD}{line}\n")
    if words is None:
        tree.clean("citations")
    else:
        tree.caught("citations", "wire/a.c:3:", words)


WORDS = [
    ("wire/a.c", "int wire_missteps;\n", "wire/a.c:3: `missteps` has a plain name: violation"),
    ("wire/a.c", "/* A Stranger comes. */\n", "`Stranger` has a plain name"),
    ("web/a.c", "int visits_open;\n", "`visits` has a plain name"),
    ("tester/a.c", "int visit_each; /* visits each */\n", None),
    ("tester/a.c", 'const char *key = "breaches";\n', None),
    ("tester/a.c", "int undoomed; /* keepers of the book: housekeeper */\n", "`keepers` has a plain name"),
    ("tester/witness.h", "\n", "tester/witness.h:1: `witness` has a plain name"),
    ("CHANGES.md", "- a misstep is called a violation\n", None),
]


@pytest.mark.parametrize("path,text,words", WORDS)
def test_words(tree, path, text, words):
    """A word that was given up is found in identifiers, comments and names of files; contracts keep it."""
    tree.write(path, (C_HEAD if path.endswith((".c", ".h")) else "") + text)
    if words is None:
        tree.clean("words")
    else:
        tree.caught("words", words)


@pytest.mark.parametrize("path, text", [
    ("tester/engine/run.c", C_HEAD + 'const char *profile = "proof-1";\n'),
    ("web/pages/menu.html", '<a href="/profiles/proof-1">Proof</a>\n'), ("web/demo.sh", "certify proof-1\n"),
    ("build.mk", "BOOKS := proof-1.html\n")])
def test_profile_names_catch_a_name(tree, path, text):
    """Who names a profile instead of asking the table is told so; a comment, a longer name, a test and a page may."""
    free = C_HEAD + '/* proof-1 */\nconst char *other = "proof-1.5 and disproof-1";\n'
    tree.write("tester/engine/other.c", free)
    tree.write("tests/unit/test_other.c", C_HEAD + 'const char *profile = "proof-1";\n')
    tree.write("tester/README.md", "`proof-1` is a profile.\n")
    tree.clean("profile_names")
    tree.write(path, text)
    tree.caught("profile_names", path, "names the profile proof-1; ask the table")
