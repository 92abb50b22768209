/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the wishes of the thesis's chapter 7 are worth (specs/intercept-wire.md, 12), in virtual time: each row is
 * simulated without the wish and with it, on computers as those of the thesis's second system. A wish that saves
 * packets need not save time: the interrupt of a small packet runs while the next one is still made. Status 1 where
 * something went wrong, or packets are not fewer.
 */
#include "tests/intercept/programs.h"

#include <stdio.h>

enum { EACH = 200, ROUNDS = 50, KB = 1024 };

struct row {
    const char *what;
    bool is_barrier, gets, polls;
    uint32_t nodes;    /* 0: two, of which only the first does operations */
    uint32_t on_node;  /* processes with the wish; 0: one, and the wish is another */
    unsigned wish;     /* 0: that packets are joined */
    unsigned together; /* 0: one */
    size_t length;
};

/* A barrier is one of all nodes; the other rows are operations of programs. Of the last two, the same nodes do the same
 * work with one process each and with four. */
static const struct row rows[] = {
    {.what = "acknowledged put of 64 octets, polling", .polls = true, .length = 64},
    {.what = "acknowledged put of 64 octets, interrupts", .length = 64},
    {.what = "acknowledged put of 8,000 octets, polling", .polls = true, .length = 8000},
    {.what = "get of 64 octets, polling", .polls = true, .gets = true, .length = 64},
    {.what = "get of 64 octets, interrupts", .gets = true, .length = 64},
    {.what = "puts of 64 octets, 16 nodes, 8 at a time, polling",
     .polls = true,
     .nodes = 16,
     .together = 8,
     .length = 64},
    {.what = "get of 8,000 octets, polling", .polls = true, .gets = true, .wish = ICPT_WISH_GETS, .length = 8000},
    {.what = "get of 8,000 octets, interrupts", .gets = true, .wish = ICPT_WISH_GETS, .length = 8000},
    {.what = "barrier of 32 nodes, interrupts", .is_barrier = true, .nodes = 32},
    {.what = "barrier of 1,024 nodes, interrupts", .is_barrier = true, .nodes = 1024},
    {.what = "barrier of 1,024 nodes, polling", .is_barrier = true, .polls = true, .nodes = 1024},
    {.what = "puts of 64 octets to the next, 8 nodes", .nodes = 8, .on_node = 4, .length = 64},
    {.what = "puts of 64 KB to the next, 8 nodes", .nodes = 8, .on_node = 4, .length = 64 * KB},
};

static struct programs_setup programs_of(const struct row *row, const struct intercept_setup *network, bool wish)
{
    bool is_shared = row->on_node > 0;
    uint32_t on_node = is_shared && wish ? row->on_node : 1;
    unsigned other = row->wish ? row->wish : ICPT_WISH_JOINT;
    unsigned wishes = is_shared ? ICPT_WISH_PROCESSES : other;

    return (struct programs_setup){.network = *network,
                                   .processes = network->nodes * on_node,
                                   .active = row->nodes ? network->nodes * on_node : 1,
                                   .on_node = on_node,
                                   .distance = 1,
                                   .gets = row->gets,
                                   .each = is_shared ? EACH * row->on_node / on_node : EACH,
                                   .together = row->together ? row->together : 1,
                                   .length = row->length,
                                   .wishes = wish ? wishes : 0};
}

/* Microseconds and packets, of all operations by their number on a node. */
static struct programs_result row_run(const struct row *row, bool wish)
{
    struct intercept_machine_setup machine = intercept_machine_of(ICPT_MACHINE_RX2600);
    struct intercept_setup network = intercept_setup_default(row->nodes ? row->nodes : 2);

    machine.polls = row->polls;
    network.machine = &machine;
    network.timer_ns = 10000000; /* buses are slow */
    if (row->is_barrier) {
        return barriers_run(&network, ROUNDS, wish);
    }
    struct programs_setup setup = programs_of(row, &network, wish);
    struct programs_result result = programs_run(&setup);
    result.operation_us /= setup.on_node;
    result.packets /= setup.active;
    result.packets = result.packets * ROUNDS / setup.each;
    return result;
}

static bool row_print(const struct row *row)
{
    struct programs_result without = row_run(row, false), with = row_run(row, true);
    bool is_good = without.is_good && with.is_good;

    printf("%-52s %8.1f %8.1f %+6.0f %%  %8.1f %8.1f\n", row->what, without.operation_us, with.operation_us,
           (with.operation_us / without.operation_us - 1) * 100, (double)without.packets / ROUNDS,
           (double)with.packets / ROUNDS);
    if (!is_good) {
        fprintf(stderr, "bench_icpt_wishes: %s: not everything arrived as it was sent\n", row->what);
    }
    return is_good && with.packets < without.packets;
}

int main(void)
{
    bool good = true;

    printf("%-52s %17s %18s\n", "", "us each", "packets each");
    printf("%-52s %8s %8s %8s  %8s %8s\n", "", "without", "with", "", "without", "with");
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        good = row_print(&rows[i]) && good;
    }
    return good ? 0 : 1;
}
