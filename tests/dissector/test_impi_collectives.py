# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""Collective operations as they travel, from captures alone: the plugin and `assay check` find the same fault in the
same packet, and `assay check --job` draws who sent to whom. Patterns are those of chapter 4, worked out by hand."""

import itertools
import json
import subprocess

import pytest

from capture import Capture
from impi_octets import channel, packet, process, start

BARRIER, BCAST, REDUCE, SCAN = 110, 120, 190, 200
COLLECTIVES = {"barrier-octets", "barrier-early", "barrier-unmet", "bcast-master", "bcast-tree", "bcast-unreached",
               "reduce-unsent", "scan-order", "reduce-context", "gather-unsent", "scatter-unreached", "alltoall-unmet",
               "communicator-master", "communicator-form"}


class World:
    """A job of so many clients, each of one host with so many processes, and its start-up."""

    def __init__(self, clients, processes=1):
        self.capture, self.processes, self.sent = Capture(), processes, 0
        self.clients = [[(f"127.0.1.{client + 1}", 47000 + client,
                          [100 * client + 65 + local for local in range(processes)])] for client in range(clients)]
        start(self.capture, self.clients, hiwater=1000, ackmark=1000)
        self.links = {(lower, upper): channel(self.capture, self.clients, upper, lower, 40000 + 100 * lower + upper)
                      for lower, upper in itertools.combinations(range(clients), 2)}

    def rank(self, number):
        """The process of that world rank."""
        address, _, pids = self.clients[number // self.processes][0]
        return process(address, pids[number % self.processes])

    def _send(self, client, other, octets):
        return self.links[min(client, other), max(client, other)].send(int(client < other), octets)

    def say(self, tag, *edges, octets=0, cid=1, lsranks=None):
        """Messages of a collective operation, each from one world rank to another; the packet of the last one."""
        for src, dest in edges:
            self.sent += 1
            number = self._send(src // self.processes, dest // self.processes,
                                packet("DATA", self.rank(src), self.rank(dest), bytes(octets), srqid=self.sent, tag=tag,
                                       cid=cid, lsrank=lsranks[src] if lsranks else src))
        return number

    def barrier(self):
        """A Barrier of the form that fits: up to 4 clients linear, else a tree."""
        count = len(self.clients)
        parents = {child: 0 if count <= 4 else child - (1 << child.bit_length() - 1) for child in range(1, count)}
        masters = [self.processes * client for client in range(count)]
        for child in sorted(parents, reverse=True):
            self.say(BARRIER, (masters[child], masters[parents[child]]))
        for child in sorted(parents):
            last = self.say(BARRIER, (masters[parents[child]], masters[child]))
        return last

    def fini(self, client, other):
        """The end of a host's direction."""
        return self._send(client, other, packet("FINI", bytes(24), bytes(24)))

    def end(self):
        """All hosts end all channels; the last packet."""
        for (lower, upper), connection in self.links.items():
            self.fini(upper, lower)
            last = self.fini(lower, upper)
            connection.close()
        return last


@pytest.fixture(name="told")
def fixture_told(tshark, bin_dir, capture_path):
    """(violations, notes of collective operations) as {(packet, rule)} of `assay check`, and the job that it draws; the
    plugin says the same."""
    def told(world):
        path = world.capture.write(capture_path)
        done = subprocess.run([bin_dir / "assay", "check", "--json", "--job", path], capture_output=True, text=True,
                              timeout=300, check=False)
        found = json.loads(done.stdout)
        for findings, field in ((found["breaches"], "impi.requirement"), (found["notes"], "impi.noted")):
            shown = tshark.fields(path, "frame.number", field, shown=field)
            assert sorted((int(number), told) for (number,), all_told in shown for told in all_told) == sorted(
                (finding["packet"], finding["requirement"]) for finding in findings)
        places = [(edge["packet"], one["number"], one["root"]) for job in found["jobs"] for one in job["collectives"]
                  for edge in one["messages"] if one["number"]]
        shown = tshark.fields(path, "frame.number", "impi.collective.number", "impi.collective.root",
                              shown="impi.collective.number")
        assert sorted(places, key=str) == sorted(((int(packet), int(number), int(root[0]) if root else None)
                                                  for (packet,), (number,), root in shown), key=str)
        violations = {(finding["packet"], finding["rule"]) for finding in found["breaches"]}
        notes = {(note["packet"], note["rule"]) for note in found["notes"] if note["rule"] in COLLECTIVES}
        return violations, notes, found["jobs"][0]
    return told


