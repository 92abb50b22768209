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
 * Until that is told, the first octets of both sides are held back; they suffice for a rank and a header. All links to
 * one address and port belong to one job, until its clients are complete and have ended.
 */
#include "wire/follow/examine_impi.h"

#include "wire/follow/follow_impi.h"
#include "wire/impi/check_collective.h"
#include "wire/impi/check_requests.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    HELD_MAX = WIRE_IMPI_RANK_OCTETS + WIRE_IMPI_PACKET_OCTETS,
    SMALL_RANK = 65536,
    COMMAND_SURE = 6, /* octets of a command by which it is known: its code, and half of its length */
    JOBS_MAX = 512,
    CHANNELS_MAX = 256,
    HOSTS = 256,
    PROCESSES = 4096,
    PAIRS = 2048,
    REQUESTS = 8192,
};

enum kind { UNTOLD, LINK, CHANNEL, FOREIGN };

struct followed_job {
    struct wire_impi_job job;
    struct wire_end server;
    unsigned links, over; /* connections, and of these ended */
    struct wire_impi_job_host hosts[HOSTS];
    struct wire_impi_job_process processes[PROCESSES];
    struct wire_impi_collectives collectives;
};

struct wire_examine_impi {
    struct wire_examine *examine;
    struct followed_job *jobs[JOBS_MAX];
    struct impi_conversation *channels[CHANNELS_MAX]; /* NULL: one that has gone */
    size_t job_count, channel_count;
};

struct impi_conversation {
    struct wire_examine_impi *impi;
    const struct wire_reassembly_connection *connection;
    const struct wire_packet *packet; /* at hand */
    enum kind kind;
    bool missed; /* octets of it are missing: it is not judged any more */
    bool heard;  /* what who connected says was acknowledged before it was captured */
    bool ended;
    unsigned char held[2][HELD_MAX];
    size_t held_len[2];
    uint64_t held_packet[2];
    struct followed_job *job;
    struct wire_follow_impi_link *link;       /* made when it is one: most connections of a capture are neither */
    struct wire_follow_impi_channel *channel; /* likewise */
    struct wire_impi_pair *pairs;
    struct wire_impi_request *requests;
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
    return conversation;
}

static struct wire_examine_violation record_of(const struct impi_conversation *conversation, unsigned side,
                                               const char *message, const struct wire_impi_finding *finding)
{
    return (struct wire_examine_violation){
        .packet = conversation->packet->number,
        .when_ns = conversation->packet->when_ns,
        .from = conversation->connection->ends[side],
        .to = conversation->connection->ends[!side],
        .message = message,
        .is_impi = true,
        .impi = *finding,
        .job = conversation->job ? &conversation->job->job : NULL,
    };
}

static void on_report(void *context, unsigned side, const char *message, const struct wire_impi_findings *findings)
{
    const struct impi_conversation *conversation = context;
    const struct wire_examine_listener *listener = &conversation->impi->examine->listener;

    for (unsigned i = 0; i < findings->count && listener->violation; i++) {
        struct wire_examine_violation violation = record_of(conversation, side, message, &findings->at[i]);

        listener->violation(listener->context, &violation);
    }
}

static void on_note(void *context, unsigned side, const char *message, const struct wire_impi_findings *notes)
{
    const struct impi_conversation *conversation = context;
    const struct wire_examine_listener *listener = &conversation->impi->examine->listener;

    for (unsigned i = 0; i < notes->count && listener->note; i++) {
        struct wire_examine_violation note = record_of(conversation, side, message, &notes->at[i]);

        note.owner = conversation;
        note.times = 1;
        listener->note(listener->context, &note);
    }
}

static void on_message(void *context, unsigned side, const unsigned char *octets, size_t len)
{
    const struct impi_conversation *conversation = context;
    const struct wire_examine_listener *listener = &conversation->impi->examine->listener;

    (void)side;
    if (listener->message) {
        listener->message(listener->context, octets, len);
    }
}

static void on_collective(void *context, unsigned side, const struct wire_impi_step *step)
{
    const struct impi_conversation *conversation = context;
    const struct wire_examine_listener *listener = &conversation->impi->examine->listener;

    (void)side;
    if (listener->collective) {
        listener->collective(listener->context, conversation->packet, &conversation->job->job, step);
    }
}

