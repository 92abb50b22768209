/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * IMPI: from TCP segments to messages. TCP is asked to put messages together as long as that is sane; longer ones are
 * shown piece by piece. What a connection is stands in recognise.c, how a message looks in tree.c and values.c,
 * what it belongs to in track.c and channel.c, what is wrong with it in job.c and channel.c, which have it judged.
 */
#include "dissector/impi/packet.h"

#include "dissector/common/behind.h"
#include "dissector/common/payload.h"
#include "dissector/impi/channel.h"
#include "dissector/impi/close.h"
#include "dissector/impi/experts.h"
#include "dissector/impi/fields.h"
#include "dissector/impi/job.h"
#include "dissector/impi/note.h"
#include "dissector/impi/recognise.h"
#include "dissector/impi/stats.h"
#include "dissector/impi/track.h"
#include "dissector/impi/tree.h"
#include "dissector/impi/values.h"

#include <epan/conversation.h>
#include <epan/prefs.h>
#include <epan/proto_data.h>
#include <epan/wmem_scopes.h>

#include <inttypes.h>

enum {
    SMALLEST = 1,         /* octets to ask message_length about */
    SMALLEST_GUESS = 4,   /* octets to tell what a connection is, where a user says that it is IMPI */
    LIMIT_DEFAULT = 64,   /* MiB */
    LIMIT_HIGHEST = 1024, /* so that a length fits Wireshark's int */
    HEADER_MAX = WIRE_IMPI_PACKET_OCTETS,
    TLS_HANDSHAKE = 0x1603, /* the first octets of a record: its type, and its major version */
};

/* Key of what is kept with a packet: its calls by number. */
enum { KEY_CALL = 0x20000000 };

static int proto_impi = -1;
static dissector_handle_t impi_handle;

static struct payload_table payload_table = {
    .name = "impi.pk_tag",
    .title = "IMPI tag",
    .what = "tag",
};

static ws_bool prefs_desegment = TRUE;
static ws_bool prefs_analyse = TRUE;
static guint prefs_limit = LIMIT_DEFAULT;
static guint prefs_ackmark;

/* What is kept of a call's beginning. */
struct call_start {
    struct way_start at;
    bool rank; /* it is the rank that opens a channel */
};

/* Count up from 0 within this dissection of this packet, so that the same message has the same number every time. */
struct counters {
    unsigned messages, calls;
    uint32_t packet, turn;
};

/* One call of the dissector. */
struct call {
    const struct tcpinfo *tcp; /* NULL when somebody else than TCP calls */
    struct impi_stream *stream;
    struct counters *counters;
    unsigned way;
    bool rank; /* the next message is the rank that opens a channel */
};

static struct counters *counters_of(const packet_info *pinfo)
{
    static struct counters counters;

    if (counters.packet != pinfo->num || counters.turn != behind_turn()) {
        counters = (struct counters){.packet = pinfo->num, .turn = behind_turn()};
    }
    return &counters;
}

/* By what the next start-up message is to be read, where the first pass stands. */
static enum impi_form startup_form(const struct call *call, tvbuff_t *tvb, int offset)
{
    const struct impi_stream *stream = call->stream;
    bool code = impi_recognise_code(tvb, offset);

    if (impi_stream_direction(stream, call->way) == WIRE_IMPI_FROM_CLIENT) {
        bool key = stream->method < 0 ? !code : stream->method == WIRE_IMPI_AUTH_KEY;

        return stream->key_due && key ? IMPI_FORM_KEY : IMPI_FORM_COMMAND;
    }
    return !stream->choice_seen && (stream->auth_seen || !code) ? IMPI_FORM_CHOICE : IMPI_FORM_COMMAND;
}

static enum impi_form form_of(packet_info *pinfo, const struct call *call, tvbuff_t *tvb, int offset)
{
    const struct impi_note *note =
        PINFO_FD_VISITED(pinfo) ? impi_note_find(pinfo->num, call->counters->messages) : NULL;

