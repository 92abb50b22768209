#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Proves the cases: each mutant breaks one requirement in the reference and must be caught by a case that names it.

tests/mutants/README.md tells how a mutant is written, how some are found, and when a proof is stale.

For each mutant the reference is copied, changed, built and judged by every case that names the requirement
(judging.py). Caught means: at least one of these cases fails and gives that requirement as the broken one; or warns of
it, where it is no more than a recommendation or has other known readings. The unchanged reference must pass the whole
suite, or nothing is proven; where only some mutants are tried, it must pass the cases that they must be caught by.

What a later revision demands in the same words a mutant breaks too, and whoever judges by that revision must catch it:
--later looks for a mutant for each such requirement that has none, and from then on that mutant is tried by both.

Who catches whom is kept in tests/mutants/proofs.json, which the books and the service's pages of cases show. A run
brings it up to date, also one that is interrupted, by what it has tried until then; with --check a run only says where
it is out of date. With --compile no case is judged: it is only looked whether each mutant still fits and compiles.
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import json
import os
import pathlib
import signal
import sys
import threading
import time

import bindings
import entries
import fitting
import groups
import judging
import profiles
import unproven
from judging import CHILDREN, ROOT, Problem

PROGRESS = 50
JUDGED_PER_PROCESSOR = 6
FEW = 3
OF_ONE_REVISION = ("ref-impl/api/", "ref-impl/include/")
ALL_STALE = "run `make mutants MUTANTFLAGS=--stale`"


def profile_of(mutant: entries.Mutant, requirement: str, known: list) -> profiles.Profile:
    """The profile that demands what a mutant breaks. Problem: there is none."""
    prefix = requirement.rsplit("-", 1)[0]
    found = [profile for profile in known if profile.prefix == prefix]
    if not found:
        raise Problem(f"{mutant.path}:{mutant.line}: no profile is known that demands {requirement}")
    return found[0]


def rows_of(mutants: list) -> dict:
    """What each mutant is asked: its own requirement, and those of later revisions that it is the proof of."""
    proofs = bindings.load(ROOT)
    return {mutant: [mutant.breaks, *proofs.get(mutant.name, {}).get("later", {})] for mutant in mutants}


def rows_to_find(mutants: list, catalogue: bindings.Catalogue, turn: int) -> dict:
    """The same in search of mutants for requirements of later revisions that have none: for each one the mutant whose
    turn it is, of those that break the same in the revision where it comes from, and not only in its own functions."""
    proofs, found = bindings.load(ROOT), {}
    open_rows = {name for name, _ in bindings.unproven_rows(catalogue, proofs)}
    breaking = {}
    for mutant in mutants:
        rows = [] if mutant.group.startswith(OF_ONE_REVISION) else catalogue.later(mutant.breaks)
        for row in rows:
            breaking.setdefault(row, []).append(mutant)
    for row in sorted(open_rows & breaking.keys()):
        if turn < len(breaking[row]):
            found.setdefault(breaking[row][turn], []).append(row)
    return found


def try_all(bench: judging.Bench, wanted: list, catalogue: bindings.Catalogue, jobs: int) -> list:
    """Tries mutants, given as pairs of mutant and questions. The results that are there at the end, or when it is
    interrupted."""
    results, begun = [], time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        futures = [pool.submit(judging.try_mutant, bench, mutant, questions) for mutant, questions in wanted]
        try:
            for future in concurrent.futures.as_completed(futures):
                results.append(future.result())
                progress(results, len(wanted), catalogue, time.monotonic() - begun)
        except KeyboardInterrupt:
            CHILDREN.end()
            pool.shutdown(cancel_futures=True)
            print(f"interrupted: {len(results)} of {len(wanted)} mutants were tried")
    return sorted((result for result in results if result.whole), key=lambda result: result.mutant.name)


def survived(result: judging.Result, catalogue: bindings.Catalogue) -> bool:
    """Whether nobody caught a mutant, by one of the requirements that it breaks."""
    return not result.caught or not all(catalogue.caught(row, verdicts.values(), result.mutant.warns)
                                        for row, verdicts in result.caught.items())