static struct wire_follow_impi_listener listener_of(struct impi_conversation *conversation)
{
    return (struct wire_follow_impi_listener){.report = on_report,
                                              .note = on_note,
                                              .message = on_message,
                                              .collective = on_collective,
                                              .context = conversation};
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

void wire_examine_impi_part(struct impi_conversation *conversation)
{
    if (conversation) {
        struct wire_examine_impi *impi = conversation->impi;

        for (size_t i = 0; i < impi->channel_count && conversation->kind == CHANNEL; i++) {
            impi->channels[i] = impi->channels[i] == conversation ? NULL : impi->channels[i];
        }
        if (impi->examine->listener.counted) {
            impi->examine->listener.counted(impi->examine->listener.context, conversation);
        }
        give(impi, conversation->pairs);
        give(impi, conversation->requests);
        give(impi, conversation->link);
        give(impi, conversation->channel);
        give(impi, conversation);
    }
}

/* ---- links ---- */

/* The job of this server; a new one when those before are over. */
static struct followed_job *job_of(struct wire_examine_impi *impi, const struct wire_end *server)
{
    struct followed_job *job;

    for (size_t i = 0; i < impi->job_count; i++) {
        job = impi->jobs[i];
        if (wire_end_same(&job->server, server) && (job->over < job->links || !wire_impi_job_seen_all(&job->job))) {
            return job;
        }
    }
    if (impi->job_count == JOBS_MAX) {
        return NULL;
    }
    job = take(impi, sizeof *job);
    job->server = *server;
    wire_impi_job_begin(&job->job, &(struct wire_impi_job_tables){job->hosts, HOSTS, job->processes, PROCESSES});
    wire_impi_collectives_begin(&job->collectives, &job->job);
    impi->jobs[impi->job_count++] = job;
    return job;
}

static bool begin_link(struct impi_conversation *conversation)
{
    conversation->job = job_of(conversation->impi, &conversation->connection->ends[1]);
    if (!conversation->job) {
        remark_many(conversation, JOBS_MAX, "IMPI jobs");
        return false;
    }
    conversation->job->links++;
    conversation->kind = LINK;
    conversation->impi->examine->impi_links++;
    conversation->link = take(conversation->impi, sizeof *conversation->link);
    wire_follow_impi_link_begin(conversation->link, &conversation->job->job);
    conversation->link->listener = listener_of(conversation);
    return true;
}

/* ---- channels ---- */

static void host_id_of(const struct wire_end *end, unsigned char *id)
{
    memset(id, 0, WIRE_IMPI_HOST_OCTETS);
    memcpy(end->family == 4 ? id + 12 : id, end->address, end->family == 4 ? 4 : 16);
}

/* The job, known to its last value, that has announced a host where this connection leads to. */
static struct followed_job *job_at(const struct impi_conversation *conversation, int64_t *host)
{
    const struct wire_end *end = &conversation->connection->ends[1];
    unsigned char id[WIRE_IMPI_HOST_OCTETS];

