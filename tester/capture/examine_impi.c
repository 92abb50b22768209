/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The IMPI jobs in a capture (examine_own.h). A connection is taken for
 *
 *     a link to the server    when who connected begins with AUTH, or wrongly with IMPI
 *     a channel of hosts      when it leads to a port that a job has announced, or when who connected begins with a
 *                             small number and a packet whose processes have addresses
 *
 * Until that is told, the first octets of both sides are held back; they suffice for a rank and a header. All links to
 * one address and port belong to one job, until its clients are complete and have ended.
 */
#include "tester/capture/examine_impi.h"

#include "tester/base/memory.h"
#include "tester/capture/follow_impi.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    HELD_MAX = WIRE_IMPI_RANK_OCTETS + WIRE_IMPI_PACKET_OCTETS,
    SMALL_RANK = 65536,
    JOBS_MAX = 512,
    CHANNELS_MAX = 256,
    HOSTS = 256,
    PROCESSES = 4096,
    PAIRS = 2048,
    REQUESTS = 8192,
};

enum kind { UNTOLD, LINK, CHANNEL, FOREIGN };

struct impi_job {
    struct wire_impi_job job;
    struct capture_end server;
    unsigned links, over; /* connections, and of these ended */
    struct wire_impi_job_host hosts[HOSTS];
    struct wire_impi_job_process processes[PROCESSES];
};

struct examine_impi {
    struct examine *examine;
    struct impi_job *jobs[JOBS_MAX];
    size_t job_count, channel_count;
};

struct impi_conversation {
    struct examine_impi *impi;
    const struct reassembly_connection *connection;
    const struct capture_packet *packet; /* at hand */
    enum kind kind;
    bool ended;
    unsigned char held[2][HELD_MAX];
    size_t held_len[2];
    uint64_t held_packet[2];
    struct impi_job *job;
    struct follow_impi_link *link;       /* made when it is one: most connections of a capture are neither */
    struct follow_impi_channel *channel; /* likewise */
    struct wire_impi_pair *pairs;
    struct wire_impi_request *requests;
};

struct examine_impi *examine_impi_open(struct examine *examine)
{
    struct examine_impi *impi = memory_zero(sizeof *impi);

    impi->examine = examine;
    return impi;
}

void examine_impi_close(struct examine_impi *impi)
{
    for (size_t i = 0; i < impi->job_count; i++) {
        free(impi->jobs[i]);
    }
    free(impi);
}

struct impi_conversation *examine_impi_meet(struct examine_impi *impi, const struct reassembly_connection *connection)
{
    struct impi_conversation *conversation = memory_zero(sizeof *conversation);

    conversation->impi = impi;
    conversation->connection = connection;
    return conversation;
}

