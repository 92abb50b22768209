/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * One postdissector for all: Wireshark calls it for every packet of a capture, and each call costs more than what is
 * done in it. See behind.h.
 */
#include "dissector/common/behind.h"

enum { MEMBERS_MAX = 4 };

static struct member {
    protocol_t *protocol;
    dissector_t dissect;
} members[MEMBERS_MAX];

static unsigned member_count;
static uint32_t turns;

static int dissect_behind(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    for (unsigned i = 0; i < member_count; i++) {
        if (proto_is_protocol_enabled(members[i].protocol)) {
            (void)members[i].dissect(tvb, pinfo, tree, data);
        }
    }
    turns++;
    return 0;
}

uint32_t behind_turn(void)
{
    return turns;
}

void behind_register(int proto, dissector_t dissect)
{
    DISSECTOR_ASSERT(member_count < MEMBERS_MAX);
    if (member_count == 0) {
        register_postdissector(create_dissector_handle(dissect_behind, -1));
    }
    members[member_count++] = (struct member){find_protocol_by_id(proto), dissect};
}
