/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Flow control of pairs of processes (a part of the checker of a channel). Judges section 3.6 of the IMPI 0.0 document.
 *
 * The document exempts PROTOACK and FINI from counting; so everything else counts, acknowledgements and cancelling too.
 * Whoever counts packets with data only, goes beyond hiwater as this counts, but not as they do: then the requirement
 * that is named is the inferred one. A PROTOACK is only then missed when packets with data alone were enough for it.
 *
 * A PROTOACK for more packets than were sent is the fault of its sender. What becomes of it the document does not say:
 * that it "decrements the source's counter" holds for it too, as far as a counter of packets goes. So a source may take
 * it that far or ignore it, and may send more before it reads it: what leaves by it does not go beyond hiwater.
 */
#include "wire/impi/check_flow.h"

static bool has_data(uint32_t type)
{
    return wire_impi_packet_has_data(type);
}

void wire_impi_flow_order(struct wire_impi_channel *channel, enum wire_impi_side side, uint32_t type)
{
    //= IMPI-177
    if (channel->fini[side] && type == WIRE_IMPI_FINI) {
        wire_impi_report(&channel->findings, WIRE_IMPI_FINI_AGAIN);
    } else if (channel->fini[side] && (has_data(type) || type == WIRE_IMPI_CANCEL)) {
        wire_impi_report(&channel->findings, WIRE_IMPI_DATA_AFTER_FINI);
    }
    channel->fini[side] = channel->fini[side] || type == WIRE_IMPI_FINI;
}

/* So many packets are on their way by this count. */
static uint64_t on_the_way(const struct wire_impi_pair *pair, uint64_t count, uint32_t ackmark)
{
    uint64_t freed = (pair->acks + pair->early) * ackmark + pair->forgiven;

    return count > freed ? count - freed : 0;
}

/* Packets that nobody saw were there, when more is acknowledged than was seen: none is on its way then. */
static void forgive(const struct wire_impi_channel *channel, struct wire_impi_pair *pair)
{
    uint64_t freed = pair->acks * channel->limits.ackmark;

    pair->sent = pair->sent > freed ? pair->sent : freed;
    pair->forgiven = pair->sent - freed < pair->forgiven ? pair->sent - freed : pair->forgiven;
}

void wire_impi_flow_restart(const struct wire_impi_channel *channel, struct wire_impi_pair *pair)
{
    uint64_t freed = pair->acks * channel->limits.ackmark;

    pair->forgiven = pair->sent > freed ? pair->sent - freed : 0;
    pair->paid = pair->data;
    pair->paid_acks = pair->acks;
    pair->stalled = false;
}

/* How many PROTOACK the pair's packets have earned, of which all are known. */
static uint64_t earned(const struct wire_impi_pair *pair, uint32_t ackmark)
{
    return pair->due > pair->paid ? pair->paid_acks + (pair->due - pair->paid) / ackmark : pair->paid_acks;
}

static uint32_t lesser(uint32_t one, uint32_t other)
{
    return one < other ? one : other;
}

/* The limits of the two hosts, which hold by another reading than that of the smallest of all hosts; false, and nothing
 * written, where they are not known. */
static bool limits_of_hosts(const struct wire_impi_channel *channel, struct wire_impi_limits *limits)
{
    const struct wire_impi_job *job = channel->job;
    const struct wire_impi_job_host *at[2];

    if (!job || !job->whole) {
        return false;
    }
    for (int side = 0; side < 2; side++) {
        if (channel->hosts[side] < 0 || channel->hosts[side] >= (int64_t)job->hosts) {
            return false;
        }
        at[side] = &job->tables.hosts[channel->hosts[side]];
    }
    if (!at[0]->ackmark || !at[1]->ackmark || !at[0]->hiwater || !at[1]->hiwater) {
        return false;
    }
    *limits = (struct wire_impi_limits){.ackmark = lesser(at[0]->ackmark, at[1]->ackmark),
                                        .hiwater = lesser(at[0]->hiwater, at[1]->hiwater)};
    return true;
}

static void note_reading(struct wire_impi_channel *channel, struct wire_impi_pair *pair)
{
    struct wire_impi_finding *finding =
        wire_impi_note(&channel->notes, WIRE_IMPI_NOTE_LIMITS_OF_PAIR, &pair->notes.per_pair);

    if (finding) {
        finding->paired = true;
        finding->pids[0] = pair->src.pid;
        finding->pids[1] = pair->dest.pid;
    }
}

