/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * From octets to findings, for IMPI (wire_follow_impi.h).
 */
#include "wire/follow/follow_impi.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static enum wire_impi_direction wire_direction_of(unsigned side)
{
    return side ? WIRE_IMPI_FROM_SERVER : WIRE_IMPI_FROM_CLIENT;
}

static enum wire_impi_side side_of(unsigned side)
{
    return side ? WIRE_IMPI_ACCEPTOR : WIRE_IMPI_CONNECTOR;
}

static void report(const struct wire_follow_impi_listener *listener, unsigned side, const char *message,
                   const struct wire_impi_findings *findings, const struct wire_impi_findings *notes)
{
    if (findings->count && listener->report) {
        listener->report(listener->context, side, message, findings);
    }
    if (notes->count && listener->note) {
        listener->note(listener->context, side, message, notes);
    }
}

static void tell(const struct wire_follow_impi_listener *listener, unsigned side, const unsigned char *octets,
                 size_t len)
{
    if (listener->message) {
        listener->message(listener->context, side, octets, len);
    }
}

static void report_link(const struct wire_follow_impi_link *follow, unsigned side, const char *message)
{
    report(&follow->listener, side, message, &follow->link.findings, &follow->link.notes);
}

static void report_channel(const struct wire_follow_impi_channel *follow, unsigned side, const char *message)
{
    report(&follow->listener, side, message, &follow->channel.findings, &follow->channel.notes);
}

void wire_follow_impi_link_begin(struct wire_follow_impi_link *follow, struct wire_impi_job *job)
{
    *follow = (struct wire_follow_impi_link){
        .ways = {wire_impi_startup_begin(WIRE_IMPI_FROM_CLIENT), wire_impi_startup_begin(WIRE_IMPI_FROM_SERVER)}};
    wire_impi_link_begin(&follow->link, job);
}

void wire_follow_impi_link_octets(struct wire_follow_impi_link *follow, unsigned side, const unsigned char *octets,
                                  size_t len, uint64_t mark)
{
    struct wire_impi_startup *way = &follow->ways[side];
    bool broken = way->broken;
    struct wire_impi_startup_piece piece;

    while (wire_impi_startup_next(way, &octets, &len, &piece) == WIRE_OK) {
        if (piece.kind == WIRE_IMPI_COMMAND) {
            follow->listener.messages++;
            tell(&follow->listener, side, piece.octets, piece.len);
        }
        if (piece.kind == WIRE_IMPI_COMMAND && piece.command->kind == WIRE_IMPI_SAYS_CHOICE) {
            wire_impi_startup_method(&follow->ways[0], piece.command->which);
        }
        (void)wire_impi_link_piece(&follow->link, wire_direction_of(side), &piece, mark);
        report_link(follow, side, piece.message->name);
    }
    if (way->broken && !broken) {
        (void)wire_impi_link_broken(&follow->link, wire_direction_of(side));
        report_link(follow, side, "octets");
    }
}

void wire_follow_impi_link_end(struct wire_follow_impi_link *follow, unsigned side, bool reset)
{
    const struct wire_impi_startup *way = &follow->ways[side];
    bool inside = !reset && !way->broken && wire_impi_startup_missing(way) > 0;

    (void)wire_impi_link_end(&follow->link, wire_direction_of(side), inside);
    report_link(follow, side, "octets");
}

void wire_follow_impi_channel_begin(struct wire_follow_impi_channel *follow,
                                    const struct wire_impi_channel_tables *tables,
                                    const struct wire_impi_limits *limits)
{
    *follow = (struct wire_follow_impi_channel){.ways = {wire_impi_packets_begin(), wire_impi_packets_begin()}};
    wire_impi_channel_begin(&follow->channel, tables, limits);
}

/* The rank, with which the side that connected begins. Advances over its octets. */
static void take_rank(struct wire_follow_impi_channel *follow, const unsigned char **octets, size_t *len)
{
    const unsigned char *at = follow->rank;

    while (*len && follow->rank_len < WIRE_IMPI_RANK_OCTETS) {
        follow->rank[follow->rank_len++] = *(*octets)++;
        (*len)--;
        if (follow->rank_len == WIRE_IMPI_RANK_OCTETS) {
            tell(&follow->listener, 0, follow->rank, sizeof follow->rank);
            (void)wire_impi_channel_rank(&follow->channel,
                                         (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]);
            report_channel(follow, 0, "rank");
        }
    }
}

/* A packet is whole: all of it has come, or is known to have been there. */
static void take_packet(struct wire_follow_impi_channel *follow, unsigned side, uint64_t mark)
{
    const struct wire_impi_packets *way = &follow->ways[side];
    const struct wire_impi_collectives *collectives = follow->channel.collectives;

    follow->listener.messages++;
    tell(&follow->listener, side, way->kept, WIRE_IMPI_PACKET_OCTETS);
    (void)wire_impi_channel_packet(&follow->channel, side_of(side), &way->packet, mark);
    report_channel(follow, side, wire_impi_packet_message(way->packet.type)->name);
    if (follow->listener.collective && collectives && collectives->step.operation) {
        follow->listener.collective(follow->listener.context, side, &collectives->step);
    }
}

