#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The catalogues of specs/ are whole: every requirement has what specs/README.md promises, every switch fits in."""

import json
import pathlib
import re
import sys

import common

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

import profile_table  # noqa: E402

PROFILES = "specs/profiles.json"
CLASSES = {"normative", "inferred", "ambiguous", "reconstructed"}
LEVELS = {"must", "should", "may"}
SOURCES = {"printed", "corrected", "implemented", "later"}
REQUIRED = {"id": str, "section": str, "obligation": str, "class": str, "level": str, "testable": bool, "check": str}
OPTIONAL = {"role": str, "why_not": str, "why_unproven": str, "reading": str, "ambiguities": list}
# What a catalogue says of itself that is derived from another one, and what its rows have when they are whole.
DERIVED = {"derived_from": str, "renames": dict, "rows": list}
OF_DERIVED = {"derived_from": str, "change": str, "since": str, "same_as": list}
SWITCH = {"name": str, "question": str, "ambiguities": list, "requirements": list, "readings": list, "default": str}
# A row of the table of profiles: what each field is. The engine reads it (tester/profile/profile_row.c) and says more.
PROFILE = {"name": str, "title": str, "document": str, "prefix": str, "complete": bool, "requirements": int,
           "ambiguities": int, "interpreter": dict, "jobs": str, "preflight": str, "passive_checker": str,
           "wire": dict, "roles": list, "suites": list}
# Catalogues of documents that the reference follows and that nobody is judged by: citations fulfil and test their rows.
REFERENCE = ({"name": "puma-mpi", "prefix": "PUMA", "requirements": 185, "ambiguities": 0},
             {"name": "gasnet-portals", "prefix": "GASN", "requirements": 159, "ambiguities": 0})
SUITE = re.compile(r"\bsuite\s*=\s*\"([^\"]+)\"")


def load(tree, path):
    """The file's value; None, with a finding, if it is missing or not JSON."""
    try:
        return json.loads((tree.root / path).read_text())
    except FileNotFoundError:
        tree.report(path, 1, "is missing")
    except json.JSONDecodeError as error:
        tree.report(path, error.lineno, f"is not JSON: {error.msg}")
    return None


def profiles(tree):
    """Profile -> (its row of profiles.json, its requirements). Nothing broken in them is told here."""
    try:
        entries = json.loads((tree.root / PROFILES).read_text())
        return {entry["name"]: (entry, profile_table.requirements(entry["name"], tree.root / "specs"))
                for entry in entries}
    except (OSError, ValueError, TypeError, KeyError):
        return {}


def references(tree):
    """Catalogue without profile -> its requirements; one that is missing or broken is empty here."""
    found = {}
    for entry in REFERENCE:
        try:
            found[entry["name"]] = json.loads((tree.root / f"specs/{entry['name']}.json").read_text())
        except (OSError, ValueError):
            found[entry["name"]] = []
    return found


def line_of(tree, path, needle):
    """The first line that holds the text, to point at."""
    return next((number for number, line in tree.lines(path) if needle in line), 1)


def wrong_fields(row):
    """Yields what is wrong with the fields of one requirement, each with what to do."""
    for field, kind in REQUIRED.items():
        if not isinstance(row.get(field), kind) or row[field] == "":
            yield f"`{field}` is missing or not a {kind.__name__}; see specs/README.md"
            return
    for field in row:
        if field not in REQUIRED and not isinstance(row[field], {**OPTIONAL, **OF_DERIVED}.get(field, ())):
            yield f"`{field}` is unknown or of the wrong type; see specs/README.md"
    if row["class"] not in CLASSES:
        yield f"class `{row['class']}` is none of {', '.join(sorted(CLASSES))}"
    if row["level"] not in LEVELS:
        yield f"level `{row['level']}` is none of {', '.join(sorted(LEVELS))}"
    elif not re.search(rf"\b{row['level']}\b", row["obligation"]):
        yield f"its level is `{row['level']}`, but the obligation does not say so; say it"
    for field in ("obligation", "check", "reading", "why_not", "why_unproven"):
        if field in row and not (isinstance(row[field], str) and row[field].endswith(".")):
            yield f"`{field}` is not a sentence that ends; end it with a full stop"
    if not re.fullmatch(r"(\d+|[A-Z])(\.\d+)*", row["section"]):
        yield f"section `{row['section']}` is not a number of the document"
    if row["class"] == "ambiguous" and not row.get("reading"):
        yield "is ambiguous without a reading; say which one is taken and why"
    if row["testable"] == bool(row.get("why_not")):
        yield "`why_not` must stand if, and only if, it is not testable"
    if "why_unproven" in row and not row["testable"]:
        yield "`why_unproven` stands although it is not testable; `why_not` says all that is to be said"
    for name in row.get("ambiguities", []):
        if not re.fullmatch(r"A\d{2,3}", str(name)):
            yield f"ambiguity `{name}` is not of the form A01"


