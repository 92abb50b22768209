/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Walks the rows of an IMPI message into Wireshark's tree and puts its gist into one line; see dissector/impi/tree.h.
 */
#include "dissector/impi/tree.h"

#include "dissector/impi/collective.h"
#include "dissector/impi/experts.h"
#include "dissector/impi/fields.h"
#include "dissector/impi/job.h"
#include "dissector/impi/note.h"
#include "dissector/impi/values.h"

#include "wire/octets/text.h"

#include <inttypes.h>
#include <string.h>

enum {
    HOST_TEXT_MAX = 64,
    SUMMARY_MAX = 512,
    LABEL_PREFIX = 5, /* IMPI_ */
    PROCESS_OCTETS = 24,
    MASK_OCTETS = 4,
    MASKS_MAX = 256, /* masks of an AUTH in the tree; the rest is shown as octets */
};

void impi_tree_title(const struct impi_pdu *pdu, const char *text)
{
    proto_item_append_text(pdu->item, ", %s", text);
    col_append_sep_str(pdu->pinfo->cinfo, COL_INFO, " | ", text);
    col_set_fence(pdu->pinfo->cinfo, COL_INFO);
}

/* A host identifier as people write the address: an IPv4 address without what stands before it. */
static const char *host_text(const struct impi_pdu *pdu, const unsigned char *host)
{
    char buffer[HOST_TEXT_MAX];
    struct wire_text text = wire_text_over(buffer, sizeof buffer);
    const char *colon;

    wire_text_add_host(&text, host);
    colon = strchr(buffer, '.') ? strrchr(buffer, ':') : NULL;
    return wmem_strdup(pdu->pinfo->pool, colon ? colon + 1 : buffer);
}

static void add_address(struct wire_text *text, const struct impi_pdu *pdu, const struct wire_impi_process *process)
{
    wire_text_add(text, host_text(pdu, process->host));
    wire_text_add(text, " pid ");
    wire_text_add_i64(text, process->pid);
}

static void add_short(struct wire_text *text, const struct impi_pdu *pdu, const struct wire_impi_process *process)
{
    int64_t rank = impi_job_rank(pdu->stream, process);

    if (rank < 0) {
        add_address(text, pdu, process);
    } else {
        wire_text_add(text, "rank ");
        wire_text_add_i64(text, rank);
    }
}

const char *impi_tree_process(const struct impi_pdu *pdu, const struct wire_impi_process *process)
{
    char name[SUMMARY_MAX];
    struct wire_text text = wire_text_over(name, sizeof name);

    add_short(&text, pdu, process);
    if (impi_job_rank(pdu->stream, process) >= 0) {
        wire_text_add(&text, " (");
        add_address(&text, pdu, process);
        wire_text_add(&text, ")");
    }
    return wmem_strdup(pdu->pinfo->pool, name);
}

const char *impi_tree_rank(const struct impi_pdu *pdu, const struct wire_impi_process *process)
{
    int64_t rank = impi_job_rank(pdu->stream, process);

    return rank < 0 ? impi_tree_process(pdu, process) : wmem_strdup_printf(pdu->pinfo->pool, "%" PRId64, rank);
}

static void add_pair(struct wire_text *text, const struct impi_pdu *pdu)
{
    add_short(text, pdu, &pdu->packet.src);
    wire_text_add(text, " -> ");
    add_short(text, pdu, &pdu->packet.dest);
}

const char *impi_tree_pair(const struct impi_pdu *pdu)
{
    char pair[SUMMARY_MAX];
    struct wire_text text = wire_text_over(pair, sizeof pair);

    add_pair(&text, pdu);
    return wmem_strdup(pdu->pinfo->pool, pair);
}

/* "DATA tag 110 (BARRIER) cid 1 0 octets  rank 0 -> rank 2" */
static void add_data(struct wire_text *text, const struct wire_impi_packet *packet)
{
    const char *collective = impi_collective_name(packet);

    wire_text_add(text, " tag ");
    wire_text_add_i64(text, packet->tag);
    if (collective) {
        wire_text_add(text, " (");
        wire_text_add(text, collective);
        wire_text_add(text, ")");
    }
    wire_text_add(text, " cid ");
    wire_text_add_u64(text, packet->cid);
    wire_text_add(text, " ");
    wire_text_add_u64(text, packet->len);
    if (packet->len != packet->msglen) {
        wire_text_add(text, " of ");
        wire_text_add_u64(text, packet->msglen);
    }
    wire_text_add(text, " octets");
}

static void add_id(struct wire_text *text, const char *name, uint64_t id)
{
    wire_text_add(text, name);
    wire_text_add_bits(text, id);
}

/* What is under way after an acknowledgement, where that is known. */
static void add_unacked(struct wire_text *text, const struct impi_note *note)
{
    if (note && note->known) {
        wire_text_add(text, " leaves ");
        wire_text_add_i64(text, note->unacked);
        wire_text_add(text, " unacknowledged");
    }
}

