/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The end of a stream; see portals_close.h. The checker hears of it on the first pass.
 */
#include "dissector/portals/close.h"

#include "dissector/common/close.h"
#include "dissector/portals/checker.h"
#include "dissector/portals/fields.h"
#include "dissector/portals/judge.h"
#include "dissector/portals/stream.h"
#include "dissector/portals/tree.h"

#include <epan/proto_data.h>
#include <epan/wmem_scopes.h>

enum { KEY_CLOSE = 0x60000000 }; /* of what is kept with a packet */

static int proto_portals = -1;

static enum wire_portals_ending ending_of(const struct close_sign *sign, const struct way *way)
{
    if (!sign->fin || sign->gap) {
        return WIRE_PORTALS_ENDS_TORN;
    }
    return way->waits || way->left > 0 ? WIRE_PORTALS_ENDS_INSIDE : WIRE_PORTALS_ENDS_BETWEEN;
}

/* First pass: has the end judged, if this packet is the first that ends its direction. Octets that the capture lacks
 * may hold the rest of a message. */
static struct pdu_note *end_note(struct pdu *pdu)
{
    struct close_sign sign = close_sign_of(pdu->tvb, pdu->pinfo, &pdu->way->at);

    if (pdu->way->ended || (!sign.fin && !sign.reset)) {
        return NULL;
    }
    pdu->way->ended = true;
    if (sign.gap) {
        checker_missing();
    }
    pdu->note = wmem_new0(wmem_file_scope(), struct pdu_note);
    judge_end(pdu, ending_of(&sign, &pdu->way->at));
    if (pdu->note->finding_count) {
        p_add_proto_data(wmem_file_scope(), pdu->pinfo, proto_portals, KEY_CLOSE, pdu->note);
    }
    return pdu->note;
}

static int dissect_close(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    struct pdu pdu = {.tvb = tvb, .pinfo = pinfo};

    (void)data;
    pdu.way = stream_way_known(proto_portals, pinfo, &pdu.back);
    if (!pdu.way) {
        return 0;
    }
    pdu.note =
        PINFO_FD_VISITED(pinfo) ? p_get_proto_data(wmem_file_scope(), pinfo, proto_portals, KEY_CLOSE) : end_note(&pdu);
    if (!judge_found(&pdu)) {
        return 0;
    }
    pdu.item = proto_tree_add_item(tree, proto_portals, tvb, 0, 0, ENC_NA);
    pdu.tree = proto_item_add_subtree(pdu.item, fields_trees.message);
    tree_title(&pdu, "the stream ends");
    judge_show(&pdu);
    return 0;
}

void portals_close_register(int proto)
{
    proto_portals = proto;
    register_postdissector(create_dissector_handle(dissect_close, proto));
}
