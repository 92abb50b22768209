/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The host agent's loop; see agent.h. It stands between two kinds of lanes (lane.h): links to its processes, and
 * channels to the hosts of other clients. Packets go from one kind to the other by the names in them; flow control,
 * matching and messages are the processes' affair (link.h). It never waits for one of them: what a lane does not take
 * at once is kept, and flow control bounds how much that can be.
 *
 *      SERVING --all processes finalized: FINI on every channel--> LEAVING --all channels closed: FINI on every link-->
 *      PARTING --all links flushed--> the end
 *
 * A channel is closed when FINI has gone both ways on it and our processes have answered all that came before
 * (parting.h). Any other end of a channel, and the end of a link whose
 * process is not finalized, is an abnormal end of the job: a line on stderr, and an exit status (3.8).
 */
#include "ref-impl/impi/agent.h"

#include "ref-impl/impi/dance.h"
#include "ref-impl/impi/lane.h"
#include "ref-impl/impi/parting.h"
#include "ref-impl/impi/who.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NOTES_MAX = 10, MARGIN_PACKETS = 16 };

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

enum phase { PHASE_SERVING, PHASE_LEAVING, PHASE_PARTING };

/* A way to another host. */
struct channel {
    struct lane lane;
    bool fini_heard;
};

/* The way to a process of this host. */
struct process {
    struct lane lane;
    bool finalized;
};

struct agent {
    const struct agent_setup *setup;
    const struct link_world *world;
    const struct agreed_host *self;
    struct who *who;
    enum phase phase;
    int status;  /* AGENT_ORDERLY as long as it goes on */
    size_t most; /* octets that may wait for one process */
    unsigned notes;
    uint64_t orphan_ms; /* until when our processes must be finalized, since a host has left too early; 0: none has */
    struct channel *channels; /* by host rank; where there is none, its lane is closed */
    struct process *processes;
    struct parting parting;
    struct pollfd *polled;
};

void agent_complain(const struct agent_setup *setup, const char *fmt, ...)
{
    char text[256];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    /* One write: other agents and the launcher write to the same place. */
    fprintf(stderr, "impirun: host %" PRIu32 " (client %" PRIu32 "): %s\n", setup->host,
            setup->agreed->hosts[setup->host].client, text);
}

/* The job is broken. Always false. */
__attribute__((format(printf, 3, 4))) static bool agent_break(struct agent *a, enum agent_status status,
                                                              const char *fmt, ...)
{
    char text[256];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    agent_complain(a->setup, "%s", text);
    a->status = (int)status;
    return false;
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
static bool packet_deliver(struct agent *a, uint32_t host, struct lane_packet *packet)
{
    int64_t from = who_find(a->who, &packet->header.src);
    int64_t to = who_find(a->who, &packet->header.dest);

    //= IMPI-256
    if (from < 0 || a->world->members[from].host != host) {
        return packet_drop(a, host, "from a process that it does not have");
    }
    if (to < 0 || a->world->members[to].host != a->setup->host) {
        return packet_drop(a, host, "to a process that is not here");
    }
    struct process *process = &a->processes[(uint32_t)to - a->self->first];
    if (process->lane.fd < 0) {
        return true; /* finalized and gone: it wants no messages any more */
    }
    if (queue_len(&process->lane.out) + packet->len > a->most) {
        //= IMPI-260
        return agent_break(a, AGENT_BROKEN,
                           "host %" PRIu32 " floods rank %" PRId64 ": %zu octets wait for it, more "
                           "than flow control allows",
                           host, to, queue_len(&process->lane.out));
    }
    packet->header.src = a->world->members[from].process;
    packet->header.dest = a->world->members[to].process;
    if (wire_impi_packet_encode(&packet->header, packet->octets, WIRE_IMPI_PACKET_OCTETS) != WIRE_OK ||
        !lane_put(&process->lane, packet->octets, packet->len)) {
        return agent_break(a, AGENT_BROKEN, "no memory for the packets of rank %" PRId64, to);
    }
    return true;
}

/* A packet from another host. False: the job is broken. */
static bool channel_packet(struct agent *a, uint32_t host, struct lane_packet *packet)
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
    return packet_deliver(a, host, packet);
}

/* FINI from one of our processes: it is finalized, or has answered all of a process whose host has said FINI. */
static bool link_fini(struct agent *a, uint32_t rank, const struct wire_impi_process *about)
{
    int64_t whom = who_find(a->who, about);

    if (!link_fini_names(about)) {
        a->processes[rank - a->self->first].finalized = true;
        return true;
    }
    return (whom >= 0 && parting_answered(&a->parting, a->world->members[whom].host, rank - a->self->first)) ||
           agent_break(a, AGENT_BROKEN, "rank %" PRIu32 " parts from somebody about whom it was not asked", rank);
}

