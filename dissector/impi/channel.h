/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What is remembered of a channel between two hosts on the first pass: messages and cancel requests by the processes
 * and the source's request, and the counters of flow control of each pair of processes.
 */
#ifndef DISSECTOR_IMPI_CHANNEL_H
#define DISSECTOR_IMPI_CHANNEL_H

#include "dissector/impi/stream.h"

/* By what a packet finds its message. Compared octet by octet, so without gaps; host identifiers of IPv4 are in one
 * form. */
struct impi_channel_key {
    struct wire_impi_process src, dest; /* of the message */
    uint64_t srqid;
};

/* One channel. */
struct impi_channel {
    wmem_map_t *messages; /* key -> the latest struct impi_message */
    wmem_map_t *parts;    /* key -> struct impi_part of its latest packet */
    wmem_map_t *cancels;  /* key -> list of unanswered struct impi_exchange, oldest first */
    wmem_map_t *pairs;    /* key without srqid -> counters */
};

/* impi_channel_of - the channel of this connection, made when there is none yet. */
struct impi_channel *impi_channel_of(struct impi_stream *stream);

/* impi_channel_key - the key of the message that this packet sends or cancels; `answered`: the one that it answers. */
struct impi_channel_key impi_channel_key(const struct wire_impi_packet *packet, bool answered);

/* impi_channel_flow - first pass: counts a packet; `ackmark` is 0 where it is not known. */
void impi_channel_flow(struct impi_pdu *pdu, uint32_t ackmark);

#endif
