/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One direction of a TCP connection (wire/follow/direction.h). Sequence numbers are compared by their distance, as TCP
 * does (RFC 9293, section 3.4): what lies less than 2^31 behind is old, what lies ahead is early.
 */
#include "wire/follow/direction.h"

#include "wire/follow/again.h"

#include <string.h>

enum { RESET_NEAR = 16 << 20 }; /* octets */

struct wire_reassembly_early {
    struct wire_reassembly_early *next;
    uint32_t seq;
    size_t len;
    uint32_t missing; /* behind these octets */
    bool placed;      /* among those of several paths */
    uint32_t shift;
    unsigned char octets[];
};

/* How far a sequence number lies ahead of what is due; negative: behind. */
static int32_t ahead(const struct wire_reassembly_way *way, uint32_t seq)
{
    return (int32_t)(seq - way->next);
}

void wire_direction_drop(struct wire_direction_host *host, struct wire_reassembly_way *way)
{
    while (way->early) {
        struct wire_reassembly_early *first = way->early;

        way->early = first->next;
        host->memory->give(host->memory->context, first);
    }
    host->early_octets -= way->early_octets;
    way->early_octets = way->early_count = 0;
}

static void doubt(const struct wire_direction *at, bool raised)
{
    const struct wire_reassembly_listener *listener = at->host->listener;

    if (at->way->doubted != raised) {
        at->way->doubted = raised;
        if (listener->doubted) {
            listener->doubted(listener->context, at->connection, at->side, raised);
        }
    }
}

/* Whether the other side, what came too early or the end tells of octets that have not come. */
static bool lacks(const struct wire_reassembly_way *way)
{
    return (way->early && ahead(way, way->early->seq) > 0) || (way->confirmed && ahead(way, way->acked) > 0) ||
           (way->fin && !way->finished && ahead(way, way->fin_at) > 0);
}

/* Something has come, or has not. */
static void settle(const struct wire_direction *at)
{
    at->way->confirmed = at->way->confirmed && ahead(at->way, at->way->acked) > 0;
    doubt(at, lacks(at->way));
}

static void deliver(const struct wire_direction *at, const unsigned char *octets, size_t len)
{
    const struct wire_reassembly_listener *listener = at->host->listener;

    wire_again_remember(at->host->memory, at->way, octets, len);
    at->way->next += (uint32_t)len;
    at->way->elsewhere = at->way->elsewhere && len == 0;
    settle(at);
    if (len && listener->octets) {
        listener->octets(listener->context, at->connection, at->side, octets, len, at->packet);
    }
}

/* Goes on at `seq`, which lies ahead: what is before it is missing. */
static void leap(const struct wire_direction *at, uint32_t seq)
{
    const struct wire_reassembly_listener *listener = at->host->listener;
    uint32_t octets = (uint32_t)ahead(at->way, seq);

    at->way->next = seq;
    at->way->lost = true;
    if (listener->gap) {
        listener->gap(listener->context, at->connection, at->side, octets, at->packet);
    }
    settle(at);
}

/* The way is one of several paths, and octets went by another one. */
static void miss_elsewhere(const struct wire_direction *at)
{
    const struct wire_reassembly_listener *listener = at->host->listener;

    if (!at->way->elsewhere) {
        at->way->elsewhere = at->way->lost = true;
        if (listener->gap) {
            listener->gap(listener->context, at->connection, at->side, UINT32_MAX, at->packet);
        }
    }
}

/* Octets are due that belong so far behind their number on this path. */
static void take_place(const struct wire_direction *at, bool placed, uint32_t shift)
{
    struct wire_reassembly_way *way = at->way;

    if (placed && way->placed && way->shift != shift) {
        miss_elsewhere(at);
    }
    way->shift = placed ? shift : way->shift;
    way->placed = way->placed || placed;
}

/* Where in the stream the next octets of this path belong, if none went by another one. */
static uint32_t place_of_next(const struct wire_reassembly_way *way)
{
    return way->shift + way->next - way->first + 1;
}

static bool knows_place(const struct wire_reassembly_way *way)
{
    return way->placed && way->whole && !way->early && !way->finished;
}

/* How far the other side has got on all paths; the end of the stream counts as one octet. Before the first octets that
 * tells where they will belong. */
static void hear_of_paths(const struct wire_direction *at, const struct wire_segment *segment)
{
    struct wire_reassembly_way *way = at->way;

    if (!segment->path.acknowledges || ahead(way, segment->ack) > 0) {
        return;
    }
    if (!way->placed && way->whole && way->next == way->first && segment->ack == way->first) {
        way->placed = true;
        way->shift = segment->path.acked - 1;
    }
    if (knows_place(way) && (int32_t)(segment->path.acked - place_of_next(way)) > 1) {
        miss_elsewhere(at);
    }
}

