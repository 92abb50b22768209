/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Virtual channels of the wide-area device: which packets may leave (IMPI 3.6). Every packet but PROTOACK and FINI
 * counts, at both ends. Replies go before messages, so that a long message does not hold up the acknowledgement for
 * which the other side waits; among themselves both keep their order.
 *
 *      source                                             destination
 *      sent++          DATA, DATASYNC, SYNCACK, CANCEL*   received++
 *      sent = hiwater: no more                            received = ackmark: PROTOACK, received = 0
 *      sent -= ackmark  <-------------------------------
 */
#include "ref-impl/mpi/wide/channel.h"

#include <stdio.h>
#include <stdlib.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/wide/link.h"

/* Replies and cancel requests that may wait in one channel. As many as a peer that acknowledges lets there be only if
 * a program has so many requests open with one process. */
enum { REPLIES_MAX = 1 << 20 };

static struct wide_channel *channels; /* by world rank */
static wide_channel_next *next_packet;

struct wide_channel *wide_channel_to(int rank)
{
    return &channels[rank];
}

/* Lets one packet leave that counts. */
static void leave(struct wide_channel *channel, struct wide_packet *packet, const struct wire_impi_packet *head)
{
    channel->sent++; //= IMPI-131 IMPI-132 IMPI-133 IMPI-134
    wide_link_push(packet, head, false);
}

/* The oldest reply has its turn. */
static void leave_reply(struct wide_channel *channel, struct wide_packet *packet)
{
    struct wire_impi_packet head;

    TAILQ_REMOVE(&channel->replies, packet, link);
    channel->waiting--;
    if (wire_impi_packet_decode(packet->head, sizeof(packet->head), &head) == WIRE_OK) {
        leave(channel, packet, &head);
    }
}

/* The oldest message has its turn. */
static void leave_message(struct wide_channel *channel, struct request *request)
{
    struct wide_packet *packet = wide_link_new();
    bool more = false;
    struct wire_impi_packet head = next_packet(request, packet, &more);

    if (!more) {
        TAILQ_REMOVE(&channel->messages, request, wide.queue);
    }
    leave(channel, packet, &head);
}

void wide_pump(int rank)
{
    struct wide_channel *channel = wide_channel_to(rank);

    while (channel->sent < world_now()->hiwater) { //= IMPI-126 IMPI-128
        struct wide_packet *reply = TAILQ_FIRST(&channel->replies);
        struct request *message = TAILQ_FIRST(&channel->messages);

        if (reply) {
            leave_reply(channel, reply);
        } else if (message) {
            leave_message(channel, message);
        } else {
            return;
        }
    }
}

void wide_reply(int rank, const struct wire_impi_packet *head)
{
    struct wide_channel *channel = wide_channel_to(rank);
    struct wide_packet *packet = wide_link_new();

    if (channel->waiting >= REPLIES_MAX) { //= IMPI-260
        char why[128];

        snprintf(why, sizeof(why), "rank %d acknowledges no packets: %d replies wait for it, which is too many", rank,
                 REPLIES_MAX);
        world_abort(1, why);
    }
    if (wire_impi_packet_encode(head, packet->head, sizeof(packet->head)) != WIRE_OK) {
        world_abort(1, "a packet does not fit its own head");
    }
    TAILQ_INSERT_TAIL(&channel->replies, packet, link);
    channel->waiting++;
    wide_pump(rank);
}

void wide_count(int rank)
{
    struct wide_channel *channel = wide_channel_to(rank);
    struct wire_impi_packet head = wide_packet_to(rank, WIRE_IMPI_PROTOACK);

    channel->received++; //= IMPI-129 IMPI-130
    if (channel->received >= world_now()->ackmark) {
        channel->received = 0;
        wide_link_push(wide_link_new(), &head, true); //= IMPI-135 IMPI-136
    }
}

/* Tells the agent that nothing is owed to that process, once it has asked and this is so. */
static void parted(int rank)
{
    struct wide_channel *channel = wide_channel_to(rank);
    struct wire_impi_packet fini = wide_packet_to(rank, WIRE_IMPI_FINI);

    if (channel->parting && TAILQ_EMPTY(&channel->replies)) {
        channel->parting = false;
        wide_link_push(wide_link_new(), &fini, false);
    }
}

void wide_part(int rank)
{
    wide_channel_to(rank)->parting = true;
    parted(rank);
}

void wide_acknowledged(const struct wire_impi_packet *packet, int rank)
{
    struct wide_channel *channel = wide_channel_to(rank);
    uint32_t ackmark = world_now()->ackmark;

    if (channel->sent < ackmark) {
        wide_complain(packet, "it acknowledges more packets than were sent"); //= IMPI-258
        return;
    }
    channel->sent -= ackmark; //= IMPI-127
    wide_pump(rank);
    parted(rank);
}

bool wide_channel_open(wide_channel_next *next)
{
    int size = world_now()->size;

    next_packet = next;
    channels = calloc((size_t)size, sizeof(*channels));
    for (int rank = 0; channels && rank < size; rank++) {
        TAILQ_INIT(&channels[rank].replies);
        TAILQ_INIT(&channels[rank].messages);
    }
    return channels;
}

static void drop_replies(struct wide_channel *channel)
{
    struct wide_packet *packet;

    while ((packet = TAILQ_FIRST(&channel->replies))) {
        TAILQ_REMOVE(&channel->replies, packet, link);
        channel->waiting--;
        free(packet);
    }
}

void wide_channel_close(void)
{
    for (int rank = 0; rank < world_now()->size; rank++) {
        drop_replies(&channels[rank]);
    }
    free(channels);
    channels = NULL;
}