static struct examine_violation record_of(const struct impi_conversation *conversation, unsigned side,
                                          const char *message, const struct wire_impi_finding *finding)
{
    return (struct examine_violation){
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

    for (unsigned i = 0; i < findings->count; i++) {
        struct examine_violation violation = record_of(conversation, side, message, &findings->at[i]);

        findings_violation(conversation->impi->examine, &violation);
    }
}

static void on_note(void *context, unsigned side, const char *message, const struct wire_impi_findings *notes)
{
    const struct impi_conversation *conversation = context;

    for (unsigned i = 0; i < notes->count; i++) {
        struct examine_violation note = record_of(conversation, side, message, &notes->at[i]);

        note.owner = conversation;
        note.times = 1;
        findings_note(conversation->impi->examine, &note);
    }
}

/* How often each note was due is known when its connection has been seen to its end; NULL: all of them are over. */
static void settle_notes(const struct examine *examine, const struct impi_conversation *conversation)
{
    for (size_t i = 0; i < examine->note_count; i++) {
        struct examine_violation *note = &examine->notes[i];

        if (note->owner && (!conversation || note->owner == conversation)) {
            note->times = note->impi.tally ? note->impi.tally->times : 1;
            note->impi.tally = NULL;
            note->owner = NULL;
        }
    }
}

void examine_impi_part(struct impi_conversation *conversation)
{
    if (conversation) {
        settle_notes(conversation->impi->examine, conversation);
        free(conversation->pairs);
        free(conversation->requests);
        free(conversation->link);
        free(conversation->channel);
    }
    free(conversation);
}

/* ---- links ---- */

/* The job of this server; a new one when those before are over. */
static struct impi_job *job_of(struct examine_impi *impi, const struct capture_end *server)
{
    struct impi_job *job;

    for (size_t i = 0; i < impi->job_count; i++) {
        job = impi->jobs[i];
        if (capture_end_same(&job->server, server) && (job->over < job->links || !wire_impi_job_seen_all(&job->job))) {
            return job;
        }
    }
    if (impi->job_count == JOBS_MAX) {
        return NULL;
    }
    job = memory_zero(sizeof *job);
    job->server = *server;
    wire_impi_job_begin(&job->job, &(struct wire_impi_job_tables){job->hosts, HOSTS, job->processes, PROCESSES});
    impi->jobs[impi->job_count++] = job;
    return job;
}

static bool begin_link(struct impi_conversation *conversation)
{
    conversation->job = job_of(conversation->impi, &conversation->connection->ends[1]);
    if (!conversation->job) {
        findings_remark(conversation->impi->examine, conversation->packet->number,
                        "more than %d IMPI jobs: this one is not looked at", JOBS_MAX);
        return false;
    }
    conversation->job->links++;
    conversation->kind = LINK;
    conversation->impi->examine->impi_links++;
    conversation->link = memory_zero(sizeof *conversation->link);
    follow_impi_link_begin(conversation->link, &conversation->job->job);
    conversation->link->listener.report = on_report;
    conversation->link->listener.note = on_note;
    conversation->link->listener.context = conversation;
    return true;
}

/* ---- channels ---- */

static void host_id_of(const struct capture_end *end, unsigned char *id)
{
    memset(id, 0, WIRE_IMPI_HOST_OCTETS);
    memcpy(end->family == 4 ? id + 12 : id, end->address, end->family == 4 ? 4 : 16);
}

/* The job, known to its last value, that has announced a host where this connection leads to. */
static struct impi_job *job_at(const struct impi_conversation *conversation, int64_t *host)
{
    const struct capture_end *end = &conversation->connection->ends[1];
    unsigned char id[WIRE_IMPI_HOST_OCTETS];

    host_id_of(end, id);
    for (size_t i = conversation->impi->job_count; i > 0; i--) {
        struct impi_job *job = conversation->impi->jobs[i - 1];
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

static bool begin_channel(struct impi_conversation *conversation, struct impi_job *job, int64_t host)
{
    struct wire_impi_limits limits = job ? job->job.limits : (struct wire_impi_limits){0};

    if (conversation->impi->channel_count == CHANNELS_MAX) {
        findings_remark(conversation->impi->examine, conversation->packet->number,
                        "more than %d channels of IMPI hosts: this one is not looked at", CHANNELS_MAX);
        return false;
    }
    conversation->impi->channel_count++;
    conversation->kind = CHANNEL;
    conversation->job = job;
    conversation->impi->examine->impi_channels++;
    conversation->pairs = memory_zero(PAIRS * sizeof *conversation->pairs);
    conversation->requests = memory_zero(REQUESTS * sizeof *conversation->requests);
    conversation->channel = memory_zero(sizeof *conversation->channel);
    follow_impi_channel_begin(
        conversation->channel,
        &(struct wire_impi_channel_tables){conversation->pairs, PAIRS, conversation->requests, REQUESTS}, &limits);
    conversation->channel->channel.job = job ? &job->job : NULL;
    conversation->channel->channel.hosts[WIRE_IMPI_ACCEPTOR] = host;
    conversation->channel->listener.report = on_report;
    conversation->channel->listener.note = on_note;
    conversation->channel->listener.context = conversation;
    if (!job) {
        findings_remark(conversation->impi->examine, conversation->packet->number,
                        "a channel of IMPI hosts whose start-up was not captured: limits are not judged");
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

static bool is_told(struct impi_conversation *conversation)
{
    int64_t host = -1;
    struct impi_job *job;
    bool begun = false;

    if (conversation->held_len[0] < WIRE_IMPI_RANK_OCTETS) {
        return false;
    }
    job = job_at(conversation, &host);
    if (job) {
        begun = begin_channel(conversation, job, host);
    } else if (head_of(conversation) == WIRE_IMPI_CMD_AUTH || head_of(conversation) == WIRE_IMPI_CMD_IMPI) {
        begun = begin_link(conversation);
    } else if (head_of(conversation) < SMALL_RANK && conversation->held_len[0] < HELD_MAX) {
        return false;
    } else if (head_of(conversation) < SMALL_RANK && looks_like_packet(conversation->held[0] + WIRE_IMPI_RANK_OCTETS)) {
        begun = begin_channel(conversation, NULL, -1);
    }
    conversation->kind = begun ? conversation->kind : FOREIGN;
    return begun;
}

static void give(struct impi_conversation *conversation, unsigned side, const unsigned char *octets, size_t len)
{
    uint64_t *messages =
        conversation->kind == LINK ? &conversation->link->listener.messages : &conversation->channel->listener.messages;
    uint64_t before = *messages;

    if (conversation->kind == LINK) {
        follow_impi_link_octets(conversation->link, side, octets, len, conversation->packet->number);
    } else {
        follow_impi_channel_octets(conversation->channel, side, octets, len, conversation->packet->number);
    }
    conversation->impi->examine->impi_messages += *messages - before;
}

/* What had been held back is judged now, as if it came with the packets that held it. */
static void give_held(struct impi_conversation *conversation)
{
    unsigned first =
        conversation->held_packet[1] && conversation->held_packet[1] < conversation->held_packet[0] ? 1 : 0;

    for (unsigned i = 0; i < 2; i++) {
        unsigned side = i ? !first : first;
        const struct capture_packet *now = conversation->packet;
        struct capture_packet earlier = *now;

        if (conversation->held_len[side]) {
            earlier.number = conversation->held_packet[side];
            conversation->packet = &earlier;
            give(conversation, side, conversation->held[side], conversation->held_len[side]);
            conversation->packet = now;
        }
    }
}

bool examine_impi_octets(struct impi_conversation *conversation, unsigned side, const unsigned char *octets, size_t len,
                         const struct capture_packet *packet)
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
    if (conversation->kind == LINK || conversation->kind == CHANNEL) {
        give(conversation, side, octets, len);
        return true;
    }
    return false;
}

bool examine_impi_lost(struct impi_conversation *conversation)
{
    bool known = conversation->kind == LINK || conversation->kind == CHANNEL;

    if (conversation->kind == LINK) {
        wire_impi_link_missed(&conversation->link->link);
    } else if (conversation->kind == CHANNEL) {
        wire_impi_channel_missed(&conversation->channel->channel);
    }
    conversation->kind = FOREIGN;
    return known;
}

bool examine_impi_ended(struct impi_conversation *conversation, unsigned side, bool reset,
                        const struct capture_packet *packet)
{
    conversation->packet = packet;
    if (conversation->kind == LINK) {
        follow_impi_link_end(conversation->link, side, reset);
        conversation->job->over += !conversation->ended;
        conversation->ended = true;
    } else if (conversation->kind == CHANNEL) {
        follow_impi_channel_end(conversation->channel, side, reset);
    }
    return conversation->kind == LINK || conversation->kind == CHANNEL;
}

/* What can only be told by who has seen every connection of a job, where some were not captured. */
void examine_impi_finish(struct examine_impi *impi)
{
    struct examine *examine = impi->examine;
    size_t kept = 0;

    for (size_t i = 0; i < examine->violation_count; i++) {
        const struct examine_violation *violation = &examine->violations[i];
        const struct wire_impi_job *job = violation->job;

        if (violation->is_impi && violation->impi.rule->needs_all && !(job && wire_impi_job_seen_all(job))) {
            continue;
        }
        examine->violations[kept++] = *violation;
    }
    examine->violation_count = kept;
    settle_notes(examine, NULL);
}