static bool add_details(struct wire_text *text, const struct impi_pdu *pdu)
{
    const struct wire_impi_packet *packet = &pdu->packet;

    switch ((enum wire_impi_type)packet->type) {
    case WIRE_IMPI_DATA:
    case WIRE_IMPI_DATASYNC:
        add_data(text, packet);
        return true;
    case WIRE_IMPI_SYNCACK:
        add_id(text, " srqid ", packet->srqid);
        add_id(text, " drqid ", packet->drqid);
        return true;
    case WIRE_IMPI_CANCEL:
    case WIRE_IMPI_CANCELYES:
    case WIRE_IMPI_CANCELNO:
        add_id(text, " srqid ", packet->srqid);
        return true;
    case WIRE_IMPI_PROTOACK:
        add_unacked(text, pdu->note);
        return true;
    case WIRE_IMPI_FINI:
        break;
    }
    return false;
}

/* For each packet of a capture that somebody scrolls through: without format strings. */
static const char *packet_summary(const struct impi_pdu *pdu)
{
    char summary[SUMMARY_MAX];
    struct wire_text text = wire_text_over(summary, sizeof summary);

    wire_text_add(&text, pdu->message->name);
    if (!add_details(&text, pdu)) {
        return "FINI  end of the channel";
    }
    wire_text_add(&text, "  ");
    add_pair(&text, pdu);
    return wmem_strdup(pdu->pinfo->pool, summary);
}

static const char *label_text(const struct impi_pdu *pdu)
{
    const struct wire_impi_label *label = wire_impi_label_of(pdu->command.label);

    return label ? label->name + LABEL_PREFIX
                 : wmem_strdup_printf(pdu->pinfo->pool, "label 0x%x", (unsigned)pdu->command.label);
}

static const char *methods_text(const struct impi_pdu *pdu, uint32_t mask)
{
    const char *none = mask >> WIRE_IMPI_AUTH_NONE & 1 ? " NONE" : "";
    const char *key = mask >> WIRE_IMPI_AUTH_KEY & 1 ? " KEY" : "";
    const char *tls = mask >> WIRE_IMPI_AUTH_TLS & 1 ? " TLS" : "";

    return wmem_strdup_printf(pdu->pinfo->pool, "%s%s%s%s", none, key, tls,
                              *none || *key || *tls ? "" : " nothing known");
}

/* A code that nobody has defined: as letters, where it has four of them. */
static const char *code_text(const struct impi_pdu *pdu)
{
    uint32_t code = (uint32_t)pdu->command.cmd;
    char letters[] = {(char)(code >> 24), (char)(code >> 16), (char)(code >> 8), (char)code, '\0'};

    for (size_t i = 0; i < 4; i++) {
        if (!g_ascii_isalnum(letters[i])) {
            return wmem_strdup_printf(pdu->pinfo->pool, "0x%08x", code);
        }
    }
    return wmem_strdup(pdu->pinfo->pool, letters);
}

static const char *command_details(const struct impi_pdu *pdu)
{
    const struct wire_impi_command *command = &pdu->command;
    wmem_allocator_t *pool = pdu->pinfo->pool;
    bool client = impi_stream_direction(pdu->stream, pdu->way) == WIRE_IMPI_FROM_CLIENT;

    if (command->bare) {
        return wmem_strdup_printf(pool, " too short: %" PRId32 " octets", command->len);
    }
    switch (command->kind) {
    case WIRE_IMPI_SAYS_AUTH:
        return methods_text(pdu, command->auth_mask);
    case WIRE_IMPI_SAYS_CHOICE:
        return command->which == WIRE_IMPI_AUTH_NONE  ? " NONE"
               : command->which == WIRE_IMPI_AUTH_KEY ? " KEY"
               : command->which == WIRE_IMPI_AUTH_TLS ? " TLS"
                                                      : wmem_strdup_printf(pool, " method %d", command->which);
    case WIRE_IMPI_SAYS_IMPI:
        return client ? wmem_strdup_printf(pool, " rank %d", command->rank)
                      : wmem_strdup_printf(pool, " %d clients", command->size);
    case WIRE_IMPI_SAYS_COLL:
        return wmem_strdup_printf(pool, " %s %s", label_text(pdu), impi_values_summary(pdu));
    case WIRE_IMPI_SAYS_OTHER:
        return wmem_strdup_printf(pool, " %s %d octets", code_text(pdu), command->len);
    case WIRE_IMPI_SAYS_KEY:
    case WIRE_IMPI_SAYS_DONE:
    case WIRE_IMPI_SAYS_FINI:
        break;
    }
    return "";
}

