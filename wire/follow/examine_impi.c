/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The IMPI jobs in a capture (wire/follow/examine.h). A connection is taken for
 *
 *     a link to the server    when who connected begins with AUTH, or wrongly with IMPI
 *     a channel of hosts      when it leads to a port that a job has announced, or when who connected begins with a
 *                             small number and a packet whose processes have addresses
 *
 * Until that is told, the first octets of both sides are held back; they suffice for a rank and a header. Where the
 * beginning was not captured, it is a channel from the first segment on that begins with a packet between processes of
 * a job that has announced the port, or between the two addresses. All links to one address and port belong to one
 * job, until its clients are complete and have ended.
 */
#include "wire/follow/examine_impi.h"

#include "wire/follow/examine_impi_state.h"
#include "wire/follow/guess.h"
#include "wire/impi/check_collective.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    SMALL_RANK = 65536,
    COMMAND_SURE = 6, /* octets of a command by which it is known: its code, and half of its length */
    PAIRS = 2048,
    REQUESTS = 8192,
    CHANNELS_MANY = 64, /* so many have that room for requests, all others */
    REQUESTS_OF_MANY = 1024,
};

const struct wire_impi_job *wire_examine_impi_job(const struct wire_examine_impi *impi, size_t place,
                                                  struct wire_end *server)
{
    if (place >= impi->job_count) {
        return NULL;
    }
    *server = impi->jobs[place]->server;
    return &impi->jobs[place]->job;
}

const struct wire_impi_collectives *wire_examine_impi_collectives(const struct wire_examine_impi *impi, size_t place)
{
    return place < impi->job_count ? &impi->jobs[place]->collectives : NULL;
}

static void *take(const struct wire_examine_impi *impi, size_t octets)
{
    return impi->examine->memory.take(impi->examine->memory.context, octets);
}

static void give(const struct wire_examine_impi *impi, void *memory)
{
    if (memory) {
        impi->examine->memory.give(impi->examine->memory.context, memory);
    }
}

struct wire_examine_impi *wire_examine_impi_open(struct wire_examine *examine)
{
    struct wire_examine_impi *impi = examine->memory.take(examine->memory.context, sizeof *impi);

    impi->examine = examine;
    return impi;
}

void wire_examine_impi_close(struct wire_examine_impi *impi)
{
    for (size_t i = 0; i < impi->job_count; i++) {
        give(impi, impi->jobs[i]);
    }
    give(impi, impi);
}

struct impi_conversation *wire_examine_impi_meet(struct wire_examine_impi *impi,
                                                 const struct wire_reassembly_connection *connection)
{
    struct impi_conversation *conversation = take(impi, sizeof *conversation);

    conversation->impi = impi;
    conversation->connection = connection;
    conversation->kind = connection->joined ? LATE : UNTOLD;
    return conversation;
}

static void remark(const struct impi_conversation *conversation, const char *text)
{
    const struct wire_examine_listener *listener = &conversation->impi->examine->listener;

    if (listener->remark) {
        listener->remark(listener->context, conversation->packet->number, text);
    }
}

static void remark_many(const struct impi_conversation *conversation, int most, const char *what)
{
    char text[96];

    snprintf(text, sizeof text, "more than %d %s: this one is not looked at", most, what);
    remark(conversation, text);
}

void wire_examine_impi_replaced(struct impi_conversation *conversation)
{
    if (conversation->kind == LINK && !conversation->ended) {
        conversation->ended = true;
        conversation->job->over++;
        conversation->job->replaced =
            conversation->job->replaced || wire_impi_link_is_chosen(&conversation->link->link);
    }
}

void wire_examine_impi_part(struct impi_conversation *conversation)
{
    if (conversation) {
        struct wire_examine_impi *impi = conversation->impi;

        wire_examine_impi_replaced(conversation);
        for (size_t i = 0; i < impi->channel_count && conversation->kind == CHANNEL; i++) {
            impi->channels[i] = impi->channels[i] == conversation ? NULL : impi->channels[i];
        }
        if (impi->examine->listener.counted) {
            impi->examine->listener.counted(impi->examine->listener.context, conversation);
        }
        give(impi, conversation->held);
        give(impi, conversation->pairs);
        give(impi, conversation->requests);
        give(impi, conversation->link);
        give(impi, conversation->channel);
        give(impi, conversation);
    }
}

/* ---- links ---- */

