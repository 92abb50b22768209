/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The computer around a card, in virtual time: the bus over which the card reads and writes memory, and the processor
 * that runs the driver. Without one, both take no time.
 *
 *      processor --- memory --- bus (PCI-X) --- card --- four planes
 *
 * The bus does one thing at a time. Each transaction takes its octets at the bus's clock and a fixed time besides; what
 * the card reads waits for the chipset too, once for every line. Writing is posted and does not wait. The processor
 * takes one turn after the other; what a turn posts becomes readable for the card evenly over its time.
 */
#ifndef REF_IMPL_INTERCEPT_MACHINE_H
#define REF_IMPL_INTERCEPT_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MACHINE_LINE_OCTETS = 64 /* what a chipset fetches at a time */ };

/* struct intercept_machine_setup is what such a computer takes. */
//= ICPT-265
struct intercept_machine_setup {
    const char *name;
    uint32_t bus_octet_ps;  /* picoseconds an octet */
    uint32_t burst_ns;      /* of a transaction, besides its octets */
    uint32_t line_ns;       /* that the chipset keeps the card waiting for a line that it reads */
    uint32_t copy_octet_ps; /* of a copy that the processor makes */
    uint32_t packet_ns;     /* of the processor for each packet that it posts or takes */
    uint32_t call_ns;       /* of the processor for entering Portals once: a call or an upcall */
    uint32_t system_ns;     /* from program to kernel, or back */
    uint32_t interrupt_ns;  /* from the card's interrupt to the kernel thread's first step */
    uint32_t poll_ns;       /* the same where the thread polls */
    bool polls;
};

/* The computers of the thesis (6.1, 6.2). Where their figures come from: intercept_machine_of. */
enum intercept_machine_name { ICPT_MACHINE_P4DPR, ICPT_MACHINE_P4DL6, ICPT_MACHINE_RX2600, ICPT_MACHINES };

/* intercept_machine_of - one of them, driven by interrupts. */
struct intercept_machine_setup intercept_machine_of(enum intercept_machine_name name);

/* struct intercept_machine - begin with intercept_machine_begin, and leave it where it is. */
struct intercept_machine {
    struct intercept_machine_setup setup;
    uint64_t own_bus_ps, *bus_free_ps;   /* from when on the bus is free: its own, or that of another */
    uint64_t turn_begin_ns, turn_end_ns; /* of the last turn */
    uint64_t posted_before, posted, fetched;
    uint64_t charged_ns; /* to the turn that is, or comes next */
    bool is_in_turn;
};

/* intercept_machine_begin - a machine at rest. `bus_of` is the one on whose bus the card is; NULL: on its own. */
void intercept_machine_begin(struct intercept_machine *machine, const struct intercept_machine_setup *setup,
                             struct intercept_machine *bus_of);

/* intercept_machine_ready - when the card can read: the next packet that was posted, or a slice.
 * intercept_machine_read - it reads so many octets, a packet or a part of a slice; when they are there.
 * intercept_machine_write - a frame of so many octets has come at that time; when it is in memory. */
uint64_t intercept_machine_ready(const struct intercept_machine *machine, bool is_slice);
uint64_t intercept_machine_read(struct intercept_machine *machine, bool is_slice, size_t octets, uint64_t at_ns);
uint64_t intercept_machine_write(struct intercept_machine *machine, size_t octets, uint64_t at_ns);

/* intercept_machine_notice - when the driver's thread runs for something that the card says at that time.
 * intercept_machine_charge - something takes the processor so long, in this turn or before the next.
 * intercept_machine_copies - it copies so many octets, in a turn; outside of one the card does, at no cost here. */
uint64_t intercept_machine_notice(const struct intercept_machine *machine, uint64_t at_ns);
void intercept_machine_charge(struct intercept_machine *machine, uint64_t ns);
void intercept_machine_copies(struct intercept_machine *machine, uint64_t octets);

/* struct intercept_work is what a card's driver has done since it began. */
struct intercept_work {
    uint64_t posted, posted_octets, taken;
};

/* intercept_machine_turn_begin, intercept_machine_turn_end - around a turn, with the work before and after it. */
void intercept_machine_turn_begin(struct intercept_machine *machine, uint64_t now_ns,
                                  const struct intercept_work *before);
void intercept_machine_turn_end(struct intercept_machine *machine, const struct intercept_work *before,
                                const struct intercept_work *after);

#endif