    if (note) {
        return note->form;
    }
    if (call->rank) {
        return IMPI_FORM_RANK;
    }
    return call->stream->kind == IMPI_CHANNEL ? IMPI_FORM_PACKET : startup_form(call, tvb, offset);
}

static enum wire_status packet_decode(struct impi_pdu *pdu, const unsigned char *octets, size_t len)
{
    enum wire_status status = wire_impi_packet_decode(octets, len, &pdu->packet);

    if (status == WIRE_OK) {
        pdu->message = wire_impi_packet_message(pdu->packet.type);
        pdu->header_octets = WIRE_IMPI_PACKET_OCTETS;
        pdu->payload_octets = wire_impi_packet_has_data(pdu->packet.type) ? pdu->packet.len : 0;
    }
    return status;
}

static enum wire_status command_decode(struct impi_pdu *pdu, const unsigned char *octets, size_t len)
{
    enum wire_impi_direction direction = impi_stream_direction(pdu->stream, pdu->way);
    enum wire_status status;

    pdu->header_octets = WIRE_IMPI_HEAD_OCTETS;
    if (pdu->form == IMPI_FORM_CHOICE) {
        status = wire_impi_choice_decode(octets, len, &pdu->command);
    } else if (pdu->form == IMPI_FORM_KEY) {
        status = wire_impi_key_decode(octets, len, &pdu->command);
    } else {
        status = wire_impi_command_decode(direction, octets, len, &pdu->command, &pdu->header_octets);
    }
    if (status == WIRE_OK) {
        pdu->message = wire_impi_startup_message(direction, pdu->command.kind, pdu->command.bare);
        pdu->payload_octets = pdu->message->payload_row < 0 ? 0 : (uint64_t)pdu->command.len - pdu->message->counted;
    }
    return status;
}

/* Reads the header at `offset` into the message's description, by its form. */
static enum wire_status header_decode(struct impi_pdu *pdu, tvbuff_t *tvb, int offset)
{
    unsigned char octets[HEADER_MAX];
    size_t len = MIN((size_t)tvb_captured_length_remaining(tvb, offset), sizeof octets);

    tvb_memcpy(tvb, octets, offset, len);
    switch (pdu->form) {
    case IMPI_FORM_RANK:
        pdu->header_octets = WIRE_IMPI_RANK_OCTETS;
        pdu->rank = len < WIRE_IMPI_RANK_OCTETS ? 0 : (int32_t)tvb_get_ntohl(tvb, offset);
        return len < WIRE_IMPI_RANK_OCTETS ? WIRE_SHORT : WIRE_OK;
    case IMPI_FORM_PACKET:
        return packet_decode(pdu, octets, len);
    case IMPI_FORM_COMMAND:
    case IMPI_FORM_CHOICE:
    case IMPI_FORM_KEY:
        break;
    }
    return command_decode(pdu, octets, len);
}

static enum wire_status packet_measure(tvbuff_t *tvb, int offset, uint64_t *all)
{
    gint len = MIN(tvb_captured_length_remaining(tvb, offset), WIRE_IMPI_PACKET_OCTETS);

    return wire_impi_packet_measure(tvb_get_ptr(tvb, offset, len), (size_t)len, all);
}

static enum wire_status measure(const struct call *call, enum impi_form form, tvbuff_t *tvb, int offset, uint64_t *all)
{
    struct impi_pdu pdu = {.stream = call->stream, .way = call->way, .form = form};
    enum wire_status status = header_decode(&pdu, tvb, offset);

    *all = pdu.header_octets + pdu.payload_octets;
    return status;
}

/* Behind its rank a host may begin a secure channel (specs/impi-tls.md, chapter 4): a record of TLS with a handshake,
 * which as the type of a packet is none. */
static bool begins_tls(enum impi_form form, tvbuff_t *tvb, int offset)
{
    return form == IMPI_FORM_PACKET && tvb_captured_length_remaining(tvb, offset) >= 2 &&
           tvb_get_ntohs(tvb, offset) == TLS_HANDSHAKE;
}