static bool begin_link(struct impi_conversation *conversation)
{
    conversation->job = wire_examine_impi_job_of(conversation);
    if (!conversation->job) {
        remark_many(conversation, JOBS_MAX, "IMPI jobs");
        return false;
    }
    conversation->job->links++;
    conversation->job->begun_at =
        conversation->job->begun_at ? conversation->job->begun_at : conversation->packet->number;
    conversation->kind = LINK;
    conversation->impi->examine->impi_links++;
    conversation->link = take(conversation->impi, sizeof *conversation->link);
    wire_follow_impi_link_begin(conversation->link, &conversation->job->job);
    conversation->link->listener = wire_examine_impi_listener(conversation);
    return true;
}

/* ---- channels ---- */

static void lack(struct impi_conversation *conversation, unsigned side, bool lost)
{
    struct wire_impi_channel *channel = &conversation->channel->channel;

    wire_impi_channel_lacks(channel, side ? WIRE_IMPI_ACCEPTOR : WIRE_IMPI_CONNECTOR, lost);
    channel->unsettled[side] = conversation->doubted[side] || conversation->late[side];
    if (conversation->job) {
        conversation->job->job.channel_missed = true;
    }
}

/* In the place of one that has gone, or in a new one. */
static bool keep_channel(struct impi_conversation *conversation)
{
    struct wire_examine_impi *impi = conversation->impi;
    size_t place = 0;

    while (place < impi->channel_count && impi->channels[place]) {
        place++;
    }
    if (place == CHANNELS_MAX) {
        remark_many(conversation, CHANNELS_MAX, "channels of IMPI hosts");
        return false;
    }
    impi->channels[place] = conversation;
    impi->channel_count += place == impi->channel_count;
    return true;
}

/* As many pairs as the host that is known can have with all processes of its job, and fewer requests where there are
 * many channels. */
static struct wire_impi_channel_tables room_for(const struct wire_examine_impi *impi, const struct followed_job *job,
                                                int64_t host)
{
    bool known = job && host >= 0 && host < job->job.hosts;
    uint64_t pairs = known ? (uint64_t)2 * job->hosts[host].nprocs * job->job.processes : PAIRS;

    return (struct wire_impi_channel_tables){.pair_count = pairs < PAIRS ? (uint32_t)pairs + 1 : PAIRS,
                                             .request_count =
                                                 impi->channel_count < CHANNELS_MANY ? REQUESTS : REQUESTS_OF_MANY};
}

static bool begin_channel(struct impi_conversation *conversation, struct followed_job *job, int64_t host)
{
    struct wire_impi_limits limits = job ? job->job.limits : (struct wire_impi_limits){0};
    struct wire_impi_channel_tables tables = room_for(conversation->impi, job, host);

    if (!keep_channel(conversation)) {
        return false;
    }
    conversation->kind = CHANNEL;
    conversation->begun_at = conversation->packet->number;
    conversation->job = job;
    conversation->impi->examine->impi_channels++;
    conversation->pairs = take(conversation->impi, tables.pair_count * sizeof *conversation->pairs);
    conversation->requests = take(conversation->impi, tables.request_count * sizeof *conversation->requests);
    conversation->channel = take(conversation->impi, sizeof *conversation->channel);
    tables.pairs = conversation->pairs;
    tables.requests = conversation->requests;
    wire_follow_impi_channel_begin(conversation->channel, &tables, &limits);
    conversation->channel->channel.job = job ? &job->job : NULL;
    conversation->channel->channel.collectives = job ? &job->collectives : NULL;
    conversation->channel->channel.hosts[WIRE_IMPI_ACCEPTOR] = host;
    conversation->channel->listener = wire_examine_impi_listener(conversation);
    for (unsigned side = 0; side < 2; side++) {
        wire_guess_host_of(&conversation->connection->ends[side], conversation->channel->hosts[side]);
        conversation->channel->channel.ended[side] = conversation->gone[side];
        if (conversation->doubted[side] || conversation->late[side]) {
            lack(conversation, side, false);
        }
    }
    if (!job) {
        remark(conversation, "a channel of IMPI hosts whose start-up was not captured: limits are not judged");
    }
    return true;
}

/* A job's start-up is known to its end only now: a channel that was opened meanwhile may be one of its own. The limits
 * of its packets before were not judged. */
static void adopt(struct impi_conversation *conversation)
{
    struct wire_impi_channel *channel = &conversation->channel->channel;
    int64_t host = -1, connector = channel->hosts[WIRE_IMPI_CONNECTOR];
    struct followed_job *job = conversation->job ? NULL : wire_examine_impi_job_at(conversation, 1, &host);

    if (!job || conversation->begun_at < job->begun_at) {
        return;
    }
    conversation->job = job;
    channel->limits = job->job.limits;
    channel->job = &job->job;
    channel->collectives = &job->collectives;
    channel->hosts[WIRE_IMPI_ACCEPTOR] = host;
    channel->hosts[WIRE_IMPI_CONNECTOR] = connector < (int64_t)job->job.hosts ? connector : -1;
    for (unsigned side = 0; side < 2; side++) {
        lack(conversation, side, false);
    }
}

