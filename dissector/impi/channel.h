/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What is remembered of a channel between two hosts on the first pass: messages and cancel requests by the processes
 * and the source's request, the counters of flow control of each pair of processes, and the checker of
 * wire/impi/check_channel.h.
 */
#ifndef DISSECTOR_IMPI_CHANNEL_H
#define DISSECTOR_IMPI_CHANNEL_H

#include "dissector/impi/stream.h"

struct impi_channel_check;

/* By what a packet finds its message. Compared octet by octet, so without gaps; host identifiers of IPv4 are in one
 * form. */
struct impi_channel_key {
    struct wire_impi_process src, dest; /* of the message */
    uint64_t srqid;
};

/* One channel. */
struct impi_channel {
    wmem_map_t *messages;             /* key -> the latest struct impi_message */
    wmem_map_t *parts;                /* key -> struct impi_part of its latest packet */
    wmem_map_t *cancels;              /* key -> list of unanswered struct impi_exchange, oldest first */
    wmem_map_t *pairs;                /* key without srqid -> counters */
    struct impi_channel_check *check; /* NULL: the channel is not followed */
    bool missed;                      /* the capture lacks something of it */
};

/* impi_channel_register - to be called once, when the plugin is loaded. */
void impi_channel_register(void);

/* impi_channel_of - the channel of this connection, made when there is none yet. */
struct impi_channel *impi_channel_of(struct impi_stream *stream);

/* impi_channel_key - the key of the message that this packet sends or cancels; `answered`: the one that it answers. */
struct impi_channel_key impi_channel_key(const struct wire_impi_packet *packet, bool answered);

/* impi_channel_flow - first pass: counts a packet; `ackmark` is 0 where it is not known. */
void impi_channel_flow(struct impi_pdu *pdu, uint32_t ackmark);

/* impi_channel_judge - first pass: has a rank or a whole packet judged, from the channel's opening on. */
void impi_channel_judge(struct impi_pdu *pdu);

/* impi_channel_judge_broken - first pass: the same for octets that are no packet. */
void impi_channel_judge_broken(struct impi_pdu *pdu);

/* impi_channel_end - first pass: has the end of the sender's direction judged. `inside`: within a packet. `reset`:
 * both directions are at their end. */
void impi_channel_end(struct impi_pdu *pdu, bool inside, bool reset);

/* impi_channel_missed - first pass: the capture lacks something: nothing more can be judged. */
void impi_channel_missed(struct impi_stream *stream);

#endif
