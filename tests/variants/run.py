#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Judges the variants: each is a change of the reference that the document allows, and must be said to conform.

tests/variants/README.md tells how a variant is written. For each one the reference is changed, built, and judged by all
cases of its profile, as `assay run` judges a vendor's. The unchanged reference is judged in the same way first, so
that the table shows what a variant changes. results.json keeps what was said of each; where several that were put
together (a+b, --together, --pairs) conform, that each of them did so with the others.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import signal
import sys
import threading

import permitted
import results

import bindings  # of tests/mutants, as what follows
import entries
import fitting
import judging
import profiles
from judging import CHILDREN, ROOT, Problem

JUDGED_PER_PROCESSOR = 2
LOCAL = re.compile(r"[^A-Za-z0-9-]+")


class Questions:
    """By which cases variants are judged: all of their profile and roles, or those of `since` (a results.Since)."""

    def __init__(self, assay: pathlib.Path, since=None):
        self.assay, self.since, self.asked = assay, since, {}

    def of_profile(self, profile: profiles.Profile) -> dict:
        """The ids of cases by role; () stands for all of a role, and a role that has none is not there."""
        if profile not in self.asked:
            asked = dict.fromkeys(profile.templates, ())
            if self.since:
                known = judging.cases_of(self.assay, profile)
                asked = {role: [one["id"] for one in known if one["role"] == role and self.since.changed(one["id"])]
                         for role in asked}
                asked = {role: names for role, names in asked.items() if names}
            self.asked[profile] = asked
        return self.asked[profile]

    def of_variant(self, variant: permitted.Variant, profile: profiles.Profile) -> dict:
        """The same for the roles in which a variant is judged."""
        return {role: names for role, names in self.of_profile(profile).items() if variant.role in ("", role)}


def report_all(bench: judging.Bench, profile: profiles.Profile, tree: pathlib.Path, reports: pathlib.Path,
               asked: dict) -> list:
    """The reports, one for each role that is asked. A variant may have other limits than the reference states, and its
    vendor would state those: it is judged without a statement."""
    futures = [bench.judges.submit(judging.report_of, bench, tree, reports / (role or "all"), profile, role, names,
                                   stated=False)
               for role, names in asked.items()]
    return [future.result() for future in futures]


def try_variant(bench: judging.Bench, profile: profiles.Profile, variant: permitted.Variant, asked: dict) -> list:
    """Changes, builds, judges: the reports. Problem: it cannot be built or judged."""
    with judging.changed(bench, profile.programs, [variant]) as place:
        kept = bench.work / "reports" / LOCAL.sub("-", variant.name)[:100]
        return report_all(bench, profile, place, kept, asked)


class Judged:
    """What became of variants: results by name, and what kept others from being judged."""

    def __init__(self):
        self.results = {}
        self.problems = {}


