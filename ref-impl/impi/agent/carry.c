/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the host agent does with what comes on a connection (chapters 3.1 and 3.8). A packet goes from a channel to a
 * link, or from a link to a channel, by the names in it; flow control, matching and messages are the processes' affair
 * (link.h). A packet that concerns nobody here is dropped and told. What makes the rest of a stream meaningless, and an
 * end where none may be, is an abnormal end of the job. agent.c calls it when a connection has something to read.
 */
#include "ref-impl/impi/agent/carry.h"

#include "ref-impl/clock.h"
#include "ref-impl/impi/agent/state.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { NOTES_MAX = 10 };

/* Packets that have come one behind the other and go on by the same connection: they are written from where they were
 * read, in one go. All zeros: none. */
struct batch {
    struct connection *to;
    const unsigned char *octets;
    size_t len;
};

/* Lets them go. False: no memory. */
static bool batch_end(struct batch *batch)
{
    bool gone = batch->len == 0 || connection_pass(batch->to, batch->octets, batch->len);

    *batch = (struct batch){0};
    return gone;
}

/* Adds a packet; those before it that go elsewhere leave. False: no memory. */
static bool batch_add(struct batch *batch, struct connection *to, const struct connection_packet *packet)
{
    if (batch->to != to || batch->octets + batch->len != packet->octets) {
        if (!batch_end(batch)) {
            return false;
        }
        *batch = (struct batch){.to = to, .octets = packet->octets};
    }
    batch->len += packet->len;
    return true;
}

/* How many octets would wait for this connection with the packet. */
static size_t batch_waiting(const struct batch *batch, const struct connection *to, size_t len)
{
    return queue_len(&to->out) + (batch->to == to ? batch->len : 0) + len;
}

/* Something wrong that concerns one packet only. Always true: it goes on. */
static bool packet_drop(struct agent *a, uint32_t host, const char *what)
{
    a->notes++;
    if (a->notes <= NOTES_MAX) {
        agent_complain(a->setup, "host %" PRIu32 " sent a packet %s; it is dropped%s", host, what,
                       a->notes == NOTES_MAX ? ", and no more of the kind will be told" : "");
    }
    return true;
}

/* What a host may still send after its FINI: answers. */
static bool type_is_answer(uint32_t type)
{
    return type == WIRE_IMPI_PROTOACK || type == WIRE_IMPI_SYNCACK || type == WIRE_IMPI_CANCELYES ||
           type == WIRE_IMPI_CANCELNO;
}

/* Hands a packet of `host` to the process for which it is. False: the job is broken. */
static bool packet_deliver(struct agent *a, uint32_t host, struct connection_packet *packet, struct batch *batch)
{
    int64_t from = member_index_find(a->members, &packet->header.src);
    int64_t to = member_index_find(a->members, &packet->header.dest);

    //= IMPI-256
    if (from < 0 || a->world->members[from].host != host) {
        return packet_drop(a, host, "from a process that it does not have");
    }
    if (to < 0 || a->world->members[to].host != a->setup->host) {
        return packet_drop(a, host, "to a process that is not here");
    }
    struct process *process = &a->processes[(uint32_t)to - a->self->first];
    if (process->connection.fd < 0) {
        return true; /* finalized and gone: it wants no messages any more */
    }
    size_t waiting = batch_waiting(batch, &process->connection, packet->len);
    if (waiting > a->most) {
        //= IMPI-260
        return agent_break(a, AGENT_BROKEN,
                           "host %" PRIu32 " floods rank %" PRId64 ": %zu octets wait for it, more "
                           "than flow control allows",
                           host, to, waiting);
    }
    packet->header.src = a->world->members[from].process;
    packet->header.dest = a->world->members[to].process;
    if (wire_impi_packet_encode(&packet->header, packet->octets, WIRE_IMPI_PACKET_OCTETS) != WIRE_OK ||
        !batch_add(batch, &process->connection, packet)) {
        return agent_break(a, AGENT_BROKEN, "no memory for the packets of rank %" PRId64, to);
    }
    return true;
}