def drawn(job):
    """The operations of a job: (name, number, root, edges)."""
    return [(one["operation"], one["number"], one["root"], [(edge["from"], edge["to"]) for edge in one["messages"]])
            for one in job["collectives"]]


def test_three_clients_in_lines(told):
    """Two processes each: masters are the ranks 0, 2 and 4. Roots: 3, which is no master; 4; 1."""
    world = World(3, 2)
    world.barrier()
    world.say(BCAST, (3, 0), (3, 4), octets=8)
    world.say(REDUCE, (0, 4), (2, 4), octets=8)
    world.say(REDUCE, *((src, 1) for src in (2, 3, 4, 5)), octets=8)  # not commutative: every process sends
    world.say(SCAN, (1, 2), (3, 4), octets=8)
    world.say(130, (2, 0), (4, 0), octets=8)
    world.barrier()
    world.end()
    violations, notes, job = told(world)
    assert (violations, notes) == (set(), set())
    lines = [(4, 0), (2, 0), (0, 2), (0, 4)]
    assert drawn(job) == [
        ("Barrier", 1, None, lines), ("Bcast", 1, 3, [(3, 0), (3, 4)]), ("Reduce", 1, 4, [(0, 4), (2, 4)]),
        ("Reduce", 2, 1, [(src, 1) for src in (2, 3, 4, 5)]), ("Scan", 1, None, [(1, 2), (3, 4)]),
        ("Gather", 0, None, [(2, 0)]), ("Gather", 0, None, [(4, 0)]), ("Barrier", 2, None, lines)]
    assert [(host["client"], [(one["rank"], one["master"]) for one in host["processes"]]) for host in job["hosts"]] == [
        (client, [(2 * client, True), (2 * client + 1, False)]) for client in range(3)]
    assert job["agreed"]["coll_maxlinear"] == 4 and job["clients"] == 3


def test_six_clients_in_trees(told):
    """Bcast from 2: 2 stands at place 0, so 3, 4 and 0 are at 1, 2 and 4, and 5 and 1 behind 3. Reduce to 0: 1, 2, 4
    send there, 3 to 2 and 5 to 4."""
    world = World(6)
    world.barrier()
    bcast = [(2, 3), (2, 4), (2, 0), (3, 5), (3, 1)]
    reduce = [(3, 2), (5, 4), (1, 0), (2, 0), (4, 0)]
    world.say(BCAST, *bcast, octets=4)
    world.say(REDUCE, *reduce, octets=4)
    world.say(BCAST, (0, 1), (0, 2), (0, 4), (1, 3), (1, 5), octets=4)
    world.barrier()
    world.end()
    violations, notes, job = told(world)
    assert (violations, notes) == (set(), set())
    assert [(name, number, root) for name, number, root, _ in drawn(job)] == [
        ("Barrier", 1, None), ("Bcast", 1, 2), ("Reduce", 1, 0), ("Bcast", 2, 0), ("Barrier", 2, None)]
    assert drawn(job)[1][3] == bcast and drawn(job)[2][3] == reduce


