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
#include "tester/capture/examine_own.h"

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

struct impi_talk {
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

struct impi_talk *examine_impi_meet(struct examine_impi *impi, const struct reassembly_connection *connection)
{
    struct impi_talk *talk = memory_zero(sizeof *talk);

    talk->impi = impi;
    talk->connection = connection;
    return talk;
}

static struct examine_violation record_of(const struct impi_talk *talk, unsigned side, const char *message,
                                          const struct wire_impi_finding *finding)
{
    return (struct examine_violation){
        .packet = talk->packet->number,
        .when_ns = talk->packet->when_ns,
        .from = talk->connection->ends[side],
        .to = talk->connection->ends[!side],
        .message = message,
        .is_impi = true,
        .impi = *finding,
        .job = talk->job ? &talk->job->job : NULL,
    };
}

static void on_report(void *context, unsigned side, const char *message, const struct wire_impi_findings *findings)
{
    const struct impi_talk *talk = context;

    for (unsigned i = 0; i < findings->count; i++) {
        struct examine_violation violation = record_of(talk, side, message, &findings->at[i]);

        examine_violation(talk->impi->examine, &violation);
    }
}

static void on_note(void *context, unsigned side, const char *message, const struct wire_impi_findings *notes)
{
    const struct impi_talk *talk = context;

    for (unsigned i = 0; i < notes->count; i++) {
        struct examine_violation note = record_of(talk, side, message, &notes->at[i]);

        note.owner = talk;
        note.times = 1;
        examine_note(talk->impi->examine, &note);
    }
}

/* How often each note was due is known when its connection has been seen to its end; NULL: all of them are over. */
static void settle_notes(const struct examine *examine, const struct impi_talk *talk)
{
    for (size_t i = 0; i < examine->note_count; i++) {
        struct examine_violation *note = &examine->notes[i];

        if (note->owner && (!talk || note->owner == talk)) {
            note->times = note->impi.tally ? note->impi.tally->times : 1;
            note->impi.tally = NULL;
            note->owner = NULL;
        }
    }
}

void examine_impi_part(struct impi_talk *talk)
{
    if (talk) {
        settle_notes(talk->impi->examine, talk);
        free(talk->pairs);
        free(talk->requests);
        free(talk->link);
        free(talk->channel);
    }
    free(talk);
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

static bool begin_link(struct impi_talk *talk)
{
    talk->job = job_of(talk->impi, &talk->connection->ends[1]);
    if (!talk->job) {
        examine_remark(talk->impi->examine, talk->packet->number, "more than %d IMPI jobs: this one is not looked at",
                       JOBS_MAX);
        return false;
    }
    talk->job->links++;
    talk->kind = LINK;
    talk->impi->examine->impi_links++;
    talk->link = memory_zero(sizeof *talk->link);
    follow_impi_link_begin(talk->link, &talk->job->job);
    talk->link->listener.report = on_report;
    talk->link->listener.note = on_note;
    talk->link->listener.context = talk;
    return true;
}

/* ---- channels ---- */

static void host_id_of(const struct capture_end *end, unsigned char *id)
{
    memset(id, 0, WIRE_IMPI_HOST_OCTETS);
    memcpy(end->family == 4 ? id + 12 : id, end->address, end->family == 4 ? 4 : 16);
}

/* The job, known to its last value, that has announced a host where this connection leads to. */
static struct impi_job *job_at(const struct impi_talk *talk, int64_t *host)
{
    const struct capture_end *end = &talk->connection->ends[1];
    unsigned char id[WIRE_IMPI_HOST_OCTETS];

    host_id_of(end, id);
    for (size_t i = talk->impi->job_count; i > 0; i--) {
        struct impi_job *job = talk->impi->jobs[i - 1];
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

static bool begin_channel(struct impi_talk *talk, struct impi_job *job, int64_t host)
{
    struct wire_impi_limits limits = job ? job->job.limits : (struct wire_impi_limits){0};

    if (talk->impi->channel_count == CHANNELS_MAX) {
        examine_remark(talk->impi->examine, talk->packet->number,
                       "more than %d channels of IMPI hosts: this one is not looked at", CHANNELS_MAX);
        return false;
    }
    talk->impi->channel_count++;
    talk->kind = CHANNEL;
    talk->job = job;
    talk->impi->examine->impi_channels++;
    talk->pairs = memory_zero(PAIRS * sizeof *talk->pairs);
    talk->requests = memory_zero(REQUESTS * sizeof *talk->requests);
    talk->channel = memory_zero(sizeof *talk->channel);
    follow_impi_channel_begin(
        talk->channel, &(struct wire_impi_channel_tables){talk->pairs, PAIRS, talk->requests, REQUESTS}, &limits);
    talk->channel->channel.job = job ? &job->job : NULL;
    talk->channel->channel.hosts[WIRE_IMPI_ACCEPTOR] = host;
    talk->channel->listener.report = on_report;
    talk->channel->listener.note = on_note;
    talk->channel->listener.context = talk;
    if (!job) {
        examine_remark(talk->impi->examine, talk->packet->number,
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

static uint32_t head_of(const struct impi_talk *talk)
{
    const unsigned char *at = talk->held[0];

    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static bool is_told(struct impi_talk *talk)
{
    int64_t host = -1;
    struct impi_job *job;
    bool begun = false;

    if (talk->held_len[0] < WIRE_IMPI_RANK_OCTETS) {
        return false;
    }
    job = job_at(talk, &host);
    if (job) {
        begun = begin_channel(talk, job, host);
    } else if (head_of(talk) == WIRE_IMPI_CMD_AUTH || head_of(talk) == WIRE_IMPI_CMD_IMPI) {
        begun = begin_link(talk);
    } else if (head_of(talk) < SMALL_RANK && talk->held_len[0] < HELD_MAX) {
        return false;
    } else if (head_of(talk) < SMALL_RANK && looks_like_packet(talk->held[0] + WIRE_IMPI_RANK_OCTETS)) {
        begun = begin_channel(talk, NULL, -1);
    }
    talk->kind = begun ? talk->kind : FOREIGN;
    return begun;
}

static void give(struct impi_talk *talk, unsigned side, const unsigned char *octets, size_t len)
{
    uint64_t *messages = talk->kind == LINK ? &talk->link->listener.messages : &talk->channel->listener.messages;
    uint64_t before = *messages;

    if (talk->kind == LINK) {
        follow_impi_link_octets(talk->link, side, octets, len, talk->packet->number);
    } else {
        follow_impi_channel_octets(talk->channel, side, octets, len, talk->packet->number);
    }
    talk->impi->examine->impi_messages += *messages - before;
}

/* What had been held back is judged now, as if it came with the packets that held it. */
static void give_held(struct impi_talk *talk)
{
    unsigned first = talk->held_packet[1] && talk->held_packet[1] < talk->held_packet[0] ? 1 : 0;

    for (unsigned i = 0; i < 2; i++) {
        unsigned side = i ? !first : first;
        const struct capture_packet *now = talk->packet;
        struct capture_packet earlier = *now;

        if (talk->held_len[side]) {
            earlier.number = talk->held_packet[side];
            talk->packet = &earlier;
            give(talk, side, talk->held[side], talk->held_len[side]);
            talk->packet = now;
        }
    }
}

bool examine_impi_octets(struct impi_talk *talk, unsigned side, const unsigned char *octets, size_t len,
                         const struct capture_packet *packet)
{
    size_t room = HELD_MAX - talk->held_len[side];
    size_t count = len < room ? len : room;

    talk->packet = packet;
    if (talk->kind == UNTOLD) {
        talk->held_packet[side] = talk->held_len[side] ? talk->held_packet[side] : packet->number;
        memcpy(talk->held[side] + talk->held_len[side], octets, count);
        talk->held_len[side] += count;
        octets += count;
        len -= count;
        if (is_told(talk)) {
            give_held(talk);
        } else if (len) { /* more than can be held back, and still nothing that looks like IMPI */
            talk->kind = FOREIGN;
        }
    }
    if (talk->kind == LINK || talk->kind == CHANNEL) {
        give(talk, side, octets, len);
        return true;
    }
    return false;
}

bool examine_impi_lost(struct impi_talk *talk)
{
    bool known = talk->kind == LINK || talk->kind == CHANNEL;

    if (talk->kind == LINK) {
        wire_impi_link_missed(&talk->link->link);
    } else if (talk->kind == CHANNEL) {
        wire_impi_channel_missed(&talk->channel->channel);
    }
    talk->kind = FOREIGN;
    return known;
}

bool examine_impi_ended(struct impi_talk *talk, unsigned side, bool reset, const struct capture_packet *packet)
{
    talk->packet = packet;
    if (talk->kind == LINK) {
        follow_impi_link_end(talk->link, side, reset);
        talk->job->over += !talk->ended;
        talk->ended = true;
    } else if (talk->kind == CHANNEL) {
        follow_impi_channel_end(talk->channel, side, reset);
    }
    return talk->kind == LINK || talk->kind == CHANNEL;
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
