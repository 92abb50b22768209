/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The protocol: frames of the Intercept network in UDP datagrams. No port is fixed: a datagram is one when it is
 * exactly as long as its header says and its CRC is right, or when its link has carried such datagrams before. Each is
 * heard once, in the first pass, by the checker that `assay check` uses; what it said is kept with the packet.
 */
#include "dissector/intercept/packet.h"

#include "dissector/common/follower.h"
#include "dissector/common/mark.h"
#include "dissector/intercept/fields.h"
#include "dissector/intercept/message.h"

#include "wire/portals/messages.h"

#include <epan/conversation.h>
#include <epan/expert.h>
#include <epan/packet.h>
#include <epan/prefs.h>
#include <epan/proto_data.h>
#include <epan/wmem_scopes.h>

enum { PORTAL_AT = 36 /* in the Portals header of a PUT */ };

/* What the first pass found out about a packet. */
struct note {
    struct wire_intercept_heard heard;
    struct icpt_message *message; /* or NULL */
};

/* A frame that is shown. */
struct shown {
    tvbuff_t *tvb;
    packet_info *pinfo;
    proto_tree *tree;
    proto_item *item;
    const struct note *note;
    const struct wire_intercept_frame *frame; /* decoded anew: its data is the packet's */
};

static int proto_intercept = -1;
static dissector_handle_t intercept_handle;
static dissector_table_t payload_table;
static expert_field ei_broken = EI_INIT, ei_corrupt = EI_INIT, ei_withdrawn = EI_INIT, ei_again = EI_INIT,
                    ei_late = EI_INIT;

static struct note *note_make(packet_info *pinfo, const unsigned char *octets, size_t len, size_t missing)
{
    struct note note = {.message = NULL};
    struct note *kept;

    if (!follower_datagram(pinfo, octets, len, missing, &note.heard)) {
        return NULL;
    }
    if (note.heard.counts) {
        note.message = message_note(&note.heard.frame, pinfo);
    }
    note.heard.frame.data = NULL; /* the octets go with the packet */
    kept = wmem_memdup(wmem_file_scope(), &note, sizeof note);
    p_add_proto_data(wmem_file_scope(), pinfo, proto_intercept, 0, kept);
    return kept;
}

static const struct note *note_of(tvbuff_t *tvb, packet_info *pinfo)
{
    guint len = tvb_captured_length(tvb);

    if (PINFO_FD_VISITED(pinfo) || p_get_proto_data(wmem_file_scope(), pinfo, proto_intercept, 0)) {
        return p_get_proto_data(wmem_file_scope(), pinfo, proto_intercept, 0);
    }
    return note_make(pinfo, tvb_get_ptr(tvb, 0, (gint)len), len, tvb_reported_length(tvb) - len);
}

static void add_generated(proto_item *item)
{
    proto_item_set_generated(item);
}

/* ---- what stands in a frame ---- */

static void show_title(const struct shown *shown)
{
    const struct wire_intercept_frame *frame = shown->frame;
    const struct wire_message *message = &wire_intercept_messages[frame->message];
    const struct wire_intercept_heard *heard = &shown->note->heard;
    wmem_strbuf_t *text = wmem_strbuf_new(shown->pinfo->pool, NULL);

    if (heard->plane >= 0) {
        wmem_strbuf_append_printf(text, "plane %d  ", heard->plane);
    }
    wmem_strbuf_append_printf(text, "%s", heard->announces ? "announcement" : message->name);
    if (frame->rmpp_type) {
        wmem_strbuf_append_printf(text, " message %" PRIu64, frame->message_number);
    } else if (frame->control_type) {
        wmem_strbuf_append_printf(text, " key %" PRIu64, frame->key);
    } else if (frame->kind == WIRE_INTERCEPT_VDMA) {
        wmem_strbuf_append_printf(text, " channel %u at 0x%x", frame->channel, frame->window_address);
    }
    if (frame->data_len) {
        wmem_strbuf_append_printf(text, " %zu octets", frame->data_len);
    }
    wmem_strbuf_append_printf(text, "  sequence %u", frame->sequence);
    if (frame->kind <= WIRE_INTERCEPT_COMMAND) {
        wmem_strbuf_append_printf(text, "  %u -> %u", frame->source, frame->destination);
    }
    wmem_strbuf_append(text, heard->again ? "  (again)" : heard->late ? "  (out of order)" : "");
    proto_item_append_text(shown->item, ", %s", wmem_strbuf_get_str(text));
    col_add_str(shown->pinfo->cinfo, COL_INFO, wmem_strbuf_get_str(text));
    col_set_fence(shown->pinfo->cinfo, COL_INFO);
}

