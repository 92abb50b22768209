/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the thesis measured (its chapter 6) beside what the simulation gives, in one table. Three rows calibrate the
 * model (ref-impl/intercept/machine.c) and agree because they must; all others are predicted. `bench_intercept [MB]`:
 * the length of the message, 100 as in the thesis unless said. Status 1 where a predicted row is more than 15 % off.
 */
#include "tests/intercept/transfer_time.h"

#include <stdio.h>
#include <stdlib.h>

enum { ALL_PLANES = 15, OFF_MOST = 15, LENGTH_MOST = 1024 };

struct row {
    const char *what;
    enum intercept_machine_name machine;
    unsigned planes;
    bool is_bare; /* without Portals */
    bool is_loopback, is_short, polls, is_latency;
    unsigned misalign;
    double reported; /* 0: the thesis does not say */
    bool calibrates;
};

static const struct row rows[] = {
    {.what = "rx2600, hardware alone, two cards, all planes",
     .machine = ICPT_MACHINE_RX2600,
     .planes = ALL_PLANES,
     .is_bare = true,
     .reported = 400,
     .calibrates = true},
    {.what = "rx2600, hardware alone, two cards, two planes",
     .machine = ICPT_MACHINE_RX2600,
     .planes = 3,
     .is_bare = true,
     .reported = 400},
    {.what = "rx2600, hardware alone, two cards, one plane",
     .machine = ICPT_MACHINE_RX2600,
     .planes = 1,
     .is_bare = true,
     .reported = 240},
    {.what = "rx2600, hardware alone, loopback, all planes",
     .machine = ICPT_MACHINE_RX2600,
     .planes = ALL_PLANES,
     .is_bare = true,
     .is_loopback = true,
     .reported = 210},
    {.what = "rx2600, hardware alone, loopback, one plane",
     .machine = ICPT_MACHINE_RX2600,
     .planes = 1,
     .is_bare = true,
     .is_loopback = true,
     .reported = 210},
    {.what = "P4DL6, hardware alone, 133 MHz",
     .machine = ICPT_MACHINE_P4DL6,
     .planes = ALL_PLANES,
     .is_bare = true,
     .reported = 357,
     .calibrates = true},
    {.what = "P4DPR, hardware alone, loopback",
     .machine = ICPT_MACHINE_P4DPR,
     .planes = ALL_PLANES,
     .is_bare = true,
     .is_loopback = true,
     .reported = 47.2,
     .calibrates = true},
    {.what = "P4DPR, Portals, loopback",
     .machine = ICPT_MACHINE_P4DPR,
     .planes = ALL_PLANES,
     .is_loopback = true,
     .reported = 49.6},
    {.what = "P4DPR, Portals, VDMA, aligned",
     .machine = ICPT_MACHINE_P4DPR,
     .planes = ALL_PLANES,
     .polls = true,
     .reported = 56.8},
    {.what = "P4DPR, Portals, VDMA, misaligned",
     .machine = ICPT_MACHINE_P4DPR,
     .planes = ALL_PLANES,
     .polls = true,
     .misalign = 1,
     .reported = 52.4},
    {.what = "P4DPR, Portals, circular buffers, polling",
     .machine = ICPT_MACHINE_P4DPR,
     .planes = ALL_PLANES,
     .polls = true,
     .is_short = true,
     .reported = 47.8},
    {.what = "P4DPR, Portals, circular buffers, interrupts",
     .machine = ICPT_MACHINE_P4DPR,
     .planes = ALL_PLANES,
     .is_short = true},
    {.what = "rx2600, Portals, VDMA, aligned", .machine = ICPT_MACHINE_RX2600, .planes = ALL_PLANES},
    {.what = "rx2600, Portals, VDMA, misaligned", .machine = ICPT_MACHINE_RX2600, .planes = ALL_PLANES, .misalign = 1},
    {.what = "P4DPR, Portals, latency by interrupts",
     .machine = ICPT_MACHINE_P4DPR,
     .planes = ALL_PLANES,
     .is_latency = true,
     .reported = 45},
    {.what = "P4DPR, Portals, latency by polling",
     .machine = ICPT_MACHINE_P4DPR,
     .planes = ALL_PLANES,
     .is_latency = true,
     .polls = true,
     .reported = 30},
};

/* Simulates a row; 0: it went wrong. */
static double row_simulate(const struct row *row, uint64_t octets)
{
    struct icpt_transfer transfer = {.machine = intercept_machine_of(row->machine),
                                     .planes = row->planes,
                                     .is_loopback = row->is_loopback,
                                     .is_short = row->is_short,
                                     .misalign = row->misalign,
                                     .octets = octets};
    struct icpt_latency latency;

    transfer.machine.polls = row->polls;
    if (row->is_bare) {
        transfer.machine = icpt_without_processor(transfer.machine);
    }
    if (row->is_latency) {
        return icpt_latency(&transfer, &latency) ? latency.average : 0;
    }
    return icpt_bandwidth(&transfer);
}

/* Prints a row. False: it went wrong, or is predicted and too far off. */
static bool row_print(const struct row *row, uint64_t octets)
{
    double simulated = row_simulate(row, octets);
    const char *unit = row->is_latency ? "us" : "MB/s";
    double off = row->reported > 0 ? (simulated / row->reported - 1) * 100 : 0;

    printf("%-46s %9.1f %9.1f %-5s", row->what, row->reported, simulated, unit);
    if (row->reported > 0) {
        printf("%+6.1f %%%s", off, row->calibrates ? "  calibrates" : "");
    } else {
        printf("%s", "  not reported");
    }
    printf("\n");
    return simulated > 0 && off <= OFF_MOST && off >= -OFF_MOST;
}

int main(int argc, char **argv)
{
    char *end = NULL;
    unsigned long length = argc > 1 ? strtoul(argv[1], &end, 10) : 100;
    bool good = true;

    if (argc > 2 || (argc == 2 && *end) || length == 0 || length > LENGTH_MOST) {
        fprintf(stderr, "bench_intercept: call it as bench_intercept [MB], 1 to %d\n", (int)LENGTH_MOST);
        return 2;
    }
    printf("%-46s %9s %9s\n", "", "reported", "simulated");
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        good = row_print(&rows[i], (uint64_t)length * ICPT_MB) && good;
    }
    return good ? 0 : 1;
}