/* A packet from one of our processes. False: the job is broken. */
static bool link_packet(struct agent *a, uint32_t rank, struct lane_packet *packet)
{
    int64_t to = -1;

    if (packet->header.type == WIRE_IMPI_FINI) {
        return link_fini(a, rank, &packet->header.dest);
    }
    to = who_find(a->who, &packet->header.dest);
    if (who_find(a->who, &packet->header.src) != rank || to < 0 || a->world->members[to].client == a->self->client) {
        return agent_break(a, AGENT_BROKEN, "rank %" PRIu32 " sends a packet to nobody, or in the name of another",
                           rank);
    }
    struct channel *channel = &a->channels[a->world->members[to].host];
    if (channel->lane.fd < 0 || a->phase != PHASE_SERVING) {
        if (type_is_answer(packet->header.type) && channel->lane.fd < 0) {
            return true; /* whoever waited for it is gone */
        }
        if (!type_is_answer(packet->header.type)) {
            return agent_break(a, AGENT_BROKEN, "rank %" PRIu32 " sends to rank %" PRId64 ", which has been finalized",
                               rank, to);
        }
    }
    return lane_put(&channel->lane, packet->octets, packet->len) || //= IMPI-100
           agent_break(a, AGENT_BROKEN, "no memory for the packets of rank %" PRIu32, rank);
}

/* Handles what has come on a lane, and what it means that it ended. */

static bool channel_packets(struct agent *a, uint32_t host)
{
    struct lane *lane = &a->channels[host].lane;
    struct lane_packet packet;

    for (;;) {
        switch (lane_next(lane, a->world->datalen, &packet)) {
        case LANE_PACKET:
            if (!channel_packet(a, host, &packet)) {
                return false;
            }
            break;
        case LANE_MORE:
            return true;
        case LANE_UNKNOWN_TYPE:
            //= IMPI-254
            return agent_break(a, AGENT_BROKEN,
                               "host %" PRIu32 " sent a packet of type %" PRIu32 ", which does not exist", host,
                               packet.header.type);
        case LANE_TOO_LONG:
            return agent_break(a, AGENT_BROKEN,
                               "host %" PRIu32 " sent a packet with %" PRIu32
                               " octets of data, above the limit of %" PRIu32,
                               host, packet.header.len, a->world->datalen);
        }
    }
}

static bool link_packets(struct agent *a, uint32_t rank)
{
    struct lane *lane = &a->processes[rank - a->self->first].lane;
    struct lane_packet packet;

    for (;;) {
        switch (lane_next(lane, a->world->datalen, &packet)) {
        case LANE_PACKET:
            if (!link_packet(a, rank, &packet)) {
                return false;
            }
            break;
        case LANE_MORE:
            return true;
        case LANE_UNKNOWN_TYPE:
        case LANE_TOO_LONG:
            return agent_break(a, AGENT_BROKEN, "rank %" PRIu32 " wrote something that is no packet", rank);
        }
    }
}

/* The other side of a channel has ended it. */
static bool channel_ended(struct agent *a, uint32_t host, int error)
{
    struct channel *channel = &a->channels[host];
    size_t left = lane_left(&channel->lane);

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
        a->orphan_ms = a->orphan_ms ? a->orphan_ms : now_ms() + a->setup->dance_seconds * UINT64_C(1000);
    }
    lane_close(&channel->lane);
    return true;
}

/* How long to wait for something to happen: without end, but for what processes owe when FINI has gone both ways, and
 * for processes that a host has left alone. Those may wait for ever for what it would have sent; where it was only
 * quick to close, they finish by themselves. */
static int wait_ms(const struct agent *a)
{
    uint64_t now = now_ms();
    uint64_t due = a->phase == PHASE_SERVING ? a->orphan_ms : 0;

    for (uint32_t host = 0; host < a->world->hosts; host++) {
        const struct lane *lane = &a->channels[host].lane;
        uint64_t until = a->parting.until_ms[host];

        if (lane->fd >= 0 && queue_len(&lane->out) == 0 && until != 0 && (due == 0 || until < due)) {
            due = until;
        }
    }
    return due == 0 ? -1 : now >= due ? 0 : (int)(due - now);
}

static bool link_ended(struct agent *a, uint32_t rank)
{
    struct process *process = &a->processes[rank - a->self->first];

    if (!process->finalized) {
        return agent_break(a, AGENT_PROCESS_LOST, "rank %" PRIu32 " ended without MPI_Finalize", rank);
    }
    lane_close(&process->lane);
    return true;
}

static void channel_serve(struct agent *a, uint32_t host)
{
    enum queue_moved moved = lane_read(&a->channels[host].lane);
    int error = moved == QUEUE_BROKEN ? errno : 0;

    if (channel_packets(a, host) && moved != QUEUE_MOVED) {
        (void)channel_ended(a, host, error);
    }
}

