# SPDX-License-Identifier: BSD-2-Clause
# Copyright (c) 2026 The Assay authors
"""Which packets of an Intercept capture, if they were missing, could explain a violation. What was sent behind a
violation does not, nor what a card sends that has no part in it, nor an acknowledgement, where nobody's window is full.
The packet before a missing one on its link tells since when it may be missing."""

import struct

ANNOUNCED = 8  # frames, by which two cards make themselves known over two planes: without them no link has an owner
CLOSE = 8      # packets: so near each other they may stand in a wrong order
SWITCH = 59000

# What a violation rests on. SINGLE: on one frame; LINK: on what is sent over its link; OWN: on what its sender has sent
# before; BOTH: on that and on what he was sent; others: on what he was sent.
SINGLE = {"IW-12", "IW-45", "IW-44", "IW-05", "IW-34", "IW-09", "IW-03", "ICPT-105"}
LINK = {"IW-20", "IW-22", "ICPT-014", "IW-08", "ICPT-009"}
OWN = {"ICPT-171", "ICPT-143"}
BOTH = {"ICPT-142", "ICPT-291", "IW-37", "ICPT-161", "ICPT-115", "ICPT-112", "ICPT-126", "ICPT-090",
        "ICPT-299"}


def _ends(packet):
    """The ports of a datagram."""
    return struct.unpack_from(">HH", packet.octets, 20)


def _card(packet):
    """Whose packet it is; None: the switch's."""
    port = _ends(packet)[0]
    return (port - 50000) // 100 if port < SWITCH else None


def _has_no_part(requirement, guilty, gone, is_cut):
    """Whether it does not matter when the packet was sent."""
    if requirement in LINK:
        same = set(_ends(gone)) == set(_ends(guilty))
        return not same or (_card(gone) is None and not is_cut and requirement != "ICPT-009")
    if _card(gone) is None:
        return True
    return requirement not in BOTH and (_card(gone) == _card(guilty)) != (requirement in OWN)


def _is_innocent(packets, planted, place, chosen, is_cut):
    number, requirement, proof, ended = planted
    if place < ANNOUNCED or proof <= place < ended:
        return False
    heard = [at for at in range(place) if at not in chosen and _ends(packets[at]) == _ends(packets[place])]
    since = place - CLOSE if is_cut else heard[-1]
    return requirement in SINGLE or since >= ended + CLOSE or _has_no_part(requirement, packets[number - 1],
                                                                           packets[place], is_cut)


def must_be_told(packets, planted, chosen, is_cut=False):
    """Whether a violation is proven without the packets at these places, or where they are cut short. `planted` is the
    number of the packet that breaks the requirement, the requirement, and between which places it is proven."""
    return all(_is_innocent(packets, planted, place, chosen, is_cut) for place in chosen)