static void adopt_all(struct wire_examine_impi *impi)
{
    for (size_t i = 0; i < impi->channel_count; i++) {
        if (impi->channels[i]) {
            adopt(impi->channels[i]);
        }
    }
}

/* Whether a packet begins here, in a connection whose beginning was not captured. */
static bool begins_late(const struct impi_conversation *conversation, unsigned side, const struct followed_job *job,
                        const unsigned char *octets)
{
    struct wire_impi_packet packet;

    if (!job) {
        return wire_guess_is_between(octets, &conversation->connection->ends[side],
                                     &conversation->connection->ends[!side]);
    }
    return wire_guess_is_packet(octets) &&
           wire_impi_packet_decode(octets, WIRE_IMPI_PACKET_OCTETS, &packet) == WIRE_OK &&
           wire_impi_job_process_of(&job->job, &packet.src) >= 0 &&
           wire_impi_job_process_of(&job->job, &packet.dest) >= 0;
}

static bool begin_late(struct impi_conversation *conversation, unsigned side, const unsigned char *octets, size_t len)
{
    int64_t hosts[2] = {-1, -1};
    struct followed_job *job = NULL;

    for (unsigned end = 2; end-- > 0 && !job && len >= WIRE_IMPI_PACKET_OCTETS && octets[0] == 0;) {
        job = wire_examine_impi_job_at(conversation, end, &hosts[end]);
    }
    if (len < WIRE_IMPI_PACKET_OCTETS || !begins_late(conversation, side, job, octets) ||
        !begin_channel(conversation, job, -1)) {
        return false;
    }
    conversation->channel->channel.hosts[WIRE_IMPI_CONNECTOR] = hosts[0];
    conversation->channel->channel.hosts[WIRE_IMPI_ACCEPTOR] = hosts[1];
    wire_follow_impi_channel_late(conversation->channel);
    if (job) {
        job->job.channel_missed = true;
    }
    return true;
}

/* ---- what is it? ---- */

