/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A network between two processes that loses, doubles, holds back and cuts exactly what a test tells it to. Both
 * processes live in the test; one thread carries everything, in order, so nothing depends on chance.
 */
#ifndef TESTS_RELIABLE_LINE_H
#define TESTS_RELIABLE_LINE_H

#include "ref-impl/nal/wrap/reliable/reliable.h"
#include "tests/reftcp/recorder.h"

#include <stdbool.h>
#include <stdint.h>

enum { LINE_A, LINE_B, LINE_SIDES };

enum line_deed {
    LINE_DELIVER,
    LINE_DROP,
    LINE_DOUBLE,
    LINE_HOLD, /* until the next message of this side has been carried */
    LINE_CUT,  /* the connection breaks after half of the payload */
};

/* What a process is told when it greets. */
enum line_door { LINE_NUMBERED, LINE_PLAIN, LINE_REFUSED, LINE_SILENT };

/* line_judge says what becomes of a message of a side. `nth` counts that side's messages from 0, ACKNOWLEDGE included;
 * `again` says whether this number was carried before. Called by the line's thread. */
typedef enum line_deed line_judge(int side, unsigned nth, const struct wire_portals_header *header, bool again);

/* struct line_side is one process: its layer, its interface 0 and its core. */
struct line_side {
    struct wire_portals_id self;
    struct reliable_net *net;
    struct nal *nal;
    struct recorder core;
};

extern struct line_side line_sides[LINE_SIDES];

/* line_begin - two processes and the line between them; interface 0 of both is open.
 * line_end - ends all.
 * line_door_set - from now on greetings have that result.
 * line_count - messages of a side that were carried or lost so far, without ACKNOWLEDGE where `acknowledges` is false.
 * line_break - breaks the connection between two messages.
 * line_restart - side B is another process from now on.
 * line_settle - waits until the line has nothing to carry. */
void line_begin(line_judge *judge);
void line_end(void);
void line_door_set(enum line_door door);
unsigned line_count(int side, bool acknowledges);
void line_break(void);
void line_restart(void);
void line_settle(void);

/* line_interface_open, line_interface_close - of a side. */
void line_interface_open(int side);
void line_interface_close(int side);

/* line_inject - a message without payload from a process that is neither A nor B, as if it had come to that side. */
void line_inject(int side, const struct wire_portals_header *header);

/* line_put - a put of `length` octets from A to B with these match bits; the cookie is the match bits' address. */
enum nal_status line_put(uint64_t *match_bits, const void *payload, uint64_t length);

#endif
