/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What an examination of a capture has found so far (examine.h).
 */
#ifndef TESTER_CAPTURE_FINDINGS_H
#define TESTER_CAPTURE_FINDINGS_H

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

/* findings_remark adds a remark; `packet` is 0 when it is of the whole capture. findings_violation adds a violation,
 * findings_note a note. */
__attribute__((format(printf, 3, 4))) void findings_remark(struct examine *examine, uint64_t packet, const char *format,
                                                           ...);
void findings_violation(struct examine *examine, const struct examine_violation *violation);
void findings_note(struct examine *examine, const struct examine_violation *note);

#endif