def progress(results: list, count: int, catalogue: bindings.Catalogue, seconds: float):
    """Says how far it has come: on a terminal at any time, elsewhere a line now and then; and at once who survives."""
    last, whole = results[-1], [result for result in results if result.whole]
    if last.whole and survived(last, catalogue):
        print(f"{last.mutant.name} {last.problem or 'survived'}", file=sys.stderr, flush=True)
    survivors = sum(survived(one, catalogue) for one in whole)
    line = f"{len(whole)} of {count} mutants, {survivors} survived, {seconds:.0f} s"
    if sys.stderr.isatty():
        print(f"\r{line}", end="\r", file=sys.stderr)
    elif last.whole and len(whole) % PROGRESS == 0:
        print(line, file=sys.stderr, flush=True)


def show(results: list, catalogue: bindings.Catalogue, all_of_them: bool) -> int:
    """Prints the table, or of it those that survived; returns how many those are."""
    shown = [result for result in results if all_of_them or survived(result, catalogue)]
    width = max((len(result.mutant.name) for result in shown), default=0)
    if shown:
        print(f"{'mutant':<{width}}  breaks   caught by")
    for result in shown:
        for row, verdicts in (result.caught or {result.mutant.breaks: {}}).items():
            caught = [name + " (warns)" * (verdict == "warn") for name, verdict in sorted(verdicts.items())]
            print(f"{result.mutant.name:<{width}}  {row}  {', '.join(caught) or 'NOBODY'}")
        if survived(result, catalogue):
            told = result.problem or ("a warning is no catch: the requirement is a `must` without other readings; "
                                      "sharpen the case, or say in `warns:` why it can only warn"
                                      if "warn" in result.caught_by.values() else "")
            print("    " + told.replace("\n", "\n    ") if told else "", end="\n" if told else "")
            for case, entry in result.others.items():
                print(f"    {case}: {entry['verdict']} {entry.get('requirement', '')}: {entry.get('reason', '')}")
    count = sum(survived(result, catalogue) for result in results)
    print(f"{len(results)} mutants, {len(results) - count} caught, {count} survived")
    return count


def difference(kept: dict, found: dict) -> str:
    """In words, how two proofs differ."""
    changed = [part for part in (*bindings.DESCRIPTION, "digest", "later") if kept.get(part) != found.get(part)]
    before, now = kept["caught_by"], found["caught_by"]
    lost, gained = sorted(before.keys() - now.keys()), sorted(now.keys() - before.keys())
    other = sorted(case for case in before.keys() & now.keys() if before[case] != now[case])
    lines = [f"other {', '.join(changed)}" if changed else "",
             f"this time not caught by {', '.join(lost)}" if lost else "",
             f"newly caught by {', '.join(gained)}" if gained else "",
             f"caught otherwise, or by a case that has changed: {', '.join(other)}" if other else ""]
    return "; ".join(line for line in lines if line)


def holds(kept: dict, found: dict) -> bool:
    """Whether what is kept of a mutant is still true. A defect that shows in some runs only, such as a race, may be
    caught by more cases today, or by fewer, as long as one of those that are kept is among them."""
    same = all(kept.get(part) == found.get(part) for part in (*bindings.DESCRIPTION, "digest"))
    return same and any(found["caught_by"].get(case) == said for case, said in kept["caught_by"].items())


def check_proofs(kept: dict, found: dict) -> bool:
    """Says where the proofs that are kept differ from what has been found; false when one of them does not hold."""
    true = True
    for name in sorted(found):
        if kept.get(name) == found[name]:
            continue
        if name not in kept:
            print(f"proofs.json: {name}: is missing")
            true = False
            continue
        good = holds(kept[name], found[name])
        print(f"proofs.json: {name}: {'holds' if good else 'does not hold'}; {difference(kept[name], found[name])}")
        true = true and good
    if not true:
        print(f"{bindings.PROOFS} is out of date; {ALL_STALE}")
    return true


def compared(given, found: dict) -> bool:
    """Says how proofs.json differs from what was found. Whether it may: where only some mutants are tried, the question
    is whether these are caught, however old the proof is that is kept."""
    return given.stale or check_proofs(bindings.load(ROOT), found) or bool(given.names)


