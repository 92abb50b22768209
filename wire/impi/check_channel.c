/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of a channel between IMPI hosts: the packets of sections 3.5 to 3.8 of the IMPI 0.0 document, one after
 * the other. A message that wants a SYNCACK goes through
 *
 *     WAITING --SYNCACK--> SENDING (long) --last octet--> SETTLED
 *        |                                                  ^
 *        |------------------SYNCACK (short)-----------------'
 *        '--CANCELYES--> DESTROYED
 *
 * and is remembered afterwards, so that a second answer can be told from one that nobody asked for. Flow control and
 * the end of a channel are judged in wire/impi/check_flow.c; notes are made in wire/impi/check_notes.c.
 */
#include "wire/impi/check_channel.h"

#include "wire/impi/check_collective.h"
#include "wire/impi/check_flow.h"
#include "wire/impi/check_lacks.h"
#include "wire/impi/check_notes.h"
#include "wire/impi/check_requests.h"

#include <string.h>

enum { CID_WORLD = 0, CID_WORLD_COLLECTIVE = 1 };

/* A packet under judgement. */
struct judged {
    struct wire_impi_channel *channel;
    enum wire_impi_side side;
    const struct wire_impi_packet *packet;
    struct wire_impi_pair *pair; /* from its source to its destination */
    struct wire_impi_pair *back; /* the other way: what an acknowledgement is about */
    uint64_t mark;
};

void wire_impi_channel_begin(struct wire_impi_channel *channel, const struct wire_impi_channel_tables *tables,
                             const struct wire_impi_limits *limits)
{
    *channel = (struct wire_impi_channel){.tables = *tables, .limits = *limits, .hosts = {-1, -1}};
    for (uint32_t i = 0; i < tables->pair_count; i++) {
        tables->pairs[i] = (struct wire_impi_pair){.used = false};
    }
    for (uint32_t i = 0; i < tables->request_count; i++) {
        tables->requests[i] = (struct wire_impi_request){.state = WIRE_IMPI_FREE};
    }
}

/* Whether the client, whose connection to the server was seen, does not know yet that start-up is over. */
static bool is_early(const struct wire_impi_job *job, const struct wire_impi_job_client *client)
{
    return job->size <= WIRE_IMPI_CLIENTS_MAX && client->joined && !client->partial && !client->told_done;
}

/* An unidentified host, or one that is out of turn: the acceptor need not answer it. */
static unsigned refuse(struct wire_impi_channel *channel)
{
    channel->over[WIRE_IMPI_CONNECTOR] = channel->over[WIRE_IMPI_ACCEPTOR] = true;
    return channel->findings.count;
}

/* Both hosts have a channel from now on, which each of them must close. */
static void count(struct wire_impi_channel *channel)
{
    uint32_t bit = 0, *connection = wire_impi_flow_connection(channel, &bit);

    if (connection && *connection & bit) {
        wire_impi_report(&channel->findings, WIRE_IMPI_RANK_TWICE);
    }
    if (connection && !channel->ended[WIRE_IMPI_CONNECTOR] && !channel->ended[WIRE_IMPI_ACCEPTOR]) {
        *connection |= bit;
    }
    for (enum wire_impi_side side = WIRE_IMPI_CONNECTOR; side <= WIRE_IMPI_ACCEPTOR; side++) {
        bool known = channel->hosts[side] >= 0 && (uint64_t)channel->hosts[side] < channel->job->hosts;

        if (known && !channel->counted[side] && !channel->ended[side]) {
            channel->counted[side] = true;
            channel->job->tables.hosts[channel->hosts[side]].channels++;
        }
    }
}

