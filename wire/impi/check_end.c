/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The end of a channel between IMPI hosts (a part of the checker of a channel): what a host still owes when it closes.
 * Judges section 3.8 of the IMPI 0.0 document.
 */
#include "wire/impi/check_channel.h"
#include "wire/impi/check_flow.h"
#include "wire/impi/check_lacks.h"
#include "wire/impi/check_requests.h"

/* What the side owed the other one: acknowledgements and cancel replies. */
static void judge_debts(struct wire_impi_channel *channel, enum wire_impi_side side)
{
    wire_impi_flow_settle(channel, side);
    for (uint32_t i = 0; i < channel->tables.request_count; i++) {
        const struct wire_impi_request *request = &channel->tables.requests[i];

        if (request->state != WIRE_IMPI_FREE && request->cancels > request->late &&
            channel->tables.pairs[request->pair].side != side) {
            wire_impi_report(&channel->findings, WIRE_IMPI_CANCEL_UNANSWERED)->related = request->mark;
            break;
        }
    }
}

/* What the side has not sent to its end. */
static void judge_leftovers(struct wire_impi_channel *channel, enum wire_impi_side side)
{
    for (uint32_t i = 0; i < channel->tables.request_count; i++) {
        const struct wire_impi_request *request = &channel->tables.requests[i];

        if (request->state == WIRE_IMPI_SENDING && channel->tables.pairs[request->pair].side == side) {
            wire_impi_report(&channel->findings, WIRE_IMPI_LONG_UNFINISHED)->related = request->mark;
            return;
        }
    }
}

/* The side has closed as far as its host is concerned. */
static void discount(struct wire_impi_channel *channel, enum wire_impi_side side)
{
    uint32_t bit = 0, *connection = wire_impi_flow_connection(channel, &bit);

    if (channel->counted[side]) {
        struct wire_impi_job_host *host = &channel->job->tables.hosts[channel->hosts[side]];

        host->channels--;
        host->closed_at = host->channels ? host->closed_at : channel->job->now;
    }
    if (channel->counted[side] && connection) {
        *connection &= ~bit;
    }
    channel->counted[side] = false;
}

void wire_impi_channel_gone(struct wire_impi_channel *channel)
{
    discount(channel, WIRE_IMPI_CONNECTOR);
    discount(channel, WIRE_IMPI_ACCEPTOR);
}

unsigned wire_impi_channel_end(struct wire_impi_channel *channel, enum wire_impi_side side, bool inside)
{
    enum wire_impi_side other = side == WIRE_IMPI_CONNECTOR ? WIRE_IMPI_ACCEPTOR : WIRE_IMPI_CONNECTOR;

    channel->findings.count = channel->notes.count = 0;
    discount(channel, side);
    if (channel->over[side] || channel->ended[side]) {
        return 0;
    }
    channel->ended[side] = true;
    /* who closes because the other one has gone or talks nonsense, violates nothing */
    if ((channel->ended[other] || channel->over[other]) && !(channel->fini[side] && channel->fini[other])) {
        return 0;
    }
    /* nor is who was connected to and refuses: there may be another channel to the same host */
    if (side == WIRE_IMPI_ACCEPTOR && channel->packets == 0 && !inside) {
        return 0;
    }
    //= IMPI-090
    if (inside) {
        wire_impi_report(&channel->findings, WIRE_IMPI_CLOSED_INSIDE);
    } else if (!channel->fini[side]) {
        wire_impi_report(&channel->findings, WIRE_IMPI_CLOSED_WITHOUT_FINI);
    } else if (!channel->fini[other]) {
        wire_impi_report(&channel->findings, WIRE_IMPI_CLOSED_BEFORE_FINI);
    } else {
        judge_debts(channel, side);
        judge_leftovers(channel, side);
    }
    wire_impi_lacks_hold_back(channel, side);
    return channel->findings.count;
}
