/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The end of a connection, told in the packet with the FIN or the reset; see impi_close.h.
 */
#include "dissector/impi_close.h"

#include "dissector/impi_channel.h"
#include "dissector/impi_experts.h"
#include "dissector/impi_fields.h"
#include "dissector/impi_job.h"
#include "dissector/impi_tree.h"

#include <epan/conversation.h>
#include <epan/proto_data.h>
#include <epan/wmem_scopes.h>

#include <string.h>

enum {
    KEY_CLOSE = 0x60000000, /* of what is kept with a packet */
    HEADERS_MAX = 512,      /* octets at a packet's beginning in which its TCP header is looked for */
    ADDRESS_MAX = 16,
    TCP_PROTOCOL = 6,
    TCP_FLAGS = 13, /* offset in a TCP header */
    FIN = 0x01,
    RESET = 0x04,
};

static int proto_impi = -1;

/* Where the TCP header behind an IP header begins whose addresses are at `addresses`, `len` octets each; 0 when no IP
 * header of TCP stands there. */
static size_t tcp_behind(const unsigned char *octets, size_t addresses, size_t len)
{
    size_t ip;

    if (len == ADDRESS_MAX) { /* IPv6: the next header stands two octets before the addresses */
        return addresses >= 8 && octets[addresses - 2] == TCP_PROTOCOL ? addresses + 2 * len : 0;
    }
    if (addresses < 12 || octets[addresses - 3] != TCP_PROTOCOL) {
        return 0;
    }
    ip = addresses - 12;
    return octets[ip] >> 4 == 4 ? ip + (size_t)(octets[ip] & 15) * 4 : 0;
}

static bool ports_are(const unsigned char *tcp, const packet_info *pinfo)
{
    return ((uint32_t)tcp[0] << 8 | tcp[1]) == pinfo->srcport && ((uint32_t)tcp[2] << 8 | tcp[3]) == pinfo->destport;
}

/* The flags of the packet's TCP header. Wireshark keeps them to itself, so the header is looked for in the packet:
 * behind the two addresses, with the two ports in front. */
static unsigned flags_of(tvbuff_t *tvb, const packet_info *pinfo)
{
    size_t have = MIN(tvb_captured_length(tvb), (guint)HEADERS_MAX);
    const unsigned char *octets = have ? tvb_get_ptr(tvb, 0, (gint)have) : NULL;
    unsigned char addresses[2 * ADDRESS_MAX];
    size_t len = (size_t)pinfo->src.len;

    if ((len != 4 && len != ADDRESS_MAX) || (size_t)pinfo->dst.len != len) {
        return 0;
    }
    memcpy(addresses, pinfo->src.data, len);
    memcpy(addresses + len, pinfo->dst.data, len);
    for (size_t at = 0; at + 2 * len <= have; at++) {
        size_t tcp = memcmp(octets + at, addresses, 2 * len) == 0 ? tcp_behind(octets, at, len) : 0;

        if (tcp && tcp + TCP_FLAGS < have && ports_are(octets + tcp, pinfo)) {
            return octets[tcp + TCP_FLAGS];
        }
    }
    return 0;
}

/* First pass: has the end judged; what was found is kept with the packet. */
static struct impi_note *end_note(struct impi_pdu *pdu, bool reset)
{
    const struct impi_stream *stream = pdu->stream;
    bool inside = !reset && (stream->inside[pdu->way] || stream->ways[pdu->way].left > 0);

    pdu->note = wmem_new0(wmem_file_scope(), struct impi_note);
    if (stream->kind == IMPI_STARTUP) {
        impi_job_end(pdu, inside);
    } else {
        impi_channel_end(pdu, inside, reset);
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
        unsigned flags = flags_of(tvb, pinfo);

        pdu.stream->ended[pdu.way] = flags & (FIN | RESET);
        pdu.note = pdu.stream->ended[pdu.way] ? end_note(&pdu, flags & RESET) : NULL;
    }
    if (!pdu.note || !pdu.note->finding_count || !impi_experts_wanted()) {
        return 0;
    }
    pdu.item = proto_tree_add_item(tree, proto_impi, tvb, 0, 0, ENC_NA);
    pdu.tree = proto_item_add_subtree(pdu.item, impi_fields_trees.message);
    impi_tree_title(&pdu, "the connection ends");
    impi_experts_show(&pdu);
    return 0;
}

void impi_close_register(int proto)
{
    proto_impi = proto;
    register_postdissector(create_dissector_handle(dissect_close, proto));
}
