/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What is remembered of a channel; see dissector/impi/channel.h. The counters show flow control as section 3.6 of the
 * IMPI 0.0 document has it, at the place of the capture: all packets count but PROTOACK and FINI, and a PROTOACK takes
 * ackmark of them away.
 */
#include "dissector/impi/channel.h"

#include "dissector/impi/experts.h"
#include "dissector/impi/job.h"

#include "wire/impi/check_channel.h"
#include "wire/impi/check_job.h"

#include <epan/wmem_scopes.h>

#include <string.h>

enum {
    CHECK_PAIRS = 1024, /* of one channel; more are let pass */
    CHECK_REQUESTS = 4096,
    LARGE_MAX = 128,   /* channels of a capture that are judged with so much memory, */
    JUDGED_MAX = 4096, /* and with little; further ones are shown, but not judged */
    SMALL_PAIRS = 64,
    SMALL_REQUESTS = 128,
    PAIR_OCTETS = sizeof(struct impi_channel_key) - sizeof(uint64_t),
};

/* Counters of the packets from one process to another. */
struct pair {
    uint64_t sent, acks;
};

/* Apart, so that the header need not know the checker. */
struct impi_channel_check {
    struct wire_impi_channel check;
};

static unsigned judged; /* channels of the capture file that is open */

static void reset(void)
{
    judged = 0;
}

void impi_channel_register(void)
{
    register_init_routine(reset);
}

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
    *flow = (struct impi_flow){.counts = !ack, .is_ack = ack, .sent = pair->sent, .acks = pair->acks};
    flow->unacked = (int64_t)(pair->sent - pair->acks * ackmark);
    flow->known = ackmark > 0 && flow->unacked >= 0;
}

static struct impi_channel_check *check_begin(const struct impi_stream *stream)
{
    static const struct wire_impi_limits nothing;
    const struct wire_impi_job *job = impi_job_of(stream);
    bool large = judged < LARGE_MAX;
    struct wire_impi_channel_tables tables = {.pair_count = large ? CHECK_PAIRS : SMALL_PAIRS,
                                              .request_count = large ? CHECK_REQUESTS : SMALL_REQUESTS};
    struct impi_channel_check *check = wmem_new0(wmem_file_scope(), struct impi_channel_check);

    judged++;
    tables.pairs = wmem_alloc0_array(wmem_file_scope(), struct wire_impi_pair, tables.pair_count);
    tables.requests = wmem_alloc0_array(wmem_file_scope(), struct wire_impi_request, tables.request_count);
    wire_impi_channel_begin(&check->check, &tables, job ? &job->limits : &nothing);
    check->check.job = job;
    return check;
}

static enum wire_impi_side side_of(const struct impi_pdu *pdu)
{
    return pdu->way == pdu->stream->opener ? WIRE_IMPI_CONNECTOR : WIRE_IMPI_ACCEPTOR;
}

/* The host that has accepted is the one that listens where the rank goes. */
static void hosts_learn(struct impi_pdu *pdu, struct wire_impi_channel *check)
{
    int64_t host = impi_job_host(pdu->stream, &pdu->pinfo->dst, pdu->pinfo->destport);

    check->hosts[WIRE_IMPI_ACCEPTOR] = host;
}

/* The checker of this channel while it follows it, else NULL. */
static struct wire_impi_channel *following(const struct impi_pdu *pdu)
{
    const struct impi_channel *channel = impi_channel_of(pdu->stream);

    return channel->check && !channel->missed ? &channel->check->check : NULL;
}

/* Keeps what the checker has found in its latest call. */
static void found(struct impi_pdu *pdu, const struct wire_impi_channel *check)
{
    impi_experts_keep(pdu, &check->findings);
    impi_experts_keep(pdu, &check->notes);
}

/* The first octets of the data, by which the checker guesses. */
static void data_give(const struct impi_pdu *pdu, struct wire_impi_channel *check)
{
    gint here = tvb_captured_length_remaining(pdu->tvb, (gint)pdu->header_octets);
    gint len = MIN(here, (gint)WIRE_IMPI_FIRST_OCTETS);

    if (len > 0) {
        wire_impi_channel_data(check, side_of(pdu), tvb_get_ptr(pdu->tvb, (gint)pdu->header_octets, len), (size_t)len);
    }
}

void impi_channel_judge(struct impi_pdu *pdu)
{
    struct impi_channel *channel = impi_channel_of(pdu->stream);
    struct wire_impi_channel *check;

    if (pdu->form == IMPI_FORM_RANK && !channel->check && !channel->missed && judged < JUDGED_MAX) {
        channel->check = check_begin(pdu->stream);
        hosts_learn(pdu, &channel->check->check);
    }
    check = following(pdu);
    if (!check) {
        return;
    }
    if (pdu->form == IMPI_FORM_RANK) {
        (void)wire_impi_channel_rank(check, (uint32_t)pdu->rank);
    } else {
        data_give(pdu, check);
        (void)wire_impi_channel_packet(check, side_of(pdu), &pdu->packet, pdu->pinfo->num);
    }
    found(pdu, check);
}

void impi_channel_judge_broken(struct impi_pdu *pdu)
{
    struct wire_impi_channel *check = following(pdu);

    if (check) {
        (void)wire_impi_channel_broken(check, side_of(pdu));
        found(pdu, check);
    }
}

void impi_channel_end(struct impi_pdu *pdu, bool inside, bool reset)
{
    struct wire_impi_channel *check = following(pdu);

    if (!check) {
        return;
    }
    (void)wire_impi_channel_end(check, side_of(pdu), inside);
    found(pdu, check);
    if (reset) {
        wire_impi_channel_gone(check);
    }
}

void impi_channel_missed(struct impi_stream *stream)
{
    struct impi_channel *channel = impi_channel_of(stream);

    if (channel->check && !channel->missed) {
        wire_impi_channel_missed(&channel->check->check);
    }
    channel->missed = true;
}