/* How many octets the next message has. 0 asks TCP for one more segment. A message that is not to be put together ends
 * for Wireshark where the segment ends. */
static guint message_length(packet_info *pinfo, tvbuff_t *tvb, int offset, void *data)
{
    struct call *call = data;
    guint rest = (guint)tvb_reported_length_remaining(tvb, offset);
    bool may_wait = prefs_desegment && pinfo->can_desegment;
    enum impi_form form = form_of(pinfo, call, tvb, offset);
    uint64_t total = 0;

    if (begins_tls(form, tvb, offset)) {
        return rest;
    }
    switch (form == IMPI_FORM_PACKET ? packet_measure(tvb, offset, &total) : measure(call, form, tvb, offset, &total)) {
    case WIRE_OK:
        break;
    case WIRE_SHORT:
        return may_wait ? 0 : rest;
    default:
        return rest;
    }
    if (total <= rest) {
        return (guint)total;
    }
    return may_wait && total <= (uint64_t)prefs_limit << 20 ? (guint)total : rest;
}

/* The note of this message: made on the first pass, found again later. */
static struct impi_note *note_of(packet_info *pinfo, const struct call *call, enum impi_form form)
{
    unsigned number = call->counters->messages++;

    return PINFO_FD_VISITED(pinfo) ? impi_note_find(pinfo->num, number) : impi_note_add(pinfo->num, form);
}

/* A server has chosen a secure channel, or a host has begun one: what follows is TLS, in which nothing of IMPI can be
 * read. NULL: Wireshark has no dissector for it. */
static dissector_handle_t hand_over(packet_info *pinfo)
{
    dissector_handle_t tls = find_dissector("tls");

    if (tls) {
        conversation_set_dissector_from_frame_number(find_or_create_conversation(pinfo), pinfo->num + 1, tls);
    }
    return tls;
}

/* What a start-up message tells about those that follow it. */
static void startup_learn(const struct impi_pdu *pdu)
{
    struct impi_stream *stream = pdu->stream;
    bool client = impi_stream_direction(stream, pdu->way) == WIRE_IMPI_FROM_CLIENT;

    if (client) {
        bool auth = pdu->command.kind == WIRE_IMPI_SAYS_AUTH && !pdu->stream->ways[pdu->way].followed;

        stream->key_due = auth && pdu->command.auth_mask >> WIRE_IMPI_AUTH_KEY & 1;
        stream->auth_seen = stream->auth_seen || auth;
    } else {
        stream->choice_seen = true;
    }
    if (pdu->command.kind == WIRE_IMPI_SAYS_CHOICE) {
        stream->method = pdu->command.which;
        if (stream->method == WIRE_IMPI_AUTH_TLS) {
            (void)hand_over(pdu->pinfo);
        }
    } else if (client && pdu->command.kind == WIRE_IMPI_SAYS_IMPI && !pdu->command.bare) {
        stream->client = pdu->command.rank;
    } else if (!client && pdu->command.kind == WIRE_IMPI_SAYS_COLL && !pdu->command.bare) {
        impi_values_learn(pdu);
    }
}

static uint32_t ackmark_of(const struct impi_stream *stream)
{
    const struct wire_impi_job *job = impi_job_of(stream);

    return job && job->limits.ackmark ? job->limits.ackmark : prefs_ackmark;
}

/* What is found out once, when messages come in the order of the capture. */
static void first_pass(struct impi_pdu *pdu)
{
    if (prefs_analyse) {
        impi_experts_claim(pdu);
    }
    if (pdu->stream->kind == IMPI_STARTUP) {
        startup_learn(pdu);
        impi_job_note(pdu);
        impi_track_startup(pdu);
        pdu->stream->ways[pdu->way].followed = true;
        return;
    }
    pdu->stream->ways[pdu->way].followed = true;
    impi_job_adopt(pdu);
    if (pdu->form == IMPI_FORM_RANK) {
        pdu->stream->host = pdu->rank;
    } else {
        impi_channel_flow(pdu, ackmark_of(pdu->stream));
        impi_track_packet(pdu);
    }
}

