# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (c) 2026 The Assay authors
"""Collective operations on other communicators than MPI_COMM_WORLD: who belongs to them only their messages tell, so
that most is found when the job ends. Each fault is planted into what is sound without it."""

import itertools

import pytest

from test_impi_collectives import BARRIER, BCAST, REDUCE, SCAN, World, fixture_told  # noqa: F401

GATHER, SCATTER, SCATTERV, ALLTOALL = 130, 150, 160, 170


class Communicator:
    """One that has these processes in this order."""

    def __init__(self, world, members, cid=3):
        self.world, self.members, self.cid = world, members, cid
        self.places = {rank: place for place, rank in enumerate(members)}
        clients = {}
        for rank in members:
            clients.setdefault(rank // world.processes, rank)
        self.masters = list(clients.values())
        self.apart = [(src, dest) for src, dest in itertools.permutations(members, 2)
                      if src // world.processes != dest // world.processes]

    def say(self, tag, *edges, octets=8):
        return self.world.say(tag, *edges, octets=octets, cid=self.cid, lsranks=self.places)

    def entering(self):
        """From whom to whom masters enter a Barrier: of up to 4 in lines, else in a tree."""
        return [(self.masters[child], self.masters[0 if len(self.masters) <= 4 else
                                                   child - (1 << child.bit_length() - 1)])
                for child in range(len(self.masters) - 1, 0, -1)]

    def barrier(self):
        edges = self.entering()
        self.say(BARRIER, *edges, octets=0)
        return self.say(BARRIER, *((parent, child) for child, parent in reversed(edges)), octets=0)

    def to_all(self, tag, root):
        return self.say(tag, *(edge for edge in self.apart if edge[0] == root))

    def from_all(self, tag, root):
        return self.say(tag, *(edge for edge in self.apart if edge[1] == root))


def test_trees_of_permuted_ranks(told):
    """Six masters 10, 2, 0, 6, 8, 4, each of a client of two processes, and 1, which is none. With the root 6 at place
    0, 8, 4, 2 are at 1, 2, 4, and what is at 3 and 5 is behind 1."""
    world = World(6, 2)
    group = Communicator(world, [10, 2, 0, 6, 8, 4, 1])
    group.barrier()
    group.say(BCAST, (6, 8), (6, 4), (6, 2), (8, 10), (8, 0))
    group.say(REDUCE, (2, 10), (6, 0), (4, 8), (0, 10), (8, 10))
    group.say(SCAN, (10, 2), (2, 0), (0, 6), (6, 8), (8, 4), (4, 1))
    group.from_all(GATHER, 0)
    group.to_all(SCATTER, 1)
    group.say(ALLTOALL, *group.apart)
    group.from_all(REDUCE, 1)  # not commutative, and with what follows MPI_Reduce_scatter
    group.to_all(SCATTERV, 1)
    group.barrier()
    world.barrier()
    world.end()
    assert told(world)[:2] == (set(), set())


def test_communicators_of_one_context(told):
    """As MPI_Comm_split makes them: two that have no process in common."""
    world = World(3, 2)
    groups = [Communicator(world, [0, 2, 4]), Communicator(world, [5, 3, 1])]
    for _ in range(2):
        for group in groups:
            group.barrier()
            group.to_all(BCAST, group.members[1])
            group.from_all(GATHER, group.members[2])
    world.barrier()
    world.end()
    assert told(world)[:2] == (set(), set())


@pytest.mark.parametrize("first", [0, 1])
def test_intercommunicators_accuse_nobody(told, first):
    """Each process of either group sends to each of the other: no trees, no masters."""
    world = World(3, 2)
    groups = [0, 1, 2], [3, 4, 5]
    places = {rank: place for group in groups for place, rank in enumerate(group)}
    apart = [[(src, dest) for src in groups[side] for dest in groups[1 - side] if src // 2 != dest // 2]
             for side in (first, 1 - first)]
    for _ in range(3):
        for edges in apart:
            world.say(BARRIER, *edges, cid=3, lsranks=places)
    for tag in (BCAST, GATHER, REDUCE):
        world.say(tag, *apart[0], cid=3, lsranks=places, octets=8)
    world.barrier()
    world.end()
    assert told(world)[:2] == (set(), set())


def plant_another_enters(group):
    """3 enters in the place of its master 2."""
    group.say(BARRIER, (3, 0), (4, 0), (0, 3), (0, 4), octets=0)


def plant_lines(group):
    """Of six masters everybody enters at the first one."""
    group.say(BARRIER, *((master, group.masters[0]) for master in group.masters[1:]), octets=0)
    group.say(BARRIER, *((group.masters[0], master) for master in group.masters[1:]), octets=0)


def plant_early(group):
    """2 is answered long before 4 enters: close behind it, 4's message might only have been captured late."""
    group.say(BARRIER, (2, 0), (0, 2), octets=0)
    for _ in range(3):
        group.from_all(REDUCE, 0)
    group.say(BARRIER, (4, 0), (0, 4), octets=0)


def plant_never(group):
    """4 has no part in it, and yet 0 answers 2."""
    group.say(BARRIER, (2, 0), (0, 2), octets=0)


def plant_unreached(group):
    group.say(BCAST, (2, 0))


def plant_no_master(group):
    group.say(BCAST, (2, 0), (2, 5))


def plant_no_tree(group):
    """Between places 0 and 3, whoever the root is."""
    group.say(BCAST, (group.masters[0], group.masters[3]))


def plant_unsent(group):
    group.say(REDUCE, (2, 4))


def plant_scan(group):
    group.say(SCAN, (2, 4))


def plant_octets(group):
    group.say(BARRIER, (4, 0), octets=8)
    group.say(BARRIER, (2, 0), (0, 2), (0, 4), octets=0)


def plant_gather(group):
    """Neither client 1 nor client 2, one of which the root is not of."""
    group.say(GATHER, (0, 2), (1, 2))


def plant_scatter(group):
    group.say(SCATTER, (2, 0), (2, 1))


def plant_alltoall(group):
    group.say(ALLTOALL, *(edge for edge in group.apart if edge[0] // 2 != 1))


@pytest.mark.parametrize("plant, rule", [
    (plant_another_enters, "communicator-master"), (plant_early, "barrier-early"), (plant_never, "barrier-unmet"),
    (plant_unreached, "bcast-unreached"), (plant_no_master, "bcast-master"), (plant_unsent, "reduce-unsent"),
    (plant_scan, "scan-order"), (plant_octets, "barrier-octets"), (plant_gather, "gather-unsent"),
    (plant_scatter, "scatter-unreached"), (plant_alltoall, "alltoall-unmet")])
def test_a_fault_among_three(told, plant, rule):
    """Three clients of two processes each; every process is of the communicator, and has shown its rank."""
    world = World(3, 2)
    group = Communicator(world, [0, 1, 2, 3, 4, 5])
    group.from_all(REDUCE, 0)
    group.from_all(REDUCE, 4)
    group.barrier()
    plant(group)
    world.barrier()
    last = world.end()
    violations, notes, _ = told(world)
    assert violations == set() and (last, rule) in notes
    assert notes - {(last, rule)} <= {(last, "bcast-unreached"), (last, "barrier-early")}


@pytest.mark.parametrize("plant, rule", [(plant_lines, "communicator-form"), (plant_no_tree, "bcast-tree")])
def test_a_fault_among_six(told, plant, rule):
    world = World(6)
    group = Communicator(world, [5, 1, 0, 3, 4, 2])
    group.barrier()
    plant(group)
    world.barrier()
    last = world.end()
    violations, notes, _ = told(world)
    assert violations == set() and (last, rule) in notes
    assert notes <= {(last, rule), (last, "barrier-early")}  # in lines nobody waits for those below


def test_who_ends_before_the_answer(told):
    world = World(3, 2)
    group = Communicator(world, [2, 0, 4])
    group.barrier()
    group.say(BARRIER, (4, 2), octets=0)
    world.barrier()
    number = world.fini(2, 1)
    assert told(world)[0] == {(number, "barrier-left")}


@pytest.mark.parametrize("tag", [BARRIER, REDUCE, GATHER])
def test_who_goes_on_before_the_answer(told, tag):
    """At once, without the end of the job: 4 enters again, or goes on, though 2 has not answered it."""
    world = World(3, 2)
    group = Communicator(world, [2, 0, 4])
    group.barrier()
    group.say(BARRIER, (4, 2), octets=0)
    wrong = group.say(tag, (4, 2), octets=0)
    assert told(world)[0] == {(wrong, "barrier-left")}


def test_a_gap_withholds_it(told):
    world = World(3, 2)
    group = Communicator(world, [2, 0, 4])
    group.barrier()
    group.say(BCAST, (4, 2))
    world.links[1, 2].skip(1, 128)
    world.barrier()
    world.end()
    assert told(world)[:2] == (set(), set())


def test_a_reduce_on_the_context_of_messages(told):
    """In the midst of collective operations of that communicator."""
    world = World(2)
    group = Communicator(world, [1, 0])
    group.barrier()
    number = world.say(REDUCE, (1, 0), octets=4, cid=2, lsranks=group.places)
    violations, notes, job = told(world)
    assert (violations, notes) == (set(), {(number, "reduce-context")})
    assert [(one["context"], one["misplaced"]) for one in job["collectives"]] == [("3", False), ("3", True)]