/* A packet from another host. False: the job is broken. */
static bool channel_packet(struct agent *a, uint32_t host, struct connection_packet *packet, struct batch *batch)
{
    struct channel *channel = &a->channels[host];

    if (packet->header.type == WIRE_IMPI_FINI) {
        if (channel->fini_heard) {
            return packet_drop(a, host, "that says FINI a second time");
        }
        channel->fini_heard = true; //= IMPI-124
        return true;
    }
    if (channel->fini_heard && !type_is_answer(packet->header.type)) {
        return agent_break(a, AGENT_BROKEN, "host %" PRIu32 " sends %s after its FINI", host,
                           wire_impi_packet_message(packet->header.type)->name);
    }
    return packet_deliver(a, host, packet, batch);
}

/* FINI from one of our processes: it is finalized, or has answered all of a process whose host has said FINI. */
static bool link_fini(struct agent *a, uint32_t rank, const struct wire_impi_process *about)
{
    int64_t whom = member_index_find(a->members, about);

    if (!link_fini_names(about)) {
        a->processes[rank - a->self->first].finalized = true;
        return true;
    }
    return (whom >= 0 && drain_answered(&a->drain, a->world->members[whom].host, rank - a->self->first)) ||
           agent_break(a, AGENT_BROKEN, "rank %" PRIu32 " parts from somebody about whom it was not asked", rank);
}

/* A packet from one of our processes. False: the job is broken. */
static bool link_packet(struct agent *a, uint32_t rank, struct connection_packet *packet, struct batch *batch)
{
    int64_t to = -1;

    if (packet->header.type == WIRE_IMPI_FINI) {
        return link_fini(a, rank, &packet->header.dest);
    }
    to = member_index_find(a->members, &packet->header.dest);
    if (member_index_find(a->members, &packet->header.src) != rank || to < 0 ||
        a->world->members[to].client == a->self->client) {
        return agent_break(a, AGENT_BROKEN, "rank %" PRIu32 " sends a packet to nobody, or in the name of another",
                           rank);
    }
    struct channel *channel = &a->channels[a->world->members[to].host];
    if (channel->connection.fd < 0 || a->phase != PHASE_SERVING) {
        if (type_is_answer(packet->header.type) && channel->connection.fd < 0) {
            return true; /* whoever waited for it is gone */
        }
        if (!type_is_answer(packet->header.type)) {
            return agent_break(a, AGENT_BROKEN, "rank %" PRIu32 " sends to rank %" PRId64 ", which has been finalized",
                               rank, to);
        }
    }
    size_t waiting = batch_waiting(batch, &channel->connection, packet->len);
    if (waiting > a->most_leaving) {
        //= IMPI-260
        return agent_break(a, AGENT_BROKEN,
                           "host %" PRIu32 " sends and does not read: %zu octets wait for it, more than flow control "
                           "allows",
                           a->world->members[to].host, waiting);
    }
    return batch_add(batch, &channel->connection, packet) || //= IMPI-100
           agent_break(a, AGENT_BROKEN, "no memory for the packets of rank %" PRIu32, rank);
}

/* Handles what has come on a connection, and what it means that it ended. */

static bool channel_packets(struct agent *a, uint32_t host, struct batch *batch)
{
    struct connection *connection = &a->channels[host].connection;
    struct connection_packet packet;

    for (;;) {
        switch (connection_next(connection, a->world->datalen, &packet)) {
        case CONNECTION_PACKET:
            if (!channel_packet(a, host, &packet, batch)) {
                return false;
            }
            break;
        case CONNECTION_MORE:
            return true;
        case CONNECTION_UNKNOWN_TYPE:
            //= IMPI-254
            return agent_break(a, AGENT_BROKEN,
                               "host %" PRIu32 " sent a packet of type %" PRIu32 ", which does not exist", host,
                               packet.header.type);
        case CONNECTION_TOO_LONG:
            return agent_break(a, AGENT_BROKEN,
                               "host %" PRIu32 " sent a packet with %" PRIu32
                               " octets of data, above the limit of %" PRIu32,
                               host, packet.header.len, a->world->datalen);
        }
    }
}