def check_rows(tree, entry, path, rows):
    """Each row by itself, then all of them together: none of them, and no ambiguity, may get lost."""
    prefix, seen = entry["prefix"], []
    for row in rows:
        name = row.get("id") if isinstance(row, dict) else None
        if not re.fullmatch(r"[A-Z][A-Z0-9]*-\d{3}", str(name)):
            tree.report(path, 1, f"row {len(seen) + 1} has no id of the form P30-001")
            return
        line = line_of(tree, path, f'"{name}"')
        if name != f"{prefix}-{len(seen) + 1:03d}":
            tree.report(path, line, f"{name} is not the {len(seen) + 1}th number; ids are unique and without gaps")
        seen.append(name)
        for wrong in wrong_fields(row):
            tree.report(path, line, f"{name}: {wrong}")
    if len(rows) != entry["requirements"]:
        tree.report(path, 1, f"{len(rows)} requirements, {entry['requirements']} expected; bring back what was lost")
    settled = {name for row in rows for name in row.get("ambiguities", [])}
    for name in (f"A{number:02d}" for number in range(1, entry["ambiguities"] + 1)):
        if name not in settled:
            tree.report(path, 1, f"ambiguity {name} is settled by no reading; name it in a row that it touches")


def check_profile(tree, entry):
    """The row of a profile: its fields, and a line about each suite that its cases have. False: it cannot be used."""
    name = entry.get("name", "?") if isinstance(entry, dict) else "?"
    line = line_of(tree, PROFILES, f'"name": "{name}"')
    wrong = [field for field, kind in PROFILE.items()
             if not isinstance(entry, dict) or not isinstance(entry.get(field), kind)]
    for field in wrong:
        tree.report(PROFILES, line, f"{name}: `{field}` is missing or not a {PROFILE[field].__name__}; see "
                                    "specs/README.md")
    if wrong:
        return False
    told = {suite.get("name") for suite in entry["suites"]}
    used = {suite for path in tree.files(".lua") if path.startswith(f"tester/cases/{name}/")
            for suite in SUITE.findall(tree.text(path) or "")}
    for suite in sorted(used - told if entry["complete"] else ()):
        tree.report(PROFILES, line, f"{name}: nothing is said of the suite `{suite}`; describe it in `suites`")
    return True


def whole_rows(tree, profile):
    """The requirements of a profile, also where its catalogue lists only what differs from another one; None, with a
    finding, if they cannot be read."""
    path = f"specs/{profile}.json"
    value = load(tree, path)
    if not isinstance(value, dict):
        return value
    wrong = [field for field, kind in DERIVED.items() if not isinstance(value.get(field), kind)]
    if wrong or set(value) != set(DERIVED):
        tree.report(path, 1, f"a derived catalogue has {', '.join(DERIVED)} and nothing else; see specs/README.md")
        return None
    if value["derived_from"] not in profile_table_names(tree) or value["derived_from"] == profile:
        tree.report(path, 1, f"is derived from `{value['derived_from']}`, which is no other profile")
        return None
    for row in value["rows"]:
        if "gone" in row and (set(row) != {"id", "gone"} or not str(row["gone"]).endswith(".")):
            tree.report(path, line_of(tree, path, f'"{row["id"]}"'),
                        f"{row['id']}: what is gone says why, in a sentence, and nothing else")
    return profile_table.requirements(profile, tree.root / "specs")


def profile_table_names(tree):
    """The names of all profiles of the table."""
    return {entry.get("name") for entry in load(tree, PROFILES) or [] if isinstance(entry, dict)}


def check_switches(tree, path, rows):
    """Each switch: whole, with readings to choose from, and touching requirements that tell of the ambiguity."""
    value = load(tree, path)
    if value is None:
        return
    known = {row["id"]: set(row.get("ambiguities", [])) for row in rows}
    seen = set()
    for switch in value.get("switches", []):
        name = switch.get("name", "?")
        line = line_of(tree, path, f'"name": "{name}"')
        wrong = [field for field, kind in SWITCH.items()
                 if not isinstance(switch.get(field), kind) or not switch[field]]
        if wrong or set(switch) != set(SWITCH) or name in seen:
            tree.report(path, line,
                        f"switch `{name}` lacks {', '.join(wrong) or 'nothing, but has more or stands twice'}")
            continue
        seen.add(name)
        values = [reading.get("value") for reading in switch["readings"]]
        if len(set(values)) < 2 or switch["default"] not in values:
            tree.report(path, line, f"switch `{name}` needs readings with different values, one of them the default")
        if not all(reading.get("source") in SOURCES and reading.get("meaning") for reading in switch["readings"]):
            tree.report(path, line,
                        f"switch `{name}`: a reading needs a meaning and a source of {', '.join(sorted(SOURCES))}")
        for requirement in switch["requirements"]:
            if not known.get(requirement, set()) & set(switch["ambiguities"]):
                tree.report(path, line, f"switch `{name}`: {requirement} is unknown or does not name the ambiguity")


def lint(tree, _arguments):
    """Looks at profiles.json and at what it names."""
    entries = load(tree, PROFILES)
    if entries is not None and not isinstance(entries, list):
        tree.report(PROFILES, 1, "is no array of profiles; see specs/README.md")
        return
    for entry in REFERENCE:
        path = f"specs/{entry['name']}.json"
        rows = load(tree, path) if path in tree.files(".json") else None
        if rows is not None:
            check_rows(tree, entry, path, rows)
    for entry in entries or []:
        if not check_profile(tree, entry):
            continue
        profile = entry["name"]
        rows = whole_rows(tree, profile)
        if rows is not None:
            check_rows(tree, entry, f"specs/{profile}.json", rows)
            switches = f"specs/{profile}.switches.json"
            if not tree.found and switches in tree.files(".switches.json"):
                check_switches(tree, switches, rows)


if __name__ == "__main__":
    common.main(lint, __doc__)
