# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""IMPI jobs in which one message of a collective operation goes where it should not, or too soon, amid sound ones; and
what may befall the rest."""

import damage
from test_impi_collectives import BARRIER, BCAST, REDUCE, SCAN, World

GATHER = 130
ROUNDS = 2  # before the violation
CONTEXT = "reduce-context"  # told where the channel has seen no Reduce on its right context
GROUP, RANKS = 5, {2: 0, 5: 1, 8: 2}  # a communicator, and the ranks in it: masters of clients of three processes


def some_meet(world):
    """A Barrier of three processes, one of each client."""
    world.say(BARRIER, (8, 2), (5, 2), (2, 5), (2, 8), cid=GROUP, lsranks=RANKS)


def _sound(world, reduces):
    """Operations of all processes, in lines or in trees; of some, where each client has three."""
    count, size = len(world.clients), world.processes
    masters = [client * size for client in range(count)]
    world.barrier()
    if count <= 3:
        world.say(BCAST, *((0, master) for master in masters[1:]), octets=8)
        if reduces:
            world.say(REDUCE, *((master, 0) for master in masters[1:]), octets=8)
        world.say(SCAN, *((master - 1, master) for master in masters[1:]), octets=8)
    else:
        world.say(BCAST, (0, 1), (0, 2), (0, 4), (1, 3), (1, 5), octets=8)
        world.say(REDUCE, (3, 2), (5, 4), (1, 0), (2, 0), (4, 0), octets=8)
    if size == 3:
        some_meet(world)


# what was done -> (rule, clients, processes of each, messages: (tag, edge, what else say takes; None: a FINI)).
# Told of the last one, unless it is of LATE: then of the end of the job, all of which says that nothing more comes.
VIOLATIONS = {
    "lines where a tree is due": ("barrier-form", 6, 1, [(BARRIER, (3, 0), {})]),
    "a tree where lines are due": ("barrier-form", 3, 1, [(BARRIER, (2, 1), {})]),
    "a barrier of who is no master": ("barrier-master", 2, 2, [(BARRIER, (3, 0), {})]),
    "an answer to who is no master": ("barrier-master", 2, 2, [(BARRIER, (2, 0), {}), (BARRIER, (0, 3), {})]),
    "on before the answer": ("barrier-left", 2, 1, [(BARRIER, (1, 0), {}), (REDUCE, (1, 0), {"octets": 8})]),
    "the next one before the answer": ("barrier-left", 3, 3, [(BARRIER, (6, 0), {}), (BARRIER, (6, 0), {})]),
    "the end before the answer": ("barrier-left", 3, 1, [(BARRIER, (2, 0), {}), (BARRIER, (2, 0), None)]),
    "on before the answer, on another communicator": ("barrier-left", 3, 3, [
        (BARRIER, (8, 2), {"cid": GROUP, "lsranks": RANKS}), (REDUCE, (8, 2), {"cid": GROUP, "lsranks": RANKS})]),
    "an answer before all have come": ("barrier-early", 3, 1, [(BARRIER, (1, 0), {}), (BARRIER, (0, 1), {})]),
    "a barrier with data": ("barrier-octets", 2, 1, [(BARRIER, (1, 0), {"octets": 4})]),
    "a wrong edge of a tree": ("bcast-tree", 6, 1, [(BCAST, (0, 3), {"octets": 8})]),
    "to who is no master": ("bcast-master", 2, 2, [(BCAST, (0, 3), {"octets": 8})]),
    "a scan that leaves one out": ("scan-order", 2, 2, [(SCAN, (0, 2), {"octets": 8})]),
    "on the context of other messages": (CONTEXT, 2, 1, [(REDUCE, (1, 0), {"octets": 8, "cid": 0})]),
    "a master that is not reached": ("bcast-unreached", 3, 1, [(BCAST, (0, 1), {"octets": 8})]),
    "a master that sends nothing": ("reduce-unsent", 3, 1, [(REDUCE, (2, 0), {"octets": 8})]),
    "a master that gathers nothing": ("gather-unsent", 3, 1, [(GATHER, (2, 0), {"octets": 8})]),
}
LATE = {"bcast-unreached", "reduce-unsent", "gather-unsent"}


def job(folder, name):
    """(packets, where the proof ends)."""
    rule, clients, processes, messages = VIOLATIONS[name]
    world = World(clients, processes)
    for _ in range(ROUNDS):
        _sound(world, rule != CONTEXT)
    for tag, edge, fields in messages:
        if fields is None:
            world.fini(*edge)
        else:
            world.say(tag, edge, **fields)
    ended = len(world.capture.packets)
    if rule in LATE:
        world.barrier()
        world.end()
        ended = len(world.capture.packets)
    return damage.read(world.capture.write(folder / "planted.pcap")), ended