def test_other_communicators(told, tshark, capture_path, bin_dir):
    """Two that the capture alone shows: of the ranks 0, 2 and 3, and of 5, 3 and 1 in this order, where 5 answers. Both
    are counted by themselves; a wrong tree on them accuses nobody, for nobody knows their masters."""
    world = World(3, 2)
    world.barrier()
    for _ in range(2):
        world.say(BARRIER, (2, 0), (0, 2), cid=5)
        world.say(BARRIER, (1, 5), (3, 5), (5, 3), (5, 1), cid=9, lsranks={5: 0, 3: 1, 1: 2})
    world.say(SCAN, (1, 2), cid=9, octets=8)
    world.say(BCAST, (2, 0), (0, 4), cid=7, octets=8)
    world.say(REDUCE, (2, 0), cid=7, octets=8)
    world.say(BARRIER, (4, 0), cid=12)  # a program's own tag
    world.end()
    violations, notes, job = told(world)
    assert (violations, notes) == (set(), set())
    three = [(1, 5), (3, 5), (5, 3), (5, 1)]
    assert [one["context"] for one in job["collectives"]] == ["1", "5", "9", "5", "9", "9", "7", "7", "7"]
    assert drawn(job)[1:] == [
        ("Barrier", 1, None, [(2, 0), (0, 2)]), ("Barrier", 1, None, three), ("Barrier", 2, None, [(2, 0), (0, 2)]),
        ("Barrier", 2, None, three), ("Scan", 1, None, [(1, 2)]), ("Bcast", 0, None, [(2, 0)]),
        ("Bcast", 0, None, [(0, 4)]), ("Reduce", 0, None, [(2, 0)])]
    assert [[edge["phase"] for edge in one["messages"]] for one in job["collectives"][1:3]] == [
        ["enters", "is answered"], ["enters"] * 2 + ["is answered"] * 2]
    shown = tshark.fields(capture_path, "impi.collective.number", "impi.collective.phase",
                          shown="impi.collective.number && impi.pk_cid == 5")
    assert shown == [[["1"], ["enters"]], [["1"], ["is answered"]], [["2"], ["enters"]], [["2"], ["is answered"]]]
    text = subprocess.run([bin_dir / "assay", "check", "--job", capture_path], capture_output=True, text=True,
                          timeout=300, check=False).stdout
    assert "  collective operations on other communicators\n    Barrier 1  on context 5\n      2 -> 0  packet " in text


def test_which_operation_on_other_communicators(told):
    """When the job has ended, their Barriers have shown who the members are: three processes, or two others on the same
    context. On another context there was no Barrier."""
    world, three, two = World(3, 3), {2: 0, 5: 1, 8: 2}, {1: 0, 4: 1}
    for root in (5, 2):
        others = [rank for rank in three if rank != root]
        world.say(BARRIER, (8, 2), (5, 2), (2, 5), (2, 8), cid=5, lsranks=three)
        world.say(BCAST, *((root, rank) for rank in others), octets=8, cid=5, lsranks=three)
        world.say(REDUCE, *((rank, root) for rank in others), octets=8, cid=5, lsranks=three)
    world.say(BARRIER, (4, 1), (1, 4), cid=5, lsranks=two)
    world.say(BCAST, (1, 4), octets=8, cid=5, lsranks=two)
    world.say(BCAST, (0, 3), octets=8, cid=7, lsranks={0: 0, 3: 1})
    world.end()
    violations, notes, job = told(world)
    assert (violations, notes) == (set(), set())
    assert [(*one[:3], len(one[3])) for one in drawn(job)] == [
        ("Barrier", 1, None, 4), ("Bcast", 1, 5, 2), ("Reduce", 1, 5, 2),
        ("Barrier", 2, None, 4), ("Bcast", 2, 2, 2), ("Reduce", 2, 2, 2),
        ("Barrier", 1, None, 2), ("Bcast", 1, 1, 1), ("Bcast", 0, None, 1)]


