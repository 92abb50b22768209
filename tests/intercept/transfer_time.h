/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The thesis's two measurements (its chapter 6) in virtual time: two drivers on a simulated network, with computers
 * around their cards (ref-impl/intercept/machine.h), and a Portals that takes whatever comes. The same setup gives the
 * same figures, to the nanosecond.
 */
#ifndef TESTS_INTERCEPT_TRANSFER_TIME_H
#define TESTS_INTERCEPT_TRANSFER_TIME_H

#include "ref-impl/intercept/machine.h"

enum { ICPT_PINGS = 30, ICPT_PING_OCTETS = 29, ICPT_MB = 1 << 20 /* as the thesis's program counts */ };

/* struct icpt_transfer is what is measured. */
struct icpt_transfer {
    struct intercept_machine_setup machine;
    unsigned planes; /* mask */
    bool is_loopback;
    bool is_short;     /* everything over the circular buffers */
    unsigned misalign; /* octets, at the sender */
    uint64_t octets;
};

/* struct icpt_latency - of the put until its sender knows that it has arrived, in microseconds. */
struct icpt_latency {
    double least, most, average;
};

/* icpt_without_processor - the same computer, with a processor that takes no time: what hardware alone can. */
struct intercept_machine_setup icpt_without_processor(struct intercept_machine_setup machine);

/* icpt_bandwidth - one message, once; MB/s, 0: it did not arrive, or not as it was sent.
 * icpt_latency - ICPT_PINGS messages of ICPT_PING_OCTETS, one after the other. False: one did not arrive. */
double icpt_bandwidth(const struct icpt_transfer *transfer);
bool icpt_latency(const struct icpt_transfer *transfer, struct icpt_latency *latency);

#endif