    host_id_of(end, id);
    for (size_t i = conversation->impi->job_count; i > 0; i--) {
        struct followed_job *job = conversation->impi->jobs[i - 1];
        int64_t at = job->job.whole ? wire_impi_job_host_at(&job->job, id, end->port) : -1;

        if (job->job.whole && at < 0) {
            at = wire_impi_job_host_at(&job->job, NULL, end->port); /* it may have another address here */
        }
        if (at >= 0) {
            *host = at;
            return job;
        }
    }
    return NULL;
}

static bool begin_channel(struct impi_conversation *conversation, struct followed_job *job, int64_t host)
{
    struct wire_impi_limits limits = job ? job->job.limits : (struct wire_impi_limits){0};

    if (conversation->impi->channel_count == CHANNELS_MAX) {
        remark_many(conversation, CHANNELS_MAX, "channels of IMPI hosts");
        return false;
    }
    conversation->impi->channels[conversation->impi->channel_count++] = conversation;
    conversation->kind = CHANNEL;
    conversation->job = job;
    conversation->impi->examine->impi_channels++;
    conversation->pairs = take(conversation->impi, PAIRS * sizeof *conversation->pairs);
    conversation->requests = take(conversation->impi, REQUESTS * sizeof *conversation->requests);
    conversation->channel = take(conversation->impi, sizeof *conversation->channel);
    wire_follow_impi_channel_begin(
        conversation->channel,
        &(struct wire_impi_channel_tables){conversation->pairs, PAIRS, conversation->requests, REQUESTS}, &limits);
    conversation->channel->channel.job = job ? &job->job : NULL;
    conversation->channel->channel.collectives = job ? &job->collectives : NULL;
    conversation->channel->channel.hosts[WIRE_IMPI_ACCEPTOR] = host;
    conversation->channel->listener = listener_of(conversation);
    if (!job) {
        remark(conversation, "a channel of IMPI hosts whose start-up was not captured: limits are not judged");
    }
    return true;
}

/* An IPv4 address in 16 octets, or a usual IPv6 address. */
static bool looks_like_host(const unsigned char *host)
{
    static const unsigned char zeros[10];
    bool ipv4 = memcmp(host, zeros, sizeof zeros) == 0 && host[10] == host[11] && (host[10] == 0 || host[10] == 0xff);

    return ipv4 ? host[12] != 0 : (host[0] & 0xe0) == 0x20 || host[0] >= 0xfc;
}

static bool looks_like_packet(const unsigned char *octets)
{
    struct wire_impi_packet packet;

    return wire_impi_packet_decode(octets, WIRE_IMPI_PACKET_OCTETS, &packet) == WIRE_OK &&
           packet.type != WIRE_IMPI_FINI && looks_like_host(packet.src.host) && looks_like_host(packet.dest.host) &&
           (!wire_impi_packet_has_data(packet.type) || packet.len <= packet.msglen);
}

/* ---- what is it? ---- */

static uint32_t head_of(const struct impi_conversation *conversation)
{
    const unsigned char *at = conversation->held[0];

    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Whether the length behind the code can be one. Other protocols have an AUTH too, with text behind it. */
static bool begins_command(const struct impi_conversation *conversation)
{
    return conversation->held[0][4] == 0 && conversation->held[0][5] == 0;
}

static bool is_told(struct impi_conversation *conversation)
{
    int64_t host = -1;
    struct followed_job *job;
    bool begun = false;

    if (conversation->held_len[0] < WIRE_IMPI_RANK_OCTETS) {
        return false;
    }
    job = job_at(conversation, &host);
    if (job) {
        begun = begin_channel(conversation, job, host);
    } else if (head_of(conversation) == WIRE_IMPI_CMD_AUTH || head_of(conversation) == WIRE_IMPI_CMD_IMPI) {
        if (conversation->held_len[0] < COMMAND_SURE) {
            return false;
        }
        begun = begins_command(conversation) && begin_link(conversation);
    } else if (head_of(conversation) < SMALL_RANK && conversation->held_len[0] < HELD_MAX) {
        return false;
    } else if (head_of(conversation) < SMALL_RANK && looks_like_packet(conversation->held[0] + WIRE_IMPI_RANK_OCTETS)) {
        begun = begin_channel(conversation, NULL, -1);
    }
    conversation->kind = begun ? conversation->kind : FOREIGN;
    return begun;
}

static bool is_impi(const struct impi_conversation *conversation)
{
    return conversation->kind == LINK || conversation->kind == CHANNEL;
}

static void feed(struct impi_conversation *conversation, unsigned side, const unsigned char *octets, size_t len)
{
    uint64_t *messages =
        conversation->kind == LINK ? &conversation->link->listener.messages : &conversation->channel->listener.messages;
    uint64_t before = *messages;

    if (conversation->missed) {
        return;
    }
    if (conversation->kind == LINK) {
        wire_follow_impi_link_octets(conversation->link, side, octets, len, conversation->packet->number);
    } else {
        wire_follow_impi_channel_octets(conversation->channel, side, octets, len, conversation->packet->number);
    }
    conversation->impi->examine->impi_messages += *messages - before;
}

/* What had been held back is judged now, as if it came with the packets that held it. An answer that was captured first
 * and acknowledges what it answers came behind it. */
static void give_held(struct impi_conversation *conversation)
{
    bool answered_first = conversation->held_packet[1] && conversation->held_packet[1] < conversation->held_packet[0];
    unsigned first = answered_first && !conversation->heard ? 1 : 0;

    for (unsigned i = 0; i < 2; i++) {
        unsigned side = i ? !first : first;
        const struct wire_packet *now = conversation->packet;
        struct wire_packet earlier = *now;

        if (conversation->held_len[side]) {
            earlier.number = conversation->held_packet[side];
            conversation->packet = &earlier;
            feed(conversation, side, conversation->held[side], conversation->held_len[side]);
            conversation->packet = now;
        }
    }
}

bool wire_examine_impi_octets(struct impi_conversation *conversation, unsigned side, const unsigned char *octets,
                              size_t len, const struct wire_packet *packet)
{
    size_t room = HELD_MAX - conversation->held_len[side];
    size_t count = len < room ? len : room;

    conversation->packet = packet;
    if (conversation->kind == UNTOLD) {
        conversation->held_packet[side] =
            conversation->held_len[side] ? conversation->held_packet[side] : packet->number;
        memcpy(conversation->held[side] + conversation->held_len[side], octets, count);
        conversation->held_len[side] += count;
        octets += count;
        len -= count;
        if (is_told(conversation)) {
            give_held(conversation);
        } else if (len) { /* more than can be held back, and still nothing that looks like IMPI */
            conversation->kind = FOREIGN;
        }
    }
    if (is_impi(conversation)) {
        feed(conversation, side, octets, len);
    }
    return is_impi(conversation);
}

/* Nothing more of the connection is judged; nor what others say of it. */
static void miss(struct impi_conversation *conversation)
{
    conversation->missed = true;
    if (conversation->kind == LINK) {
        wire_impi_link_missed(&conversation->link->link);
    } else {
        wire_impi_channel_missed(&conversation->channel->channel);
        if (conversation->job) {
            conversation->job->job.channel_missed = true;
        }
    }
}

bool wire_examine_impi_doubted(struct impi_conversation *conversation, unsigned side)
{
    conversation->heard = conversation->heard || side == 0;
    if (!is_impi(conversation) || conversation->missed) {
        return false;
    }
    miss(conversation);
    return true;
}

bool wire_examine_impi_gap(struct impi_conversation *conversation, unsigned side, uint32_t octets,
                           const struct wire_packet *packet)
{
    conversation->packet = packet;
    if (!is_impi(conversation)) {
        conversation->kind = FOREIGN; /* nobody knows how it began */
        return false;
    }
    if (conversation->missed || (conversation->kind == CHANNEL &&
                                 wire_follow_impi_channel_skip(conversation->channel, side, octets, packet->number))) {
        return false;
    }
    miss(conversation);
    return true;
}

bool wire_examine_impi_ended(struct impi_conversation *conversation, unsigned side, bool reset,
                             const struct wire_packet *packet)
{
    conversation->packet = packet;
    if (conversation->kind == LINK) {
        wire_follow_impi_link_end(conversation->link, side, reset);
        conversation->job->over += !conversation->ended;
        conversation->ended = true;
    } else if (conversation->kind == CHANNEL) {
        wire_follow_impi_channel_end(conversation->channel, side, reset);
    }
    return is_impi(conversation);
}

/* ---- what still waits ---- */

static void tell_waits(const struct wire_examine_listener *listener, const struct wire_impi_channel_tables *tables)
{
    for (uint32_t i = 0; i < tables->request_count; i++) {
        const struct wire_impi_request *request = &tables->requests[i];
        struct wire_examine_wait wait = {.asked = request->mark};

        if (request->state == WIRE_IMPI_WAITING) {
            wait.what = "synchronous message";
            wait.wanted = "SYNCACK";
        } else if (request->state == WIRE_IMPI_SENDING) {
            wait.what = "long message";
            wait.wanted = "rest, although it is acknowledged";
        }
        if (wait.what) {
            listener->waited(listener->context, &wait);
        }
    }
}

void wire_examine_impi_waiting(const struct wire_examine_impi *impi)
{
    for (size_t i = 0; i < impi->channel_count; i++) {
        const struct impi_conversation *conversation = impi->channels[i];

        if (conversation && !conversation->missed) {
            tell_waits(&impi->examine->listener, &conversation->channel->channel.tables);
        }
    }
}
