# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Draws folders and modules on floors: whoever includes stands above what it includes.

A folder is a box on the floor that the folders' graph gives it; in the box its modules stand on floors of their own.
Lines lead from a folder down to those that it includes; what a third one leads to anyway has none. In the SVG a module
tells, under the pointer, what it includes and who includes it.
"""

import html
import pathlib

import includes

# Measures of the drawing, in pixels: a letter, a line of text, the space around a box, the width of a page.
LETTER, LINE, SPACE, PAGE = 7, 18, 26, 1800
# Names in one line of a box, counted in letters.
ROW = 64
STYLE = ("text{font:12px monospace}.folder{font-weight:bold}.floor{fill:#777}"
         "rect{fill:#f6f8fa;stroke:#57606a}path{fill:none;stroke:#0969da;stroke-opacity:.45}")


def options(parser):
    """--picture FILE draws."""
    parser.add_argument("--picture", type=pathlib.Path, metavar="FILE",
                        help="draw folders and modules into this SVG file and print their floors")


def rows_of(modules, folder):
    """The folder's modules from the highest floor down: pairs of floor and names, long floors broken into rows."""
    inside = includes.Graph()
    for user, edges in modules.edges.items():
        if includes.folder_of(user) == folder:
            inside.add(user)
            for used, line in edges.items():
                if includes.folder_of(used) == folder:
                    inside.tie(user, used, line)
    by_floor = {}
    for name, floor in inside.floors().items():
        by_floor.setdefault(floor, []).append(name)
    rows = []
    for floor in sorted(by_floor, reverse=True):
        row = []
        for name in sorted(by_floor[floor]):
            if row and len(" ".join(map(short, [*row, name]))) > ROW:
                rows.append((floor, row))
                row = []
            row.append(name)
        rows.append((floor, row))
    return rows


def short(module):
    """A module's name within its folder."""
    return module.rsplit("/", 1)[-1]


def stacked(folders):
    """The folders that have modules, by floor, the highest first."""
    floors = folders.floors()
    levels = {}
    for name, floor in sorted(floors.items()):
        levels.setdefault(floor, []).append(name)
    return [(floor, levels[floor]) for floor in sorted(levels, reverse=True)]


def text(modules, folders):
    """The floors in plain text."""
    lines = []
    for floor, names in stacked(folders):
        lines.append(f"floor {floor}")
        for folder in names:
            lines.append(f"  {folder or '.'}/ includes {' '.join(sorted(folders.edges[folder])) or 'no other folder'}")
            lines += [f"    {inner:2d}  {' '.join(map(short, row))}" for inner, row in rows_of(modules, folder)]
    return "\n".join(lines)


def place(modules, folders):
    """Where the boxes stand: folder -> (x, y, width, height, rows); then the height of the page."""
    boxes, top = {}, SPACE
    for _, names in stacked(folders):
        left, deepest = SPACE, 0
        for folder in names:
            rows = rows_of(modules, folder)
            letters = max([len(folder)] + [4 + len(" ".join(map(short, row))) for _, row in rows])
            width, height = (letters + 3) * LETTER, (len(rows) + 2) * LINE
            if left > SPACE and left + width > PAGE:
                left, top, deepest = SPACE, top + deepest + SPACE, 0
            boxes[folder] = (left, top, width, height, rows)
            left, deepest = left + width + SPACE, max(deepest, height)
        top += deepest + 2 * SPACE
    return boxes, top


def below(graph, name):
    """All names that can be reached from this one."""
    seen, todo = set(), [name]
    while todo:
        for used in graph.edges[todo.pop()]:
            if used not in seen:
                seen.add(used)
                todo.append(used)
    return seen


def lines_between(boxes, folders):
    """A line for each folder that another includes, unless a third folder leads there."""
    drawn = []
    for user, edges in folders.edges.items():
        for used in edges:
            others = [other for other in edges if other != used and user not in below(folders, other)]
            if any(used in below(folders, other) for other in others):
                continue
            x, y, width, height, _ = boxes[user]
            to_x, to_y, to_width, _, _ = boxes[used]
            start, end = (x + width // 2, y + height), (to_x + to_width // 2, to_y)
            middle = (start[1] + end[1]) // 2
            drawn.append(f'<path d="M{start[0]} {start[1]} C{start[0]} {middle} {end[0]} {middle} {end[0]} {end[1]}"/>')
    return drawn


def drawn_box(modules, users, folder, box):
    """A folder: its name, and its modules, each with its title."""
    x, y, width, height, rows = box
    drawn = [f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4"/>',
             f'<text class="folder" x="{x + LETTER}" y="{y + LINE}">{html.escape(folder or ".")}/</text>']
    for number, (floor, row) in enumerate(rows, 2):
        baseline, left = y + number * LINE, x + LETTER
        drawn.append(f'<text class="floor" x="{left}" y="{baseline}">{floor}</text>')
        left += 4 * LETTER
        for name in row:
            title = (f"{name} includes {', '.join(sorted(modules.edges[name])) or 'nothing of ours'}; "
                     f"is included by {', '.join(sorted(users.get(name, []))) or 'nobody'}")
            drawn.append(f'<text x="{left}" y="{baseline}">{html.escape(short(name))}'
                         f"<title>{html.escape(title)}</title></text>")
            left += (len(short(name)) + 1) * LETTER
    return drawn


def svg(modules, folders):
    """The whole drawing."""
    users = {}
    for user, edges in modules.edges.items():
        for used in edges:
            users.setdefault(used, []).append(user)
    boxes, height = place(modules, folders)
    width = max((x + wide for x, _, wide, _, _ in boxes.values()), default=0) + SPACE
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">', f"<style>{STYLE}</style>"]
    parts += lines_between(boxes, folders)
    for folder, box in boxes.items():
        parts += drawn_box(modules, users, folder, box)
    return "\n".join([*parts, "</svg>", ""])