unsigned wire_impi_channel_rank(struct wire_impi_channel *channel, uint32_t rank)
{
    const struct wire_impi_job *job = channel->job;
    bool known = job && job->whole;
    uint32_t client;

    channel->findings.count = channel->notes.count = 0;
    //= IMPI-084
    if (rank > INT32_MAX || (known && rank >= job->hosts)) {
        wire_impi_report_field(&channel->findings, WIRE_IMPI_RANK_FORM, "rank", known ? (int64_t)job->hosts - 1 : 0,
                               rank);
        return refuse(channel);
    }
    //= IMPI-082
    if ((int64_t)rank <= channel->hosts[WIRE_IMPI_ACCEPTOR] || rank == 0) {
        int64_t above = channel->hosts[WIRE_IMPI_ACCEPTOR] < 0 ? 0 : channel->hosts[WIRE_IMPI_ACCEPTOR];

        wire_impi_report_field(&channel->findings, WIRE_IMPI_RANK_ORDER, "rank", above + 1, rank);
        return refuse(channel);
    }
    channel->hosts[WIRE_IMPI_CONNECTOR] = rank;
    client = known ? job->tables.hosts[rank].client % WIRE_IMPI_CLIENTS_MAX : 0;
    //= IMPI-076
    if (known && is_early(job, &job->clients[client])) {
        wire_impi_report(&channel->findings, WIRE_IMPI_CONNECTED_EARLY)->awaited = UINT32_C(1) << client;
    }
    if (known) {
        count(channel);
        wire_impi_collectives_link(channel);
    }
    wire_impi_lacks_hold_back(channel, WIRE_IMPI_CONNECTOR);
    return channel->findings.count;
}

static void report(const struct judged *judged, enum wire_impi_violation violation,
                   const struct wire_impi_request *request)
{
    struct wire_impi_finding *finding = wire_impi_report(&judged->channel->findings, violation);

    finding->related = request ? request->mark : 0;
}

static void report_field(const struct judged *judged, enum wire_impi_violation violation, const char *field,
                         uint64_t expected, uint64_t observed)
{
    wire_impi_report_field(&judged->channel->findings, violation, field, (int64_t)expected, (int64_t)observed);
}

/* ---- data ---- */

/* The rank is known where the communicator is the world; elsewhere it is one of so many processes. */
static void judge_lsrank(const struct judged *judged)
{
    const struct wire_impi_packet *packet = judged->packet;
    const struct wire_impi_job *job = judged->channel->job;
    bool world = packet->cid == CID_WORLD || packet->cid == CID_WORLD_COLLECTIVE;
    int64_t rank = judged->pair && world ? judged->pair->rank : -1;
    bool beyond = job && job->whole && packet->lsrank >= 0 && (uint32_t)packet->lsrank >= job->processes;

    //= IMPI-116
    if (packet->lsrank < 0 || beyond || (rank >= 0 && packet->lsrank != rank)) {
        wire_impi_report_field(&judged->channel->findings, WIRE_IMPI_LSRANK, "pk_lsrank", rank >= 0 ? rank : 0,
                               packet->lsrank);
    }
}

/* What every packet with data must say for itself. */
static void judge_data(const struct judged *judged)
{
    const struct wire_impi_packet *packet = judged->packet;
    const struct wire_impi_channel *channel = judged->channel;

    //= IMPI-111
    if (channel->limits.datalen && packet->len > channel->limits.datalen) {
        report_field(judged, WIRE_IMPI_DATA_LIMIT, "pk_len", channel->limits.datalen, packet->len);
    }
    //= IMPI-115
    if (packet->len > packet->msglen) {
        report_field(judged, WIRE_IMPI_DATA_ABOVE_MESSAGE, "pk_len", packet->msglen, packet->len);
    }
    //= IMPI-107
    if (packet->tag < 0 || (channel->limits.tagub && packet->tag > channel->limits.tagub)) {
        wire_impi_report_field(&judged->channel->findings, WIRE_IMPI_TAG_RANGE, "pk_tag",
                               channel->limits.tagub ? channel->limits.tagub : INT32_MAX, packet->tag);
    }
    judge_lsrank(judged);
}

static bool is_long(const struct judged *judged)
{
    uint32_t datalen = judged->channel->limits.datalen;

    return judged->packet->msglen > (datalen ? datalen : judged->packet->len);
}

/* Nothing more of the message itself is to come: its srqid may be used again. */
static bool is_over(const struct wire_impi_request *request)
{
    return request->state != WIRE_IMPI_WAITING && request->state != WIRE_IMPI_SENDING;
}

/* A message of one packet that wants no SYNCACK: what was there under its srqid is over. */
static void judge_short(const struct judged *judged)
{
    struct wire_impi_request *request = wire_impi_request_find(judged->channel, judged->pair, judged->packet->srqid);

    if (request && is_over(request) && request->cancels) {
        request->state = WIRE_IMPI_OTHER; /* which is still to be answered */
    } else if (request && is_over(request)) {
        wire_impi_request_drop(judged->channel, request);
    }
}