static uint32_t head_of(const struct impi_conversation *conversation)
{
    const unsigned char *at = conversation->held->octets[0];

    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Whether the length behind the code can be one. Other protocols have an AUTH too, with text behind it. */
static bool begins_command(const struct impi_conversation *conversation)
{
    return conversation->held->octets[0][4] == 0 && conversation->held->octets[0][5] == 0;
}

/* Whether the rank is that of a host of the job that is not connected with the one that was announced here. */
static bool may_connect(const struct followed_job *job, uint32_t rank, int64_t host)
{
    const struct wire_impi_job_host *connector = rank < job->job.hosts ? &job->job.tables.hosts[rank] : NULL;
    bool known = host >= 0 && host < WIRE_IMPI_HOST_PEERS;

    return connector && !(known && connector->peers[host / 32] >> host % 32 & 1);
}

/* Whether a host would connect so: with a rank, or with one that may not be and a packet behind it, or in answer. */
static bool begins_channel(const struct impi_conversation *conversation, const struct followed_job *job, int64_t host)
{
    const struct wire_held *held = conversation->held;
    uint32_t rank = head_of(conversation);
    bool said = held->len[0] == WIRE_HELD_MAX && wire_guess_is_packet(held->octets[0] + WIRE_IMPI_RANK_OCTETS);
    bool answered = held->len[1] >= WIRE_IMPI_PACKET_OCTETS && wire_guess_is_packet(held->octets[1]);

    return (job && may_connect(job, rank, host)) || ((job || rank < SMALL_RANK) && (said || answered));
}

/* Whether the hosts that the connection would be between have a channel, that leads elsewhere: a proxy has one with
 * either of them, and a capture may hold both. */
static bool is_relayed(const struct impi_conversation *conversation, const struct followed_job *job, int64_t host)
{
    const struct wire_examine_impi *impi = conversation->impi;
    const struct wire_end *here = &conversation->connection->ends[1];

    for (size_t i = 0; i < impi->channel_count; i++) {
        const struct impi_conversation *other = impi->channels[i];
        const int64_t *hosts = other && other->job == job ? other->channel->channel.hosts : NULL;

        if (hosts && hosts[WIRE_IMPI_ACCEPTOR] == host && hosts[WIRE_IMPI_CONNECTOR] == head_of(conversation) &&
            !other->missed && !wire_end_same(&other->connection->ends[1], here)) {
            return true;
        }
    }
    return false;
}

static bool is_told(struct impi_conversation *conversation)
{
    int64_t host = -1;
    struct followed_job *job;
    bool begun = false;

    if (conversation->held->len[0] < WIRE_IMPI_RANK_OCTETS) {
        return false;
    }
    job = wire_examine_impi_job_at(conversation, 1, &host);
    if (job && is_relayed(conversation, job, host)) {
        remark(conversation, "another connection has the same two IMPI hosts, as where a proxy lies between them: this "
                             "one is not judged");
    } else if (begins_channel(conversation, job, host)) {
        begun = begin_channel(conversation, job, host);
    } else if (head_of(conversation) == WIRE_IMPI_CMD_AUTH || head_of(conversation) == WIRE_IMPI_CMD_IMPI) {
        if (conversation->held->len[0] < COMMAND_SURE) {
            return false;
        }
        begun = begins_command(conversation) && begin_link(conversation);
    } else if ((job || head_of(conversation) < SMALL_RANK) && conversation->held->len[0] < WIRE_HELD_MAX) {
        return false;
    }
    conversation->kind = begun ? conversation->kind : FOREIGN;
    return begun;
}

/* Nothing more of the link is judged; nor what others say of it. */
static void miss(struct impi_conversation *conversation)
{
    conversation->missed = true;
    wire_impi_link_missed(&conversation->link->link);
}

/* What had come late came with an earlier packet than this one: from here on all is in its order again. */
static void settle(struct impi_conversation *conversation, uint64_t packet)
{
    for (unsigned side = 0; side < 2; side++) {
        if (conversation->late[side] && conversation->with[side] && conversation->with[side] != packet) {
            conversation->late[side] = false;
            if (conversation->kind == CHANNEL) {
                lack(conversation, side, false);
            }
        }
        conversation->with[side] = conversation->late[side] ? packet : 0;
    }
}

/* In which packet the job hears what comes next. */
static void tell_now(const struct impi_conversation *conversation)
{
    if (conversation->job) {
        conversation->job->job.now = conversation->packet->number;
    }
}

static void feed(struct impi_conversation *conversation, unsigned side, const unsigned char *octets, size_t len)
{
    uint64_t *messages =
        conversation->kind == LINK ? &conversation->link->listener.messages : &conversation->channel->listener.messages;
    uint64_t before = *messages;

    if (conversation->kind == LINK && conversation->missed) {
        return;
    }
    tell_now(conversation);
    if (conversation->kind == LINK) {
        bool was_whole = conversation->job->job.whole;

        wire_follow_impi_link_octets(conversation->link, side, octets, len, conversation->packet->number);
        if (conversation->job->job.whole && !was_whole) {
            wire_examine_impi_job_known(conversation->impi, conversation->job);
            adopt_all(conversation->impi);
        }
    } else {
        wire_follow_impi_channel_octets(conversation->channel, side, octets, len, conversation->packet->number);
    }
    conversation->impi->examine->impi_messages += *messages - before;
}

/* What had been held back is judged now, as it came with the packets that held it. */
static void give_held(struct impi_conversation *conversation)
{
    const struct wire_packet *now = conversation->packet;
    struct wire_packet earlier = *now;
    struct wire_held_piece piece;

    while (wire_examine_impi_is(conversation) && wire_held_next(conversation->held, conversation->heard, &piece)) {
        earlier.number = piece.packet;
        conversation->packet = &earlier;
        feed(conversation, piece.side, piece.octets, piece.len);
    }
    conversation->packet = now;
}

/* Holds octets of a side back until they tell what the connection is. The number that went elsewhere. */
static size_t hold(struct impi_conversation *conversation, unsigned side, const unsigned char *octets, size_t len)
{
    size_t used;

    conversation->held = conversation->held ? conversation->held : take(conversation->impi, sizeof *conversation->held);
    used = wire_held_take(conversation->held, side, octets, len, conversation->packet->number);
    if (is_told(conversation)) {
        give_held(conversation);
    } else if (used < len && conversation->kind == UNTOLD) { /* who connected has not said enough */
        conversation->kind = LATE;
    }
    if (conversation->kind != UNTOLD) {
        give(conversation->impi, conversation->held);
        conversation->held = NULL;
    }
    return used;
}

/* Octets of a link before the server has chosen, when each direction is cut by what the other one said: those of a side
 * wait for what the other side said before. False: they wait. */
static bool link_is_due(struct impi_conversation *conversation, unsigned side, const unsigned char *octets, size_t len)
{
    if (conversation->missed || !conversation->doubted[!side] ||
        (!conversation->held && wire_impi_link_is_chosen(&conversation->link->link))) {
        return true;
    }
    conversation->held = conversation->held ? conversation->held : take(conversation->impi, sizeof *conversation->held);
    if (wire_held_take(conversation->held, side, octets, len, conversation->packet->number) < len) {
        miss(conversation);
    }
    return false;
}

/* What waited for this side has waited long enough. */
static void link_go_on(struct impi_conversation *conversation, unsigned side)
{
    if (conversation->held && conversation->kind == LINK && !conversation->doubted[side]) {
        give_held(conversation);
        give(conversation->impi, conversation->held);
        conversation->held = NULL;
    }
}

/* The first octets of a side: nobody has seen how it began, unless its SYN says so. A server says nothing before its
 * client does. */
static void look(struct impi_conversation *conversation, unsigned side, const struct wire_packet *packet)
{
    const struct wire_reassembly_way *way = &conversation->connection->ways[side];

    if (!conversation->looked[side] && !way->whole && !way->silent && conversation->kind != LATE) {
        (void)wire_examine_impi_gap(conversation, side, UINT32_MAX, packet);
    }
    conversation->looked[side] = true;
}

bool wire_examine_impi_octets(struct impi_conversation *conversation, unsigned side, const unsigned char *octets,
                              size_t len, const struct wire_packet *packet)
{
    conversation->packet = packet;
    settle(conversation, packet->number);
    look(conversation, side, packet);
    if (conversation->kind == LINK && conversation->reset[side] && !conversation->missed) {
        miss(conversation); /* its reset did not count: what it goes on to say is judged by nobody */
    }
    if (conversation->kind == UNTOLD) {
        size_t used = hold(conversation, side, octets, len);

        octets += used;
        len -= used;
    }
    if (conversation->kind == LATE) {
        (void)begin_late(conversation, side, octets, len);
    }
    if (wire_examine_impi_is(conversation) &&
        (conversation->kind != LINK || link_is_due(conversation, side, octets, len))) {
        feed(conversation, side, octets, len);
        link_go_on(conversation, side);
    }
    return wire_examine_impi_is(conversation);
}

bool wire_examine_impi_doubted(struct impi_conversation *conversation, unsigned side, bool raised)
{
    const struct wire_follow_impi_link *link = conversation->link;

    conversation->heard = conversation->heard || (raised && side == 0);
    conversation->doubted[side] = raised;
    conversation->late[side] = !raised;
    conversation->with[side] = 0;
    if (conversation->kind == CHANNEL && raised) {
        lack(conversation, side, false);
    }
    /* before the server has chosen, neither direction can be cut without the other one */
    if (conversation->kind == LINK && raised && conversation->doubted[!side] && !conversation->missed &&
        !wire_impi_link_is_chosen(&link->link)) {
        miss(conversation);
        return true;
    }
    return false;
}

bool wire_examine_impi_gap(struct impi_conversation *conversation, unsigned side, uint32_t octets,
                           const struct wire_packet *packet)
{
    bool news = !conversation->missed;

    conversation->packet = packet;
    if (!wire_examine_impi_is(conversation)) {
        conversation->kind = LATE; /* nobody knows how it began */
        return false;
    }
    if (conversation->kind == LINK) {
        miss(conversation);
        return news;
    }
    if (!wire_follow_impi_channel_gap(conversation->channel, side, octets, packet->number)) {
        return false;
    }
    conversation->missed = true;
    lack(conversation, side, true);
    return news;
}

bool wire_examine_impi_ended(struct impi_conversation *conversation, unsigned side, bool reset,
                             const struct wire_packet *packet)
{
    conversation->packet = packet;
    conversation->gone[side] = true;
    conversation->reset[side] = conversation->reset[side] || reset;
    settle(conversation, packet->number);
    tell_now(conversation);
    if (conversation->kind == LINK) {
        if (conversation->held && !conversation->missed) {
            miss(conversation);
        }
        wire_follow_impi_link_end(conversation->link, side, reset);
        conversation->job->over += !conversation->ended;
        conversation->job->ended_ns =
            packet->when_ns > conversation->job->ended_ns ? packet->when_ns : conversation->job->ended_ns;
        conversation->ended = true;
    } else if (conversation->kind == CHANNEL) {
        wire_follow_impi_channel_end(conversation->channel, side, reset);
    }
    return wire_examine_impi_is(conversation);
}
