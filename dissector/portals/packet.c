/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The protocol: from TCP segments to messages. TCP is asked to put messages together as long as that is sane; longer
 * ones are shown piece by piece. What a message looks like is in tree.c, what is wrong with it in experts.c, what it
 * belongs to in track.c and barrier.c.
 */
#include "dissector/portals/packet.h"

#include "dissector/common/behind.h"
#include "dissector/common/payload.h"
#include "dissector/portals/barrier.h"
#include "dissector/portals/close.h"
#include "dissector/portals/experts.h"
#include "dissector/portals/fields.h"
#include "dissector/portals/judge.h"
#include "dissector/portals/match_bits.h"
#include "dissector/portals/names.h"
#include "dissector/portals/note.h"
#include "dissector/portals/number.h"
#include "dissector/portals/pdu.h"
#include "dissector/portals/stats.h"
#include "dissector/portals/stream.h"
#include "dissector/portals/track.h"
#include "dissector/portals/tree.h"

#include <epan/conversation.h>
#include <epan/dissectors/packet-tcp.h>
#include <epan/prefs.h>
#include <epan/proto_data.h>
#include <epan/wmem_scopes.h>

enum {
    SMALLEST = 1, /* octets to ask message_length about */
    OPERATION_OCTETS = 4,
    LIMIT_DEFAULT = 64,   /* MiB */
    LIMIT_HIGHEST = 1024, /* so that a length fits Wireshark's int */
};

/* Key of what is kept with a packet: its calls by number. */
enum { KEY_CALL = 0x20000000 };

static int proto_portals = -1;
static dissector_handle_t portals_handle;

static struct payload_table payload_table = {
    .name = "portals.portal",
    .title = "Portals portal index",
    .what = "portal",
};

static ws_bool prefs_desegment = TRUE;
static ws_bool prefs_analyse = TRUE;
static guint prefs_limit = LIMIT_DEFAULT;

/* Count up from 0 within this dissection of this packet, so that the same message has the same number every time. */
struct counters {
    unsigned messages, calls;
    uint32_t packet, turn;
};

/* One call of the dissector. */
struct call {
    const struct tcpinfo *tcp; /* NULL when somebody else than TCP calls */
    struct stream_way *way, *back;
    struct counters *counters;
    bool opening; /* the next message is the first of its direction (first pass only) */
    bool peeked;  /* these are the next message's, all of whose header is there */
    struct wire_portals_header header;
    uint64_t total;
};

static struct counters *counters_of(const packet_info *pinfo)
{
    static struct counters counters;

    if (counters.packet != pinfo->num || counters.turn != behind_turn()) {
        counters = (struct counters){.packet = pinfo->num, .turn = behind_turn()};
    }
    return &counters;
}

/* The first header of these octets, and how long the message is with its payload. */
static enum wire_status header_peek(tvbuff_t *tvb, int offset, struct wire_portals_header *header, uint64_t *total)
{
    unsigned char octets[WIRE_PORTALS_HEADER_MAX];
    size_t len = MIN((size_t)tvb_captured_length_remaining(tvb, offset), sizeof octets);
    size_t header_octets = 0;
    uint64_t payload_octets = 0;
    enum wire_status status;

    tvb_memcpy(tvb, octets, offset, len);
    status = wire_portals_decode(octets, len, header, &header_octets, &payload_octets);
    *total = header_octets + payload_octets;
    return status;
}

/* How many octets the next message has. 0 asks TCP for one more segment. A message that is not to be put together ends
 * for Wireshark where the segment ends. */
static guint message_length(packet_info *pinfo, tvbuff_t *tvb, int offset, void *data)
{
    guint rest = (guint)tvb_reported_length_remaining(tvb, offset);
    bool may_wait = prefs_desegment && pinfo->can_desegment;
    struct call *call = data;
    enum wire_status status = header_peek(tvb, offset, &call->header, &call->total);

    call->peeked = status == WIRE_OK;
    if (!call->peeked) {
        return status == WIRE_SHORT && may_wait ? 0 : rest;
    }
    if (call->total <= rest) {
        return (guint)call->total;
    }
    return may_wait && call->total <= (uint64_t)prefs_limit << 20 ? (guint)call->total : rest;
}

