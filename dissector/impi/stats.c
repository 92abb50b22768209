/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What the tables of Wireshark's menus (dissector/common/tables.h) are told about a message.
 */
#include "dissector/impi/stats.h"

#include "dissector/common/tables.h"
#include "dissector/impi/track.h"
#include "dissector/impi/tree.h"

#include <inttypes.h>

enum { STARTUP = WIRE_IMPI_FINI + 1 }; /* rows of response times: packets by their types, and commands behind them */

static const char *const answer_names[] = {
    [WIRE_IMPI_DATA] = "None",
    [WIRE_IMPI_DATASYNC] = "None",
    [WIRE_IMPI_PROTOACK] = "None",
    [WIRE_IMPI_SYNCACK] = "Synchronous message to SYNCACK",
    [WIRE_IMPI_CANCEL] = "None",
    [WIRE_IMPI_CANCELYES] = "CANCEL to CANCELYES",
    [WIRE_IMPI_CANCELNO] = "CANCEL to CANCELNO",
    [WIRE_IMPI_FINI] = "None",
    [STARTUP + WIRE_IMPI_SAYS_AUTH] = "AUTH",
    [STARTUP + WIRE_IMPI_SAYS_CHOICE] = "AUTH to choice",
    [STARTUP + WIRE_IMPI_SAYS_KEY] = "None",
    [STARTUP + WIRE_IMPI_SAYS_IMPI] = "IMPI to number of clients",
    [STARTUP + WIRE_IMPI_SAYS_COLL] = "COLL to values of all",
    [STARTUP + WIRE_IMPI_SAYS_DONE] = "DONE to DONE",
    [STARTUP + WIRE_IMPI_SAYS_DONE + 1] = NULL,
};

static struct tables_protocol protocol = {
    .abbrev = "impi",
    .title = "IMPI",
    .from_rank = "impi.src.rank",
    .to_rank = "impi.dest.rank",
    .answers = {"IMPI", NULL, answer_names},
};

void impi_stats_register(int proto)
{
    tables_register(&protocol, proto);
}

void impi_stats_count(const struct impi_pdu *pdu)
{
    bool packet = pdu->form == IMPI_FORM_PACKET;
    struct tables_message *message;

    if (!tables_wanted(&protocol)) {
        return;
    }
    message = wmem_new0(pdu->pinfo->pool, struct tables_message);
    message->protocol = &protocol;
    message->kind = pdu->message ? pdu->message->label : "Rank of a host";
    message->octets = packet && wire_impi_packet_has_data(pdu->packet.type) ? (int64_t)pdu->packet.len : -1;
    message->span = pdu->header_octets + pdu->payload_octets;
    message->asked = impi_track_asked(pdu);
    message->row = packet ? pdu->packet.type : STARTUP + (unsigned)pdu->command.kind;
    if (packet && pdu->packet.type != WIRE_IMPI_FINI) {
        message->pair = impi_tree_pair(pdu);
        message->from = impi_tree_rank(pdu, &pdu->packet.src);
        message->to = impi_tree_rank(pdu, &pdu->packet.dest);
    }
    tables_tell(pdu->pinfo, message);
}

void impi_stats_export(const struct impi_pdu *pdu, tvbuff_t *data)
{
    const char *name;

    if (!tables_export_wanted(&protocol)) {
        return;
    }
    name = wmem_strdup_printf(pdu->pinfo->pool, "cid%" PRIu64 "-tag%d-packet%u", pdu->packet.cid, pdu->packet.tag,
                              pdu->pinfo->num);
    tables_export(&protocol, pdu->pinfo, data, impi_tree_rank(pdu, &pdu->packet.src), name);
}