/* Which rule a packet beyond hiwater breaks. */
static enum wire_impi_violation beyond(const struct wire_impi_channel *channel, const struct wire_impi_pair *pair,
                                       uint32_t type)
{
    if (on_the_way(pair, pair->data, channel->limits.ackmark) > channel->limits.hiwater) {
        return WIRE_IMPI_ABOVE_HIWATER;
    }
    if (type == WIRE_IMPI_SYNCACK || (has_data(type) && pair->syncacks)) {
        return WIRE_IMPI_ABOVE_HIWATER_SYNCACK;
    }
    return type == WIRE_IMPI_CANCEL || (has_data(type) && pair->cancels) ? WIRE_IMPI_ABOVE_HIWATER_CANCEL
                                                                         : WIRE_IMPI_ABOVE_HIWATER_REPLY;
}

void wire_impi_flow_count(struct wire_impi_channel *channel, struct wire_impi_pair *pair, uint32_t type, uint64_t mark)
{
    struct wire_impi_limits other;
    uint64_t unacknowledged;

    //= IMPI-135
    if (type == WIRE_IMPI_PROTOACK || type == WIRE_IMPI_FINI) {
        return;
    }
    if (pair->latest != mark && !channel->fini[pair->side]) {
        pair->latest = mark;
        pair->due = pair->data;
    }
    //= IMPI-131
    pair->sent++;
    pair->data += has_data(type);
    pair->syncacks += type == WIRE_IMPI_SYNCACK; //= IMPI-132
    pair->cancels += type == WIRE_IMPI_CANCEL;   //= IMPI-133
    unacknowledged = on_the_way(pair, pair->sent, channel->limits.ackmark);
    if (channel->limits.ackmark == 0 || unacknowledged <= channel->limits.hiwater || channel->limits.hiwater == 0) {
        return;
    }
    //= IMPI-137
    if (limits_of_hosts(channel, &other) && on_the_way(pair, pair->sent, other.ackmark) <= other.hiwater) {
        note_reading(channel, pair);
        return;
    }
    //= IMPI-126
    if (!pair->stalled) {
        pair->stalled = true;
        wire_impi_report_field(&channel->findings, beyond(channel, pair, type), "packets on their way",
                               channel->limits.hiwater, (int64_t)unacknowledged);
    }
}

void wire_impi_flow_acknowledge(struct wire_impi_channel *channel, struct wire_impi_pair *pair)
{
    uint64_t wanted;

    if (!pair || channel->limits.ackmark == 0) {
        return;
    }
    wanted = (pair->acks + 1) * channel->limits.ackmark;
    //= IMPI-129
    if (wanted > pair->sent) {
        wire_impi_report_field(&channel->findings, WIRE_IMPI_PROTOACK_EARLY, "packets received", (int64_t)wanted,
                               (int64_t)pair->sent);
        if (!channel->disturbed[pair->side]) {
            pair->early++;
            pair->stalled = false;
            return;
        }
    }
    pair->acks++;
    forgive(channel, pair);
    pair->stalled = false;
}

void wire_impi_flow_settle(struct wire_impi_channel *channel, enum wire_impi_side side)
{
    uint32_t ackmark = channel->limits.ackmark;
    struct wire_impi_limits hosts = {.ackmark = ackmark};
    struct wire_impi_pair *other_reading = NULL;

    (void)limits_of_hosts(channel, &hosts);
    for (uint32_t i = 0; i < channel->tables.pair_count && ackmark; i++) {
        struct wire_impi_pair *pair = &channel->tables.pairs[i];
        bool owed = pair->used && pair->side != side && earned(pair, ackmark) > pair->acks;

        if (owed && earned(pair, hosts.ackmark) > pair->acks) {
            wire_impi_report_field(&channel->findings, WIRE_IMPI_PROTOACK_MISSING, "PROTOACK packets",
                                   (int64_t)earned(pair, ackmark), (int64_t)pair->acks);
            return;
        }
        other_reading = owed && !pair->notes.per_pair.told ? pair : other_reading;
    }
    if (other_reading) {
        note_reading(channel, other_reading);
    }
}

uint32_t *wire_impi_flow_connection(const struct wire_impi_channel *channel, uint32_t *bit)
{
    const struct wire_impi_job *job = channel->job;
    int64_t connector = channel->hosts[WIRE_IMPI_CONNECTOR], acceptor = channel->hosts[WIRE_IMPI_ACCEPTOR];

    if (!job || !job->whole || connector < 0 || connector >= (int64_t)job->hosts || acceptor < 0 ||
        acceptor >= WIRE_IMPI_HOST_PEERS) {
        return NULL;
    }
    *bit = UINT32_C(1) << acceptor % 32;
    return &job->tables.hosts[connector].peers[acceptor / 32];
}
