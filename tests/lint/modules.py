#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Modules form no circle of includes, and neither do folders below one top-level folder.

A module is `x.c` with `x.h`. What two modules need of each other is a third module, or one is a part of the other.
`--picture FILE` draws folders and modules on floors, as SVG, and prints the floors; `make modules` does that.
"""

import common
import includes
import picture

REMEDY = "what both need is a third module, or one of them is a part of the other"
ROOF = "move what is included upwards into a folder below both"


def describe(graph, way):
    """The include lines of a circle, one after the other."""
    steps = zip(way, way[1:] + way[:1])
    return "; ".join("{0}:{1} includes {2}".format(*graph.edges[user][used]) for user, used in steps)


def top(folder):
    """The top-level folder in which a folder lies."""
    return folder.split("/")[0]


def check_circles(tree, graph, remedy):
    """Each circle is told once, at the include line with which its shortest form begins."""
    for way, group in graph.circles():
        first = graph.edges[way[0]][way[1 % len(way)]]
        more = f" (and with them {', '.join(sorted(set(group) - set(way)))})" if len(group) > len(way) else ""
        tree.report(first[0], first[1], f"a circle: {describe(graph, way)}{more}; {remedy}")


def within_tops(folders):
    """The graph of folders without the edges between top-level folders, which layers.py judges, and without those from
    a folder to the one that it lies in: what stands there is the contract of the folders below."""
    graph = includes.Graph()
    for user, edges in folders.edges.items():
        graph.add(user)
        for used, line in edges.items():
            if top(user) == top(used) and not user.startswith(f"{used}/"):
                graph.tie(user, used, line)
    return graph


def lint(tree, arguments):
    """Looks at the circles of modules and of folders, and draws the picture if asked to."""
    modules = includes.read(tree)
    folders = includes.folders(modules)
    check_circles(tree, modules, REMEDY)
    check_circles(tree, within_tops(folders), ROOF)
    if arguments.picture:
        print(picture.text(modules, folders))
        arguments.picture.write_text(picture.svg(modules, folders))


if __name__ == "__main__":
    common.main(lint, __doc__, picture.options)
