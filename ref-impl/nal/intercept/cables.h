/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The live network's cables: a UDP socket a plane, a datagram a frame (specs/intercept-wire.md, 7). Both ends read what
 * the environment says of them: ASSAY_INTERCEPT=ADDRESS:PORT, where plane 0 of the switch listens (set by the launcher
 * that runs one, or by who runs it elsewhere), and ASSAY_INTERCEPT_FAULTS, what the cables do to frames
 * (ref-impl/intercept/faults.h).
 */
#ifndef REF_IMPL_NAL_INTERCEPT_CABLES_H
#define REF_IMPL_NAL_INTERCEPT_CABLES_H

#include "ref-impl/intercept/faults.h"
#include "ref-impl/intercept/link.h"

#include <netinet/in.h>

enum {
    CABLES_PATIENCE = 5000,    /* timers in a row after which nobody is there any more: ten seconds */
    CABLES_LONGEST = 80,       /* timers that are waited at most */
    CABLES_TIMER_NS = 2000000, /* live (IW-24) */
};

/* The name of the variable that says where the switch is. */
extern const char cables_place[];

/* How long a live link waits. */
extern const struct intercept_timing cables_timing;

/* cables_faults - reads ASSAY_INTERCEPT_FAULTS; `own` makes the faults of this end differ from others'. False, with a
 * line on stderr: it is none. */
bool cables_faults(struct intercept_faults *faults, uint64_t own);

/* cables_announcement - makes the packet by which a card makes itself known (IW-52); its octets.
 * cables_is_announcement - whether these octets are one. */
size_t cables_announcement(unsigned char *octets, unsigned plane, uint16_t iuca);
bool cables_is_announcement(const unsigned char *octets, size_t len);

#endif