static void hello_note(struct pdu *pdu)
{
    struct stream_way *way = pdu->way;

    if (pdu->header.operation != WIRE_PORTALS_HELLO) {
        return;
    }
    if (way->greeted) {
        pdu->note->hello_again = true;
        return;
    }
    way->greeted = true;
    way->hello = pdu->header;
    way->hello_frame = pdu->pinfo->num;
}

/* The note of this message: made on the first pass, found again later. */
static struct pdu_note *note_of(packet_info *pinfo, struct call *call)
{
    unsigned number = call->counters->messages++;
    struct pdu_note *note;

    if (PINFO_FD_VISITED(pinfo)) {
        return note_find(pinfo->num, number);
    }
    note = note_add(pinfo->num);
    note->opening = call->opening;
    call->opening = false;
    return note;
}

/* What is found out once, when messages come in the order of the capture. A sender is believed to be who it says that
 * it is in its HELLO, or where the capture lacks that, in its messages. A message that its receiver discards answers
 * nothing and moves no barrier on. */
static void first_pass(struct pdu *pdu)
{
    bool greeted = pdu->way->greeted;

    pdu->way->at.followed = true;
    hello_note(pdu);
    number_note(pdu);
    if (!greeted && pdu->header.operation != WIRE_PORTALS_NUMBER) {
        names_learn(&pdu->header.initiator);
    }
    if (prefs_analyse) {
        judge_message(pdu);
    }
    if (prefs_analyse && !pdu->note->again && !pdu->note->early && experts_judge(pdu) == WIRE_PORTALS_LEGAL) {
        track_note(pdu);
        barrier_note(pdu);
    }
}

static void show_payload(const struct pdu *pdu)
{
    int offset = (int)pdu->header_octets;
    gint here = tvb_reported_length_remaining(pdu->tvb, offset);
    proto_item *item;
    tvbuff_t *payload;

    if (pdu->message->payload_row < 0) {
        return;
    }
    item = proto_tree_add_uint64(pdu->tree, fields_own.data_octets, pdu->tvb, 0, 0, pdu->payload_octets);
    proto_item_set_generated(item);
    if (here <= 0) {
        return;
    }
    proto_tree_add_item(pdu->tree, fields_own.data, pdu->tvb, offset, here, ENC_NA);
    if ((uint64_t)here < pdu->payload_octets) {
        return;
    }
    payload = tvb_new_subset_remaining(pdu->tvb, offset);
    stats_export(pdu, payload);
    payload_give(&payload_table, pdu->header.portal, payload, pdu->pinfo, pdu->payload_tree);
}

/* A payload that reaches beyond these octets: later segments will begin with the rest of it. */
static void leave_open(const struct pdu *pdu, const struct call *call)
{
    uint64_t here = tvb_reported_length(pdu->tvb) - pdu->header_octets;

    if (here >= pdu->payload_octets) {
        return;
    }
    col_append_str(pdu->pinfo->cinfo, COL_INFO, " (data continues)");
    col_set_fence(pdu->pinfo->cinfo, COL_INFO);
    expert_add_info(pdu->pinfo, pdu->item, &experts_own.continued);
    if (!PINFO_FD_VISITED(pdu->pinfo)) {
        way_payload_open(&pdu->way->at, pdu->payload_octets - here, pdu->payload_octets, pdu->pinfo, call->tcp);
    }
}

static void show_message(struct pdu *pdu, const struct call *call)
{
    if (!PINFO_FD_VISITED(pdu->pinfo)) {
        first_pass(pdu);
    }
    if (pdu->pinfo->cinfo || pdu->tree) {
        tree_title(pdu, tree_summary(pdu));
    }
    leave_open(pdu, call);
    tree_rows(pdu, pdu->message);
    if (prefs_analyse) {
        judge_show(pdu);
        track_show(pdu);
        barrier_show(pdu);
    }
    stats_count(pdu);
    show_payload(pdu);
}

