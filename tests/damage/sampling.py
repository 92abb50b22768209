# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Some damages of each kind, and what both judges tell of them."""

import random

import damage
import judges

SEED = 14


def wrong(bin_dir, plugin, name, groups, each, is_right):
    """(kind, place, what was told) where is_right(told, made) does not hold of what the checker tells, or where the
    plugin tells something else. `groups` are lists of damages, each a tuple that begins with kind, place and packets;
    of each list `each` are tried, and the plugin is asked about the last of them."""
    path, choose, found = plugin.folder / "planted.pcap", random.Random(f"{SEED} {name}"), []
    for group in groups:
        for made in choose.sample(group, min(each, len(group))):
            checked = judges.by_checker(bin_dir, damage.write(path, made[2]))
            if not is_right({requirement for _, requirement in checked}, made):
                found.append((*made[:2], checked))
        shown = plugin.twice(path, judges.SETTINGS[len(made[0]) % 2])
        if shown != checked:
            found.append((*made[:2], checked, shown))
    return found
