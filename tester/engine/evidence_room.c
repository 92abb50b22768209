/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Evidence within limits (evidence_room.h).
 */
#include "tester/engine/evidence_room.h"

#include <stdbool.h>
#include <stddef.h>

/* The most octets that the next capture may have; 0: as many as any capture. */
static uint64_t capture_max(const struct evidence_room *room)
{
    if (room->evidence_max == 0) {
        return room->capture_max;
    }
    uint64_t left = room->used < room->evidence_max ? room->evidence_max - room->used : 1;
    return room->capture_max > 0 && room->capture_max < left ? room->capture_max : left;
}

void evidence_room_open(const struct evidence_room *room, struct sut *sut, const char *id, const char *heading)
{
    sut->evidence = evidence_open(room->folder, id, heading, capture_max(room));
}

void evidence_room_close(struct evidence_room *room, struct sut *sut)
{
    struct evidence *evidence = sut->evidence;
    char message[700];

    if (!evidence_close(evidence, message, sizeof message)) {
        sut_note(sut, "warning", "%s", message);
    }
    if (evidence->cut) {
        const char *path = evidence_path(evidence->files, evidence->file_count, "capture");

        sut_note(sut, "warning", "there was more evidence than is kept of one case: %s ends before the case does",
                 path ? path : "its transcript");
    }
    room->used += evidence->octets;
    if (room->evidence_max > 0 && room->used > room->evidence_max) {
        sut_problem(sut,
                    "the evidence of this run has reached %.1f MiB, the most that is kept of one run: run fewer suites "
                    "at a time, or have the limit raised",
                    (double)room->evidence_max / (1 << 20));
    }
    sut->evidence = NULL;
}