/* Octets that are no whole and sane header: shows as much of it as there is, and says why it is not one. */
static void show_broken(struct pdu *pdu, enum wire_status status)
{
    const struct wire_message *message =
        tvb_captured_length(pdu->tvb) >= OPERATION_OCTETS ? wire_portals_message_of(tvb_get_ntohl(pdu->tvb, 0)) : NULL;
    const char *what = message ? tree_verb(pdu->pinfo, message) : "message";
    int shown = message ? (int)MIN(tvb_captured_length(pdu->tvb), message->octets) : 0;

    tree_title(pdu, wmem_strdup_printf(pdu->pinfo->pool, "broken %s: %s", what, wire_status_text(status)));
    if (message) {
        tree_rows(pdu, message);
    }
    if (!PINFO_FD_VISITED(pdu->pinfo)) {
        if (prefs_analyse && status != WIRE_SHORT) {
            judge_broken(pdu);
        }
        pdu->way->at.lost = true;
    }
    judge_show(pdu);
    if (status == WIRE_SHORT) {
        expert_add_info(pdu->pinfo, pdu->item, &experts_own.cut);
    }
    if (tvb_reported_length_remaining(pdu->tvb, shown) > 0) {
        proto_tree_add_item(pdu->tree, fields_own.undecoded, pdu->tvb, shown, -1, ENC_NA);
    }
}

static int dissect_message(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    struct call *call = data;
    struct pdu pdu = {.tvb = tvb, .pinfo = pinfo, .way = call->way, .back = call->back, .note = note_of(pinfo, call)};
    enum wire_status status = WIRE_OK;
    uint64_t total = call->total;

    if (call->peeked) {
        pdu.header = call->header;
    } else {
        status = header_peek(tvb, 0, &pdu.header, &total);
    }
    call->peeked = false;
    pdu.found = note_more(pdu.note).found;
    pdu.item = proto_tree_add_item(tree, proto_portals, tvb, 0, -1, ENC_NA);
    pdu.tree = proto_item_add_subtree(pdu.item, fields_trees.message);
    if (status != WIRE_OK) {
        show_broken(&pdu, status);
    } else {
        pdu.message = wire_portals_message_of(wire_portals_kind(&pdu.header));
        pdu.header_octets = pdu.message->octets;
        pdu.payload_octets = total - pdu.header_octets;
        pdu.payload_tree = pdu.tree;
        if (!proto_field_is_referenced(pdu.tree, proto_portals)) {
            pdu.tree = NULL;
        }
        show_message(&pdu, call);
    }
    return (int)tvb_captured_length(tvb);
}

/* The beginning of a segment that is not the beginning of a message. */
static void show_start(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, const struct way_start *start)
{
    gint len = start->lost ? -1 : (gint)start->skip;
    proto_item *item = proto_tree_add_item(tree, proto_portals, tvb, 0, len, ENC_NA);
    proto_tree *subtree = proto_item_add_subtree(item, fields_trees.message);
    struct pdu pdu = {.tvb = tvb, .pinfo = pinfo, .tree = subtree, .item = item};

    if (start->lost) {
        tree_title(&pdu, "no message found");
        proto_tree_add_item(subtree, fields_own.undecoded, tvb, 0, -1, ENC_NA);
        expert_add_info(pinfo, item, &experts_own.lost);
        return;
    }
    tree_title(&pdu, wmem_strdup_printf(pinfo->pool, "data continued, octets %" PRIu64 " to %" PRIu64 " of %" PRIu64,
                                        start->before, start->before + start->skip - 1, start->total));
    proto_item_set_generated(proto_tree_add_uint(subtree, fields_own.continuation_of, tvb, 0, 0, start->payload_frame));
    proto_tree_add_item(subtree, fields_own.continuation, tvb, 0, len, ENC_NA);
}

/* The beginning of this call's octets, judged on the first pass and remembered. */
static struct way_start start_of(tvbuff_t *tvb, packet_info *pinfo, const struct call *call)
{
    unsigned key = KEY_CALL + call->counters->calls++;
    struct way_start start = {0};
    const struct way_start *kept;

