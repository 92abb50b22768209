/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Walks the rows of a message into Wireshark's tree and puts its gist into one line.
 */
#include "dissector/portals/tree.h"

#include "dissector/portals/fields.h"
#include "dissector/portals/match_bits.h"
#include "dissector/portals/names.h"
#include "dissector/portals/note.h"

#include <string.h>

enum { PROCESS_ROWS = 4, PROCESS_OCTETS = 16, SUMMARY_MAX = 512 };

/* Reads one id of a process, which is a run of four rows: node, process, group, rank. */
static uint32_t id_at(const struct pdu *pdu, const struct wire_row *row)
{
    return tvb_get_ntohl(pdu->tvb, row->offset);
}

static proto_tree *process_begin(const struct pdu *pdu, const struct wire_row *row)
{
    struct wire_portals_id id = {id_at(pdu, &row[0]), id_at(pdu, &row[1]), id_at(pdu, &row[2]), id_at(pdu, &row[3])};
    int field = fields_of_process(row);
    const char *name = proto_field_is_referenced(pdu->tree, field) ? names_long(pdu->pinfo, &id) : "";
    proto_item *item = proto_tree_add_string(pdu->tree, field, pdu->tvb, row->offset, PROCESS_OCTETS, name);

    return proto_item_add_subtree(item, fields_trees.process);
}

/* Whether four rows from here on are one process, all of whose octets are there. */
static bool process_begins(const struct pdu *pdu, const struct wire_message *message, size_t r)
{
    const struct wire_row *row = &message->rows[r];

    if (r + PROCESS_ROWS > message->row_count || fields_of_process(row) < 0) {
        return false;
    }
    return fields_of_process(row) == fields_of_process(row + PROCESS_ROWS - 1) &&
           tvb_captured_length(pdu->tvb) >= (guint)row->offset + PROCESS_OCTETS;
}

void tree_rows(const struct pdu *pdu, const struct wire_message *message)
{
    proto_tree *tree = pdu->tree;
    size_t process_left = 0;

    if (!tree) {
        return;
    }
    for (size_t r = 0; r < message->row_count; r++) {
        const struct wire_row *row = &message->rows[r];

        if ((guint)row->offset + row->width > tvb_captured_length(pdu->tvb)) {
            return;
        }
        if (process_left == 0) {
            tree = pdu->tree;
            if (process_begins(pdu, message, r)) {
                tree = process_begin(pdu, row);
                process_left = PROCESS_ROWS;
            }
        }
        process_left -= process_left > 0;
        match_bits_show(
            pdu, proto_tree_add_item(tree, fields_of_row(row), pdu->tvb, row->offset, row->width, ENC_BIG_ENDIAN), row);
    }
}

static void add_number(struct wire_text *text, const char *before, uint64_t value, const char *behind)
{
    wire_text_add(text, before);
    wire_text_add_u64(text, value);
    wire_text_add(text, behind);
}

static void add_place(struct wire_text *text, const struct wire_portals_header *header)
{
    add_number(text, "portal ", header->portal, " bits ");
    wire_text_add_bits(text, header->match_bits);
}

static void add_details(struct wire_text *text, const struct wire_portals_header *header)
{
    switch (header->operation) {
    case WIRE_PORTALS_PUT:
    case WIRE_PORTALS_GET:
    case WIRE_PORTALS_GETPUT:
        add_place(text, header);
        add_number(text, " ", header->rlength, " octets");
        /* A put without memory descriptor asks for no acknowledgement. */
        wire_text_add(text,
                      header->operation == WIRE_PORTALS_PUT && header->md == WIRE_PORTALS_MD_NONE ? " no ack" : "");
        break;
    case WIRE_PORTALS_ACK:
    case WIRE_PORTALS_REPLY:
        add_place(text, header);
        add_number(text, " ", header->mlength, " of ");
        add_number(text, "", header->rlength, " octets");
        break;
    case WIRE_PORTALS_BARRIER:
        add_number(text, "", header->sequence, " round ");
        add_number(text, "", header->round, "");
        break;
    case WIRE_PORTALS_NUMBER:
        add_number(text, "", header->number, "");
        break;
    case WIRE_PORTALS_ACKNOWLEDGE:
        add_number(text, "up to ", header->acknowledged, header->missing ? ", the next one is missing" : "");
        break;
    case WIRE_PORTALS_HELLO:
        add_number(text, "version ", header->version_major, ".");
        add_number(text, "", header->version_minor, " interface ");
        add_number(text, "", header->interface, " group of ");
        add_number(text, "", header->group_size, "");
        break;
    default:
        break;
    }
}

static void add_verb(struct wire_text *text, const struct wire_message *message)
{
    for (const char *c = message->name; *c; c++) {
        wire_text_add(text, (const char[]){g_ascii_toupper(*c), 0});
    }
}

const char *tree_verb(packet_info *pinfo, const struct wire_message *message)
{
    char verb[SUMMARY_MAX];
    struct wire_text text = wire_text_over(verb, sizeof verb);

    add_verb(&text, message);
    return wmem_strdup(pinfo->pool, verb);
}

/* What a numbered message is when it is not its turn. */
static const char *turn_of(const struct pdu *pdu)
{
    if (!pdu->note) {
        return "";
    }
    return pdu->note->again ? " (sent again)" : pdu->note->early ? " (too early)" : "";
}

/* For each message of a capture that somebody scrolls through: without format strings. */
const char *tree_summary(const struct pdu *pdu)
{
    char summary[SUMMARY_MAX];
    struct wire_text text = wire_text_over(summary, sizeof summary);

    add_verb(&text, pdu->message);
    wire_text_add(&text, " ");
    add_details(&text, &pdu->header);
    if (pdu->header.operation != WIRE_PORTALS_NUMBER) {
        wire_text_add(&text, "  ");
        names_add_pair(&text, &pdu->header.initiator, &pdu->header.target);
        wire_text_add(&text, turn_of(pdu));
        match_bits_add(&text, pdu);
    }
    return wmem_strdup(pdu->pinfo->pool, summary);
}

void tree_title(const struct pdu *pdu, const char *text)
{
    proto_item_append_text(pdu->item, ", %s", text);
    col_append_sep_str(pdu->pinfo->cinfo, COL_INFO, " | ", text);
    col_set_fence(pdu->pinfo->cinfo, COL_INFO);
}
