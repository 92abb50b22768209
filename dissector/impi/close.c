/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The end of a connection, told in the packet with the FIN or the reset; see dissector/impi/close.h.
 */
#include "dissector/impi/close.h"

#include "dissector/common/close.h"
#include "dissector/impi/channel.h"
#include "dissector/impi/experts.h"
#include "dissector/impi/fields.h"
#include "dissector/impi/job.h"
#include "dissector/impi/tree.h"

#include <epan/conversation.h>
#include <epan/proto_data.h>
#include <epan/wmem_scopes.h>

enum { KEY_CLOSE = 0x60000000 }; /* of what is kept with a packet */

static int proto_impi = -1;

/* Octets before the end are missing: nothing more can be judged. */
static void missed(struct impi_stream *stream)
{
    if (stream->kind == IMPI_STARTUP) {
        impi_job_missed(stream);
    } else {
        impi_channel_missed(stream);
    }
}

/* First pass: has the end judged; what was found is kept with the packet. */
static struct impi_note *end_note(struct impi_pdu *pdu, const struct close_sign *sign)
{
    struct impi_stream *stream = pdu->stream;
    bool inside = sign->fin && !sign->gap && (stream->ways[pdu->way].waits || stream->ways[pdu->way].left > 0);

    if (sign->gap) {
        missed(stream);
    }
    pdu->note = wmem_new0(wmem_file_scope(), struct impi_note);
    if (stream->kind == IMPI_STARTUP) {
        impi_job_end(pdu, inside);
    } else {
        impi_channel_end(pdu, inside, sign->reset);
    }
    if (pdu->note->finding_count) {
        p_add_proto_data(wmem_file_scope(), pdu->pinfo, proto_impi, KEY_CLOSE, pdu->note);
    }
    return pdu->note;
}

static struct impi_stream *stream_of(packet_info *pinfo)
{
    conversation_t *conversation = pinfo->ptype == PT_TCP ? find_conversation_pinfo(pinfo, 0) : NULL;
    struct impi_stream *stream = conversation ? conversation_get_proto_data(conversation, proto_impi) : NULL;

    return stream && stream->kind != IMPI_UNDECIDED ? stream : NULL;
}

static int dissect_close(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    struct impi_pdu pdu = {.tvb = tvb, .pinfo = pinfo, .stream = stream_of(pinfo), .way = way_number(pinfo)};

    (void)data;
    if (!pdu.stream) {
        return 0;
    }
    if (PINFO_FD_VISITED(pinfo)) {
        pdu.note = p_get_proto_data(wmem_file_scope(), pinfo, proto_impi, KEY_CLOSE);
    } else if (!pdu.stream->ended[pdu.way]) {
        struct close_sign sign = close_sign_of(tvb, pinfo, &pdu.stream->ways[pdu.way]);

        pdu.stream->ended[pdu.way] = sign.fin || sign.reset;
        pdu.note = pdu.stream->ended[pdu.way] ? end_note(&pdu, &sign) : NULL;
    }
    if (!pdu.note || !pdu.note->finding_count || !impi_experts_wanted()) {
        return 0;
    }
    pdu.item = proto_tree_add_item(tree, proto_impi, tvb, 0, 0, ENC_NA);
    pdu.tree = proto_item_add_subtree(pdu.item, impi_fields_trees.message);
    impi_tree_title(&pdu, "the connection ends");
    impi_experts_show(&pdu, impi_job_of(pdu.stream));
    return 0;
}

void impi_close_register(int proto)
{
    proto_impi = proto;
    register_postdissector(create_dissector_handle(dissect_close, proto));
}
