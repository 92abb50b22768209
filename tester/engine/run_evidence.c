/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Evidence within limits (run.h): what is kept of one case and of a whole run is bounded by the run's configuration,
 * whatever a system under test sends. A verdict without its evidence is not what anybody asked for, so a run ends when
 * there is no room for more.
 */
#include "tester/engine/run.h"

#include <stdint.h>

/* The most that the next capture may have; 0: as much as any capture. */
static uint64_t capture_room(const struct engine_run *run)
{
    uint64_t left;

    if (run->evidence_octets_max == 0) {
        return run->capture_octets_max;
    }
    left = run->evidence_octets < run->evidence_octets_max ? run->evidence_octets_max - run->evidence_octets : 1;
    return run->capture_octets_max > 0 && run->capture_octets_max < left ? run->capture_octets_max : left;
}

void run_evidence_open(struct engine_run *run, const char *id, const char *heading)
{
    run->evidence = evidence_open(run->report_directory, id, heading, capture_room(run));
}

void run_evidence_close(struct engine_run *run, struct evidence *evidence)
{
    char message[700];

    if (!evidence_close(evidence, message, sizeof message)) {
        run_note(run, "warning", "%s", message);
    }
    if (evidence->cut) {
        const char *path = evidence_path(evidence->files, evidence->file_count, "capture");

        run_note(run, "warning", "there was more evidence than is kept of one case: %s ends before the case does",
                 path ? path : "its transcript");
    }
    run->evidence_octets += evidence->octets;
    if (run->evidence_octets_max > 0 && run->evidence_octets > run->evidence_octets_max) {
        run_problem(run,
                    "the evidence of this run has reached %.1f MiB, the most that is kept of one run: run fewer suites "
                    "at a time, or have the limit raised",
                    (double)run->evidence_octets_max / (1 << 20));
    }
}
