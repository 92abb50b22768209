/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Room for evidence: what is kept of one case and of a whole run is bounded by the run's configuration, whatever a
 * system under test sends.
 */
#ifndef TESTER_ENGINE_EVIDENCE_ROOM_H
#define TESTER_ENGINE_EVIDENCE_ROOM_H

#include "tester/sut/sut.h"

#include <stdint.h>

struct evidence_room {
    const char *folder;                 /* the report's; the caller's */
    uint64_t capture_max, evidence_max; /* octets of one capture, and of all evidence; 0: no limit of its own */
    uint64_t used;                      /* octets of all evidence that is closed */
};

/* evidence_room_open begins sut->evidence, of a case or of the preflight, within what the run may still have. */
void evidence_room_open(const struct evidence_room *room, struct sut *sut, const char *id, const char *heading);

/* evidence_room_close completes sut->evidence, which stays until evidence_free, and sets it to NULL. What is missing is
 * told; a run that has used up its room ends with a problem, for a verdict without its evidence is worth nothing. */
void evidence_room_close(struct evidence_room *room, struct sut *sut);

#endif