static void show_data(const struct impi_pdu *pdu)
{
    int offset = (int)pdu->header_octets;
    gint here = tvb_reported_length_remaining(pdu->tvb, offset);
    tvbuff_t *whole = NULL;

    if (here <= 0) {
        return;
    }
    proto_tree_add_item(pdu->tree, impi_fields_own.data, pdu->tvb, offset, here, ENC_NA);
    if ((uint64_t)here < pdu->payload_octets) {
        return;
    }
    if (tvb_captured_length_remaining(pdu->tvb, offset) >= here) {
        whole = impi_track_whole(pdu, (uint32_t)here, (uint64_t)prefs_limit << 20);
    }
    if (!whole && !impi_note_more(pdu->note)->part) {
        whole = tvb_new_subset_remaining(pdu->tvb, offset);
    }
    if (whole) {
        impi_stats_export(pdu, whole);
        payload_give(&payload_table, (uint32_t)pdu->packet.tag, whole, pdu->pinfo, pdu->payload_tree);
    }
}

/* A payload that reaches beyond these octets: later segments will begin with the rest of it. */
static void leave_open(const struct impi_pdu *pdu, const struct call *call)
{
    uint64_t here = tvb_reported_length(pdu->tvb) - pdu->header_octets;

    if (here >= pdu->payload_octets) {
        return;
    }
    col_append_str(pdu->pinfo->cinfo, COL_INFO, " (data continues)");
    col_set_fence(pdu->pinfo->cinfo, COL_INFO);
    expert_add_info(pdu->pinfo, pdu->item, &impi_experts_own.continued);
    if (!PINFO_FD_VISITED(pdu->pinfo)) {
        way_payload_open(&pdu->stream->ways[pdu->way], pdu->payload_octets - here, pdu->payload_octets, pdu->pinfo,
                         call->tcp);
    }
}

static void show_rank(const struct impi_pdu *pdu)
{
    proto_tree_add_item(pdu->tree, impi_fields_own.host_rank, pdu->tvb, 0, WIRE_IMPI_RANK_OCTETS, ENC_BIG_ENDIAN);
}

static void show_message(struct impi_pdu *pdu, const struct call *call)
{
    if (!PINFO_FD_VISITED(pdu->pinfo)) {
        first_pass(pdu);
    }
    if (pdu->pinfo->cinfo || proto_field_is_referenced(pdu->tree, proto_impi)) {
        impi_tree_title(pdu, impi_tree_summary(pdu));
    }
    leave_open(pdu, call);
    if (pdu->form == IMPI_FORM_RANK) {
        show_rank(pdu);
    } else if (pdu->form == IMPI_FORM_PACKET) {
        impi_tree_packet(pdu);
    } else {
        impi_tree_startup(pdu);
    }
    if (prefs_analyse) {
        impi_track_show(pdu);
        impi_tree_flow(pdu);
        impi_experts_show(pdu);
    }
    impi_stats_count(pdu);
    if (pdu->form == IMPI_FORM_PACKET) {
        show_data(pdu);
    }
}

static void broken_first_pass(struct impi_pdu *pdu, enum wire_status status)
{
    pdu->stream->ways[pdu->way].lost = true;
    if (prefs_analyse && status != WIRE_SHORT) {
        impi_experts_claim_broken(pdu);
    }
}

/* Octets that are no whole and sane header: says why not. */
static void show_broken(struct impi_pdu *pdu, enum wire_status status)
{
    if (!PINFO_FD_VISITED(pdu->pinfo)) {
        broken_first_pass(pdu, status);
    }
    impi_tree_title(pdu, wmem_strdup_printf(pdu->pinfo->pool, "broken %s: %s",
                                            pdu->stream->kind == IMPI_CHANNEL ? "packet" : "command",
                                            wire_status_text(status)));
    if (status == WIRE_SHORT) {
        expert_add_info(pdu->pinfo, pdu->item, &impi_experts_own.cut);
    } else {
        expert_add_info(pdu->pinfo, pdu->item, &impi_experts_own.broken);
    }
    if (prefs_analyse) {
        impi_experts_show(pdu);
    }
    proto_tree_add_item(pdu->tree, impi_fields_own.undecoded, pdu->tvb, 0, -1, ENC_NA);
}

