# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Makes the pages of the book out of the material. Everything that came from a file is escaped here."""

import html
import pathlib
import re
import string

import highlight
import octets

HERE = pathlib.Path(__file__).resolve().parent
CLASSES = {"normative": "stated", "inferred": "follows from the text", "ambiguous": "ambiguous",
           "reconstructed": "reconstructed"}
SOURCES = {"printed": "the printed words", "corrected": "a slip mended", "implemented": "what an implementation does",
           "later": "a later revision"}


def text(value) -> str:
    """A text as HTML."""
    return html.escape(str(value))


def count(number: int, one: str, many: str) -> str:
    """3 cases, 1 case, no case."""
    return f"{number or 'no'} {many if number > 1 else one}"


def anchor(name: str) -> str:
    """A link to a requirement."""
    return f'<a class="id" href="#{text(name)}">{text(name)}</a>'


def case_link(name: str) -> str:
    """A link to a case."""
    return f'<a class="id" href="#case-{text(name)}">{text(name)}</a>'


def listing(language: str, numbered, first: int = 0, last: int = 0) -> str:
    """Source lines in a box that scrolls by itself."""
    return f'<pre tabindex="0"><code>{highlight.lines(language, numbered, first, last)}</code></pre>'


def excerpt(one) -> str:
    """One place in the code."""
    more = f'<p class="q">{one.more} more lines are not shown.</p>' if one.more else ""
    name = f" · <code>{text(one.name)}</code>" if one.name else ""
    return (f'<figure><figcaption><code>{text(one.path)}:{one.lines[0][0]}</code>{name}</figcaption>'
            f'{listing("c", one.lines, one.first, one.last)}{more}</figure>')


def mutant(one) -> str:
    """One mutant with its change."""
    caught = ", ".join(map(case_link, one.caught_by)) if one.caught_by else "no case, as far as is known"
    return (f'<figure id="mutant-{text(one.name)}"><figcaption><code>{text(one.name)}</code></figcaption>'
            f'<p>{text(one.why)}</p><p class="q">Caught by {caught}.</p>'
            f'<pre tabindex="0" class="diff"><code>{highlight.diff(one.diff)}</code></pre></figure>')


def part(kind: str, summary: str, inside: str) -> str:
    """Something to open."""
    return f'<details class="{kind}"><summary>{summary}</summary>{inside}</details>'


def places_of(excerpts) -> str:
    """Where the code is, short: the function and its file."""
    names = dict.fromkeys(f"{one.name or 'line ' + str(one.first)} in {pathlib.PurePath(one.path).name}"
                          for one in excerpts)
    return text(", ".join(list(names)[:3]) + (", …" if len(names) > 3 else ""))


def switch(one: dict) -> str:
    """A question that the document leaves open, with the readings that a run can choose."""
    readings = "".join(
        f'<li><code>{text(reading["value"])}</code>{" (default)" if reading["value"] == one["default"] else ""}: '
        f'{text(reading["meaning"])} <span class="q">– {text(SOURCES[reading["source"]])}</span>'
        for reading in one["readings"])
    return (f'<div class="switch"><p>{text(one["question"])} <code class="q">{text(one["name"])}</code></p>'
            f"<ul>{readings}</ul></div>")


def code_part(row: dict, excerpts: list) -> str:
    """What fulfils the requirement."""
    if not excerpts:
        return '<p class="none">Code: no single place of the reference fulfils it.</p>'
    summary = f'<b>Code</b> <span class="q">{places_of(excerpts)}</span>'
    return part("code", summary, "".join(map(excerpt, excerpts)))


def cases_part(row: dict, cases: list) -> str:
    """What judges it."""
    if not cases:
        why = text(row.get("why_not", "")) if not row["testable"] else "none judges it yet."
        return f'<p class="none">Cases: {why}</p>'
    items = "".join(f'<li>{case_link(case.id)} {text(case.about["title"])}<br>'
                    f'<span class="q">{text(case.about["purpose"])}</span>' for case in cases)
    return part("cases", f'<b>Cases</b> <span class="q">{count(len(cases), "case judges", "cases judge")} it</span>',
                f"<ul>{items}</ul>")


def mutants_part(mutants: list, judged: bool) -> str:
    """What proves that the cases would notice."""
    if not mutants:
        return '<p class="none">Mutants: none, so its cases are unproven.</p>' if judged else ""
    survivors = sum(not one.caught_by for one in mutants)
    word = f"{survivors} not proven yet" if survivors else "caught"
    many = count(len(mutants), "mutant breaks", "mutants break")
    summary = f'<b>Mutants</b> <span class="q">{many} it: {word}</span>'
    return part("mutants", summary, "".join(map(mutant, mutants)))


def marks(excerpts: list, cases: list, mutants: list) -> str:
    """What there is of code, cases and mutants, for whoever skims and for the filters."""
    words = (("code", excerpts), ("case", cases), ("mutant", mutants))
    return " ".join(kind for kind, have in words if have)


def change(material, row: dict) -> str:
    """What the revision named in `since` has done to a requirement."""
    return material.came[row["same_as"][0]] if row["change"] == "kept" else row["change"]