static void link_serve(struct agent *a, uint32_t rank)
{
    enum queue_moved moved = lane_read(&a->processes[rank - a->self->first].lane);

    if (link_packets(a, rank) && moved != QUEUE_MOVED) {
        (void)link_ended(a, rank);
    }
}

/* Puts FINI on a lane. */
static bool fini_put(struct agent *a, struct lane *lane)
{
    struct wire_impi_packet fini = {.type = WIRE_IMPI_FINI};

    return lane->fd < 0 || lane_put_header(lane, &fini) || agent_break(a, AGENT_BROKEN, "no memory");
}

/* All processes are finalized: tells the other hosts. */
//= IMPI-089
static void serving_end(struct agent *a)
{
    for (uint32_t i = 0; i < a->self->processes; i++) {
        if (!a->processes[i].finalized) {
            return;
        }
    }
    a->phase = PHASE_LEAVING;
    for (uint32_t host = 0; host < a->world->hosts; host++) {
        (void)fini_put(a, &a->channels[host].lane);
    }
}

/* Asks what is owed on the channels on which FINI has gone both ways. */
static void leaving_begin(struct agent *a)
{
    for (uint32_t host = 0; host < a->world->hosts; host++) {
        const struct channel *channel = &a->channels[host];
        bool due = channel->lane.fd >= 0 && channel->fini_heard && !parting_asked(&a->parting, host);

        for (uint32_t i = 0; due && i < a->self->processes; i++) {
            if (!parting_ask(&a->parting, host, i, &a->processes[i].lane, now_ms())) {
                (void)agent_break(a, AGENT_BROKEN, "no memory");
            }
        }
    }
}

/* Whether our processes have answered all that came from a host; if they do not in time, that is told. */
//= IMPI-091 IMPI-170
static bool answered(struct agent *a, uint32_t host)
{
    for (uint32_t i = 0; i < a->self->processes; i++) {
        if (a->processes[i].lane.fd < 0 || !parting_owes(&a->parting, host, i)) {
            continue;
        }
        if (now_ms() < a->parting.until_ms[host]) {
            return false;
        }
        agent_complain(a->setup, "rank %" PRIu32 " could not answer all that host %" PRIu32 " sent before its FINI",
                       a->self->first + i, host);
        return true;
    }
    return true;
}

/* Closes the channels on which FINI has gone both ways and nothing is owed; when none is left, tells the processes. */
//= IMPI-090
static void leaving_end(struct agent *a)
{
    bool open = false;

    for (uint32_t host = 0; host < a->world->hosts; host++) {
        struct channel *channel = &a->channels[host];

        if (channel->lane.fd >= 0 && channel->fini_heard && queue_len(&channel->lane.out) == 0 && answered(a, host)) {
            lane_close(&channel->lane);
        }
        open = open || channel->lane.fd >= 0;
    }
    if (!open) {
        a->phase = PHASE_PARTING;
        for (uint32_t i = 0; i < a->self->processes; i++) {
            (void)fini_put(a, &a->processes[i].lane);
        }
    }
}

/* Whether every process has got all that was for it. */
static bool parted(const struct agent *a)
{
    for (uint32_t i = 0; i < a->self->processes; i++) {
        if (a->processes[i].lane.fd >= 0 && queue_len(&a->processes[i].lane.out) > 0) {
            return false;
        }
    }
    return true;
}

/* Sends what waits on a lane, and says what to watch for. A failure to send shows itself in reading. */
static struct pollfd lane_prepare(struct lane *lane)
{
    if (lane->fd >= 0) {
        (void)queue_send(&lane->out, lane->fd);
    }
    return (struct pollfd){lane->fd, (short)(POLLIN | (queue_len(&lane->out) > 0 ? POLLOUT : 0)), 0};
}

/* Does what has become possible; false: it is the end. */
static bool agent_advance(struct agent *a)
{
    size_t count = 0;

    if (a->phase == PHASE_SERVING) {
        serving_end(a);
    }
    if (a->phase == PHASE_LEAVING) {
        leaving_begin(a);
    }
    for (uint32_t i = 0; i < a->self->processes; i++) {
        a->polled[count++] = lane_prepare(&a->processes[i].lane);
    }
    for (uint32_t host = 0; host < a->world->hosts; host++) {
        a->polled[count++] = lane_prepare(&a->channels[host].lane);
    }
    if (a->phase == PHASE_LEAVING) {
        leaving_end(a);
        if (a->phase == PHASE_PARTING) {
            return agent_advance(a);
        }
    }
    return a->status == AGENT_ORDERLY && !(a->phase == PHASE_PARTING && parted(a));
}