@pytest.mark.parametrize("members, said", [(512, []), (514, ["they have more than 512 members"])])
def test_members_beyond_those_that_are_known(bin_dir, capture_path, members, said):
    """They are told, and not silently left out."""
    world = World(2, members // 2)
    world.say(BCAST, *((rank, rank + members // 2) for rank in range(members // 2)), cid=5)
    world.end()
    done = subprocess.run([bin_dir / "assay", "check", "--json", world.capture.write(capture_path)],
                          capture_output=True, text=True, timeout=300, check=False)
    told = json.loads(done.stdout)
    assert told["breaches"] == [] and [one["text"].split(": ")[-1] for one in told["remarks"]] == said


@pytest.mark.parametrize("passes", (1, 2))
def test_the_plugin_shows_which_operation(tshark, capture_path, passes):
    """Number, phase and the root, once it is certain: 3 sends to 5 in a tree of 3, and in one of 2, which the next
    message shows."""
    world = World(6)
    world.say(BCAST, (3, 5), (2, 3), octets=4)
    world.barrier()
    shown = tshark.fields(world.capture.write(capture_path), "impi.collective.number", "impi.collective.phase",
                          "impi.collective.root", shown="impi.collective.number", passes=passes)
    assert shown[:2] == [[["1"], ["down"], ["2"] if passes == 2 else []], [["1"], ["down"], ["2"]]]
    assert shown[2:] == [[["1"], ["enters"], []]] * 5 + [[["1"], ["is answered"], []]] * 5


def test_operations_under_way_together(told):
    """Two Bcasts of different roots whose messages arrive mixed, as different channels may have them."""
    world = World(3)
    world.say(BCAST, (0, 1), (1, 0), (1, 2), (0, 2), octets=4)
    world.barrier()
    world.end()
    violations, notes, job = told(world)
    assert (violations, notes) == (set(), set())
    assert [one[:3] for one in drawn(job)] == [("Bcast", 1, 0), ("Bcast", 2, 1), ("Barrier", 1, None)]


def test_a_reduce_of_all_processes_behind_others(told):
    """Of the same root: which one the message of 3, which is no master, is of, is not to be seen; that there are enough
    for one of them, is."""
    world = World(3, 2)
    for _ in range(2):
        world.say(REDUCE, (2, 0), (4, 0), octets=4)
    world.say(REDUCE, *((src, 0) for src in (2, 4, 5, 3)), octets=4)
    world.barrier()
    world.end()
    assert told(world)[:2] == (set(), set())


def test_a_reduce_of_all_processes_that_one_runs_ahead_into(told):
    """3 sends to 1 while its master is still in a Reduce to 0."""
    world = World(3, 2)
    world.say(REDUCE, (3, 1), (2, 0), (4, 0), (2, 1), (4, 1), (5, 1), octets=4)
    world.barrier()
    world.end()
    violations, notes, job = told(world)
    assert (violations, notes) == (set(), set())
    assert {one[2]: len(one[3]) for one in drawn(job)} == {1: 4, 0: 2, None: 4}


def test_a_reduce_of_all_processes_lacks_one(told):
    world = World(3, 2)
    world.say(REDUCE, (2, 0), (4, 0), octets=4)
    world.say(REDUCE, *((src, 0) for src in (2, 4, 5)), octets=4)
    world.barrier()
    last = world.end()
    assert told(world)[:2] == (set(), {(last, "reduce-unsent")})


def test_a_barrier_in_lines_where_a_tree_is_due(told):
    world = World(6)
    world.say(BARRIER, (1, 0), (2, 0))
    wrong = world.say(BARRIER, (3, 0))
    assert told(world)[0] == {(wrong, "barrier-form")}


def test_a_barrier_in_a_tree_where_lines_are_due(told):
    world = World(3)
    wrong = world.say(BARRIER, (2, 1))
    assert told(world)[0] == {(wrong, "barrier-form")}


def test_a_barrier_that_changes_its_form(told):
    """With four masters, as many as the limit, either form will do, but not both: 3 meets 0 and then 1."""
    world = World(4)
    world.barrier()
    wrong = world.say(BARRIER, (3, 1))
    assert told(world)[0] == {(wrong, "barrier-mixed")}


def test_a_barrier_of_who_is_no_master(told):
    world = World(2, 2)
    wrong = [world.say(BARRIER, (3, 0)), world.say(BARRIER, (0, 3))]
    assert told(world)[0] == {(number, "barrier-master") for number in wrong}


@pytest.mark.parametrize("tag", [BARRIER, REDUCE])
def test_who_goes_on_before_the_answer(told, tag):
    world = World(2)
    world.barrier()
    world.say(BARRIER, (1, 0))
    wrong = world.say(tag, (1, 0))
    assert told(world)[0] == {(wrong, "barrier-left")}


def test_who_ends_before_the_answer(told):
    world = World(3)
    world.barrier()
    world.say(BARRIER, (2, 0), (1, 0))
    wrong = world.fini(2, 0)
    assert told(world)[0] == {(wrong, "barrier-left")}


def test_who_never_enters(told):
    """Client 2 ends without a second Barrier, although master 0 answers it."""
    world = World(3)
    world.barrier()
    world.say(BARRIER, (1, 0))
    early = world.say(BARRIER, (0, 1))
    last = world.end()
    assert told(world)[:2] == (set(), {(early, "barrier-early"), (last, "barrier-unmet")})


def test_messages_that_never_come(told):
    world = World(3)
    world.say(BCAST, (1, 0), octets=4)
    world.say(REDUCE, (2, 0), octets=4)
    world.barrier()
    last = world.end()
    assert told(world)[:2] == (set(), {(last, "bcast-unreached"), (last, "reduce-unsent")})


@pytest.mark.parametrize("rule, clients, tag, edge, octets", [
    ("bcast-tree", 6, BCAST, (0, 3), 4), ("bcast-master", 2, BCAST, (0, 3), 4), ("scan-order", 2, SCAN, (0, 2), 4),
    ("barrier-octets", 2, BARRIER, (2, 0), 4)])
def test_what_is_only_noted(told, rule, clients, tag, edge, octets):
    world = World(clients, 1 if clients == 6 else 2)
    number = world.say(tag, edge, octets=octets)
    assert told(world)[:2] == (set(), {(number, rule)})


def test_a_reduce_on_the_wrong_context(told):
    """Behind other collective operations of the two; it is drawn all the same, and said to be misplaced."""
    world = World(2)
    world.barrier()
    number = world.say(REDUCE, (1, 0), octets=4, cid=0)
    violations, notes, job = told(world)
    assert (violations, notes) == (set(), {(number, "reduce-context")})
    assert [one["misplaced"] for one in job["collectives"]] == [False, True]


def test_a_channel_with_a_gap_accuses_nobody(told):
    """The answer to a master's Barrier is among octets that the capture lacks."""
    world = World(2)
    world.barrier()
    world.say(BARRIER, (1, 0))
    world.links[0, 1].skip(1, 128)
    world.say(BARRIER, (1, 0))
    world.end()
    assert told(world)[:2] == (set(), set())


def test_violations_are_counted_by_sender(bin_dir, capture_path):
    """Process 3 is no master and says so twice; 0 answers it once."""
    world = World(2, 2)
    world.say(BARRIER, (3, 0), (0, 3), (3, 0))
    path = world.capture.write(capture_path)
    done = subprocess.run([bin_dir / "assay", "check", path], capture_output=True, text=True, timeout=300, check=False)
    ends = world.links[0, 1].ends
    assert [line for line in done.stdout.splitlines() if line.startswith("sender: ")] == [
        f"sender: {ends[0][0]}:{ends[0][1]}: violations: 2", f"sender: {ends[1][0]}:{ends[1][1]}: violations: 1"]
    assert ": 3 violations" in done.stdout.splitlines()[-1]


def test_the_drawing_as_text(bin_dir, root):
    """The job of another implementation (tests/captures), of which the README shows the beginning."""
    done = subprocess.run([bin_dir / "assay", "check", "--job", root / "tests" / "captures" / "lam-impi.pcap"],
                          capture_output=True, text=True, timeout=300, check=False)
    readme = (root / "tests" / "captures" / "README.md").read_text()
    shown = readme.split("```\n")[1].split("\n", 1)[1]
    assert done.returncode == 0 and done.stdout.startswith(shown)