static bool link_packets(struct agent *a, uint32_t rank, struct batch *batch)
{
    struct connection *connection = &a->processes[rank - a->self->first].connection;
    struct connection_packet packet;

    for (;;) {
        switch (connection_next(connection, a->world->datalen, &packet)) {
        case CONNECTION_PACKET:
            if (!link_packet(a, rank, &packet, batch)) {
                return false;
            }
            break;
        case CONNECTION_MORE:
            return true;
        case CONNECTION_UNKNOWN_TYPE:
        case CONNECTION_TOO_LONG:
            return agent_break(a, AGENT_BROKEN, "rank %" PRIu32 " wrote something that is no packet", rank);
        }
    }
}

/* The other side of a channel has ended it. */
static bool channel_ended(struct agent *a, uint32_t host, int error)
{
    struct channel *channel = &a->channels[host];
    size_t left = connection_left(&channel->connection);
    const char *insecure = secure_error(channel->connection.secure);

    if (*insecure) {
        return agent_break(a, AGENT_BROKEN, "the secure channel to host %" PRIu32 " (client %" PRIu32 ") is broken: %s",
                           host, a->setup->agreed->hosts[host].client, insecure);
    }
    if (left > 0) {
        //= IMPI-253
        return agent_break(a, AGENT_BROKEN,
                           "host %" PRIu32 " (client %" PRIu32
                           ") ended its channel in the middle of a packet, of which %zu octets had come",
                           host, a->setup->agreed->hosts[host].client, left);
    }
    if (!channel->fini_heard) {
        //= IMPI-180
        return agent_break(a, AGENT_BROKEN,
                           "host %" PRIu32 " (client %" PRIu32
                           ") ended its channel without FINI: its part of the job has failed (%s)",
                           host, a->setup->agreed->hosts[host].client, error ? strerror(error) : "end of stream");
    }
    if (a->phase == PHASE_SERVING) {
        agent_complain(a->setup, "host %" PRIu32 " closed its channel before the FINI of this host", host);
        a->orphan_ms = a->orphan_ms ? a->orphan_ms : clock_now_ms() + a->setup->connect_seconds * UINT64_C(1000);
    }
    connection_close(&channel->connection);
    return true;
}

static bool link_ended(struct agent *a, uint32_t rank)
{
    struct process *process = &a->processes[rank - a->self->first];

    if (!process->finalized) {
        return agent_break(a, AGENT_PROCESS_LOST, "rank %" PRIu32 " ended without MPI_Finalize", rank);
    }
    connection_close(&process->connection);
    return true;
}

void agent_carry_channel(struct agent *a, uint32_t host)
{
    enum queue_moved moved = connection_read(&a->channels[host].connection);
    int error = moved == QUEUE_BROKEN ? errno : 0;
    struct batch batch = {0};
    bool good = channel_packets(a, host, &batch);

    if (!batch_end(&batch)) {
        (void)agent_break(a, AGENT_BROKEN, "no memory for the packets of host %" PRIu32, host);
    } else if (good && moved != QUEUE_MOVED) {
        (void)channel_ended(a, host, error);
    }
}

void agent_carry_link(struct agent *a, uint32_t rank)
{
    enum queue_moved moved = connection_read(&a->processes[rank - a->self->first].connection);
    struct batch batch = {0};
    bool good = link_packets(a, rank, &batch);

    if (!batch_end(&batch)) {
        (void)agent_break(a, AGENT_BROKEN, "no memory for the packets of rank %" PRIu32, rank);
    } else if (good && moved != QUEUE_MOVED) {
        (void)link_ended(a, rank);
    }
}