const char *impi_tree_summary(const struct impi_pdu *pdu)
{
    wmem_allocator_t *pool = pdu->pinfo->pool;
    const char *client;

    if (pdu->form == IMPI_FORM_RANK) {
        return wmem_strdup_printf(pool, "host %d has connected", pdu->rank);
    }
    if (pdu->form == IMPI_FORM_PACKET) {
        return packet_summary(pdu);
    }
    client = pdu->stream->client < 0 ? "client" : wmem_strdup_printf(pool, "client %d", pdu->stream->client);
    if (impi_stream_direction(pdu->stream, pdu->way) == WIRE_IMPI_FROM_CLIENT) {
        return wmem_strdup_printf(pool, "%s%s  %s -> server", pdu->message->name, command_details(pdu), client);
    }
    return wmem_strdup_printf(pool, "%s%s  server -> %s", pdu->message->name, command_details(pdu), client);
}

void impi_tree_rows(const struct impi_pdu *pdu, const struct wire_message *message)
{
    for (size_t r = 0; r < message->row_count; r++) {
        const struct wire_row *row = &message->rows[r];

        if ((guint)row->offset + row->width > tvb_captured_length(pdu->tvb)) {
            return;
        }
        proto_tree_add_item(pdu->tree, impi_fields_of_row(row), pdu->tvb, row->offset, row->width, ENC_BIG_ENDIAN);
    }
}

static void show_mask(const struct impi_pdu *pdu, proto_item *item, gint offset)
{
    proto_tree *tree = proto_item_add_subtree(item, impi_fields_trees.mask);

    proto_tree_add_item(tree, impi_fields_own.offers_none, pdu->tvb, offset, MASK_OCTETS, ENC_BIG_ENDIAN);
    proto_tree_add_item(tree, impi_fields_own.offers_key, pdu->tvb, offset, MASK_OCTETS, ENC_BIG_ENDIAN);
    proto_tree_add_item(tree, impi_fields_own.offers_tls, pdu->tvb, offset, MASK_OCTETS, ENC_BIG_ENDIAN);
}

/* The masks of an AUTH: the first is a row, more of them are payload. */
static void show_masks(const struct impi_pdu *pdu)
{
    const struct wire_row *row = wire_row_find(pdu->message, "auth_mask");
    gint end = (gint)tvb_captured_length(pdu->tvb);
    gint at = row ? row->offset : end;
    gint last = MIN(end, at + MASKS_MAX * MASK_OCTETS);

    for (; at + MASK_OCTETS <= last; at += MASK_OCTETS) {
        proto_item *item =
            proto_tree_add_item(pdu->tree, impi_fields_of_row(row), pdu->tvb, at, row->width, ENC_BIG_ENDIAN);

        show_mask(pdu, item, at);
    }
    if (at < end) {
        proto_tree_add_item(pdu->tree, impi_fields_own.opaque, pdu->tvb, at, -1, ENC_NA);
    }
}

static void show_opaque(const struct impi_pdu *pdu)
{
    gint here = tvb_reported_length_remaining(pdu->tvb, (gint)pdu->header_octets);

    if (here > 0) {
        proto_tree_add_item(pdu->tree, impi_fields_own.opaque, pdu->tvb, (gint)pdu->header_octets, here, ENC_NA);
    }
    if (pdu->command.kind == WIRE_IMPI_SAYS_OTHER) {
        expert_add_info(pdu->pinfo, pdu->item, &impi_experts_own.unknown);
    }
}

void impi_tree_startup(const struct impi_pdu *pdu)
{
    proto_item *item = proto_tree_add_string(pdu->tree, impi_fields_own.message, pdu->tvb, 0, 0, pdu->message->name);
    struct wire_message head = *pdu->message;

    proto_item_set_generated(item);
    if (pdu->command.kind == WIRE_IMPI_SAYS_AUTH && !pdu->command.bare) {
        head.row_count--; /* the mask, which has bits */
        impi_tree_rows(pdu, &head);
        show_masks(pdu);
        return;
    }
    impi_tree_rows(pdu, &head);
    if (pdu->command.kind == WIRE_IMPI_SAYS_COLL && !pdu->command.bare) {
        impi_values_show(pdu);
    } else {
        show_opaque(pdu);
    }
}

/* The head of a process' two rows, with the world rank where it is known. */
static proto_tree *process_begin(const struct impi_pdu *pdu, const struct wire_impi_process *process, gint offset)
{
    bool source = process == &pdu->packet.src;
    int64_t rank = impi_job_rank(pdu->stream, process);
    int field = source ? impi_fields_own.src : impi_fields_own.dest;
    const char *name = proto_field_is_referenced(pdu->tree, field) ? impi_tree_process(pdu, process) : "";
    proto_item *item = proto_tree_add_string(pdu->tree, field, pdu->tvb, offset, PROCESS_OCTETS, name);
    proto_tree *tree = proto_item_add_subtree(item, impi_fields_trees.process);

    if (rank >= 0) {
        item = proto_tree_add_uint(tree, source ? impi_fields_own.src_rank : impi_fields_own.dest_rank, pdu->tvb,
                                   offset, PROCESS_OCTETS, (guint32)rank);
        proto_item_set_generated(item);
    }
    return tree;
}