/* The rest of a long message says what its first packet said. */
static void judge_echo(const struct judged *judged, const struct wire_impi_request *request)
{
    const struct wire_impi_packet *packet = judged->packet;

    if (packet->tag != request->tag) {
        wire_impi_report_field(&judged->channel->findings, WIRE_IMPI_LONG_ECHO, "pk_tag", request->tag, packet->tag);
    } else if (packet->cid != request->cid) {
        report_field(judged, WIRE_IMPI_LONG_ECHO, "pk_cid", request->cid, packet->cid);
    } else if (packet->lsrank != request->lsrank) {
        wire_impi_report_field(&judged->channel->findings, WIRE_IMPI_LONG_ECHO, "pk_lsrank", request->lsrank,
                               packet->lsrank);
    } else if (packet->msglen != request->msglen) {
        report_field(judged, WIRE_IMPI_LONG_ECHO, "pk_msglen", request->msglen, packet->msglen);
    }
}

static void take_rest(const struct judged *judged, struct wire_impi_request *request)
{
    const struct wire_impi_packet *packet = judged->packet;

    //= IMPI-151
    if (packet->drqid != request->drqid) {
        report_field(judged, WIRE_IMPI_LONG_DRQID, "pk_drqid", request->drqid, packet->drqid);
    }
    //= IMPI-152
    judge_echo(judged, request);
    request->sent += packet->len;
    if (request->sent > request->msglen) {
        report_field(judged, WIRE_IMPI_LONG_TOO_MUCH, "octets sent", request->msglen, request->sent);
    }
    if (request->sent >= request->msglen) {
        request->state = WIRE_IMPI_SETTLED;
        judged->pair->open--;
    }
}

/* Whether it was acknowledged nobody has seen, but what comes says so. */
static void take_unsure(const struct judged *judged, struct wire_impi_request *request)
{
    request->state = WIRE_IMPI_SENDING;
    request->drqid = judged->packet->drqid;
    judged->pair->open++;
    take_rest(judged, request);
}

static void judge_rest(const struct judged *judged)
{
    struct wire_impi_request *request = wire_impi_request_find(judged->channel, judged->pair, judged->packet->srqid);
    enum wire_impi_request_state state = request ? (enum wire_impi_request_state)request->state : WIRE_IMPI_FREE;

    switch (state) {
    case WIRE_IMPI_SENDING:
        take_rest(judged, request);
        return;
    case WIRE_IMPI_WAITING: //= IMPI-150
        if (judged->channel->unsettled[0] || judged->channel->unsettled[1]) {
            take_unsure(judged, request);
            return;
        }
        report(judged, WIRE_IMPI_LONG_UNACKED, request);
        return;
    case WIRE_IMPI_DESTROYED: //= IMPI-174
        report(judged, WIRE_IMPI_LONG_CANCELLED, request);
        return;
    case WIRE_IMPI_SETTLED:
        if (request->msglen == judged->packet->msglen && request->drqid == judged->packet->drqid) {
            report(judged, WIRE_IMPI_LONG_TOO_MUCH, request);
            return;
        }
        break;
    case WIRE_IMPI_UNSURE:
        take_unsure(judged, request);
        return;
    case WIRE_IMPI_FREE:
    case WIRE_IMPI_OTHER:
        break;
    }
    if (judged->channel->forgotten || judged->channel->lacked[judged->side]) {
        return; /* its first packet may be among what was given up */
    }
    if (judged->pair->open) {
        wire_impi_report(&judged->channel->findings, WIRE_IMPI_LONG_ECHO)->field = "pk_srqid";
        return;
    }
    //= IMPI-148
    report(judged, WIRE_IMPI_LONG_BY_DATA, NULL);
}

/* The first packet of a message that wants a SYNCACK. */
static void judge_datasync(const struct judged *judged)
{
    const struct wire_impi_packet *packet = judged->packet;
    struct wire_impi_request *request = wire_impi_request_find(judged->channel, judged->pair, packet->srqid);
    uint64_t waits = wire_impi_request_waits(judged->channel, judged->pair, packet->srqid);
    uint64_t cancelled = 0;
    uint32_t earlier = 0;

    //= IMPI-113
    if (waits || (request && request->state == WIRE_IMPI_SENDING)) {
        wire_impi_report(&judged->channel->findings, WIRE_IMPI_SRQID_TWICE)->related = waits ? waits : request->mark;
    }
    if (request && is_over(request)) {
        earlier = request->cancels;
        cancelled = request->mark;
        wire_impi_request_drop(judged->channel, request);
    }
    request = wire_impi_request_make(judged->channel, judged->pair, packet->srqid);
    if (request) { /* one that was captured too late may have been answered before */
        request->state = judged->channel->unsettled[judged->side] ? WIRE_IMPI_UNSURE : WIRE_IMPI_WAITING;
        request->msglen = packet->msglen;
        request->sent = packet->len;
        request->cid = packet->cid;
        request->tag = packet->tag;
        request->lsrank = packet->lsrank;
        request->cancels = request->earlier = earlier;
        request->mark = earlier ? cancelled : judged->mark;
    }
}

