/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What an examination of a capture (wire/follow/examine.h) finds, collected.
 */
#ifndef TESTER_CAPTURE_FINDINGS_H
#define TESTER_CAPTURE_FINDINGS_H

#include "tester/capture/read.h"
#include "wire/follow/examine.h"

#include <stddef.h>
#include <stdint.h>

enum {
    FINDINGS_VIOLATIONS_MAX = 100000,
    FINDINGS_NOTES_MAX = 10000,
    FINDINGS_REMARKS_MAX = 1000,
    FINDINGS_STEPS_MAX = 1000000,
    FINDINGS_WAITS_MAX = 10000,
    FINDINGS_WAIT_MS = 1000, /* an answer that comes earlier is no note */
    FINDINGS_ROOM = 65536
};

/* Something about the capture that a reader must know. */
struct finding_remark {
    uint64_t packet; /* 0: of the whole capture */
    char text[160];
};

/* Something that was asked for in a packet, and came late or never. */
struct finding_wait {
    struct wire_examine_wait wait;
    int64_t asked_ns, waited_ns; /* when, and how long: until it came, or until the capture ends */
};

/* A message of a collective operation. */
struct finding_step {
    uint64_t packet;
    const struct wire_impi_job *job;
    struct wire_impi_step step;
};

/* An examination and what it came to. Read at will once it is finished. */
struct findings {
    struct wire_examine examine;
    struct capture_fragments *fragments; /* of IP packets, not complete yet */
    uint64_t packets, strange;
    struct wire_examine_violation *violations;
    size_t violation_count, violations_left_out;
    struct wire_examine_violation *notes;
    size_t note_count, notes_left_out;
    struct finding_remark *remarks;
    size_t remark_count, remarks_left_out;
    struct finding_step *steps; /* in the order of the capture */
    size_t step_count, steps_left_out;
    struct finding_wait *waits; /* by when they were known */
    size_t wait_count, waits_left_out;
    int64_t *times; /* of each packet */
    int64_t latest; /* of these */
    size_t times_room;
    unsigned char *sides; /* of each packet, from 1, its enum capture_side; as far as `sided` */
    size_t sided, sides_room;
    struct wire_end system; /* where the system under test is, as the user says; family 0: he does not, port 0: any */
    size_t withheld;        /* violations that something which was not captured could explain */
};

/* findings_open begins, with memory for at most `room` requests (FINDINGS_ROOM does for any capture). findings_packet
 * takes the next packet of a capture; findings_finish settles what only the whole capture can tell; findings_close
 * frees. */
void findings_open(struct findings *findings, uint32_t room);
void findings_packet(struct findings *findings, const struct capture_packet *packet);
void findings_finish(struct findings *findings);
void findings_close(struct findings *findings);

/* findings_side - who has broken the rule: as the user says where the system is, else as the capture says. */
enum capture_side findings_side(const struct findings *findings, const struct wire_examine_violation *violation);

#endif