def judge_all(bench: judging.Bench, wanted: list, of: dict, tree: results.Tree, questions: Questions,
              jobs: int) -> Judged:
    """Judges these variants; `of` tells the profile of each by name. It may be interrupted."""
    judged, usual = Judged(), {}
    for profile in dict.fromkeys(of[variant.name] for variant in wanted):
        asked = {}
        for one in (one for one in wanted if of[one.name] is profile):
            asked.update(questions.of_variant(one, profile))
        before = report_all(bench, profile, bench.base, bench.work / "reports" / f"unchanged-{profile.name}", asked)
        usual[profile] = before
    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        futures = {pool.submit(try_variant, bench, of[one.name], one, questions.of_variant(one, of[one.name])): one
                   for one in wanted}
        try:
            for future in concurrent.futures.as_completed(futures):
                variant = futures[future]
                profile = of[variant.name]
                try:
                    result = tree.result(variant, profile.name, usual[profile], future.result())
                    if questions.since and not result["accused"]:
                        result["outcome"] = results.CONFORMS  # also where a requirement's new cases are all skipped
                    judged.results[variant.name] = result
                    said = result["outcome"] + ", accused by " * bool(result["accused"]) + ", ".join(result["accused"])
                except Problem as problem:
                    judged.problems[variant.name] = said = str(problem)
                print(f"{len(judged.results) + len(judged.problems)} of {len(wanted)}: {variant.name}: {said}",
                      file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            CHILDREN.end()
            pool.shutdown(cancel_futures=True)
            print("interrupted")
    return judged


def profiles_of(wanted: list) -> dict:
    """The profile of each variant by its name. Problem: one has none."""
    by_prefix = {profile.prefix: profile for profile in profiles.known(ROOT)}
    found = {}
    for variant in wanted:
        profile = by_prefix.get(variant.requirement.rsplit("-", 1)[0])
        if not profile or (variant.role and variant.role not in profile.templates):
            raise Problem(f"{variant.path}:{variant.line}: no profile is known that has {variant.requirement}"
                          f"{' and the role ' * bool(variant.role)}{variant.role}")
        found[variant.name] = profile
    return found


def judge(given, folder: pathlib.Path, every: list, wanted: list) -> int:
    """Judges variants and keeps the results. Status 1: one does not conform or could not be judged."""
    of = profiles_of(wanted)
    with concurrent.futures.ThreadPoolExecutor(max_workers=given.jobs) as judges:
        bench = judging.Bench(folder / "bin" / "assay", folder / "variants", threading.Semaphore(given.builds), judges)
        judging.keep_cases(bench.work)
        judging.refresh_base(bench.base, given.builds, {one for profile in of.values() for one in profile.programs})
        tree = results.Tree(bindings.Tree.below(ROOT))
        since = results.Since(tree, ROOT, given.since) if given.since else None
        questions = Questions(bench.assay, since)
        wanted = [one for one in wanted if questions.of_variant(one, of[one.name])]
        judged = judge_all(bench, wanted, of, tree, questions, given.jobs)
    bad = results.show(judged.results, sys.stdout)
    for name, problem in sorted(judged.problems.items()):
        print(f"{name}: {problem}")
    kept = results.load(ROOT)
    found = {}
    for one in wanted:
        if one.name in judged.results:
            found.update(tree.of_each(one, of[one.name].name, judged.results[one.name], kept))
    if since:
        by_name = {one.name: one for one in every}
        profile = {name: profiles_of([by_name[name]])[name].name for name in found}
        whole = {name: since.whole(by_name[name], profile[name], kept.get(name), found[name]) for name in found}
        found = {name: result for name, result in whole.items() if result}
    if not given.check and results.keep(ROOT, every, found):
        print(f"{results.RESULTS} is brought up to date")
    stale = stale_of(every)
    if stale:
        print(f"{len(stale)} of {len(every)} results are stale; run `make variants VARIANTFLAGS=--stale`")
    return 1 if bad or judged.problems or CHILDREN.ended else 0


def stale_of(several: list) -> dict:
    """Why the results of these variants are stale, by name; what is not stale is not in it."""
    tree, kept, of = results.Tree(bindings.Tree.below(ROOT)), results.load(ROOT), profiles_of(several)
    return fitting.stale(several, lambda one: tree.stale(one, of[one.name].name, kept.get(one.name)))


def show_list(several: list) -> int:
    """One line for each variant and what allows it; what became of it, and whether that is stale."""
    stale, kept = stale_of(several), results.load(ROOT)
    for one in several:
        print(f"{one.path}:{one.line}: {one.name} near {one.requirement}: {one.why}\n    allowed by {one.allows}\n    "
              f"{kept.get(one.name, {}).get('outcome', 'not judged')}{'; stale: ' * (one.name in stale)}"
              f"{stale.get(one.name, '')}")
    return 0


def options():
    """The command line."""
    processors = os.cpu_count() or 1
    parser = argparse.ArgumentParser(description="judge variants of the reference that the document allows")
    parser.add_argument("--build", default="build", help="the build folder; bin/assay must exist in it")
    parser.add_argument("--builds", type=int, default=processors, help="variants that are built at once")
    parser.add_argument("--jobs", type=int, default=processors * JUDGED_PER_PROCESSOR,
                        help="variants that are judged at once")
    parser.add_argument("--stale", action="store_true", help="only those whose result is stale")
    parser.add_argument("--changed", action="store_true",
                        help="only those of which the variant or what it changes is not what was seen to compile")
    parser.add_argument("--since", metavar="REVISION", help="only by the cases that are new or other than in this "
                        "revision; kept where the result before was of its cases")
    parser.add_argument("--pairs", action="store_true", help="those that follow another reading of a switch, many at "
                        "once, so that every two of them meet")
    parser.add_argument("--together", type=int, default=1, metavar="N",
                        help="up to N at once, where they change different functions and readings")
    parser.add_argument("--check", action="store_true", help="do not write results.json or compiled.json")
    parser.add_argument("--list", dest="action", action="store_const", const="list",
                        help="only say what the variants are, what allows them, and what became of them")
    parser.add_argument("--table", dest="action", action="store_const", const="table",
                        help="only show the table of results.json")
    parser.add_argument("--compile", dest="action", action="store_const", const="compile",
                        help="only look whether the variants fit and compile, and keep that they do")
    parser.add_argument("names", nargs="*", help="only these variants: names, patterns such as 'limits-*', "
                        "requirements, files or folders of variants; a+b is a and b at once")
    return parser.parse_args()


def together_by_profile(several: list, most: int) -> list:
    """Variants of each profile as few that are up to so many of them."""
    of, by_profile = profiles_of(several), {}
    for one in several:
        by_profile.setdefault(of[one.name], []).append(one)
    return [permitted.together(each) for those in by_profile.values() for each in permitted.grouped(those, most)]


def interrupt(number, frame):
    """Any end from outside is like that from the terminal."""
    raise KeyboardInterrupt


def main() -> int:
    """Status 1: something is not as it must be."""
    given = options()
    signal.signal(signal.SIGTERM, interrupt)
    folder = pathlib.Path(given.build).resolve()
    every = permitted.load(ROOT)
    wanted = permitted.select(every, given.names)
    if given.pairs:
        wanted = [permitted.together(several) for several in permitted.covering(permitted.alternatives(wanted))]
    if given.stale:
        stale = stale_of(wanted)
        wanted = [one for one in wanted if one.name in stale]
    if given.changed:
        tree, kept = results.Tree(bindings.Tree.below(ROOT)), results.compiled(ROOT)
        wanted = [one for one in wanted if kept.get(one.name) != tree.digest(one)]
    if given.together > 1:
        wanted = together_by_profile(wanted, given.together)
    if given.action == "list":
        return show_list(wanted)
    if given.action == "table":
        kept = results.load(ROOT)
        return 1 if results.show({one.name: kept[one.name] for one in wanted if one.name in kept}, sys.stdout) else 0
    if given.action == "compile":
        of = profiles_of(wanted)
        status = fitting.compile_all(folder / "variants", "variants", wanted, given.builds,
                                     lambda one: frozenset(of[one.name].programs))
        if status == 0 and not given.check:
            results.keep_compiled(ROOT, every, wanted)
        return status
    if not wanted:
        print("no result is stale")
        return 0
    return judge(given, folder, every, wanted)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Problem, entries.Misfit) as problem:
        sys.exit(str(problem))