    if (PINFO_FD_VISITED(pinfo)) {
        kept = p_get_proto_data(wmem_file_scope(), pinfo, proto_portals, key);
        return kept ? *kept : start;
    }
    start = stream_start_of(call->way, tvb, pinfo, call->tcp);
    if (start.skip || start.lost) {
        p_add_proto_data(wmem_file_scope(), pinfo, proto_portals, key,
                         wmem_memdup(wmem_file_scope(), &start, sizeof start));
    }
    return start;
}

static int dissect_portals(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    struct call call = {.tcp = data, .counters = counters_of(pinfo)};
    struct way_start start;

    call.way = stream_way_of(proto_portals, pinfo, &call.back);
    col_set_str(pinfo->cinfo, COL_PROTOCOL, "Portals");
    col_clear(pinfo->cinfo, COL_INFO);
    if (prefs_analyse) {
        follower_packet(pinfo);
    }
    start = start_of(tvb, pinfo, &call);
    call.opening = start.opening;
    if (start.lost || start.skip) {
        show_start(tvb, pinfo, tree, &start);
    }
    if (start.lost || start.skip >= tvb_reported_length(tvb)) {
        return (int)tvb_captured_length(tvb);
    }
    tcp_dissect_pdus(start.skip ? tvb_new_subset_remaining(tvb, (gint)start.skip) : tvb, pinfo, tree, prefs_desegment,
                     SMALLEST, message_length, dissect_message, &call);
    if (pinfo->desegment_len) {
        pinfo->desegment_offset += (int)start.skip;
    }
    if (!PINFO_FD_VISITED(pinfo)) {
        call.way->at.waits = pinfo->desegment_len != 0;
    }
    return (int)tvb_captured_length(tvb);
}

static void guess_note(packet_info *pinfo)
{
    struct stream_way *back, *way = stream_way_of(proto_portals, pinfo, &back);

    way->guessed = back->guessed = true;
}

static ws_bool dissect_heuristic(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    if (!stream_opens_with_hello(tvb) && !stream_begins_message(tvb, pinfo)) {
        return FALSE;
    }
    guess_note(pinfo);
    conversation_set_dissector_from_frame_number(find_or_create_conversation(pinfo), pinfo->num, portals_handle);
    (void)dissect_portals(tvb, pinfo, tree, data);
    return TRUE;
}

static void preferences_apply(void)
{
    prefs_limit = MIN(prefs_limit, (guint)LIMIT_HIGHEST);
    judge_want(prefs_analyse);
}

static void preferences_register(void)
{
    module_t *module = prefs_register_protocol(proto_portals, preferences_apply);

    prefs_register_bool_preference(module, "desegment", "Put messages together that span several TCP segments",
                                   "Needs \"Allow subdissector to reassemble TCP streams\" in the TCP preferences. "
                                   "Switched off, data is shown piece by piece.",
                                   &prefs_desegment);
    prefs_register_uint_preference(module, "limit", "Longest message to put together (MiB)",
                                   "The data of longer messages is shown piece by piece. At most 1024.", 10,
                                   &prefs_limit);
    prefs_register_bool_preference(module, "analyse", "Judge messages and relate them to each other",
                                   "Looks for violations of the specification, links requests with their answers and "
                                   "follows barriers.",
                                   &prefs_analyse);
    match_bits_register(proto_portals, module);
}

void portals_register_protocol(void)
{
    proto_portals = proto_register_protocol("Portals 3.0 over TCP", "Portals", "portals");
    portals_handle = register_dissector("portals", dissect_portals, proto_portals);
    payload_register(&payload_table, proto_portals);
    fields_register(proto_portals);
    experts_register(proto_portals);
    names_register();
    follower_register();
    note_register();
    track_register();
    barrier_register();
    number_register();
    portals_close_register(proto_portals);
    stats_register(proto_portals);
    preferences_register();
}

void portals_register_handoff(void)
{
    payload_handoff();
    heur_dissector_add("tcp", dissect_heuristic, "Portals over TCP", "portals_tcp", proto_portals, HEURISTIC_ENABLE);
    dissector_add_uint_range_with_preference("tcp.port", "", portals_handle);
}