def keep_proofs(mutants: list, found: dict):
    """Writes proofs.json: what has been found, and what was there of other mutants."""
    kept, names = bindings.load(ROOT), {mutant.name for mutant in mutants}
    proofs = {name: proof for name, proof in {**kept, **found}.items() if name in names}
    if proofs != kept:
        (ROOT / bindings.PROOFS).write_text(bindings.one_by_line(proofs))
        print(f"{bindings.PROOFS} is brought up to date")


def stale_of(mutants: list) -> dict:
    """Why the proofs of these mutants are stale, by name; what is not stale is not in it."""
    tree, proofs = bindings.Tree.below(ROOT), bindings.load(ROOT)
    return fitting.stale(mutants, lambda mutant: tree.stale(mutant, proofs.get(mutant.name)))


def changed_of(mutants: list) -> list:
    """Those that have not been tried as they are now, on what they change as it is now."""
    tree, proofs = bindings.Tree.below(ROOT), bindings.load(ROOT)
    return [mutant for mutant in mutants if not tree.proven_so(mutant, proofs.get(mutant.name))]


def options():
    """The command line."""
    processors = os.cpu_count() or 1
    parser = argparse.ArgumentParser(description="prove the cases with mutants of the reference")
    parser.add_argument("--build", default="build", help="the build folder; bin/assay must exist in it")
    parser.add_argument("--builds", type=int, default=processors, help="mutants that are built at once")
    parser.add_argument("--jobs", type=int, default=processors * JUDGED_PER_PROCESSOR,
                        help="mutants that are tried, and cases that are judged, at once")
    parser.add_argument("--stale", action="store_true", help="only those whose proof is stale; the cases that caught "
                        "them before are asked first, others where these no longer do")
    parser.add_argument("--changed", action="store_true",
                        help="only those of which the mutant or what it changes is not what has been tried")
    parser.add_argument("--later", action="store_true",
                        help="find mutants for what later revisions demand in the same words and no mutant proves yet")
    parser.add_argument("--cases", action="store_true",
                        help="find mutants for the cases that no proof names, among those that break what they judge")
    parser.add_argument("--seconds", type=int, help="begin no further mutant after that time; what is open then is "
                        "counted, and no failure")
    parser.add_argument("--check", action="store_true", help="do not write proofs.json, say where it is not right")
    for action, text in ACTIONS.items():
        parser.add_argument(f"--{action}", dest="action", action="store_const", const=action, help=text)
    parser.add_argument("names", nargs="*", help="only these mutants: names, patterns such as 'impi-inter-*', "
                        "requirements, sources or folders of sources")
    return parser.parse_args()


ACTIONS = {
    "list": "only say what the mutants are and where they stand",
    "current": "only print those proofs that are not stale, in the form of proofs.json",
    "reasons": "only say why proofs are stale: a JSON object, by the mutants' names",
    "rows": "only say which requirements have no mutant that is caught by a case which names them",
    "regroup": "only put each mutant into the file of the source which it changes",
    "compile": "only look whether the mutants fit and compile",
}


def show_list(mutants: list) -> int:
    """One line for each mutant: where it stands, what it is called, what it breaks, what it changes, why; who catches
    it, and whether that proof is stale."""
    stale, proofs = stale_of(mutants), bindings.load(ROOT)
    for mutant in mutants:
        inside = ", ".join(bindings.description(mutant)["in"])
        caught = ", ".join(proofs.get(mutant.name, {}).get("caught_by", {})) or "nobody"
        print(f"{mutant.path}:{mutant.line}: {mutant.name} breaks {mutant.breaks} in {inside}: {mutant.why}\n"
              f"    caught by {caught}{'; stale: ' + stale[mutant.name][0] if mutant.name in stale else ''}")
    return 0


def show_rows() -> int:
    """The testable requirements that no proof stands for; status 1 if there are any."""
    catalogue, proofs = bindings.Catalogue.below(ROOT), bindings.load(ROOT)
    count = 0
    for name, why in bindings.unproven_rows(catalogue, proofs):
        print(f"{name}: {why}")
        count += 1
    print(f"{count} testable requirements have no mutant that a case catches which names them")
    return 1 if count else 0


