/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What was found in a packet and belongs to no message that is shown there: the end of a connection, and a message
 * whose beginning is here and whose rest is still to come; see dissector/impi/close.h.
 */
#include "dissector/impi/close.h"

#include "dissector/common/behind.h"
#include "dissector/impi/experts.h"
#include "dissector/impi/fields.h"
#include "dissector/impi/job.h"
#include "dissector/impi/note.h"
#include "dissector/impi/tree.h"

#include <epan/conversation.h>
#include <epan/proto_data.h>
#include <epan/wmem_scopes.h>

#include <string.h>

enum { KEY_CLOSE = 0x60000000 }; /* of what is kept with a packet */

static int proto_impi = -1;

/* First pass: a client that has gone leaves its place in the job. */
static void end_learn(packet_info *pinfo)
{
    conversation_t *conversation = find_conversation_pinfo(pinfo, 0);
    struct impi_stream *stream = conversation ? conversation_get_proto_data(conversation, proto_impi) : NULL;
    struct impi_pdu pdu = {.pinfo = pinfo, .stream = stream, .way = way_number(pinfo)};

    if (!stream || stream->kind != IMPI_STARTUP || stream->ended[pdu.way]) {
        return;
    }
    stream->ended[pdu.way] = true;
    impi_job_end(&pdu);
}

/* First pass: keeps what nobody has claimed with the packet. */
static struct impi_note *rest_of(packet_info *pinfo)
{
    struct follower_found found = follower_rest(true);
    struct impi_note *note = NULL;

    if (found.count) {
        note = wmem_new0(wmem_file_scope(), struct impi_note);
        impi_note_extend(note)->found = follower_keep(&found);
        p_add_proto_data(wmem_file_scope(), pinfo, proto_impi, KEY_CLOSE, note);
    }
    return note;
}

static const char *title_of(const struct impi_pdu *pdu)
{
    const struct follower_found *found = impi_note_more(pdu->note)->found;

    if (strcmp(found->at[0]->message, "octets") == 0) {
        return "the connection ends";
    }
    return wmem_strdup_printf(pdu->pinfo->pool, "%s, %s", found->at[0]->message,
                              found->late ? "judged by what came later" : "shown where it is complete");
}

static void show(struct impi_pdu *pdu, proto_tree *tree)
{
    if (!impi_experts_found(pdu)) {
        return;
    }
    pdu->item = proto_tree_add_item(tree, proto_impi, pdu->tvb, 0, 0, ENC_NA);
    pdu->tree = proto_item_add_subtree(pdu->item, impi_fields_trees.message);
    impi_tree_title(pdu, title_of(pdu));
    impi_experts_show(pdu);
}

static int dissect_close(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    struct impi_pdu pdu = {.tvb = tvb, .pinfo = pinfo};
    struct follower_found late;

    (void)data;
    if (!impi_experts_wanted()) {
        return 0;
    }
    if (!PINFO_FD_VISITED(pinfo)) {
        follower_packet(pinfo);
        if (follower_ends()) {
            end_learn(pinfo);
        }
        pdu.note = rest_of(pinfo);
        show(&pdu, tree);
        return 0; /* nothing has come behind it */
    }
    pdu.note = p_get_proto_data(wmem_file_scope(), pinfo, proto_impi, KEY_CLOSE);
    show(&pdu, tree);
    late = follower_late(pinfo, true);
    pdu.note = &(struct impi_note){.extended = true, .more = &(struct impi_more){.found = &late}};
    show(&pdu, tree);
    return 0;
}

void impi_close_register(int proto)
{
    proto_impi = proto;
    behind_register(proto, dissect_close);
}
