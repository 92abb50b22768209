/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * TCP connections of IMPI: between a client and the server, or between two hosts.
 */
#ifndef DISSECTOR_IMPI_STREAM_H
#define DISSECTOR_IMPI_STREAM_H

#include "dissector/common/way.h"
#include "dissector/impi/pdu.h"

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

/* impi_stream_direction - in which direction a start-up message travels. */
enum wire_impi_direction impi_stream_direction(const struct impi_stream *stream, unsigned way);

#endif