def requirement(material, row: dict) -> str:
    """One requirement with everything that belongs to it."""
    name = row["id"]
    excerpts, cases = material.code.get(name, []), material.judged_by.get(name, [])
    mutants = material.mutants.get(name, [])
    touched = ", ".join(row.get("ambiguities", []))
    numbers = f' <span class="q">({text(touched)})</span>' if touched else ""
    reading = f'<p class="reading"><b>Reading.</b> {text(row["reading"])}{numbers}</p>' if "reading" in row else ""
    switches = "".join(map(switch, material.switches.get(name, [])))
    since = (f'<span class="tag">{text(change(material, row))} since {text(row["since"])}</span> ' if "since" in row
             else "")
    return (f'<article class="rule" id="{text(name)}" data-has="{marks(excerpts, cases, mutants)}" '
            f'data-class="{text(row["class"])}" tabindex="-1"><header><h3>{anchor(name)}</h3>'
            f'<span class="tag">{text(row["level"])}</span> '
            f'{since}<span class="tag {text(row["class"])}">{text(CLASSES[row["class"]])}</span></header>'
            f'<p class="demand">{text(row["obligation"])}</p>{reading}{switches}'
            f'<p class="q"><b>How it shows.</b> {text(row["check"])}</p>'
            f'{code_part(row, excerpts)}{cases_part(row, cases)}{mutants_part(mutants, bool(cases))}</article>')


def differences(material) -> str:
    """What a later revision demands otherwise than those before it, in one table; "" for a first one."""
    rows = [row for row in material.requirements if "since" in row]
    if not rows:
        return ""
    why = {row["id"]: f' <i>{text(row["why_not"])}</i>' for row in rows if row["change"] == "gone"}
    cells = "".join(f'<tr><td>{anchor(row["id"])}<td>{text(row["since"])}<td>{text(change(material, row))}'
                    f'<td>{text(row["obligation"])}{why.get(row["id"], "")}' for row in rows)
    kept = sum("since" not in row for row in material.requirements)
    words = "".join(f"<tr><td>{text(profile)}<td>{text(before)}<td>{text(word)}"
                    for profile, before, word in material.renames)
    return ('<section class="part" id="differences"><h1>What differs from earlier revisions</h1>'
            f'<p>{kept} requirements are as they were, but for names. These are new, changed or gone; in italics '
            'why.</p>'
            '<div class="wide" tabindex="0"><table class="differences"><thead><tr><th>requirement<th>since<th>change'
            f'<th>demand</thead><tbody>{cells}</tbody></table></div><p>What has another name and means the same:</p>'
            '<div class="wide" tabindex="0"><table class="differences"><thead><tr><th>since<th>before<th>name</thead>'
            f'<tbody>{words}</tbody></table></div></section>')


def message(one: dict) -> str:
    """One message in octets."""
    length = next((field["label"].lower() for field in one["fields"] if field["name"] == one.get("payload")), None)
    tail = f" The {text(length)} says how many octets of data follow." if length else " No data follows."
    name = f"message-{text(one['name'])}"
    return (f'<article class="message" id="{name}"><h3><a class="id" href="#{name}">{text(one["label"])}</a></h3>'
            f'<p class="q">{one["octets"]} octets of header, {text(one["clause"])}.{tail}</p>'
            f'{octets.picture(one)}{part("fields", "<b>Fields</b>", octets.table(one))}</article>')


