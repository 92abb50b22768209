#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Damages every capture that there is in every way (damage.py), and compares what is told of it with what is told of
the capture as it was. A *false* violation is one that the capture as it was has not; damages that take nothing away
change nothing. Prints a table; status 1 where a violation is false or lost, or where plugin and checker disagree."""

import argparse
import collections
import itertools
import multiprocessing
import os
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import damage  # noqa: E402
import sound  # noqa: E402
import judges  # noqa: E402

# Proven by a time, or by what came first, where clocks are to be relied on.
TIMED = {"PW-16", "IMPI-040", "IMPI-077", "IMPI-245"}
COUNTED = ("captures", "damages", "false", "lost", "disagreements", "false once", "read")


class Worker:
    """What one process needs to judge captures."""

    def __init__(self, bin_dir, once):
        self.bin_dir, self.once, self.turn = bin_dir, once, 0
        self.plugin = judges.Plugin(bin_dir.parent)
        self.path = self.plugin.folder / "capture.pcap"
        self.accused = []

    def checked(self, packets):
        """What the checker says; whom it accuses is in `accused` then."""
        said = judges.report(self.bin_dir, damage.write(self.path, packets))
        self.accused = judges.accused(said)
        return judges.told_of(said)

    def shown(self, packets):
        """What the plugin says in two passes, with each setting."""
        damage.write(self.path, packets)
        return [self.plugin.twice(self.path, setting) for setting in judges.SETTINGS]

    def shown_once(self):
        """What it says of the same in one pass: of some, for a program is started for each."""
        self.turn += 1
        if self.turn % self.once:
            return None
        return self.plugin.once(self.path, judges.SETTINGS[self.turn // self.once % 2])


def requirements(told):
    """How often each requirement is said to be broken."""
    return collections.Counter(requirement for _, requirement in told)


def lost(before, now, kind):
    """What is told no more, though nothing was taken away that proves it."""
    return {requirement for requirement in before - now if kind != "clock set back" or requirement not in TIMED}


def agrees(shown, checked, kind):
    """Whether the plugin says the same. TCP may not show it a message that was cut short (limits in its README)."""
    return shown == checked or (kind == "cut short" and not collections.Counter(shown) - collections.Counter(checked))


def judge(worker, packets, before, accused, kind):
    """What is wrong about a damaged capture: a list of (what, what was told). Of a guilty one, which may come to break
    another rule where something is missing, only what takes nothing away is compared; and nobody else is accused."""
    checked, shown = worker.checked(packets), worker.shown(packets)
    once = worker.shown_once()
    wrong, harmless = [], kind in damage.HARMLESS
    others = [names for names in worker.accused if names.isdisjoint(set().union(*accused))]
    if others or (requirements(checked) - before and (harmless or not before)):
        wrong.append(("false", checked))
    if harmless and lost(before, requirements(checked), kind):
        wrong.append(("lost", checked))
    wrong += [("disagreements", (checked, told)) for told in shown if not agrees(told, checked, kind)]
    if once is not None:
        wrong.append(("read", None))
        wrong += [("false once", once)] if once and not before else []
    return wrong


def damaged(packets, given, name):
    """The damages of a capture: all, or some of each kind."""
    if given.each == 0:
        return damage.damages(packets)
    return damage.some(packets, f"{given.seed} {name}", given.each)


WORKER = None


def start(bin_dir, once):
    """Begins a process."""
    global WORKER  # pylint: disable=global-statement
    WORKER = Worker(bin_dir, once)


def examine(task):
    """Judges all damages of one capture."""
    kind, name, packets, given = task
    before = requirements(WORKER.checked(packets[0] if kind == "traces" else packets))
    accused = WORKER.accused
    counted, said = collections.Counter(captures=1), []
    if kind == "traces":
        tried = merges(packets, given, name)
    else:
        tried = damaged(packets, given, name)
    for damage_kind, place, left in tried:
        counted["damages"] += 1
        for what, told in judge(WORKER, left, before, accused, damage_kind):
            counted[what] += 1
            if told is not None:
                said.append(f"{kind} {name}: {what}: {damage_kind} {place}: {told}")
    return kind, counted, said


def merges(packets, given, name):
    """The traces of a job's processes as one capture: in any order, one of them with another clock, and damaged."""
    def woven(parts):
        return sorted(itertools.chain(*parts), key=lambda packet: packet.when)

    for order in itertools.permutations(range(len(packets))):
        parts = [packets[place] for place in order]
        yield "merged", order, woven(parts)
        yield "one after the other", order, list(itertools.chain(*parts))
    for place, apart in itertools.product(range(len(packets)), (-10**9, -10**5, 10**5, 10**9)):
        shifted = [packet._replace(when=packet.when + apart) for packet in packets[place]]
        yield "clocks apart", (place, apart), woven(packets[:place] + [shifted] + packets[place + 1:])
    for kind, place, left in damaged(woven(packets), given, name):
        yield f"merged, {kind}", place, left


def sources(given, folder):
    """Every capture: (kind, name, packets)."""
    bin_dir = given.bin.resolve()
    yield from (("by hand", *capture) for capture in sound.conversations(sound.ROOT, folder))
    yield from (("by hand, with a violation", *capture) for capture in sound.conversations(sound.ROOT, folder, True))
    yield from (("IMPI jobs", *capture) for capture in sound.impi(sound.ROOT, folder))
    yield from (("traces", *capture) for capture in sound.traces(bin_dir, folder))
    chosen = sorted(sound.evidence(bin_dir, given.evidence or folder)) if given.cases != 0 else []
    random.Random(given.seed).shuffle(chosen)
    yield from (("evidence", *capture) for capture in chosen[:given.cases])


def main():
    """Judges, and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True, type=pathlib.Path, help="the folder of the programs")
    parser.add_argument("--evidence", type=pathlib.Path, help="a folder with reports of all cases, made if not there")
    parser.add_argument("--cases", type=int, help="how many captures of cases; all")
    parser.add_argument("--each", type=int, default=0, help="damages of each kind for a capture; 0, all")
    parser.add_argument("--once", type=int, default=10, help="one damage of so many is also read in one pass")
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    table = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as folder:
        tasks = ((*source, given) for source in sources(given, pathlib.Path(folder)))
        with multiprocessing.Pool(given.jobs, start, (given.bin.resolve(), given.once)) as pool:
            for kind, counted, said in pool.imap_unordered(examine, tasks):
                table[kind].update(counted)
                print("".join(line + "\n" for line in said), end="", flush=True)
    print(f"seed {given.seed}\n| captures of | {' | '.join(COUNTED)} |\n|---|" + "---|" * len(COUNTED))
    for kind, counted in table.items():
        print(f"| {kind} | {' | '.join(str(counted[name]) for name in COUNTED)} |")
    return int(any(counted[name] for counted in table.values() for name in COUNTED[2:6]))


if __name__ == "__main__":
    sys.exit(main())