def regroup() -> int:
    """Brings the files of mutants, and what proofs.json says of them, up to where everything stands now."""
    moved = groups.regroup(ROOT, entries.Sources.below(ROOT))
    described = {mutant.name: bindings.description(mutant) for mutant in groups.load(ROOT)}
    proofs = {name: {**proof, **described[name]} for name, proof in bindings.load(ROOT).items() if name in described}
    (ROOT / bindings.PROOFS).write_text(bindings.one_by_line(proofs))
    print(f"{len(moved)} mutants were put into the file of another source: {', '.join(moved) or 'none'}")
    return 0


def questions_of(bench: judging.Bench, asked: dict, given) -> list:
    """Pairs of a mutant and what it is asked, by the requirements that it is `asked` for. Where the proof was stale,
    the cases that caught it before come first. A few are enough where a later revision's requirement is looked for and
    some are known to catch it in the revision from which that comes."""
    known, proofs = profiles.known(ROOT), bindings.load(ROOT)
    of = {row: profile_of(mutant, row, known) for mutant, rows in asked.items() for row in rows}
    cases = judging.cases_by_requirement(bench.assay, dict.fromkeys(of.values()))

    def question(mutant: entries.Mutant, row: str) -> judging.Question:
        every, proof = cases.get(row, []), proofs.get(mutant.name, {})
        caught = {mutant.breaks: {}, **bindings.parts(proof)} if given.stale or given.later else {}
        before = caught.get(mutant.breaks if given.later else row, {})
        first = [case for case in every if case.name in before][:FEW if given.later else None] or every
        others = [] if given.later else [case for case in every if case not in first]
        return judging.Question(of[row], row, tuple(first), tuple(others))

    return [(mutant, [question(mutant, row) for row in rows]) for mutant, rows in asked.items()]


