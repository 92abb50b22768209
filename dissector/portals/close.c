/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What was found in a packet and belongs to no message that is shown there: the end of a stream, and a message whose
 * header is here and whose data are still to come; see close.h.
 */
#include "dissector/portals/close.h"

#include "dissector/common/behind.h"
#include "dissector/portals/fields.h"
#include "dissector/portals/judge.h"
#include "dissector/portals/tree.h"

#include <epan/proto_data.h>
#include <epan/wmem_scopes.h>

enum { KEY_CLOSE = 0x60000000 }; /* of what is kept with a packet */

static int proto_portals = -1;

static void show(struct pdu *pdu, proto_tree *tree)
{
    if (!judge_found(pdu)) {
        return;
    }
    pdu->item = proto_tree_add_item(tree, proto_portals, pdu->tvb, 0, 0, ENC_NA);
    pdu->tree = proto_item_add_subtree(pdu->item, fields_trees.message);
    tree_title(pdu, judge_about(pdu));
    judge_show(pdu);
}

static int dissect_close(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    struct pdu pdu = {.tvb = tvb, .pinfo = pinfo};
    struct follower_found late;

    (void)data;
    if (!judge_wanted()) {
        return 0;
    }
    if (!PINFO_FD_VISITED(pinfo)) {
        follower_packet(pinfo);
        if (judge_rest(&pdu)) {
            p_add_proto_data(wmem_file_scope(), pinfo, proto_portals, KEY_CLOSE, (void *)pdu.found);
        }
        show(&pdu, tree);
        return 0; /* nothing has come behind it */
    }
    pdu.found = p_get_proto_data(wmem_file_scope(), pinfo, proto_portals, KEY_CLOSE);
    show(&pdu, tree);
    late = follower_late(pinfo, false);
    pdu.found = &late;
    show(&pdu, tree);
    return 0;
}

void portals_close_register(int proto)
{
    proto_portals = proto;
    behind_register(proto, dissect_close);
}
