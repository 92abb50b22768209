/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * From octets to findings (follow.h).
 */
#include "wire/follow/follow.h"

#include "wire/octets/row.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void wire_follow_begin(struct wire_follow *follow, struct wire_portals_check *check,
                       const struct wire_portals_id *acceptor, uint64_t when_us)
{
    *follow = (struct wire_follow){.check = check,
                                   .stream = wire_portals_check_open(check, acceptor, when_us),
                                   .ways = {wire_stream_begin(), wire_stream_begin()}};
}

static void report(struct wire_follow *follow, enum wire_portals_side side, const struct wire_portals_header *header,
                   unsigned count)
{
    if (count && follow->report) {
        follow->report(follow->context, follow, side, header, count);
    }
}

/* Whether a message begins here for sure: one between the two processes that the stream connects. */
static bool begins(const struct wire_follow *follow, enum wire_portals_side side, const unsigned char *octets,
                   size_t len)
{
    const struct wire_portals_check_way *way = &follow->stream.ways[side], *back = &follow->stream.ways[!side];
    struct wire_portals_header header;

    if (wire_portals_decode(octets, len, &header, NULL, NULL) != WIRE_OK) {
        return false;
    }
    if (header.operation == WIRE_PORTALS_HELLO) {
        return !way->greeted;
    }
    return way->greeted && wire_portals_id_same(&header.initiator, &way->hello.initiator) &&
           (!back->greeted || wire_portals_id_reaches(&header.target, &back->hello.initiator));
}

bool wire_follow_gap(struct wire_follow *follow, enum wire_portals_side side, uint32_t octets)
{
    struct wire_stream *way = &follow->ways[side];

    if (!follow->searching[side] && wire_stream_skip(way, octets)) {
        return false;
    }
    follow->searching[side] = true;
    wire_portals_check_gap(&follow->stream, side);
    return true;
}

void wire_follow_octets(struct wire_follow *follow, enum wire_portals_side side, const unsigned char *octets,
                        size_t len, uint64_t when_us, uint64_t mark)
{
    struct wire_stream *way = &follow->ways[side];
    bool broken = way->broken != WIRE_OK;
    struct wire_piece piece;
    enum wire_status status;

    if (follow->searching[side]) {
        if (!begins(follow, side, octets, len)) {
            return;
        }
        follow->searching[side] = broken = false;
        *way = wire_stream_begin();
    }
    while ((status = wire_stream_next(way, &octets, &len, &piece)) == WIRE_OK) {
        if (piece.kind == WIRE_STREAM_HEADER && follow->message) {
            follow->message(follow->context, side, piece.octets, piece.len);
        }
        if (piece.kind == WIRE_STREAM_HEADER) {
            report(follow, side, piece.header,
                   wire_portals_check_message(follow->check, &follow->stream, side, piece.header, when_us, mark));
            if (follow->check->answered && follow->answered) {
                follow->answered(follow->context, follow->check->answered, follow->check->answer);
            }
        }
    }
    if (status != WIRE_SHORT && !broken) {
        report(follow, side, NULL, wire_portals_check_broken(follow->check, &follow->stream, side, status));
    }
}

void wire_follow_foreign(struct wire_follow *follow, enum wire_portals_side side)
{
    follow->ways[side].broken = WIRE_UNKNOWN;
    report(follow, side, NULL, wire_portals_check_broken(follow->check, &follow->stream, side, WIRE_UNKNOWN));
}

void wire_follow_end(struct wire_follow *follow, enum wire_portals_side side, bool reset)
{
    const struct wire_stream *way = &follow->ways[side];
    enum wire_portals_ending ending = WIRE_PORTALS_ENDS_BETWEEN;

    if (reset || way->broken != WIRE_OK || follow->searching[side]) {
        ending = WIRE_PORTALS_ENDS_TORN;
    } else if (!wire_stream_may_end(way)) {
        ending = WIRE_PORTALS_ENDS_INSIDE;
    }
    report(follow, side, NULL, wire_portals_check_end(follow->check, &follow->stream, side, ending));
}

/* A value as its row shows it; in whichever message the row is found first. */
static void value_text(const char *field, uint64_t value, char *text, size_t room)
{
    const struct wire_row *row = NULL;

    for (size_t i = 0; i < WIRE_PORTALS_COUNT && !row; i++) {
        row = wire_row_find(&wire_portals_messages[i], field);
    }
    snprintf(text, room, row && row->base == WIRE_HEX ? "0x%" PRIx64 : "%" PRIu64, value);
}

void wire_follow_finding_text(const struct wire_portals_finding *finding, const char *related, char *text, size_t room)
{
    char observed[32], expected[32];
    size_t used;

    snprintf(text, room, "%s (%s): %s", finding->requirement, finding->name, finding->text);
    used = strlen(text);
    if (finding->field) {
        value_text(finding->field, finding->observed, observed, sizeof observed);
        value_text(finding->field, finding->expected, expected, sizeof expected);
        snprintf(text + used, room - used, ": %s is %s instead of %s", finding->field, observed, expected);
        used = strlen(text);
    }
    if (finding->related && related) {
        snprintf(text + used, room - used, " (%s %" PRIu64 ")", related, finding->related);
    }
}
