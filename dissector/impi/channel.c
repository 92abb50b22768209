/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What is remembered of a channel; see dissector/impi/channel.h. The counters show flow control as section 3.6 of the
 * IMPI 0.0 document has it, at the place of the capture: all packets count but PROTOACK and FINI, and a PROTOACK takes
 * ackmark of them away.
 */
#include "dissector/impi/channel.h"

#include <epan/wmem_scopes.h>

#include <string.h>

enum { ENDS_OCTETS = sizeof((struct impi_pair *)NULL)->ends };

static guint ends_hash(gconstpointer ends)
{
    return wmem_strong_hash(ends, ENDS_OCTETS);
}

static gboolean ends_equal(gconstpointer one, gconstpointer other)
{
    return memcmp(one, other, ENDS_OCTETS) == 0;
}

static struct impi_channel *channel_of(struct impi_stream *stream)
{
    if (!stream->channel) {
        stream->channel = wmem_new0(wmem_file_scope(), struct impi_channel);
        stream->channel->pairs = wmem_map_new(wmem_file_scope(), ends_hash, ends_equal);
    }
    return stream->channel;
}

static wmem_map_t *by_request(void)
{
    return wmem_map_new(wmem_file_scope(), wmem_int64_hash, g_int64_equal);
}

static struct impi_pair *pair_make(struct impi_channel *channel, const struct wire_impi_process *ends)
{
    struct impi_pair *pair = wmem_new0(wmem_file_scope(), struct impi_pair);

    memcpy(pair->ends, ends, ENDS_OCTETS);
    pair->parts = by_request();
    pair->cancels = by_request();
    wmem_map_insert(channel->pairs, pair->ends, pair);
    return pair;
}

/* An IPv4 address may stand behind zeros or behind ten zeros and two ff. */
static struct wire_impi_process normal(const struct wire_impi_process *process)
{
    struct wire_impi_process same = *process;
    unsigned char plain[WIRE_IMPI_HOST_OCTETS] = {0};

    memcpy(plain + 12, process->host + 12, 4);
    if (wire_impi_host_same(plain, process->host)) {
        memcpy(same.host, plain, sizeof plain);
    }
    return same;
}

struct impi_pair *impi_channel_pair(struct impi_stream *stream, const struct wire_impi_packet *packet, bool answered)
{
    struct impi_channel *channel = channel_of(stream);
    const struct wire_impi_process ends[2] = {normal(answered ? &packet->dest : &packet->src),
                                              normal(answered ? &packet->src : &packet->dest)};
    struct impi_pair **latest = channel->latest, *pair = latest[0];

    if (pair && ends_equal(pair->ends, ends)) {
        return pair;
    }
    pair = latest[1];
    if (!pair || !ends_equal(pair->ends, ends)) {
        pair = wmem_map_lookup(channel->pairs, ends);
    }
    latest[1] = latest[0];
    latest[0] = pair ? pair : pair_make(channel, ends);
    return latest[0];
}

void impi_channel_flow(struct impi_pdu *pdu, uint32_t ackmark)
{
    bool ack = pdu->packet.type == WIRE_IMPI_PROTOACK;
    struct impi_note *note = pdu->note;
    struct impi_pair *pair;

    if (pdu->packet.type == WIRE_IMPI_FINI) {
        return;
    }
    pair = impi_channel_pair(pdu->stream, &pdu->packet, ack);
    pair->acks += ack;
    pair->sent += !ack;
    int64_t unacked = (int64_t)pair->sent - (int64_t)pair->acks * ackmark;
    note->counts = !ack;
    note->is_ack = ack;
    note->known = ackmark > 0 && unacked >= 0;
    note->count = ack ? pair->acks : pair->sent;
    note->unacked = (int32_t)unacked;
}