/* Data, padding and CRC behind the fields; the Portals header as fields of its own. */
static void show_content(const struct shown *shown)
{
    const struct wire_intercept_frame *frame = shown->frame;
    const struct wire_message *message = &wire_intercept_messages[frame->message];
    gint at = (gint)message->octets;
    gint end = WIRE_INTERCEPT_HEADER_OCTETS + frame->length;
    gint len = (gint)frame->data_len;

    icpt_fields_rows(shown->tree, shown->tvb, message);
    if (len > 0) {
        proto_tree_add_item(shown->tree, icpt_fields.data, shown->tvb, at, len, ENC_NA);
    }
    if (end > at + len) {
        proto_tree_add_item(shown->tree, icpt_fields.padding, shown->tvb, at + len, end - at - len, ENC_NA);
    }
    proto_tree_add_item(shown->tree, icpt_fields.crc, shown->tvb, end, WIRE_INTERCEPT_CRC_OCTETS, ENC_BIG_ENDIAN);
}

static void show_portals_header(proto_tree *tree, tvbuff_t *tvb)
{
    const struct wire_message *message = wire_portals_message_of(tvb_get_ntohl(tvb, 0));
    proto_tree *subtree;

    if (message && message->octets <= WIRE_INTERCEPT_TAGGED_OCTETS) {
        subtree = proto_tree_add_subtree_format(tree, tvb, 0, (gint)message->octets, icpt_tree_message, NULL,
                                                "Portals %s", message->label);
        icpt_fields_rows(subtree, tvb, message);
    }
}

/* ---- what it belongs to ---- */

static void show_whole(const struct shown *shown, const struct icpt_message *message)
{
    proto_item *item = proto_tree_add_uint64(shown->tree, icpt_fields.whole_len, shown->tvb, 0, 0, message->wanted);
    unsigned char *header = wmem_memdup(shown->pinfo->pool, message->header, message->header_len);
    tvbuff_t *head = tvb_new_child_real_data(shown->tvb, header, (guint)message->header_len, (gint)message->header_len);
    tvbuff_t *tvb;

    add_generated(item);
    add_new_data_source(shown->pinfo, head, "Portals header of the message");
    show_portals_header(shown->tree, head);
    if (!message->octets || message->wanted == 0 || message->wanted > G_MAXINT) {
        return;
    }
    tvb = tvb_new_child_real_data(shown->tvb, message->octets, (guint)message->wanted, (gint)message->wanted);
    add_new_data_source(shown->pinfo, tvb, "Message");
    proto_tree_add_item(shown->tree, icpt_fields.whole, tvb, 0, -1, ENC_NA);
    (void)dissector_try_uint(payload_table, tvb_get_ntohl(head, PORTAL_AT), tvb, shown->pinfo, shown->tree);
}

static void show_message(const struct shown *shown)
{
    const struct icpt_message *message = shown->note->message;
    guint32 here = shown->pinfo->num;

    if (shown->frame->message == WIRE_INTERCEPT_RTS || shown->frame->message == WIRE_INTERCEPT_TRY_MATCH) {
        show_portals_header(
            shown->tree,
            tvb_new_subset_length(shown->tvb, (gint)wire_intercept_messages[shown->frame->message].octets,
                                  (gint)wire_intercept_portals_octets(shown->frame->data, shown->frame->data_len)));
    }
    if (!message) {
        return;
    }
    if (message->begun_in != here) {
        add_generated(proto_tree_add_uint(shown->tree, icpt_fields.begun_in, shown->tvb, 0, 0, message->begun_in));
    }
    if (message->complete_in && message->complete_in != here) {
        add_generated(
            proto_tree_add_uint(shown->tree, icpt_fields.complete_in, shown->tvb, 0, 0, message->complete_in));
    }
    if (message->complete_in == here) {
        show_whole(shown, message);
    }
}

static void show_verdicts(const struct shown *shown)
{
    const struct wire_intercept_heard *heard = &shown->note->heard;

    if (heard->again) {
        add_generated(proto_tree_add_boolean(shown->tree, icpt_fields.again, shown->tvb, 0, 0, TRUE));
        expert_add_info(shown->pinfo, shown->item, &ei_again);
    }
    if (heard->late) {
        add_generated(proto_tree_add_boolean(shown->tree, icpt_fields.late, shown->tvb, 0, 0, TRUE));
        expert_add_info(shown->pinfo, shown->item, &ei_late);
    }
    for (unsigned i = 0; i < heard->finding_count; i++) {
        const struct wire_intercept_finding *found = &heard->findings[i];

        if (!follower_tells_intercept(heard, i, shown->pinfo)) {
            continue;
        }
        add_generated(
            proto_tree_add_string(shown->tree, icpt_fields.requirement, shown->tvb, 0, 0, found->requirement));
        mark_broken(shown->pinfo, found->requirement);
        expert_add_info_format(shown->pinfo, shown->item, &ei_broken, "%s (%s): %s", found->requirement, found->name,
                               found->text);
    }
}

