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

enum { PAIR_OCTETS = sizeof(struct impi_channel_key) - sizeof(uint64_t) };

/* Counters of the packets from one process to another. */
struct pair {
    uint32_t sent, acks; /* Wireshark itself counts no more packets */
};

static guint key_hash(gconstpointer key)
{
    return wmem_strong_hash(key, sizeof(struct impi_channel_key));
}

static gboolean key_equal(gconstpointer one, gconstpointer other)
{
    return memcmp(one, other, sizeof(struct impi_channel_key)) == 0;
}

static guint pair_hash(gconstpointer key)
{
    return wmem_strong_hash(key, PAIR_OCTETS);
}

static gboolean pair_equal(gconstpointer one, gconstpointer other)
{
    return memcmp(one, other, PAIR_OCTETS) == 0;
}

struct impi_channel *impi_channel_of(struct impi_stream *stream)
{
    struct impi_channel *channel = stream->channel;

    if (!channel) {
        channel = wmem_new0(wmem_file_scope(), struct impi_channel);
        channel->messages = wmem_map_new(wmem_file_scope(), key_hash, key_equal);
        channel->parts = wmem_map_new(wmem_file_scope(), key_hash, key_equal);
        channel->cancels = wmem_map_new(wmem_file_scope(), key_hash, key_equal);
        channel->pairs = wmem_map_new(wmem_file_scope(), pair_hash, pair_equal);
        stream->channel = channel;
    }
    return channel;
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

struct impi_channel_key impi_channel_key(const struct wire_impi_packet *packet, bool answered)
{
    return (struct impi_channel_key){
        .src = normal(answered ? &packet->dest : &packet->src),
        .dest = normal(answered ? &packet->src : &packet->dest),
        .srqid = packet->srqid,
    };
}

static struct pair *pair_of(struct impi_channel *channel, const struct impi_channel_key *key)
{
    struct pair *pair = wmem_map_lookup(channel->pairs, key);

    if (!pair) {
        pair = wmem_new0(wmem_file_scope(), struct pair);
        wmem_map_insert(channel->pairs, wmem_memdup(wmem_file_scope(), key, sizeof *key), pair);
    }
    return pair;
}

void impi_channel_flow(struct impi_pdu *pdu, uint32_t ackmark)
{
    bool ack = pdu->packet.type == WIRE_IMPI_PROTOACK;
    struct impi_channel_key key = impi_channel_key(&pdu->packet, ack);
    struct impi_flow *flow = &pdu->note->flow;
    struct pair *pair;

    if (pdu->packet.type == WIRE_IMPI_FINI) {
        return;
    }
    pair = pair_of(impi_channel_of(pdu->stream), &key);
    pair->acks += ack;
    pair->sent += !ack;
    int64_t unacked = (int64_t)pair->sent - (int64_t)pair->acks * ackmark;
    *flow = (struct impi_flow){.counts = !ack,
                               .is_ack = ack,
                               .known = ackmark > 0 && unacked >= 0,
                               .sent = pair->sent,
                               .acks = pair->acks,
                               .unacked = (int32_t)unacked};
}
