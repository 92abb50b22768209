/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The computers around the cards: what the thesis measured follows from the model, as far as it does not calibrate it.
 * Virtual time: the same figures in every run. `make bench-intercept` has them all, with messages of the thesis's
 * length.
 */
#include "tests/intercept/transfer_time.h"
#include "tests/unit/tap.h"

#include <math.h>

enum { ALL_PLANES = 15, LENGTH = 3 * ICPT_MB };

static struct icpt_transfer transfer_on(enum intercept_machine_name name, unsigned planes)
{
    return (struct icpt_transfer){.machine = intercept_machine_of(name), .planes = planes, .octets = LENGTH};
}

static void is_near(double simulated, double reported, double most, const char *what)
{
    CHECK(fabs(simulated / reported - 1) <= most, "%s: %.1f, reported %.1f", what, simulated, reported);
}

//= ICPT-013
//= ICPT-268
static void hardware_alone(void)
{
    struct icpt_transfer transfer = transfer_on(ICPT_MACHINE_RX2600, ALL_PLANES);

    transfer.machine = icpt_without_processor(transfer.machine);
    is_near(icpt_bandwidth(&transfer), 400, 0.02, "the slot of 0.5 GB/s, which calibrates the bus");
    transfer.planes = 3;
    is_near(icpt_bandwidth(&transfer), 400, 0.02, "two planes fill it");
    transfer.planes = 1;
    is_near(icpt_bandwidth(&transfer), 240, 0.05, "one plane does not");
    transfer.is_loopback = true;
    is_near(icpt_bandwidth(&transfer), 210, 0.06, "loopback takes it twice, even with one plane");
    transfer = transfer_on(ICPT_MACHINE_P4DPR, ALL_PLANES);
    transfer.machine = icpt_without_processor(transfer.machine);
    transfer.is_loopback = true;
    is_near(icpt_bandwidth(&transfer), 47.2, 0.02, "the slow chipset, which is calibrated by it");
}

static void bandwidths_are_predicted(void)
{
    struct icpt_transfer transfer = transfer_on(ICPT_MACHINE_P4DPR, ALL_PLANES);

    transfer.machine.polls = true;
    is_near(icpt_bandwidth(&transfer), 56.8, 0.15, "VDMA, aligned");
    transfer.misalign = 1;
    is_near(icpt_bandwidth(&transfer), 52.4, 0.15, "VDMA, misaligned");
    transfer.misalign = 0;
    transfer.is_short = true;
    is_near(icpt_bandwidth(&transfer), 47.8, 0.15, "circular buffers");
}

//= ICPT-260
//= ICPT-261
//= ICPT-262
static void latencies_are_predicted(void)
{
    struct icpt_transfer transfer = transfer_on(ICPT_MACHINE_P4DPR, ALL_PLANES);
    struct icpt_latency interrupts, polling;

    CHECK(icpt_latency(&transfer, &interrupts), "thirty pings by interrupts");
    transfer.machine.polls = true;
    CHECK(icpt_latency(&transfer, &polling), "thirty by polling");
    is_near(interrupts.average, 45, 0.15, "by interrupts");
    is_near(polling.average, 30, 0.15, "by polling");
    is_near(interrupts.average - polling.average, 15, 0.15, "what polling saves");
}

static void a_run_is_the_same_again(void)
{
    struct icpt_transfer transfer = transfer_on(ICPT_MACHINE_P4DPR, 5);
    double first = icpt_bandwidth(&transfer);

    CHECK(first > 0 && fabs(icpt_bandwidth(&transfer) - first) < 1e-9, "twice the same figure");
}

int main(void)
{
    TAP_RUN(hardware_alone);
    TAP_RUN(bandwidths_are_predicted);
    TAP_RUN(latencies_are_predicted);
    TAP_RUN(a_run_is_the_same_again);
    return tap_done();
}