def prose(words: str) -> str:
    """A paragraph of the table of profiles: what stands between backquotes is code."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", text(words))


def messages_in(material) -> str:
    """The section in which the messages are drawn; "" when the profile has no drawings."""
    return material.profile.get("book", {}).get("section", "")


def messages(material) -> str:
    """The messages, drawn where the document lists what they carry."""
    return ('<section class="part" id="messages"><h2>The messages in octets</h2>'
            f'<p>{prose(material.profile["book"]["about"])}</p>'
            f'{"".join(map(message, material.messages))}</section>')


def section_key(number: str) -> list:
    """Sorts 3.10 behind 3.9, and appendices behind chapters."""
    return [(not word.isdigit(), word.rjust(4)) for word in number.split(".")]


def sections(material) -> dict:
    """Section -> its requirements, in the order of the document; chapters come in by themselves."""
    rows = {}
    for row in material.requirements:
        rows.setdefault(row["section"], []).append(row)
    chapters = {number.split(".")[0] for number in rows}
    return {number: rows.get(number, []) for number in sorted(rows.keys() | chapters, key=section_key)}


def heading(material, number: str) -> str:
    """The number of a section with its title."""
    return f'{text(number)} {text(material.sections.get(number, ""))}'.rstrip()


def chapter(material, number: str, rows: list) -> str:
    """One section of the document."""
    level = "h1" if "." not in number else "h2"
    drawn = messages(material) if number == messages_in(material) else ""
    return (f'<section class="part" id="section-{text(number)}"><{level}>{heading(material, number)}</{level}>'
            f'{"".join(requirement(material, row) for row in rows)}</section>{drawn}')


def case(one) -> str:
    """One case with its source."""
    about = one.about
    caught = ", ".join(f'<a class="id" href="#mutant-{text(found.name)}">{text(found.name)}</a>'
                       for found in one.mutants)
    facts = [count(about["ranks"], "process", "processes"), *(["plays a peer on the wire"] if about["wire"] else []),
             *(["sends what no correct peer would"] if about["negative"] else [])]
    if one.source:
        source = part("source", f'<b>Source</b> <span class="q">{text(one.path)}:{one.source[0][0]}</span>',
                      listing("lua", one.source))
    else:
        maker = f'<a href="#{file_id(one.path)}">{text(one.path)}</a>'
        source = f'<p class="none">Source: one of the cases that {maker} makes.</p>'
    return (f'<article class="case" id="case-{text(one.id)}" data-has="{"mutant" if caught else ""}" tabindex="-1">'
            f'<header><h3>{case_link(one.id)}</h3></header><p class="demand">{text(about["title"])}</p>'
            f'<p>{text(about["purpose"])} <span class="q">({text(", ".join(facts))})</span></p>'
            f'<p>Judges {", ".join(map(anchor, about["requirements"]))}.</p>'
            f'<p>{"Has caught " + caught + "." if caught else "Unproven: no mutant is known that it catches."}</p>'
            f"{source}</article>")


def file_id(path: str) -> str:
    """The anchor of a file of cases."""
    return f"file-{text('-'.join(pathlib.PurePath(path).with_suffix('').parts))}"


def makers(material) -> str:
    """The files that make several cases out of one table, whole."""
    files = "".join(f'<section class="part" id="of-{file_id(path)}"><h2>{text(path)}</h2>'
                    f'<article class="file" id="{file_id(path)}" tabindex="-1">'
                    f'{part("source", "<b>Source</b>", listing("lua", source))}</article></section>'
                    for path, source in sorted(material.makers.items()))
    if not files:
        return ""
    return f'<section class="part" id="files"><h1>Files that make cases out of tables</h1></section>{files}'


def suites(material) -> str:
    """All cases, suite by suite."""
    found = {}
    for one in material.cases:
        found.setdefault(one.about["suite"], []).append(one)
    return "".join(f'<section class="part" id="suite-{text(name)}"><h2>{text(name)}</h2>'
                   f'{"".join(map(case, cases))}</section>' for name, cases in found.items())


def contents(material, parts: dict) -> str:
    """The table of contents."""
    items = []
    for number in parts:
        kind = ' class="chapter"' if "." not in number else ""
        items.append(f'<li{kind}><a href="#section-{text(number)}">{heading(material, number)}</a>')
        if number == messages_in(material):
            items.append('<li><a href="#messages">The messages in octets</a>')
    if any("since" in row for row in material.requirements):
        items.insert(0, '<li class="chapter"><a href="#differences">What differs from earlier revisions</a>')
    return f'<ol>{"".join(items)}<li class="chapter"><a href="#cases">The cases</a></ol>'


def summary(material, parts: dict) -> str:
    """How much of each chapter is fulfilled in code, judged and proven."""
    lines = []
    for number in [number for number in parts if "." not in number]:
        rows = [row for name, rows in parts.items() if name.split(".")[0] == number for row in rows]
        judged = [row for row in rows if row["id"] in material.judged_by]
        proven = [row for row in judged if any(one.caught_by for one in material.mutants.get(row["id"], []))]
        cited = [row for row in rows if row["id"] in material.code]
        link = f'<a href="#section-{text(number)}">{heading(material, number)}</a>'
        lines.append((link, len(rows), len(cited), len(judged), len(proven)))
    total = ("all", *(sum(line[at] for line in lines) for at in range(1, 5)))
    cells = "".join("<tr><td>" + line[0] + "".join(f'<td class="r">{number}' for number in line[1:])
                    for line in [*lines, total])
    return ('<div class="wide" tabindex="0"><table class="summary"><thead><tr><th>chapter<th>demands<th>cited in code'
            f"<th>judged<th>proven</thead><tbody>{cells}</tbody></table></div>")


def book(material, release: str) -> str:
    """The whole file."""
    parts = sections(material)
    values = {
        "title": text(material.profile["title"]),
        "profile": text(material.profile["name"]),
        "prefix": text(material.requirements[0]["id"].split("-")[0]),
        "release": text(release),
        "example": text(material.requirements[min(141, len(material.requirements) - 1)]["id"]),
        "style": (HERE / "book.css").read_text(encoding="utf-8"),
        "script": (HERE / "book.js").read_text(encoding="utf-8"),
        "contents": contents(material, parts),
        "summary": summary(material, parts),
        "requirements": str(len(material.requirements)),
        "case_count": str(len(material.cases)),
        "mutant_count": str(sum(map(len, material.mutants.values()))),
        "chapters": differences(material) + "".join(chapter(material, number, rows) for number, rows in parts.items()),
        "cases": suites(material) + makers(material),
    }
    return string.Template((HERE / "book.html").read_text(encoding="utf-8")).substitute(values)