/* A path may end before the stream does, and the stream on another path. */
static void end_path(const struct wire_direction *at, const struct wire_path *path, bool ended)
{
    struct wire_reassembly_way *way = at->way;

    if (path->ends) {
        way->stream_ended = true;
        if (knows_place(way) && path->end != place_of_next(way)) {
            miss_elsewhere(at);
        }
    }
    if (ended && !way->finished && (way->placed || at->connection->further) && !way->stream_ended) {
        miss_elsewhere(at);
    }
}

/* Delivers what is new in octets that are due or overdue, and steps over those that were cut off behind them. */
static void take_due(const struct wire_direction *at, uint32_t seq, const unsigned char *octets, size_t len,
                     uint32_t missing)
{
    size_t old = (size_t) - (int64_t)ahead(at->way, seq);
    uint32_t end = seq + (uint32_t)len + missing;

    if (old < len) {
        deliver(at, octets + old, len - old);
    }
    if (missing && ahead(at->way, end) > 0) {
        leap(at, end);
    }
}

static void catch_up(const struct wire_direction *at)
{
    struct wire_reassembly_way *way = at->way;

    while (way->early && ahead(way, way->early->seq) <= 0) {
        struct wire_reassembly_early *early = way->early;

        way->early = early->next;
        way->early_count--;
        way->early_octets -= early->len;
        at->host->early_octets -= early->len;
        take_place(at, early->placed, early->shift);
        take_due(at, early->seq, early->octets, early->len, early->missing);
        at->host->memory->give(at->host->memory->context, early);
    }
}

/* What is missing up to `seq` will not come any more. */
static void give_up(const struct wire_direction *at, uint32_t seq)
{
    struct wire_reassembly_way *way = at->way;

    while (ahead(way, seq) > 0) {
        bool early = way->early && (int32_t)(seq - way->early->seq) > 0;

        leap(at, early ? way->early->seq : seq);
        catch_up(at);
    }
}

static bool has_room(const struct wire_direction *at, size_t len)
{
    return len <= WIRE_REASSEMBLY_EARLY_MAX - at->way->early_octets &&
           at->way->early_count < WIRE_REASSEMBLY_SEGMENTS_MAX &&
           len <= WIRE_REASSEMBLY_ALL_EARLY_MAX - at->host->early_octets;
}

static void keep(const struct wire_direction *at, uint32_t seq, const struct wire_segment *segment)
{
    struct wire_reassembly_way *way = at->way;
    struct wire_reassembly_early **place = &way->early, *early;

    if (way->early && ahead(way, way->early_last->seq) <= ahead(way, seq)) {
        place = &way->early_last->next; /* behind a gap segments mostly come in their order */
    }
    while (*place && ahead(way, (*place)->seq) <= ahead(way, seq)) {
        place = &(*place)->next;
    }
    early = at->host->memory->take(at->host->memory->context, sizeof *early + segment->len);
    early->seq = seq;
    early->len = segment->len;
    early->missing = (uint32_t)segment->missing;
    early->placed = segment->path.placed;
    early->shift = segment->path.shift;
    if (segment->len) {
        memcpy(early->octets, segment->data, segment->len);
    }
    early->next = *place;
    *place = early;
    way->early_last = early->next ? way->early_last : early;
    way->early_count++;
    way->early_octets += segment->len;
    at->host->early_octets += segment->len;
}

/* Of octets that were acknowledged before what follows them came, nobody need wait for any, unless they may stand in a
 * wrong place of the capture and matter much. */
static void stop_waiting(const struct wire_direction *at)
{
    struct wire_reassembly_way *way = at->way;
    bool waits = at->connection->patient && at->packet->number - way->confirmed_at <= WIRE_REASSEMBLY_PATIENCE;

    if (way->confirmed && way->early && !waits) {
        give_up(at, ahead(way, way->early->seq) < ahead(way, way->acked) ? way->acked : way->early->seq);
        catch_up(at);
    }
}

/* A segment that is not yet due. */
static void take_early(const struct wire_direction *at, uint32_t seq, const struct wire_segment *segment)
{
    struct wire_reassembly_way *way = at->way;

    way->late = *at->packet;
    if (has_room(at, segment->len)) {
        keep(at, seq, segment);
    } else {
        give_up(at, seq);
        take_place(at, segment->path.placed, segment->path.shift);
        take_due(at, seq, segment->data, segment->len, (uint32_t)segment->missing);
    }
    stop_waiting(at);
}