@contextlib.contextmanager
def bench_of(given, folder: pathlib.Path):
    """The bench on which mutants are tried, by the cases as they are now."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=given.jobs) as judges:
        bench = judging.Bench(folder / "bin" / "assay", folder / "mutants", threading.Semaphore(given.builds), judges)
        judging.keep_cases(bench.work)
        os.environ["ASSAY_CASES"] = str(bench.work / "cases")
        yield bench


def prove(given, folder: pathlib.Path, every: list, asked: dict) -> int:
    """Tries mutants by the requirements that they are `asked` for, and settles the proofs. Status 1: the reference does
    not pass, a mutant survived, or, where all are tried, proofs.json is not right or, unless time is limited, a proof
    of any mutant is stale."""
    catalogue = bindings.Catalogue.below(ROOT)
    limited = given.seconds is not None
    with bench_of(given, folder) as bench:
        wanted = questions_of(bench, asked, given)
        concerned = list(dict.fromkeys(one.profile for _, questions in wanted for one in questions))
        programs = {program for profile in concerned for program in profile.programs}
        judging.refresh_base(bench.base, given.builds, programs)
        tree = bindings.Tree.below(ROOT)
        wanted.sort(key=lambda one: sum(len(each.cases) for each in one[1]) if limited else 0)
        if limited:
            bench = dataclasses.replace(bench, until=time.monotonic() + given.seconds)
        elif not judging.unchanged_passes(bench, concerned, whole_or_cases(given, wanted, concerned)):
            print("the unchanged reference does not pass, so nothing is proven")
            return 1
        results = try_all(bench, wanted, catalogue, given.jobs)
    count = show(results, catalogue, given.seconds is None)
    kept = bindings.load(ROOT)
    found = {result.mutant.name: tree.proof_beside(result.mutant, result.caught, kept.get(result.mutant.name))
             for result in results}
    right = compared(given, found) if given.check else True
    if not given.check:
        keep_proofs(every, found)
    if limited:
        count = sum(survived(result, catalogue) and not result.caught_by for result in results)
    return 1 if count or not right or CHILDREN.ended or not settled(given, every, results) else 0


def prove_later(given, folder: pathlib.Path, every: list, mutants: list) -> int:
    """Looks for mutants of later revisions' requirements, turn by turn: who survives makes way for the next one. What
    is known of them is not asked again, so those whose proof is stale are left out. Status 1: some are left without."""
    catalogue, stale, turn = bindings.Catalogue.below(ROOT), stale_of(mutants), 0
    mutants = [mutant for mutant in mutants if mutant.name not in stale]
    while asked := rows_to_find(mutants, catalogue, turn):
        prove(given, folder, every, asked)
        if CHILDREN.ended:
            return 1
        turn += 1
    return show_rows()


def prove_cases(given, folder: pathlib.Path, every: list, mutants: list) -> int:
    """Looks for mutants that cases catch which no proof names yet; those whose proof is stale are left out. Status 1:
    some cases are left without."""
    known, stale = profiles.known(ROOT), stale_of(mutants)
    mutants = [mutant for mutant in mutants if mutant.name not in stale]
    with bench_of(given, folder) as bench:
        if given.seconds is not None:
            bench = dataclasses.replace(bench, until=time.monotonic() + given.seconds)
        for found in unproven.prove(bench, known, mutants, given.jobs, bindings.Tree.below(ROOT), bindings.load(ROOT)):
            keep_proofs(every, found)
        left = unproven.unproven(bench.assay, known, bindings.load(ROOT))
    for profile, case, rows in left:
        print(f"{profile.name}: {case.name}: catches no mutant of {', '.join(rows)}")
    print(f"{len(left)} cases catch no mutant that is known to break what they judge")
    return 1 if left else 0


def whole_or_cases(given, wanted: list, concerned: list):
    """What the unchanged reference must pass: everything (None) where all mutants are tried, else by profile the cases
    that these must be caught by."""
    if not given.names and not given.stale and not given.later:
        return None
    asked = [one for _, questions in wanted for one in questions]
    return {profile: dict.fromkeys(case for one in asked if one.profile is profile for case in one.cases + one.others)
            for profile in concerned}


def settled(given, every: list, results: list) -> bool:
    """Says how many proofs are stale, and what to do. False if there are any that time was not too short for."""
    stale = stale_of(every)
    if given.check:
        proved = {result.mutant.name for result in results} & stale.keys()
        print(f"{len(stale)} of {len(every)} proofs are stale: {len(proved)} of these mutants were tried, "
              f"{len(stale) - len(proved)} are open")
    elif stale:
        print(f"{len(stale)} of {len(every)} proofs are stale")
    if stale:
        print(f"to bring {bindings.PROOFS} up to date, {ALL_STALE}")
    return not stale or given.seconds is not None or bool(given.names) or given.later


def interrupt(number, frame):
    """Any end from outside is like that from the terminal."""
    raise KeyboardInterrupt


def main() -> int:
    """Status 1: something is not as it must be."""
    given = options()
    signal.signal(signal.SIGTERM, interrupt)
    folder = pathlib.Path(given.build).resolve()
    if given.action in ("regroup", "rows"):
        return regroup() if given.action == "regroup" else show_rows()
    every = groups.load(ROOT)
    mutants = groups.select(every, given.names)
    if given.stale:
        stale = stale_of(mutants)
        mutants = [mutant for mutant in mutants if mutant.name in stale]
    if given.changed:
        mutants = changed_of(mutants)
    if given.action == "current":
        print(bindings.one_by_line(bindings.Tree.below(ROOT).current(every, bindings.load(ROOT))), end="")
        return 0
    if given.action == "list":
        return show_list(mutants)
    if given.action == "reasons":
        print(json.dumps({name: "; ".join(several) for name, several in stale_of(mutants).items()}))
        return 0
    if given.action == "compile":
        return fitting.compile_all(folder / "mutants", "mutants", mutants, given.builds)
    if given.later:
        return prove_later(given, folder, every, mutants)
    if given.cases:
        return prove_cases(given, folder, every, mutants)
    if not mutants:
        print("no proof is stale")
        return 0
    return prove(given, folder, every, rows_of(mutants))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Problem, entries.Misfit) as problem:
        sys.exit(str(problem))
