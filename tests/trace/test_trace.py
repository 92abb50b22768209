# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The book tells what is there: every requirement, the lines that fulfil it, every case, mutant and octet."""

import hashlib
import html.parser
import json
import pathlib
import re
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import highlight  # noqa: E402
import octets  # noqa: E402
import profile_table  # noqa: E402
import sources  # noqa: E402

ROOT = HERE.parent.parent
VOID = {"meta", "input", "br", "i"}  # <i> only carries a line's number and is closed at once
LEFT_OPEN = {"li", "td", "th", "tr"}  # HTML lets these end by themselves


class Page(html.parser.HTMLParser):
    """Every element with its attributes and the text directly within articles; brackets must match."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.wrong = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        while self.open and self.open[-1] in LEFT_OPEN and self.open[-1] != tag:
            self.open.pop()
        if not self.open or self.open.pop() != tag:
            self.wrong.append((tag, self.getpos()))

    def values(self, name, tag=None):
        """The values of an attribute."""
        return [attributes[name] for known, attributes in self.elements
                if name in attributes and (tag is None or known == tag)]


def plain(markup: str) -> str:
    """The text of a piece of HTML."""
    return html.unescape(re.sub(r"<[^>]+>", "", markup))


def articles(book: str, kind: str) -> dict:
    """id -> markup of every article of the kind."""
    return dict(re.findall(rf'<article class="{kind}" id="([^"]+)"(.*?)</article>', book, re.DOTALL))


def make(build, bin_dir, output, *options) -> subprocess.CompletedProcess:
    """Writes a book of its own."""
    (layout,) = build.glob("release/trace/layout") or build.glob("*/trace/layout")
    command = [sys.executable, HERE / "trace.py", "--layout", layout, "--assay", bin_dir / "assay", "--output", output]
    return subprocess.run([*command, *options], capture_output=True, text=True, timeout=900, check=False)


@pytest.fixture(name="profile", scope="module", params=[row["name"] for row in profile_table.load()])
def fixture_profile(request) -> str:
    """Whose book it is."""
    return request.param


@pytest.fixture(name="book", scope="module")
def fixture_book(build, bin_dir, tmp_path_factory, profile) -> str:
    """The book of the tree as it is now."""
    path = tmp_path_factory.mktemp("trace") / "book.html"
    done = make(build, bin_dir, path, "--profile", profile)
    assert (done.returncode, done.stderr) == (0, "")
    return path.read_text(encoding="utf-8")


@pytest.fixture(name="page", scope="module")
def fixture_page(book) -> Page:
    return Page(book)


@pytest.fixture(name="rules", scope="module")
def fixture_rules(book) -> dict:
    return articles(book, "rule")


@pytest.fixture(name="messages", scope="module")
def fixture_messages(build, profile) -> list:
    if "book" not in profile_table.find(profile):
        pytest.skip("this book draws no messages")
    protocol = profile_table.find(profile)["book"]["messages"]
    (layout,) = build.glob("release/trace/layout") or build.glob("*/trace/layout")
    shown = subprocess.run([layout, protocol, ROOT / "wire" / "vectors"], capture_output=True, check=True,
                           timeout=300).stdout
    return json.loads(shown)


def catalogue(profile) -> list:
    return profile_table.requirements(profile)


def test_markup_is_whole(page):
    assert (page.wrong, page.open) == ([], [])
    ids = page.values("id")
    assert len(ids) == len(set(ids))


def test_nothing_is_needed_beside_it(page):
    """No file, no address, no inline style or handler: its Content-Security-Policy would forbid them."""
    assert all(value.startswith("#") for value in page.values("href"))
    assert {"src", "style", "onclick", "onload"}.isdisjoint(name for _, found in page.elements for name in found)
    assert not [tag for tag, _ in page.elements if tag in ("link", "img", "iframe", "object")]


def test_names_that_have_changed(book, profile):
    """A revision's book tells what it calls otherwise than those before it; that of a first one has nothing to tell."""
    rows = re.findall(r"<tr><td>([^<]+)<td>(\w+)<td>(\w+)(?=<tr>|</tbody>)", book)
    assert rows == profile_table.renames(profile)
    assert (("portals-3.3", "PTL_NOINIT", "PTL_NO_INIT") in rows) == (profile == "portals-3.3")
    assert (("portals-3.2", "PTL_EVENT_SENT", "PTL_EVENT_SEND_END") in rows) == (profile > "portals-3.0")


def test_what_a_revision_has_done_to_a_requirement(book, profile):
    """The table tells whether the revision that is named changed it, took it away or has it alone."""
    rows = {name[-3:]: (since, change) for name, since, change in
            re.findall(r"<tr><td><a[^>]*>([^<]+)</a><td>([^<]+)<td>(\w+)<td>", book)}
    assert {change for _, change in rows.values()} <= {"new", "changed", "gone"}
    if profile > "portals-3.0":
        assert [rows[number] for number in ("016", "017", "343")] == [
            ("portals-3.2", "changed"), ("portals-3.2", "gone"), ("portals-3.2", "new")]
    assert rows.get("360") == (("portals-3.3", "new") if profile == "portals-3.3" else None)