static int dissect_message(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    struct call *call = data;
    struct impi_pdu pdu = {.tvb = tvb, .pinfo = pinfo, .stream = call->stream, .way = call->way};
    enum wire_status status;

    pdu.form = form_of(pinfo, call, tvb, 0);
    if (begins_tls(pdu.form, tvb, 0)) {
        dissector_handle_t tls = hand_over(pinfo);

        return tls ? call_dissector(tls, tvb, pinfo, tree) : call_data_dissector(tvb, pinfo, tree);
    }
    pdu.note = note_of(pinfo, call, pdu.form);
    call->rank = false;
    status = header_decode(&pdu, tvb, 0);
    pdu.item = proto_tree_add_item(tree, proto_impi, tvb, 0, -1, ENC_NA);
    pdu.tree = proto_item_add_subtree(pdu.item, impi_fields_trees.message);
    pdu.payload_tree = pdu.tree;
    if (pdu.form == IMPI_FORM_PACKET && status == WIRE_OK && !proto_field_is_referenced(tree, proto_impi)) {
        pdu.tree = NULL;
    }
    if (status == WIRE_OK) {
        show_message(&pdu, call);
    } else {
        show_broken(&pdu, status);
    }
    return (int)tvb_captured_length(tvb);
}

/* The beginning of a segment that is not the beginning of a message. */
static void show_start(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, const struct way_start *start)
{
    gint len = start->lost ? -1 : (gint)start->skip;
    proto_item *item = proto_tree_add_item(tree, proto_impi, tvb, 0, len, ENC_NA);
    proto_tree *subtree = proto_item_add_subtree(item, impi_fields_trees.message);
    struct impi_pdu pdu = {.tvb = tvb, .pinfo = pinfo, .tree = subtree, .item = item};

    if (start->lost) {
        impi_tree_title(&pdu, "no message found");
        proto_tree_add_item(subtree, impi_fields_own.undecoded, tvb, 0, -1, ENC_NA);
        expert_add_info(pinfo, item, &impi_experts_own.lost);
        return;
    }
    impi_tree_title(&pdu,
                    wmem_strdup_printf(pinfo->pool, "data continued, octets %" PRIu64 " to %" PRIu64 " of %" PRIu64,
                                       start->before, start->before + start->skip - 1, start->total));
    proto_item_set_generated(
        proto_tree_add_uint(subtree, impi_fields_own.continuation_of, tvb, 0, 0, start->payload_frame));
    proto_tree_add_item(subtree, impi_fields_own.continuation, tvb, 0, len, ENC_NA);
}

/* The beginning of this call's octets, judged on the first pass and remembered. */
static struct call_start start_of(tvbuff_t *tvb, packet_info *pinfo, const struct call *call)
{
    unsigned key = KEY_CALL + call->counters->calls++;
    struct call_start start = {0};
    const struct call_start *kept;

    if (PINFO_FD_VISITED(pinfo)) {
        kept = p_get_proto_data(wmem_file_scope(), pinfo, proto_impi, key);
        return kept ? *kept : start;
    }
    if (!impi_recognise(call->stream, tvb, pinfo)) {
        impi_recognise_as_told(call->stream, tvb, pinfo);
    }
    start.at = impi_recognise_start(call->stream, tvb, pinfo, call->tcp, &start.rank);
    if (start.at.gap) {
        impi_job_missed(call->stream);
    }
    if (start.at.skip || start.at.lost || start.rank) {
        p_add_proto_data(wmem_file_scope(), pinfo, proto_impi, key,
                         wmem_memdup(wmem_file_scope(), &start, sizeof start));
    }
    return start;
}

