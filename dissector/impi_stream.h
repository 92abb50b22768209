/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * TCP connections of IMPI: between a client and the server, or between two hosts. What a connection is tells itself by
 * its first octets, or by the port at which it arrives when the start-up of the job was seen.
 */
#ifndef DISSECTOR_IMPI_STREAM_H
#define DISSECTOR_IMPI_STREAM_H

#include "dissector/impi_pdu.h"
#include "dissector/way.h"

#include "wire/impi/labels.h"

#include <epan/dissectors/packet-tcp.h>
#include <epan/packet.h>

struct impi_job;
struct impi_link;
struct impi_channel;

enum impi_kind {
    IMPI_UNDECIDED,
    IMPI_STARTUP, /* between a client and the server */
    IMPI_CHANNEL, /* between two hosts */
};

/* How many hosts or processes each client has, as the server told it. */
struct impi_counts {
    uint32_t mask; /* clients of which it is known */
    uint32_t of[WIRE_IMPI_CLIENTS_MAX];
};

/* One connection. Everything but `kind` and `opener` is filled on the first pass as messages come. */
struct impi_stream {
    enum impi_kind kind;
    bool opener_known;
    unsigned opener; /* direction of the client, or of the host that has connected */
    struct way ways[2];
    bool ended[2];        /* by direction: a FIN or a reset has been seen */
    struct impi_job *job; /* or NULL */

    bool auth_seen, choice_seen; /* start-up */
    bool key_due;                /* the client's latest message offers a KEY */
    int32_t method;              /* chosen by the server; -1: not known */
    int32_t client;              /* rank; -1: not known */
    struct impi_counts hosts, processes;
    wmem_map_t *exchanges; /* by what is asked */
    struct impi_link *link;

    int32_t host; /* channel: rank of the host that has connected; -1: not known */
    struct impi_channel *channel;
};

/* impi_stream_of - the connection of this packet, made when there is none yet. */
struct impi_stream *impi_stream_of(int proto, packet_info *pinfo);

/* impi_stream_guess - says what the connection is, from a segment, if it is not yet known; false when that cannot be
 * told for certain. */
bool impi_stream_guess(struct impi_stream *stream, tvbuff_t *tvb, packet_info *pinfo);

/* impi_stream_trust - takes a connection for a channel, since the user says that it is IMPI, when it begins with what
 * can be a host's rank. */
void impi_stream_trust(struct impi_stream *stream, tvbuff_t *tvb, packet_info *pinfo);

/* impi_stream_start_of - as way_start_of, and judges whether a message begins at the start of the segment. `rank`: the
 * rank that opens a channel is what begins there. */
struct way_start impi_stream_start_of(struct impi_stream *stream, tvbuff_t *tvb, packet_info *pinfo,
                                      const struct tcpinfo *tcp, bool *rank);

/* impi_stream_direction - in which direction a start-up message travels. */
enum wire_impi_direction impi_stream_direction(const struct impi_stream *stream, unsigned way);

/* impi_stream_is_code - whether the octets begin with a command's code. */
bool impi_stream_is_code(tvbuff_t *tvb, int offset);

#endif