static void search(struct wire_follow_impi_channel *follow, unsigned side)
{
    follow->searching[side] = follow->channel.sought[side_of(side)] = true;
    follow->ways[side] = wire_impi_packets_begin();
    follow->rank_len = side == 0 ? WIRE_IMPI_RANK_OCTETS : follow->rank_len;
    wire_impi_channel_lacks(&follow->channel, side_of(side), true);
}

bool wire_follow_impi_channel_gap(struct wire_follow_impi_channel *follow, unsigned side, uint32_t octets,
                                  uint64_t mark)
{
    if (follow->searching[side] || !wire_impi_packets_skip(&follow->ways[side], octets)) {
        search(follow, side);
        return true;
    }
    if (follow->ways[side].data_left == 0) {
        take_packet(follow, side, mark);
    }
    return false;
}

void wire_follow_impi_channel_late(struct wire_follow_impi_channel *follow)
{
    search(follow, 0);
    search(follow, 1);
}

/* Whether the process is one of the side's host. */
static bool is_of(const struct wire_follow_impi_channel *follow, unsigned side, const struct wire_impi_process *process)
{
    const struct wire_impi_job *job = follow->channel.job;
    int64_t host = follow->channel.hosts[side_of(side)], rank;

    if (!job || !job->whole) {
        return wire_impi_host_same(process->host, follow->hosts[side]);
    }
    rank = wire_impi_job_process_of(job, process);
    return rank >= 0 && (host < 0 || job->tables.processes[rank].host == host);
}

bool wire_follow_impi_channel_begins(const struct wire_follow_impi_channel *follow, unsigned side,
                                     const unsigned char *octets, size_t len)
{
    struct wire_impi_packet packet;

    return wire_impi_packet_decode(octets, len, &packet) == WIRE_OK && packet.type != WIRE_IMPI_FINI &&
           is_of(follow, side, &packet.src) && is_of(follow, !side, &packet.dest);
}

/* Goes to where the next packet begins. False: not here. What came before it and was captured has not been judged, and
 * may explain what others do as well as what was not captured. */
static bool find(struct wire_follow_impi_channel *follow, unsigned side, const unsigned char **octets, size_t *len)
{
    while (*len >= WIRE_IMPI_PACKET_OCTETS && follow->searching[side]) {
        follow->searching[side] = !wire_follow_impi_channel_begins(follow, side, *octets, *len);
        *octets += follow->searching[side];
        *len -= follow->searching[side];
    }
    if (!follow->searching[side]) {
        follow->channel.sought[side_of(side)] = false;
        wire_impi_channel_lacks(&follow->channel, side_of(side), true);
    }
    return !follow->searching[side];
}

void wire_follow_impi_channel_octets(struct wire_follow_impi_channel *follow, unsigned side,
                                     const unsigned char *octets, size_t len, uint64_t mark)
{
    struct wire_impi_packets *way = &follow->ways[side];
    bool broken = way->broken;
    struct wire_impi_packets_piece piece;

    if (side == 0) {
        take_rank(follow, &octets, &len);
    }
    if (follow->searching[side] && !find(follow, side, &octets, &len)) {
        return;
    }
    while (wire_impi_packets_next(way, &octets, &len, &piece) == WIRE_OK) {
        if (piece.kind == WIRE_IMPI_USER_DATA) {
            wire_impi_channel_data(&follow->channel, side_of(side), piece.octets, piece.len);
        }
        if (piece.left == 0) {
            take_packet(follow, side, mark);
        }
    }
    if (way->broken && !broken) {
        (void)wire_impi_channel_broken(&follow->channel, side_of(side));
        report_channel(follow, side, "octets");
    }
}

void wire_follow_impi_channel_end(struct wire_follow_impi_channel *follow, unsigned side, bool reset)
{
    const struct wire_impi_packets *way = &follow->ways[side];
    bool inside = !reset && !way->broken && !follow->searching[side] && wire_impi_packets_missing(way) > 0;

    (void)wire_impi_channel_end(&follow->channel, side_of(side), inside);
    report_channel(follow, side, "octets");
    if (reset) {
        wire_impi_channel_gone(&follow->channel);
    }
}

void wire_follow_impi_finding_text(const struct wire_impi_finding *finding, const char *related, char *text,
                                   size_t room)
{
    size_t used;

    snprintf(text, room, "%s (%s): %s", finding->rule->requirement, finding->rule->name, finding->rule->text);
    used = strlen(text);
    if (finding->compared) {
        snprintf(text + used, room - used, ": %s is %" PRId64 " instead of %" PRId64, finding->field, finding->observed,
                 finding->expected);
    } else if (finding->field) {
        snprintf(text + used, room - used, ": %s", finding->field);
    }
    used = strlen(text);
    if (finding->related && related) {
        snprintf(text + used, room - used, " (%s %" PRIu64 ")", related, finding->related);
        used = strlen(text);
    }
    if (finding->hearsay) {
        snprintf(text + used, room - used, ", given by a client whose connection was not captured");
        used = strlen(text);
    }
    if (finding->rule->reading) {
        snprintf(text + used, room - used, ": reading %s", finding->rule->reading);
    }
}
