/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One direction of a cable in virtual time: a frame takes its octets' time, then the cable's; the next one waits until
 * it is out. What is under way is in the wire; what does not fit is lost, and the links make it good.
 */
#ifndef REF_IMPL_INTERCEPT_WIRES_H
#define REF_IMPL_INTERCEPT_WIRES_H

#include "ref-impl/intercept/agenda.h"
#include "ref-impl/intercept/faults.h"
#include "ref-impl/intercept/link.h"
#include "ref-impl/intercept/machine.h"

enum { ICPT_LANE_FRAMES = 16 };

struct intercept_flight {
    struct intercept_moment moment; /* when it arrives */
    uint16_t len;
    bool is_written; /* to the receiver's memory, or on its way there */
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
};

/* struct intercept_lane is what is under way: packets, or answers, which go between two packets and do not wait for all
 * that a link has handed over. */
struct intercept_lane {
    struct intercept_wire *wire;
    uint64_t free_ps; /* when the last frame is out */
    unsigned first, count;
    struct intercept_flight flights[ICPT_LANE_FRAMES];
    struct intercept_entry entry;
};

struct intercept_wire {
    struct intercept_agenda *agenda;
    struct intercept_faults *faults; /* of the whole network */
    struct intercept_link *to;       /* NULL: `arrive` takes what comes, with `owner` */
    void (*arrive)(void *owner, const unsigned char *octets, size_t len, struct intercept_moment moment);
    void *owner;
    struct intercept_machine *machine; /* of the card at the receiving end; NULL: memory takes no time, or it is none */
    unsigned plane;
    bool is_cut_through; /* the receiver forwards from the header on */
    uint32_t octet_ps, delay_ns;
    uint64_t frames, lost;
    struct intercept_lane packets, answers;
    struct intercept_entry timer; /* of the link at the sending end */
    struct intercept_link *from;
};

/* intercept_wire_begin - a wire from one link to another; the other members are filled in before. */
void intercept_wire_begin(struct intercept_wire *wire, struct intercept_agenda *agenda, struct intercept_link *from,
                          struct intercept_link *to);

/* intercept_wire_transmit, intercept_wire_arm - what the sending link's owner calls. */
void intercept_wire_transmit(struct intercept_wire *wire, const unsigned char *octets, size_t len, uint64_t at_ns);
void intercept_wire_arm(struct intercept_wire *wire, uint64_t at_ns);

#endif
