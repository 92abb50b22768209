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

enum { PROCESS_ROWS = 4, PROCESS_OCTETS = 16 };

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

/* A put without memory descriptor asks for no acknowledgement. */
static const char *wish_of(const struct wire_portals_header *header)
{
    return header->operation == WIRE_PORTALS_PUT && header->md == WIRE_PORTALS_MD_NONE ? " no ack" : "";
}

static const char *details_of(const struct pdu *pdu)
{
    const struct wire_portals_header *header = &pdu->header;
    wmem_allocator_t *pool = pdu->pinfo->pool;

    switch (header->operation) {
    case WIRE_PORTALS_PUT:
    case WIRE_PORTALS_GET:
    case WIRE_PORTALS_GETPUT:
        return wmem_strdup_printf(pool, "portal %u bits 0x%" PRIx64 " %" PRIu64 " octets%s", header->portal,
                                  header->match_bits, header->rlength, wish_of(header));
    case WIRE_PORTALS_ACK:
    case WIRE_PORTALS_REPLY:
        return wmem_strdup_printf(pool, "portal %u bits 0x%" PRIx64 " %" PRIu64 " of %" PRIu64 " octets",
                                  header->portal, header->match_bits, header->mlength, header->rlength);
    case WIRE_PORTALS_BARRIER:
        return wmem_strdup_printf(pool, "%" PRIu64 " round %u", header->sequence, header->round);
    case WIRE_PORTALS_NUMBER:
        return wmem_strdup_printf(pool, "%" PRIu64, header->number);
    case WIRE_PORTALS_ACKNOWLEDGE:
        return wmem_strdup_printf(pool, "up to %" PRIu64 "%s", header->acknowledged,
                                  header->missing ? ", the next one is missing" : "");
    case WIRE_PORTALS_HELLO:
        return wmem_strdup_printf(pool, "version %u.%u interface %u group of %u", header->version_major,
                                  header->version_minor, header->interface, header->group_size);
    default:
        return "";
    }
}

const char *tree_verb(packet_info *pinfo, const struct wire_message *message)
{
    char *verb = wmem_strdup(pinfo->pool, message->name);

    for (char *c = verb; *c; c++) {
        *c = g_ascii_toupper(*c);
    }
    return verb;
}

/* What a numbered message is when it is not its turn. */
static const char *turn_of(const struct pdu *pdu)
{
    if (!pdu->note) {
        return "";
    }
    return pdu->note->again ? " (sent again)" : pdu->note->early ? " (too early)" : "";
}

const char *tree_summary(const struct pdu *pdu)
{
    wmem_allocator_t *pool = pdu->pinfo->pool;

    if (pdu->header.operation == WIRE_PORTALS_NUMBER) {
        return wmem_strdup_printf(pool, "%s %s", tree_verb(pdu->pinfo, pdu->message), details_of(pdu));
    }
    return wmem_strdup_printf(pool, "%s %s  %s%s%s", tree_verb(pdu->pinfo, pdu->message), details_of(pdu),
                              names_pair(pdu->pinfo, &pdu->header.initiator, &pdu->header.target), turn_of(pdu),
                              match_bits_text(pdu));
}

void tree_title(const struct pdu *pdu, const char *text)
{
    proto_item_append_text(pdu->item, ", %s", text);
    col_append_sep_str(pdu->pinfo->cinfo, COL_INFO, " | ", text);
    col_set_fence(pdu->pinfo->cinfo, COL_INFO);
}
