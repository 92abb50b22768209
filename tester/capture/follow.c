/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * From octets to findings (follow.h).
 */
#include "tester/capture/follow.h"

#include "wire/octets/row.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void follow_begin(struct follow *follow, struct wire_portals_check *check, const struct wire_portals_id *acceptor,
                  uint64_t when_us)
{
    *follow = (struct follow){.check = check,
                              .stream = wire_portals_check_open(check, acceptor, when_us),
                              .ways = {wire_stream_begin(), wire_stream_begin()}};
}

static void report(struct follow *follow, enum wire_portals_side side, const struct wire_portals_header *header,
                   unsigned count)
{
    if (count && follow->report) {
        follow->report(follow->context, follow, side, header, count);
    }
}

void follow_octets(struct follow *follow, enum wire_portals_side side, const unsigned char *octets, size_t len,
                   uint64_t when_us, uint64_t mark)
{
    struct wire_stream *way = &follow->ways[side];
    bool broken = way->broken != WIRE_OK;
    struct wire_piece piece;
    enum wire_status status;

    while ((status = wire_stream_next(way, &octets, &len, &piece)) == WIRE_OK) {
        if (piece.kind == WIRE_STREAM_HEADER) {
            report(follow, side, piece.header,
                   wire_portals_check_message(follow->check, &follow->stream, side, piece.header, when_us, mark));
        }
    }
    if (status != WIRE_SHORT && !broken) {
        report(follow, side, NULL, wire_portals_check_broken(follow->check, &follow->stream, side, status));
    }
}

void follow_foreign(struct follow *follow, enum wire_portals_side side)
{
    follow->ways[side].broken = WIRE_UNKNOWN;
    report(follow, side, NULL, wire_portals_check_broken(follow->check, &follow->stream, side, WIRE_UNKNOWN));
}

void follow_end(struct follow *follow, enum wire_portals_side side, bool reset)
{
    const struct wire_stream *way = &follow->ways[side];
    enum wire_portals_ending ending = WIRE_PORTALS_ENDS_BETWEEN;

    if (reset || way->broken != WIRE_OK) {
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

void follow_finding_text(const struct wire_portals_finding *finding, const char *related, char *text, size_t room)
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
