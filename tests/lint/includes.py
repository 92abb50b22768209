# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""The graph of modules: what the include lines of a tree tie together.

A module is a folder and a stem: `x.c` with `x.h`, or one of them alone. An edge leads from the module that includes to
the module that is included and is known by its first include line.
"""

import os
import re

import common

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def module_of(path):
    """The module to which a file belongs: its path without the suffix."""
    return os.path.splitext(path)[0]


def folder_of(path):
    """The folder of a file or module."""
    return os.path.dirname(path)


class Graph:
    """Edges between names; each edge keeps the include line that ties it as (file, line number, included path)."""

    def __init__(self):
        self.edges = {}

    def add(self, name):
        """Makes the name a part of the graph, if only a lonely one."""
        self.edges.setdefault(name, {})

    def tie(self, user, used, line):
        """Adds an edge; the first line that ties a pair is kept."""
        self.add(user)
        self.add(used)
        if user != used:
            self.edges[user].setdefault(used, line)

    def groups(self):
        """The strongly connected components (Tarjan), each sorted; a component comes after all that it uses."""
        index, low, stack, found = {}, {}, [], []

        def leave(name):
            if low[name] == index[name]:
                group = stack[stack.index(name):]
                del stack[-len(group):]
                found.append(sorted(group))

        for start in sorted(self.edges):
            path = [] if start in index else [(start, iter(sorted(self.edges[start])))]
            while path:
                name, rest = path[-1]
                if name not in index:
                    index[name] = low[name] = len(index)
                    stack.append(name)
                used = next(rest, None)
                if used is None:
                    leave(name)
                    path.pop()
                    if path:
                        low[path[-1][0]] = min(low[path[-1][0]], low[name])
                elif used not in index:
                    path.append((used, iter(sorted(self.edges[used]))))
                elif used in stack:
                    low[name] = min(low[name], index[used])
        return found

    def circles(self):
        """Groups of more than one name, each as a shortest circle through its first name, and the whole group."""
        return [(self.shortest(group), group) for group in sorted(self.groups()) if len(group) > 1]

    def shortest(self, group):
        """The shortest way from the group's first name back to it."""
        start, inside = group[0], set(group)
        ways = [[start]]
        for way in ways:
            for used in sorted(self.edges[way[-1]].keys() & inside):
                if used == start:
                    return way
                if used not in way:
                    ways.append([*way, used])
        raise AssertionError(f"{start} is in no circle")

    def floors(self):
        """Name -> floor: 0 for what uses nothing, else one above the highest that it uses; a circle is on one floor."""
        floor, home = {}, {}
        for group in self.groups():
            home.update({name: id(group) for name in group})
            below = [floor[used] for name in group for used in self.edges[name] if home.get(used) != id(group)]
            floor.update({name: 1 + max(below, default=-1) for name in group})
        return floor


def included(tree, path, target):
    """The tracked file that an include line means, or None: by root path, beside the file, or within its top folder."""
    beside = os.path.normpath(os.path.join(folder_of(path), target))
    known = tree.known_files()
    alone = f"{path.split('/')[0]}/{target}"
    return next((name for name in (target, beside, alone) if name in known), None)


def read(tree):
    """The graph of all modules of the tree."""
    graph = Graph()
    for path in tree.files(".c", ".h"):
        graph.add(module_of(path))
        text = common.c_without(tree.text(path) or "", strings=False)
        for match in INCLUDE.finditer(text):
            target = included(tree, path, match.group(1))
            if target:
                line = (path, common.line_of(text, match.start(1)), target)
                graph.tie(module_of(path), module_of(target), line)
    return graph


def folders(modules):
    """The graph of folders: who includes whom across the border of a folder."""
    graph = Graph()
    for user, edges in modules.edges.items():
        graph.add(folder_of(user))
        for used, line in sorted(edges.items()):
            graph.tie(folder_of(user), folder_of(used), line)
    return graph
