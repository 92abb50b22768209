/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A whole capture under the checkers: finds the Portals streams among its TCP connections by their HELLO, the IMPI jobs
 * by their AUTH and the ports that they announce, and collects what breaks a rule.
 */
#ifndef TESTER_CAPTURE_EXAMINE_H
#define TESTER_CAPTURE_EXAMINE_H

#include "tester/capture/read.h"
#include "wire/impi/check_job.h"
#include "wire/portals/check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXAMINE_VIOLATIONS_MAX = 100000, EXAMINE_NOTES_MAX = 10000, EXAMINE_REMARKS_MAX = 1000, EXAMINE_ROOM = 65536 };

/* One violation, or one note: a finding of IMPI's that is no violation (wire/impi/check.h). */
struct examine_violation {
    uint64_t packet;
    int64_t when_ns;
    struct capture_end from, to;
    struct wire_portals_id sender; /* as its HELLO says; nid 0 before that */
    const char *message;           /* "ack", or "octets" for what is no message */
    struct wire_portals_finding finding;
    bool is_impi; /* a violation of IMPI: then not `finding` but */
    struct wire_impi_finding impi;
    const struct wire_impi_job *job; /* in which it was found, or NULL */
    uint64_t times;                  /* of a note: so often it was due, of which this is the first */
    const void *owner;               /* of a note that is still being counted: its connection */
};

/* Something about the capture that a reader must know. */
struct examine_remark {
    uint64_t packet; /* 0: of the whole capture */
    char text[160];
};

/* What an examination came to. */
struct examine {
    uint64_t packets, messages, connections, streams;
    uint64_t unanswered; /* requests that asked for an answer and got none */
    uint64_t unjudged;   /* answers to requests that the capture does not show */
    struct examine_violation *violations;
    size_t violation_count, violations_left_out;
    struct examine_violation *notes;
    size_t note_count, notes_left_out;
    struct examine_remark *remarks;
    size_t remark_count, remarks_left_out;
    uint64_t impi_links, impi_channels, impi_messages; /* connections to IMPI servers, between hosts; on both */
    struct examine_own *own;
};

/* examine_open begins; it remembers at most `room` requests (EXAMINE_ROOM does for any capture), and finds them again
 * by `key`, which should be random, so that no capture can make that slow. examine_packet takes the next packet;
 * examine_finish settles the counts and sorts out what a capture that does not show everything cannot prove.
 * examine_close frees all. */
void examine_open(struct examine *examine, uint32_t room, const uint64_t key[2]);
void examine_packet(struct examine *examine, const struct capture_packet *packet);
void examine_finish(struct examine *examine);
void examine_close(struct examine *examine);

#endif
