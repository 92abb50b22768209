/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What is remembered of a channel between two hosts on the first pass: of each pair of processes the messages and
 * cancel requests by the source's request, and the counters of flow control.
 */
#ifndef DISSECTOR_IMPI_CHANNEL_H
#define DISSECTOR_IMPI_CHANNEL_H

#include "dissector/impi/note.h"
#include "dissector/impi/stream.h"

/* What one process sends to another. */
struct impi_pair {
    struct wire_impi_process ends[2]; /* source and destination, without gaps; host identifiers of IPv4 in one form */
    struct impi_requests messages;
    wmem_map_t *parts;   /* pk_srqid -> struct impi_part of its latest packet */
    wmem_map_t *cancels; /* pk_srqid -> list of unanswered struct impi_exchange, oldest first */
    uint32_t open;       /* long messages that are not whole */
    uint32_t sent, acks; /* packets; Wireshark itself counts no more */
};

/* One channel. */
struct impi_channel {
    wmem_map_t *pairs;
    struct impi_pair *latest[2]; /* those that were asked for last, or NULL */
};

/* impi_channel_pair - between which processes the message of this packet travels, which it sends or cancels;
 * `answered`: the message that it answers. */
struct impi_pair *impi_channel_pair(struct impi_stream *stream, const struct wire_impi_packet *packet, bool answered);

/* impi_channel_flow - first pass: counts a packet; `ackmark` is 0 where it is not known. */
void impi_channel_flow(struct impi_pdu *pdu, uint32_t ackmark);

#endif