/* A DATA belongs to a long message: by its length, or where no limit is known by what was said before. */
static bool is_rest(const struct judged *judged)
{
    const struct wire_impi_request *request =
        judged->channel->limits.datalen ? NULL
                                        : wire_impi_request_find(judged->channel, judged->pair, judged->packet->srqid);

    return is_long(judged) || (request && (request->state == WIRE_IMPI_SENDING ||
                                           (request->state == WIRE_IMPI_UNSURE && request->sent < request->msglen)));
}

static void judge_message(const struct judged *judged)
{
    const struct wire_impi_packet *packet = judged->packet;

    judge_data(judged);
    if (!judged->pair) {
        return;
    }
    //= IMPI-140
    if (!is_long(judged) && packet->len < packet->msglen) {
        report_field(judged, WIRE_IMPI_SHORT_IN_PARTS, "pk_len", packet->msglen, packet->len);
    }
    if (packet->type == WIRE_IMPI_DATA && is_rest(judged)) {
        judge_rest(judged);
        return;
    }
    if (packet->type == WIRE_IMPI_DATASYNC) {
        judge_datasync(judged);
    } else {
        judge_short(judged);
    }
    bool misplaced = wire_impi_notes_message(judged->channel, judged->pair, judged->back, packet);
    wire_impi_collectives_message(judged->channel, packet, misplaced, judged->mark);
}

/* ---- answers ---- */

static void judge_syncack(const struct judged *judged)
{
    struct wire_impi_request *request =
        judged->back ? wire_impi_request_awaiting(judged->channel, judged->back, judged->packet->srqid) : NULL;
    enum wire_impi_request_state state = request ? (enum wire_impi_request_state)request->state : WIRE_IMPI_FREE;

    switch (state) {
    case WIRE_IMPI_UNSURE:
    case WIRE_IMPI_WAITING: //= IMPI-146
        request->state = request->sent < request->msglen ? WIRE_IMPI_SENDING : WIRE_IMPI_SETTLED;
        request->drqid = judged->packet->drqid;
        judged->back->open += request->state == WIRE_IMPI_SENDING;
        return;
    case WIRE_IMPI_SENDING:
    case WIRE_IMPI_SETTLED:
        report(judged, WIRE_IMPI_SYNCACK_AGAIN, request);
        return;
    case WIRE_IMPI_DESTROYED: //= IMPI-168
        report(judged, WIRE_IMPI_SYNCACK_DESTROYED, request);
        return;
    case WIRE_IMPI_FREE:
    case WIRE_IMPI_OTHER:
        if (judged->channel->forgotten == 0) {
            wire_impi_report(&judged->channel->findings, WIRE_IMPI_SYNCACK_UNASKED)->field = "pk_srqid";
        }
        return;
    }
}

static void judge_cancel(const struct judged *judged)
{
    struct wire_impi_request *request;

    if (!judged->pair) {
        return;
    }
    request = wire_impi_request_find(judged->channel, judged->pair, judged->packet->srqid);
    if (!request) {
        request = wire_impi_request_make(judged->channel, judged->pair, judged->packet->srqid);
        if (request) {
            request->state = WIRE_IMPI_OTHER;
        }
    }
    if (request) {
        request->cancels++;
        request->late += judged->channel->fini[judged->side]; //= IMPI-177
        request->mark = request->mark ? request->mark : judged->mark;
    }
}