static void show_damaged(const struct shown *shown)
{
    bool is_withdrawn = shown->note->heard.condition == WIRE_INTERCEPT_WITHDRAWN;
    const char *what = is_withdrawn ? "withdrawn by a switch" : "corrupt frame";

    col_add_str(shown->pinfo->cinfo, COL_INFO, what);
    proto_item_append_text(shown->item, ", %s", what);
    proto_tree_add_item(shown->tree, icpt_fields.data, shown->tvb, 0, -1, ENC_NA);
    expert_add_info(shown->pinfo, shown->item, is_withdrawn ? &ei_withdrawn : &ei_corrupt);
    show_verdicts(shown);
}

static void show(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, const struct note *note)
{
    struct wire_intercept_frame frame;
    struct shown shown = {.tvb = tvb, .pinfo = pinfo, .note = note, .frame = &frame};
    gint len = (gint)tvb_captured_length(tvb);

    col_set_str(pinfo->cinfo, COL_PROTOCOL, "Intercept");
    col_clear(pinfo->cinfo, COL_INFO);
    shown.item = proto_tree_add_item(tree, proto_intercept, tvb, 0, -1, ENC_NA);
    shown.tree = proto_item_add_subtree(shown.item, icpt_tree_frame);
    if (note->heard.plane >= 0) {
        add_generated(proto_tree_add_uint(shown.tree, icpt_fields.plane, tvb, 0, 0, (guint32)note->heard.plane));
    }
    if (note->heard.condition != WIRE_INTERCEPT_SOUND ||
        wire_intercept_decode(tvb_get_ptr(tvb, 0, len), (size_t)len, &frame, NULL) != WIRE_OK) {
        show_damaged(&shown);
        return;
    }
    add_generated(
        proto_tree_add_string(shown.tree, icpt_fields.message, tvb, 0, 0, wire_intercept_messages[frame.message].name));
    show_title(&shown);
    show_content(&shown);
    show_message(&shown);
    show_verdicts(&shown);
}

static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    const struct note *note = note_of(tvb, pinfo);

    (void)data;
    if (!note) {
        return 0;
    }
    show(tvb, pinfo, tree, note);
    return (int)tvb_captured_length(tvb);
}

static ws_bool dissect_heuristic(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    if (dissect(tvb, pinfo, tree, data) == 0) {
        return FALSE;
    }
    conversation_set_dissector(find_or_create_conversation(pinfo), intercept_handle);
    return TRUE;
}

void intercept_register_protocol(void)
{
    static ei_register_info experts[] = {
        {&ei_broken, {"intercept.violation", PI_PROTOCOL, PI_ERROR, "The frame breaks a rule", EXPFILL}},
        {&ei_corrupt,
         {"intercept.corrupt", PI_CHECKSUM, PI_WARN, "Corrupt: none of its fields may be believed", EXPFILL}},
        {&ei_withdrawn,
         {"intercept.withdrawn", PI_CHECKSUM, PI_NOTE, "A switch has found this packet corrupt", EXPFILL}},
        {&ei_again, {"intercept.sent_again", PI_SEQUENCE, PI_NOTE, "Sent before", EXPFILL}},
        {&ei_late,
         {"intercept.out_of_order", PI_SEQUENCE, PI_CHAT, "One with a higher number has come before", EXPFILL}},
    };

    proto_intercept = proto_register_protocol("Intercept network", "Intercept", "intercept");
    icpt_fields_register(proto_intercept);
    expert_register_field_array(expert_register_protocol(proto_intercept), experts, (int)G_N_ELEMENTS(experts));
    intercept_handle = register_dissector("intercept", dissect, proto_intercept);
    message_register();
}

void intercept_register_handoff(void)
{
    payload_table = find_dissector_table("portals.portal");
    heur_dissector_add("udp", dissect_heuristic, "Intercept over UDP", "intercept_udp", proto_intercept,
                       HEURISTIC_ENABLE);
    dissector_add_for_decode_as("udp.port", intercept_handle);
}