def test_every_link_leads_somewhere(page):
    ids = set(page.values("id"))
    assert sorted({link for link in page.values("href") if link[1:] not in ids}) == []


def test_every_requirement_with_its_words(rules, profile):
    rows = catalogue(profile)
    assert list(rules) == [row["id"] for row in sorted(rows, key=lambda row: (
        [int(word) if word.isdigit() else ord(word) for word in row["section"].split(".")], rows.index(row)))]
    for row in rows:
        told = plain(rules[row["id"]])
        assert row["obligation"] in told and row["check"] in told and row.get("reading", "") in told, row["id"]


def test_every_switch_with_its_readings(rules, profile):
    path = ROOT / "specs" / f"{profile}.switches.json"
    for switch in json.loads(path.read_text(encoding="utf-8"))["switches"] if path.exists() else ():
        for name in switch["requirements"]:
            told = plain(rules[name])
            assert switch["question"] in told
            assert all(reading["meaning"] in told for reading in switch["readings"])


def test_every_citation_is_shown(rules):
    """Whatever cites a requirement in the reference or in wire/ has its file in the requirement's article."""
    for folder in ("ref-impl", "wire"):
        for path in (ROOT / folder).rglob("*.[ch]"):
            cited = {name for line in re.findall(r"//=((?: [A-Z0-9]+-\d{3})+)", path.read_text(encoding="utf-8"))
                     for name in line.split()}
            for name in cited & rules.keys():
                assert f"{path.relative_to(ROOT)}:" in rules[name], (name, path)


def test_lines_of_code_are_those_of_the_files(rules):
    """Numbers and words: every line that is shown stands so in its file, but for the citation and blanks."""
    count = 0
    for markup in rules.values():
        for figure in re.findall(r"<figure><figcaption>.*?</figure>", markup, re.DOTALL):
            path = re.search(r"<code>([^<:]+):\d+</code>", figure).group(1)
            lines = (ROOT / path).read_text(encoding="utf-8").split("\n")
            for number, shown in re.findall(r'<i data-n="(\d+)"></i>(.*?)(?=\n|</code></pre>)', figure):
                wanted = re.sub(r"\s*//= [A-Z][A-Z0-9]*-.*", "", lines[int(number) - 1])
                assert plain(shown).split() == wanted.split(), f"{path}:{number}"
                count += 1
    assert count > 1000


def test_every_case_with_its_source(book, bin_dir, profile):
    listed = json.loads(subprocess.run([bin_dir / "assay", "cases", "--profile", profile, "--json"],
                                       capture_output=True, check=True, timeout=300,
                                       env={"ASSAY_CASES": str(ROOT / "tester" / "cases")}).stdout)
    shown = articles(book, "case")
    files = {name: plain(markup) for name, markup in articles(book, "file").items()}
    assert sorted(shown) == sorted(f"case-{case['id']}" for case in listed)
    for case in listed:
        markup = shown[f"case-{case['id']}"]
        assert all(f'href="#{name}"' in markup for name in case["requirements"])
        if f'id = "{case["id"]}"' in plain(markup):
            continue
        made_by = re.search(r'href="#(file-[^"]+)"', markup).group(1)
        source = (ROOT / "tester" / "cases" / case["file"]).read_text(encoding="utf-8")
        assert source.rstrip("\n") in files[made_by], f"{case['id']}: its source is not shown"


def test_every_mutant_with_its_change(rules):
    proofs = ROOT / "tests" / "mutants" / "proofs.json"
    proven = json.loads(proofs.read_text(encoding="utf-8")) if proofs.exists() else {}
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "mutants").rglob("*.mutants")]
    for entry in re.split(r"^(?=mutant: )", "\n".join(texts), flags=re.MULTILINE)[1:]:
        name = re.match(r"mutant: (\S+)", entry).group(1)
        markup = rules.get(re.search(r"^breaks: (\S+)", entry, re.MULTILINE).group(1))
        if markup is None:
            continue  # it breaks what another profile demands
        figure = re.search(rf'<figure id="mutant-{name}">.*?</figure>', markup, re.DOTALL).group(0)
        assert entry[entry.index("\nin: "):].rstrip("\n") in plain(figure)
        caught = list(proven.get(name, {}).get("caught_by", []))
        assert re.findall(r'href="#case-([^"]+)"', figure) == caught


def test_without_proofs_nothing_counts_as_proven(build, bin_dir, tmp_path):
    done = make(build, bin_dir, tmp_path / "book.html", "--proofs", tmp_path / "none.json")
    assert (done.returncode, done.stderr) == (0, "")
    book = (tmp_path / "book.html").read_text(encoding="utf-8")
    assert "Has caught" not in book
    assert book.count("Unproven:") == len(articles(book, "case"))


