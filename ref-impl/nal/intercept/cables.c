/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the two ends of a live cable have in common; see cables.h.
 */
#include "ref-impl/nal/intercept/cables.h"

#include "ref-impl/nal/intercept/netclock.h"
#include "wire/intercept/frame.h"

#include <stdio.h>
#include <stdlib.h>

const char cables_place[] = "ASSAY_INTERCEPT";
const struct intercept_timing cables_timing = {CABLES_TIMER_NS, CABLES_LONGEST, CABLES_PATIENCE};

bool cables_faults(struct intercept_faults *faults, uint64_t own)
{
    const char *text = getenv("ASSAY_INTERCEPT_FAULTS");
    const char *wrong = NULL;

    *faults = (struct intercept_faults){.seed = 1};
    if (text && !intercept_faults_read(text, faults, &wrong)) {
        fprintf(stderr,
                "portals: ASSAY_INTERCEPT_FAULTS: '%s' is no fault; lost=0.01,bit-errors=1e-5,cut=MASK,skew=NS,slow=NS,"
                "seed=N are\n",
                wrong);
        return false;
    }
    if (faults->skew_ns > 0 && !netclock_is_virtual()) {
        fputs("portals: ASSAY_INTERCEPT_FAULTS: skew is of virtual time (ASSAY_INTERCEPT_TIME=virtual)\n", stderr);
        return false;
    }
    faults->seed += own << 32;
    return true;
}

size_t cables_announcement(unsigned char *octets, unsigned plane, uint16_t iuca)
{
    struct wire_intercept_frame frame = {
        .message = WIRE_INTERCEPT_SHORT_MESSAGE, .planes = (uint8_t)(1U << plane), .destination = iuca, .source = iuca};
    size_t len = 0;

    wire_intercept_complete(&frame);
    return wire_intercept_encode(&frame, octets, WIRE_INTERCEPT_FRAME_MAX, &len) == WIRE_OK ? len : 0;
}

bool cables_is_announcement(const unsigned char *octets, size_t len)
{
    return intercept_cable_judge(octets, len) == ICPT_GOOD && intercept_cable_is_announcement(octets) &&
           intercept_cable_sequence(octets) == 0;
}
