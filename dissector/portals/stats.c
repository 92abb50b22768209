/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What the tables of Wireshark's menus (dissector/common/tables.h) are told about a message.
 */
#include "dissector/portals/stats.h"

#include "dissector/common/tables.h"
#include "dissector/portals/names.h"
#include "dissector/portals/track.h"

static const char *const answer_names[] = {
    [WIRE_PORTALS_PUT - 1] = "None",
    [WIRE_PORTALS_PUT] = "None",
    [WIRE_PORTALS_ACK] = "Put to acknowledgement",
    [WIRE_PORTALS_GET] = "None",
    [WIRE_PORTALS_REPLY] = "Get to reply",
    [WIRE_PORTALS_REPLY + 1] = NULL,
};

static struct tables_protocol protocol = {
    .abbrev = "portals",
    .title = "Portals",
    .from_rank = "portals.initiator.rid",
    .to_rank = "portals.target.rid",
    .answers = {"Portals", "portals.operation ==", answer_names},
};

void stats_register(int proto)
{
    tables_register(&protocol, proto);
}

static bool is_addressed(const struct pdu *pdu)
{
    return pdu->header.operation >= WIRE_PORTALS_PUT && pdu->header.operation <= WIRE_PORTALS_REPLY;
}

void stats_count(const struct pdu *pdu)
{
    const struct wire_portals_header *header = &pdu->header;
    wmem_allocator_t *pool = pdu->pinfo->pool;
    struct tables_message *message;

    if (!tables_wanted(&protocol) || header->operation == WIRE_PORTALS_NUMBER) {
        return;
    }
    message = wmem_new0(pool, struct tables_message);
    message->protocol = &protocol;
    message->kind = pdu->message->label;
    message->pair = names_pair(pdu->pinfo, &header->initiator, &header->target);
    message->from = names_rank(pdu->pinfo, &header->initiator);
    message->to = names_rank(pdu->pinfo, &header->target);
    message->octets = -1;
    message->span = pdu->header_octets + pdu->payload_octets;
    message->asked = track_asked(pdu);
    message->row = header->operation;
    if (is_addressed(pdu)) {
        message->portal = wmem_strdup_printf(pool, "portal %u", header->portal);
    }
    if (message->portal && header->operation != WIRE_PORTALS_ACK && header->operation != WIRE_PORTALS_GET) {
        message->octets = pdu->payload_octets > G_MAXINT64 ? G_MAXINT64 : (int64_t)pdu->payload_octets;
    }
    tables_tell(pdu->pinfo, message);
}

void stats_export(const struct pdu *pdu, tvbuff_t *data)
{
    const struct wire_portals_header *header = &pdu->header;
    const char *name;

    if (!tables_export_wanted(&protocol)) {
        return;
    }
    name = wmem_strdup_printf(pdu->pinfo->pool, "%s-portal%u-bits%" PRIx64 "-packet%u", pdu->message->name,
                              header->portal, header->match_bits, pdu->pinfo->num);

    tables_export(&protocol, pdu->pinfo, data, names_rank(pdu->pinfo, &header->initiator), name);
}
