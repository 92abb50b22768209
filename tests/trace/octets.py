# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Draws a message in octets from its rows: which octet belongs to which field, and what those of an example mean."""

import html

ACROSS = 4  # octets side by side: every field is a whole number of lines, or shares one
CELL, HIGH, LEFT, NOTE, NEXT, WIDE = 46, 26, 40, 250, 170, 620  # measures of the drawing
GROUPS = {"initiator": "g1", "target": "g2", "pk_src": "g1", "pk_dest": "g2"}


def _group(name: str) -> str:
    """The class that colours a field: the two processes, lengths and versions, and all else."""
    head = name.split(".")[0]
    if head in GROUPS:
        return GROUPS[head]
    return "g3" if head in ("operation", "version_major", "version_minor", "pk_type", "pk_len") else "g4"


def _cells(offset: int, digits: str, group: str) -> list:
    """A box for each octet of the field."""
    parts = []
    for at, pair in enumerate(digits[index:index + 2] for index in range(0, len(digits), 2)):
        row, column = divmod(offset + at, ACROSS)
        x, y = LEFT + column * CELL, row * HIGH
        parts.append(f'<rect class="{group}" x="{x}" y="{y}" width="{CELL}" height="{HIGH}"/>'
                     f'<text class="o" x="{x + CELL // 2}" y="{y + 18}">{html.escape(pair)}</text>')
    return parts


def _note(field: dict, lines: int, share: int) -> str:
    """What stands beside the boxes of a field; `share` counts the fields before it in the same line."""
    y = field["offset"] // ACROSS * HIGH + (lines * HIGH) // 2 + 5
    text = field["label"] + (f": {field['value']}" if "value" in field else "")
    return f'<text class="f" x="{NOTE + share * NEXT}" y="{y}">{html.escape(text)}</text>'


def _edge(offset: int, width: int) -> str:
    """The line around all boxes of one field; the last of its lines may be shorter."""
    left, top = LEFT + offset % ACROSS * CELL, offset // ACROSS * HIGH
    full, rest = divmod(width, ACROSS)
    path = f"M{left} {top}h{min(width, ACROSS) * CELL}v{max(full, 1) * HIGH}"
    if full and rest:
        path += f"h{(rest - ACROSS) * CELL}v{HIGH}"
    return f'<path class="e" d="{path}H{left}z"/>'


def _fields(message: dict) -> list:
    """All fields as drawn, the data that follows the header as the last one."""
    fields = list(message["fields"])
    if "data" in message:
        octets = len(message["data"]) // 2
        fields.append({"name": "data", "label": f"Data ({octets} octets)", "offset": message["octets"], "width": octets,
                       "octets": message["data"]})
    return fields


def picture(message: dict) -> str:
    """The drawing as SVG; colours are the sheet's."""
    parts, edges, lines = [], [], 0
    for field in _fields(message):
        share = sum(1 for other in message["fields"]
                    if other["offset"] // ACROSS == field["offset"] // ACROSS and other["offset"] < field["offset"])
        high = -(-field["width"] // ACROSS)
        parts += _cells(field["offset"], field.get("octets") or "··" * field["width"], _group(field["name"]))
        parts.append(_note(field, high, share))
        edges.append(_edge(field["offset"], field["width"]))
        lines = max(lines, field["offset"] // ACROSS + high)
    parts += [f'<text class="n" x="{LEFT - 10}" y="{line * HIGH + 18}">{line * ACROSS}</text>' for line in range(lines)]
    title = html.escape(f"{message['label']}: {message['octets']} octets of header")
    return (f'<div class="wide" tabindex="0"><svg class="octets" viewBox="-1 -1 {WIDE} {lines * HIGH + 2}" role="img" '
            f'aria-label="{title}">{"".join(parts)}{"".join(edges)}</svg></div>')


def table(message: dict) -> str:
    """The same fields with their names in JSON, sources and meanings."""
    rows = [f'<tr><td class="r">{field["offset"]}<td class="r">{field["width"]}'
            f'<td><code>{html.escape(field["name"])}</code><td>{html.escape(field["help"])}'
            f'<td class="q">{html.escape(field["clause"])}' for field in message["fields"]]
    return ('<div class="wide" tabindex="0"><table><thead><tr><th>offset<th>octets<th>field<th>meaning<th>where</thead>'
            f'<tbody>{"".join(rows)}</tbody></table></div>')