static uint32_t end_of_data(const struct wire_segment *segment)
{
    return segment->seq + !!(segment->flags & WIRE_TCP_SYN) + (uint32_t)(segment->len + segment->missing);
}

static void take_data(const struct wire_direction *at, const struct wire_segment *segment)
{
    uint32_t seq = segment->seq + (segment->flags & WIRE_TCP_SYN ? 1 : 0);

    if (segment->len + segment->missing == 0) {
        return;
    }
    if (ahead(at->way, seq) > 0) {
        take_early(at, seq, segment);
    } else {
        if (ahead(at->way, end_of_data(segment)) > 0) {
            take_place(at, segment->path.placed, segment->path.shift);
        }
        take_due(at, seq, segment->data, segment->len, (uint32_t)segment->missing);
        catch_up(at);
    }
}

/* Whether its receiver takes a reset: with a number far from all that may come (RFC 9293, 3.10.7.4) it is none. */
static bool is_reset(const struct wire_direction *at, const struct wire_segment *segment)
{
    int32_t distance = ahead(at->way, segment->seq);

    return (segment->flags & WIRE_TCP_RST) && !at->connection->closed &&
           (!at->way->begun || (distance >= -RESET_NEAR && distance <= RESET_NEAR));
}

static void take_end(const struct wire_direction *at, const struct wire_segment *segment)
{
    const struct wire_reassembly_listener *listener = at->host->listener;
    struct wire_reassembly_way *way = at->way;
    bool reset = is_reset(at, segment);

    if (segment->flags & WIRE_TCP_FIN) {
        way->late = *at->packet;
        way->fin = true;
        way->fin_at = segment->seq + (uint32_t)(segment->len + segment->missing);
    }
    if (way->fin && !reset && way->confirmed && way->fin_at + 1 == way->acked) {
        give_up(at, way->fin_at); /* the other side has seen the end */
    }
    if (!reset && (!way->fin || way->finished || ahead(way, way->fin_at) > 0)) {
        return;
    }
    if (!reset) {
        way->finished = true;
        way->next = way->fin_at + 1;
        settle(at);
    }
    at->connection->closed = true;
    if (listener->ended) {
        listener->ended(listener->context, at->connection, at->side, reset, at->packet);
    }
}

void wire_direction_take(const struct wire_direction *at, const struct wire_segment *segment)
{
    struct wire_reassembly_way *way = at->way;

    if (!way->begun && !(segment->flags & WIRE_TCP_RST)) {
        way->begun = true;
        way->whole = (segment->flags & WIRE_TCP_SYN) && !at->connection->further;
        way->low = way->first = way->next = segment->seq + (segment->flags & WIRE_TCP_SYN ? 1 : 0);
    }
    if (!way->finished) {
        take_data(at, segment);
    }
    end_path(at, &segment->path, segment->flags & WIRE_TCP_FIN || is_reset(at, segment));
    take_end(at, segment);
    settle(at);
}

static bool has_said_nothing(const struct wire_reassembly_way *way, const struct wire_segment *segment)
{
    return way->whole && way->next == way->first && segment->seq == way->first;
}

void wire_direction_acknowledge(const struct wire_direction *at, const struct wire_segment *segment)
{
    struct wire_reassembly_way *way = at->way;

    if (!(segment->flags & WIRE_TCP_ACK) || segment->flags & WIRE_TCP_RST) {
        return;
    }
    if (!way->begun) { /* octets before this were sent, and not captured, unless it answers the SYN */
        way->begun = true;
        way->whole = (segment->flags & WIRE_TCP_SYN) && !at->connection->further;
        way->silent = has_said_nothing(&at->connection->ways[!at->side], segment);
        way->low = way->first = way->next = segment->ack;
    }
    hear_of_paths(at, segment);
    if (ahead(way, segment->ack) > 0 && !way->finished) {
        way->acked = way->confirmed && (int32_t)(way->acked - segment->ack) > 0 ? way->acked : segment->ack;
        way->confirmed_at = way->confirmed ? way->confirmed_at : at->packet->number;
        way->confirmed = true;
        way->late = *at->packet;
        settle(at);
        if (at->connection->patient) {
            stop_waiting(at);
        }
    }
}

void wire_direction_finish(const struct wire_direction *at)
{
    struct wire_reassembly_way *way = at->way;

    while (way->early) {
        give_up(at, way->early->seq);
        catch_up(at);
    }
    if (way->confirmed) {
        give_up(at, way->acked);
    }
    if (way->fin && !way->finished) {
        give_up(at, way->fin_at);
    }
}
