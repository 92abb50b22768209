/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The computer around a card; see machine.h.
 *
 * Where the figures are from. Of the bus: 64 bits at 66 or 133 MHz. What a transaction and a line take is calibrated by
 * what the thesis measured without Portals, and by nothing else:
 *
 *      burst      rx2600, two planes: 400 MB/s over a slot of 0.5 GB/s; 512 octets in 1221 ns, of which 960 are data
 *      line       P4DPR: 47.2 MB/s where one bus carries both ways, 10345 ns a packet, of which 1221 are the writing
 *                 P4DL6: 357 MB/s, 1368 ns a packet at 133 MHz
 *
 * A copy reads, reads for ownership and writes: a third of what the memory (DDR 266) does, 2133 MB/s. What the
 * processor takes the thesis does not say; these are round figures for Linux 2.4 on such processors, and latencies
 * depend on them.
 */
#include "ref-impl/intercept/machine.h"

enum { PS_A_NS = 1000, PCIX_66_PS = 1875, PCIX_133_PS = 938, COPY_PS = 1406 };

//= ICPT-259
//= ICPT-266
//= ICPT-271
static const struct intercept_machine_setup machines[ICPT_MACHINES] = {
    [ICPT_MACHINE_P4DPR] = {.name = "P4DPR", .bus_octet_ps = PCIX_66_PS, .burst_ns = 260, .line_ns = 988},
    [ICPT_MACHINE_P4DL6] = {.name = "P4DL6", .bus_octet_ps = PCIX_133_PS, .burst_ns = 130, .line_ns = 95},
    [ICPT_MACHINE_RX2600] = {.name = "rx2600", .bus_octet_ps = PCIX_66_PS, .burst_ns = 260, .line_ns = 0},
};

struct intercept_machine_setup intercept_machine_of(enum intercept_machine_name name)
{
    struct intercept_machine_setup setup = machines[name];

    setup.copy_octet_ps = COPY_PS;
    setup.packet_ns = 1500;
    setup.call_ns = 3000;
    setup.system_ns = 1000;
    setup.interrupt_ns = 8000;
    setup.poll_ns = 1000;
    return setup;
}

void intercept_machine_begin(struct intercept_machine *machine, const struct intercept_machine_setup *setup,
                             struct intercept_machine *bus_of)
{
    *machine = (struct intercept_machine){.setup = *setup};
    machine->bus_free_ps = bus_of ? bus_of->bus_free_ps : &machine->own_bus_ps;
}

static uint64_t later(uint64_t one, uint64_t other)
{
    return one > other ? one : other;
}

/* ---- the bus ---- */

static uint64_t bus_take(struct intercept_machine *machine, size_t octets, uint64_t wait_ns, uint64_t at_ns)
{
    uint64_t begin = later(at_ns * PS_A_NS, *machine->bus_free_ps);

    *machine->bus_free_ps =
        begin + octets * machine->setup.bus_octet_ps + (wait_ns + machine->setup.burst_ns) * PS_A_NS;
    return (*machine->bus_free_ps + PS_A_NS - 1) / PS_A_NS;
}

/* When the oldest posted packet that the card has not read is whole in memory. */
static uint64_t posted_ns(const struct intercept_machine *machine)
{
    uint64_t in_turn = machine->posted - machine->posted_before;

    if (machine->fetched < machine->posted_before || in_turn == 0) {
        return 0;
    }
    return machine->turn_begin_ns +
           (machine->turn_end_ns - machine->turn_begin_ns) * (machine->fetched - machine->posted_before + 1) / in_turn;
}

uint64_t intercept_machine_ready(const struct intercept_machine *machine, bool is_slice)
{
    uint64_t bus_ns = (*machine->bus_free_ps + PS_A_NS - 1) / PS_A_NS;

    if (machine->is_in_turn) {
        return UINT64_MAX;
    }
    return later(bus_ns, is_slice ? machine->turn_end_ns : posted_ns(machine));
}

uint64_t intercept_machine_read(struct intercept_machine *machine, bool is_slice, size_t octets, uint64_t at_ns)
{
    uint64_t lines = (octets + MACHINE_LINE_OCTETS - 1) / MACHINE_LINE_OCTETS;

    machine->fetched += !is_slice;
    return bus_take(machine, octets, lines * machine->setup.line_ns, at_ns);
}

uint64_t intercept_machine_write(struct intercept_machine *machine, size_t octets, uint64_t at_ns)
{
    return bus_take(machine, octets, 0, at_ns);
}

/* ---- the processor ---- */

//= ICPT-225
uint64_t intercept_machine_notice(const struct intercept_machine *machine, uint64_t at_ns)
{
    uint64_t wait_ns = machine->setup.polls ? machine->setup.poll_ns : machine->setup.interrupt_ns;

    return later(at_ns + wait_ns, machine->turn_end_ns);
}

void intercept_machine_charge(struct intercept_machine *machine, uint64_t ns)
{
    machine->charged_ns += ns;
}

//= ICPT-232
void intercept_machine_copies(struct intercept_machine *machine, uint64_t octets)
{
    if (machine->is_in_turn) {
        machine->charged_ns += octets * machine->setup.copy_octet_ps / PS_A_NS;
    }
}

void intercept_machine_turn_begin(struct intercept_machine *machine, uint64_t now_ns,
                                  const struct intercept_work *before)
{
    machine->turn_begin_ns = now_ns;
    machine->posted_before = before->posted;
    machine->is_in_turn = true;
}

void intercept_machine_turn_end(struct intercept_machine *machine, const struct intercept_work *before,
                                const struct intercept_work *after)
{
    uint64_t packets = after->posted - before->posted + after->taken - before->taken;

    intercept_machine_copies(machine, after->posted_octets - before->posted_octets);
    machine->turn_end_ns = machine->turn_begin_ns + machine->charged_ns + packets * machine->setup.packet_ns;
    machine->posted = after->posted;
    machine->charged_ns = 0;
    machine->is_in_turn = false;
}