def test_same_input_same_octets(build, bin_dir, book, profile, tmp_path):
    assert make(build, bin_dir, tmp_path / "again.html", "--profile", profile).returncode == 0
    again = (tmp_path / "again.html").read_bytes()
    assert hashlib.sha256(again).hexdigest() == hashlib.sha256(book.encode()).hexdigest()


def test_broken_input_is_told(build, bin_dir, tmp_path):
    (tmp_path / "proofs.json").write_text("{", encoding="ascii")
    done = make(build, bin_dir, tmp_path / "book.html", "--proofs", tmp_path / "proofs.json")
    assert done.returncode == 2
    assert done.stderr.startswith(f"trace: {tmp_path / 'proofs.json'}: ")
    assert not (tmp_path / "book.html").exists()


def test_drawings_show_every_octet_of_the_vectors(messages, profile):
    """The rows leave no gap, and what is drawn, read from the top left, is the hand-written vector."""
    if "book" not in profile_table.find(profile):
        pytest.skip("this book draws no messages")
    protocol = profile_table.find(profile)["book"]["messages"]
    folder = {"portals": ""}.get(protocol, protocol)
    drawn = 0
    for message in messages:
        ends = [field["offset"] + field["width"] for field in message["fields"]]
        assert [field["offset"] for field in message["fields"]] == [0, *ends[:-1]]
        assert ends[-1] == message["octets"]
        vector = ROOT / "wire" / "vectors" / folder / f"{message['name'].lower()}.hex"
        if not vector.exists():
            continue
        written = re.sub(r"#.*|\s", "", vector.read_text(encoding="ascii"))
        boxes = re.findall(r'<text class="o" x="(\d+)" y="(\d+)">(..)</text>', octets.picture(message))
        assert "".join(digits for _, _, digits in boxes) == written, message["name"]
        places = [(int(y), int(x)) for x, y, _ in boxes]
        assert places == sorted(set(places)), message["name"]
        drawn += 1
    assert drawn >= 6


def test_drawing_without_an_example():
    """A message that has no vector yet is drawn with empty boxes."""
    message = {"name": "new", "label": "New", "clause": "1", "octets": 6, "fields": [
        {"name": "operation", "label": "Operation", "clause": "1", "offset": 0, "width": 4, "help": ""},
        {"name": "small", "label": "Small <&>", "clause": "1", "offset": 4, "width": 2, "help": ""}]}
    picture = octets.picture(message)
    assert picture.count("··") == 6
    assert "Small &lt;&amp;&gt;" in picture


C = """\
/* Head. */
//= T-001 T-002
int one(int a)
{
    switch (a) {
    //= T-003
    case 1:
    case 2:
        a++;
        break;
    default:
        break;
    }
    if (a > 9) {
        return 0; //= T-004
    }
    //= T-005
    if (a == '{') { /* { */
        a = 1;
    } else {
        a = 2;
    }
    return a;
}

//= T-006
#define TWO(x) \\
    (x)

static const struct rule rules[] = {
    {1, "//= T-999"},
    //= T-007
    {2, "two"},
};
"""


@pytest.mark.parametrize(("requirement", "name", "first", "last"), [
    ("T-001", "one", 1, 24), ("T-002", "one", 1, 24), ("T-003", "one", 7, 10), ("T-004", "one", 14, 16),
    ("T-005", "one", 18, 22), ("T-006", "TWO", 27, 28), ("T-007", "rules", 33, 33)])
def test_what_a_citation_is_about(requirement, name, first, last):
    found = dict(sources.Source("x.c", C).cited())
    assert (found[requirement].name, found[requirement].first, found[requirement].last) == (name, first, last)
    assert not any("//= T-0" in line for _, line in found[requirement].lines)


def test_citation_in_a_string_is_none():
    assert "T-999" not in dict(sources.Source("x.c", C).cited())


def test_colours_lose_nothing():
    """Marked up and read again, the text is what it was; no mark reaches over the end of a line."""
    text = 'x = "<a>"; /* one\n   two */ y & 0x1f;'
    for language in ("c", "lua"):
        shown = highlight.lines(language, enumerate(text.split("\n"), 1), 1, 1)
        assert plain(shown) == text
        assert all(line.count("<span") == line.count("</span>") for line in shown.split("\n"))


def test_a_book_tells_of_one_profile(book, profile):
    """No requirement of another one stands in it, but where a case names those of later revisions that leave it as it
    is."""
    own = profile_table.revisions(profile)
    others = "|".join(row["prefix"] for row in profile_table.load() if row["name"] not in own)
    text = re.sub(r"still = \{[^}]*\}", "", plain(book))
    assert re.findall(rf"\b(?:{others})-\d{{3}}", text) == []