/* Whether processes that a host has left alone have had their time; then the job is broken. */
static bool orphans_late(struct agent *a)
{
    if (a->phase != PHASE_SERVING || wait_ms(a) != 0) {
        return false;
    }
    (void)agent_break(a, AGENT_BROKEN,
                      "its processes have not finished within %" PRIu32
                      " seconds after another host had closed its channel too early",
                      a->setup->dance_seconds);
    return true;
}

/* Serves the lanes on which something has come. */
static void polled_serve(struct agent *a)
{
    const short any = POLLIN | POLLHUP | POLLERR;

    for (uint32_t i = 0; i < a->self->processes && a->status == AGENT_ORDERLY; i++) {
        if (a->polled[i].revents & any) {
            link_serve(a, a->self->first + i);
        }
    }
    for (uint32_t host = 0; host < a->world->hosts && a->status == AGENT_ORDERLY; host++) {
        if (a->polled[a->self->processes + host].revents & any) {
            channel_serve(a, host);
        }
    }
}

static void agent_serve(struct agent *a)
{
    while (agent_advance(a) && !orphans_late(a)) {
        if (poll(a->polled, a->self->processes + a->world->hosts, wait_ms(a)) >= 0) { /* else a signal */
            polled_serve(a);
        }
    }
}

/* How much may wait for one process: what all processes of other clients may send without its acknowledgement. */
static size_t most_waiting(const struct agent *a)
{
    size_t packet = WIRE_IMPI_PACKET_OCTETS + (size_t)a->world->datalen;
    size_t remote = 0;

    for (uint32_t rank = 0; rank < a->world->size; rank++) {
        remote += a->world->members[rank].client != a->self->client;
    }
    return remote * ((size_t)a->world->hiwater + MARGIN_PACKETS) * packet + link_world_octets(a->world);
}

/* Puts the table of the job on each link. */
static bool tables_put(struct agent *a)
{
    size_t len = link_world_octets(a->world);
    unsigned char *table = malloc(len);
    bool good = table != NULL;

    for (uint32_t i = 0; good && i < a->self->processes; i++) {
        good = link_world_encode(a->world, a->self->first + i, table, len) == WIRE_OK &&
               lane_put(&a->processes[i].lane, table, len);
    }
    free(table);
    return good || agent_break(a, AGENT_BROKEN, "no memory for the table of the job");
}

/* Connects to the other hosts. */
static bool channels_open(struct agent *a)
{
    int *fds = calloc(a->world->hosts, sizeof *fds);

    for (uint32_t host = 0; host < a->world->hosts; host++) {
        a->channels[host].lane.fd = -1;
    }
    if (!fds) {
        return agent_break(a, AGENT_BROKEN, "no memory");
    }
    bool good = dance_run(a->setup, fds);
    for (uint32_t host = 0; host < a->world->hosts; host++) {
        a->channels[host].lane.fd = fds[host];
    }
    free(fds);
    a->status = good ? AGENT_ORDERLY : AGENT_BROKEN;
    return good;
}

/* Tells the launcher how it ended, where that is worth telling. */
static void status_report(const struct agent *a)
{
    unsigned char octet = (unsigned char)a->status;

    if (a->status != AGENT_ORDERLY && a->setup->report_fd >= 0) {
        (void)!write(a->setup->report_fd, &octet, 1);
    }
}

//= IMPI-099
int agent_run(const struct agent_setup *setup)
{
    const struct link_world *world = &setup->agreed->world;
    struct agent a = {.setup = setup, .world = world, .self = &setup->agreed->hosts[setup->host]};

    a.who = who_create(world->members, world->size);
    a.channels = calloc(world->hosts, sizeof *a.channels);
    a.processes = calloc(a.self->processes, sizeof *a.processes);
    a.polled = calloc(a.self->processes + (size_t)world->hosts, sizeof *a.polled);
    bool parting = parting_open(&a.parting, setup->agreed, setup->host);
    if (!a.who || !a.channels || !a.processes || !a.polled || !parting) {
        agent_complain(setup, "no memory");
        a.status = AGENT_BROKEN;
    } else {
        a.most = most_waiting(&a);
        for (uint32_t i = 0; i < a.self->processes; i++) {
            a.processes[i].lane.fd = setup->links[i];
        }
        if (channels_open(&a) && tables_put(&a)) {
            agent_serve(&a);
        }
        status_report(&a);
        for (uint32_t host = 0; host < world->hosts; host++) {
            lane_close(&a.channels[host].lane);
        }
        for (uint32_t i = 0; i < a.self->processes; i++) {
            lane_close(&a.processes[i].lane);
        }
    }
    who_free(a.who);
    free(a.channels);
    free(a.processes);
    parting_close(&a.parting);
    free(a.polled);
    return a.status;
}
