#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Every requirement that is named exists; every case judges one, every mutant breaks one; what is complete has no gaps;
cases name switches and readings as the profile has them.

While a profile is not declared complete in specs/profiles.json, gaps are only counted; --gaps lists them. No mutant is
asked for where the catalogue says in `why_unproven` why there can be none; --gaps lists these too.
"""

import re

import catalogue
import common
import mutants

CITED_IN = (".c", ".h", ".lua", ".py", ".mutants", ".variants", ".mk", ".js", ".html", ".sql", ".md", ".json")
LUA_COMMENT = re.compile(r"--\[(=*)\[.*?\]\1\]|--[^\n]*", re.DOTALL)
RULE = re.compile(r"^(?:(?:- )?\*\*|\| )([A-Z]{2,}-\d{2})(?:\.\*\*| \|)", re.MULTILINE)
CITED = re.compile(r"\b[A-Z][A-Z0-9]*-\d{3}\b")
CASE = re.compile(r"^[ \t]*case\s*[({]", re.MULTILINE)
READING = re.compile(r't:reading\(\s*"([A-Z0-9-]+)",\s*"(\w+)"')


def binding_rules(tree):
    """The numbered rules of our own formats: what specs/*.md define in bold type or in the first cell of a table."""
    texts = [tree.text(path) or "" for path in tree.files(".md") if path.startswith("specs/")]
    return {name for text in texts for name in RULE.findall(text)}


def check_citations(tree, known):
    """Every `PREFIX-number` with the prefix of a catalogue, or of a format's rules, is one of the known."""
    prefixes = sorted({name.split("-")[0] for name in known})
    if not prefixes:
        return
    cited = re.compile(rf"\b(?:{'|'.join(prefixes)})-\d+\b")
    for path in tree.files(*CITED_IN):
        for number, line in tree.lines(path):
            for name in cited.findall(line):
                if name not in known:
                    tree.report(path, number, f"{name} is in no catalogue or format of specs/; correct the number")


def without_comments(text):
    """Lua without its comments; every line keeps its number."""
    return LUA_COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text)


def check_cases(tree, profile):
    """Every case of the profile lists a requirement. Returns all that the profile's cases name."""
    named = set()
    for path in tree.files(".lua"):
        if not path.startswith(f"tester/cases/{profile}/"):
            continue
        text = without_comments(tree.text(path) or "")
        starts = [match.start() for match in CASE.finditer(text)]
        for start, end in zip(starts, starts[1:] + [len(text)]):
            listed = re.search(r"\brequirements\s*=\s*(\{[^}]*\}|\w)", text[start:end])
            if not listed or re.fullmatch(r"\{\s*\}", listed.group(1)):
                tree.report(path, common.line_of(text, start),
                            "this case judges no requirement; list the ids in `requirements`")
        named |= set(re.findall(r"[\"']([A-Z][A-Z0-9]*-\d{3})[\"']", text))
    return named


def inherited(tree, profile, rows):
    """Requirements of a later revision that cases of an earlier one judge, since they have not changed, or not in what
    a case judges: it names them in `still`."""
    revisions = catalogue.profile_table.revisions(profile, tree.root / "specs")
    numbers = {row["id"].partition("-")[2]: row for row in rows}
    found = set()
    for at, earlier in enumerate(revisions[:-1]):
        for path in tree.files(".lua"):
            if path.startswith(f"tester/cases/{earlier}/"):
                cited = CITED.findall(without_comments(tree.text(path) or ""))
                listed = [numbers.get(name.partition("-")[2], {"since": profile}) for name in cited]
                found |= {row["id"] for row in listed if row.get("since") not in revisions[at + 1:]}
                found |= {row["id"] for row in rows} & set(cited)
    return found


def check_reading(switch, requirement, name, readings):
    """What is wrong with one judgement by a switch, or nothing."""
    if switch is None:
        return f"`{name}` is no switch of the profile; correct the name or add the switch"
    known = {reading["value"] for reading in switch["readings"]}
    if requirement not in switch["requirements"]:
        return f"the switch `{name}` does not list {requirement}; add it there or judge another"
    if not set(readings) <= known or readings[:1] != [switch["default"]]:
        return f"the readings of `{name}` are {', '.join(sorted(known))}, and {switch['default']} comes first"
    return None


def check_readings(tree, profile, complete, named):
    """Every `t:reading` names a switch, a requirement that it touches, and its readings, the default first; a switch is
    asked by a case as soon as cases judge what it touches."""
    path = f"specs/{profile}.switches.json"
    if path not in tree.files(".switches.json"):
        return
    switches = {switch["name"]: switch for switch in (catalogue.load(tree, path) or {}).get("switches", [])}
    asked = set()
    for cases in tree.files(".lua"):
        if not cases.startswith((f"tester/cases/{profile}/", "tester/cases/lib/")):
            continue
        text = without_comments(tree.text(cases) or "")
        asked |= {name for name in switches if f'"{name}"' in text}
        if cases.startswith("tester/cases/lib/"):
            continue
        for match in READING.finditer(text):
            requirement, name = match.groups()
            rows = text[match.end():text.find("} })", match.end())]
            wrong = check_reading(switches.get(name), requirement, name, re.findall(r'\{\s*"(\w+)",', rows))
            if wrong:
                tree.report(cases, common.line_of(text, match.start()), wrong)
    due = {name for name, switch in switches.items() if complete or not named.isdisjoint(switch["requirements"])}
    for name in sorted(due - asked):
        tree.report(path, catalogue.line_of(tree, path, f'"name": "{name}"'),
                    f"no case asks which reading of `{name}` a system follows; add a t:reading")


def check_mutants(tree, known):
    """Every mutant breaks what a catalogue has. Returns all requirements that are broken: also those of later revisions
    for which a mutant has been found (tests/mutants/run.py --later)."""
    several = mutants.of(tree) or []
    for mutant in several:
        if mutant.breaks not in known:
            tree.report(mutant.path, mutant.line,
                        f"breaks `{mutant.breaks}`, which no catalogue has; name exactly one requirement")
    later = {name for proof in (mutants.proofs(tree) or {}).values() for name in proof.get("later", {})}
    return later | {mutant.breaks for mutant in several}


def check_excuses(tree, profile, rows, broken, arguments):
    """Judged requirements of which the catalogue says why no mutant can break them. Returns their ids."""
    excused = {row["id"]: row["why_unproven"] for row in rows if row["testable"] and row.get("why_unproven")}
    for name, why in excused.items():
        if name in broken:
            tree.report(f"specs/{profile}.json", catalogue.line_of(tree, f"specs/{profile}.json", f'"{name}"'),
                        f"{name} has a mutant and says in `why_unproven` that there can be none; remove that")
        elif arguments.gaps:
            print(f"{profile}: {name} is unproven, because: {why}")
    return excused.keys()


def check_gaps(tree, profile, entry, rows, covered, arguments):
    """Testable requirements without a case, and judged ones without a mutant: findings once the profile is complete."""
    named, broken = covered
    testable = [row["id"] for row in rows if row["testable"]]
    uncovered = [name for name in testable if name not in named]
    proven = broken | check_excuses(tree, profile, rows, broken, arguments)
    unproven = [name for name in testable if name in named and name not in proven]
    for title, gaps, remedy in (("no case", uncovered, "write one"), ("a case but no mutant", unproven, "add one")):
        if entry["complete"]:
            for name in gaps:
                tree.report(f"specs/{profile}.json", catalogue.line_of(tree, f"specs/{profile}.json", f'"{name}"'),
                            f"{name} has {title} and {profile} is declared complete; {remedy}")
        elif gaps:
            print(f"{profile}: {len(gaps)} of {len(testable)} testable requirements have {title} (not complete yet)")
            if arguments.gaps:
                print("  " + " ".join(gaps))


def cited_under(tree, folder, names):
    """Those of the names that a file below a folder cites."""
    found = set()
    for path in tree.files(".c", ".h", ".py", ".f"):
        if path.startswith(folder):
            found |= {name for line in (tree.text(path) or "").splitlines() if "=" in line
                      for name in CITED.findall(line) if name in names}
    return found


def check_references(tree, arguments):
    """Of a catalogue without profile: each testable row is cited where the reference fulfils it and where it is tested.
    Returns all its ids."""
    known = set()
    for name, rows in catalogue.references(tree).items():
        ids = {row["id"] for row in rows}
        testable = [row["id"] for row in rows if row["testable"]]
        known |= ids
        for title, folder in (("are cited nowhere in the reference", "ref-impl/"), ("are cited by no test", "tests/")):
            cited = cited_under(tree, folder, ids)
            gaps = [row for row in testable if row not in cited]
            if gaps:
                print(f"{name}: {len(gaps)} of {len(testable)} testable requirements {title}")
            if gaps and arguments.gaps:
                print("  " + " ".join(gaps))
    return known


def lint(tree, arguments):
    """Looks at citations everywhere, then at cases and mutants."""
    loaded = catalogue.profiles(tree)
    if not loaded:
        tree.report(catalogue.PROFILES, 1, "no catalogue can be read; run catalogue.py, which says why")
        return
    known = {row["id"] for _, rows in loaded.values() for row in rows}
    known |= check_references(tree, arguments)
    check_citations(tree, known | binding_rules(tree))
    broken = check_mutants(tree, known)
    for profile, (entry, rows) in loaded.items():
        named = check_cases(tree, profile) | inherited(tree, profile, rows)
        check_readings(tree, profile, entry["complete"], named)
        check_gaps(tree, profile, entry, rows, (named, broken), arguments)


def options(parser):
    """--gaps lists what is only counted otherwise."""
    parser.add_argument("--gaps", action="store_true",
                        help="list the requirements without case or mutant, and why some have none")


if __name__ == "__main__":
    common.main(lint, __doc__, options)