static int dissect_impi(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    struct call call = {.tcp = data,
                        .stream = impi_stream_of(proto_impi, pinfo),
                        .counters = counters_of(pinfo),
                        .way = way_number(pinfo)};
    struct call_start start;

    col_set_str(pinfo->cinfo, COL_PROTOCOL, "IMPI");
    col_clear(pinfo->cinfo, COL_INFO);
    if (prefs_analyse) {
        follower_packet(pinfo);
    }
    if (call.stream->kind == IMPI_UNDECIDED && tvb_captured_length(tvb) < SMALLEST_GUESS && pinfo->can_desegment) {
        pinfo->desegment_offset = 0;
        pinfo->desegment_len = DESEGMENT_ONE_MORE_SEGMENT;
        return (int)tvb_captured_length(tvb);
    }
    start = start_of(tvb, pinfo, &call);
    call.rank = start.rank;
    if (start.at.lost || start.at.skip) {
        show_start(tvb, pinfo, tree, &start.at);
    }
    if (start.at.lost || start.at.skip >= tvb_reported_length(tvb)) {
        return (int)tvb_captured_length(tvb);
    }
    tcp_dissect_pdus(start.at.skip ? tvb_new_subset_remaining(tvb, (gint)start.at.skip) : tvb, pinfo, tree,
                     prefs_desegment, SMALLEST, message_length, dissect_message, &call);
    if (pinfo->desegment_len) {
        pinfo->desegment_offset += (int)start.at.skip;
    }
    if (!PINFO_FD_VISITED(pinfo)) {
        call.stream->ways[call.way].waits = pinfo->desegment_len != 0;
    }
    return (int)tvb_captured_length(tvb);
}

static ws_bool dissect_heuristic(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
    struct impi_stream probe = {.kind = IMPI_UNDECIDED};

    if (!impi_recognise(&probe, tvb, pinfo)) {
        return FALSE;
    }
    conversation_set_dissector_from_frame_number(find_or_create_conversation(pinfo), pinfo->num, impi_handle);
    (void)dissect_impi(tvb, pinfo, tree, data);
    return TRUE;
}

static void preferences_apply(void)
{
    prefs_limit = MIN(prefs_limit, (guint)LIMIT_HIGHEST);
    impi_experts_want(prefs_analyse);
}

static void preferences_register(void)
{
    module_t *module = prefs_register_protocol(proto_impi, preferences_apply);

    prefs_register_bool_preference(module, "desegment", "Put messages together that span several TCP segments",
                                   "Needs \"Allow subdissector to reassemble TCP streams\" in the TCP preferences. "
                                   "Switched off, data is shown piece by piece.",
                                   &prefs_desegment);
    prefs_register_uint_preference(module, "limit", "Longest message to put together (MiB)",
                                   "The data of longer messages is shown piece by piece. At most 1024.", 10,
                                   &prefs_limit);
    prefs_register_bool_preference(module, "analyse", "Judge messages and relate them to each other",
                                   "Looks for violations of the specification, links messages with their answers and "
                                   "counts unacknowledged packets.",
                                   &prefs_analyse);
    prefs_register_uint_preference(
        module, "ackmark", "Acknowledgement mark where start-up was not captured",
        "Packets that a protocol acknowledgement stands for. 0: unknown; then unacknowledged "
        "packets are not counted.",
        10, &prefs_ackmark);
}

void impi_register_protocol(void)
{
    proto_impi = proto_register_protocol("Interoperable MPI", "IMPI", "impi");
    impi_handle = register_dissector("impi", dissect_impi, proto_impi);
    impi_fields_register(proto_impi);
    impi_experts_register(proto_impi);
    impi_job_register();
    impi_track_register();
    impi_stats_register(proto_impi);
    payload_register(&payload_table, proto_impi);
    impi_close_register(proto_impi);
    preferences_register();
}

void impi_register_handoff(void)
{
    heur_dissector_add("tcp", dissect_heuristic, "IMPI over TCP", "impi_tcp", proto_impi, HEURISTIC_ENABLE);
    dissector_add_uint_range_with_preference("tcp.port", "", impi_handle);
}