static bool starts(const struct wire_row *row, const char *prefix)
{
    return strncmp(row->name, prefix, strlen(prefix)) == 0;
}

/* What the type uses, processes in subtrees of their own. */
static void show_used(const struct impi_pdu *pdu)
{
    proto_tree *tree = pdu->tree;

    for (size_t r = 0; r < pdu->message->row_count; r++) {
        const struct wire_row *row = &pdu->message->rows[r];

        if (!wire_impi_packet_uses(pdu->packet.type, row)) {
            continue;
        }
        if (strcmp(row->name, "pk_src.p_hostid") == 0) {
            tree = process_begin(pdu, &pdu->packet.src, row->offset);
        } else if (strcmp(row->name, "pk_dest.p_hostid") == 0) {
            tree = process_begin(pdu, &pdu->packet.dest, row->offset);
        } else if (!starts(row, "pk_src.") && !starts(row, "pk_dest.")) {
            tree = pdu->tree;
        }
        proto_tree_add_item(tree, impi_fields_of_row(row), pdu->tvb, row->offset, row->width, ENC_BIG_ENDIAN);
    }
}

static void show_unused(const struct impi_pdu *pdu)
{
    proto_item *item;
    proto_tree *tree = proto_tree_add_subtree(pdu->tree, pdu->tvb, 0, WIRE_IMPI_PACKET_OCTETS, impi_fields_trees.unused,
                                              &item, "Fields that this type does not use");

    for (size_t r = 0; r < pdu->message->row_count; r++) {
        const struct wire_row *row = &pdu->message->rows[r];

        if (!wire_impi_packet_uses(pdu->packet.type, row)) {
            proto_tree_add_item(tree, impi_fields_unused(row), pdu->tvb, row->offset, row->width, ENC_BIG_ENDIAN);
        }
    }
}

/* Where a message stands in the collective operation that it belongs to. */
static void show_step(const struct impi_pdu *pdu)
{
    const struct follower_found *found = impi_note_more(pdu->note)->found;
    const struct wire_impi_step *step = found ? found->step : NULL;

    if (!step || !step->number) {
        return;
    }
    proto_item_set_generated(
        proto_tree_add_uint64(pdu->tree, impi_fields_own.operation_number, pdu->tvb, 0, 0, step->number));
    proto_item_set_generated(
        proto_tree_add_string(pdu->tree, impi_fields_own.operation_phase, pdu->tvb, 0, 0, step->phase));
    if (step->root >= 0) {
        proto_item_set_generated(
            proto_tree_add_uint(pdu->tree, impi_fields_own.operation_root, pdu->tvb, 0, 0, (guint32)step->root));
    }
}

void impi_tree_packet(const struct impi_pdu *pdu)
{
    const char *collective = impi_collective_name(&pdu->packet);
    proto_item *item;

    if (!pdu->tree) {
        return;
    }
    item = proto_tree_add_string(pdu->tree, impi_fields_own.message, pdu->tvb, 0, 0, pdu->message->name);
    proto_item_set_generated(item);
    show_used(pdu);
    if (collective) {
        item = proto_tree_add_string(pdu->tree, impi_fields_own.collective, pdu->tvb, 0, 0, collective);
        proto_item_set_generated(item);
    }
    show_step(pdu);
    show_unused(pdu);
}

static void flow_number(const struct impi_pdu *pdu, proto_tree *tree, int hf, uint64_t value)
{
    proto_item_set_generated(proto_tree_add_uint64(tree, hf, pdu->tvb, 0, 0, value));
}

void impi_tree_flow(const struct impi_pdu *pdu)
{
    const struct impi_note *note = pdu->note;
    proto_item *item;
    proto_tree *tree;

    if (!pdu->tree || !note || (!note->counts && !note->is_ack)) {
        return;
    }
    tree = proto_tree_add_subtree(pdu->tree, pdu->tvb, 0, 0, impi_fields_trees.flow, &item, "Flow control");
    proto_item_set_generated(item);
    if (note->counts) {
        flow_number(pdu, tree, impi_fields_own.flow_sent, note->count);
    } else {
        flow_number(pdu, tree, impi_fields_own.flow_acks, note->count);
    }
    if (note->known) {
        item = proto_tree_add_int64(tree, impi_fields_own.flow_unacked, pdu->tvb, 0, 0, note->unacked);
        proto_item_set_generated(item);
        proto_item_append_text(proto_tree_get_parent(tree), ", %" PRId32 " unacknowledged", note->unacked);
    }
}