static void judge_reply(const struct judged *judged)
{
    struct wire_impi_request *request =
        judged->back ? wire_impi_request_find(judged->channel, judged->back, judged->packet->srqid) : NULL;

    //= IMPI-170
    if (!request || request->cancels == 0) {
        if (judged->channel->forgotten == 0) {
            report(judged, WIRE_IMPI_CANCEL_UNASKED, request);
        }
        return;
    }
    request->cancels--;
    request->late = request->late < request->cancels ? request->late : request->cancels;
    if (request->earlier) { /* the answer to what was cancelled under this srqid before */
        request->earlier--;
        return;
    }
    if (judged->packet->type != WIRE_IMPI_CANCELYES) {
        return;
    }
    //= IMPI-169
    if (request->state == WIRE_IMPI_SENDING || request->state == WIRE_IMPI_SETTLED) {
        report(judged, WIRE_IMPI_CANCELYES_MATCHED, request);
    } else if (request->state == WIRE_IMPI_WAITING || request->state == WIRE_IMPI_UNSURE) {
        request->state = WIRE_IMPI_DESTROYED;
    }
}

/* ---- all packets ---- */

static void judge_processes(const struct judged *judged)
{
    //= IMPI-112
    //= IMPI-125
    if (judged->pair && judged->pair->bad_source) {
        report(judged, WIRE_IMPI_PACKET_SOURCE, NULL);
    }
    if (judged->pair && judged->pair->bad_dest) {
        report(judged, WIRE_IMPI_PACKET_DEST, NULL);
    }
}

static void judge_packet(const struct judged *judged)
{
    switch ((enum wire_impi_type)judged->packet->type) {
    case WIRE_IMPI_DATA:
    case WIRE_IMPI_DATASYNC:
        judge_message(judged);
        return;
    case WIRE_IMPI_SYNCACK:
        judge_syncack(judged);
        return;
    case WIRE_IMPI_CANCEL:
        judge_cancel(judged);
        return;
    case WIRE_IMPI_CANCELYES:
    case WIRE_IMPI_CANCELNO:
        judge_reply(judged);
        return;
    case WIRE_IMPI_PROTOACK:
        wire_impi_flow_acknowledge(judged->channel, judged->back);
        return;
    case WIRE_IMPI_FINI:
        wire_impi_collectives_fini(judged->channel, judged->side);
        return;
    }
}

unsigned wire_impi_channel_packet(struct wire_impi_channel *channel, enum wire_impi_side side,
                                  const struct wire_impi_packet *packet, uint64_t mark)
{
    enum wire_impi_side other = side == WIRE_IMPI_CONNECTOR ? WIRE_IMPI_ACCEPTOR : WIRE_IMPI_CONNECTOR;
    struct judged judged = {.channel = channel, .side = side, .packet = packet, .mark = mark};

    channel->findings.count = channel->notes.count = 0;
    if (channel->collectives) {
        channel->collectives->step.operation = NULL;
    }
    if (channel->over[side]) {
        return 0;
    }
    channel->packets++;
    wire_impi_flow_order(channel, side, packet->type);
    if (packet->type != WIRE_IMPI_FINI) {
        judged.pair = wire_impi_pair_of(channel, side, &packet->src, &packet->dest);
        judged.back = wire_impi_pair_of(channel, other, &packet->dest, &packet->src);
        judge_processes(&judged);
    }
    if (judged.pair) {
        wire_impi_flow_count(channel, judged.pair, packet->type, mark);
    }
    judge_packet(&judged);
    wire_impi_notes_header(channel, side, judged.pair, packet);
    wire_impi_lacks_hold_back(channel, side);
    channel->head[side].len = 0;
    return channel->findings.count;
}

void wire_impi_channel_data(struct wire_impi_channel *channel, enum wire_impi_side side, const unsigned char *octets,
                            size_t len)
{
    struct wire_impi_head *head = &channel->head[side];
    size_t room = sizeof head->octets - head->len;
    size_t taken = len < room ? len : room;

    if (taken) {
        memcpy(head->octets + head->len, octets, taken);
        head->len += taken;
    }
}

unsigned wire_impi_channel_broken(struct wire_impi_channel *channel, enum wire_impi_side side)
{
    channel->findings.count = channel->notes.count = 0;
    if (!channel->over[side]) {
        wire_impi_report(&channel->findings, WIRE_IMPI_PACKET_TYPE);
    }
    channel->over[side] = true;
    return channel->findings.count;
}

void wire_impi_channel_lacks(struct wire_impi_channel *channel, enum wire_impi_side side, bool lost)
{
    if (lost) {
        wire_impi_channel_gone(channel);
    }
    wire_impi_lacks_begin(channel, side, lost);
}
