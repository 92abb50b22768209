/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Wires; see wires.h. A frame for a crossbar that cuts through is handed over when its header has come, with the time
 * of its end, before which the crossbar gives no answer; all others when they have come to their end. A card has a
 * packet when it is in the computer's memory, and acknowledges it then: so a slow bus is felt back to the sender.
 */
#include "ref-impl/intercept/wires.h"

#include <string.h>

enum { PS_A_NS = 1000 };

static uint64_t arrival_ns(const struct intercept_wire *wire, const struct intercept_flight *flight)
{
    return wire->is_cut_through ? flight->moment.head_ns : flight->moment.tail_ns;
}

/* What a card writes to memory of a packet: its header stays on the card where the page table says where it goes. */
static size_t memory_octets(const struct intercept_flight *flight)
{
    bool is_slice = intercept_cable_kind(flight->octets) == WIRE_INTERCEPT_VDMA;

    return flight->len - (size_t)WIRE_INTERCEPT_CRC_OCTETS - (is_slice ? WIRE_INTERCEPT_HEADER_OCTETS : 0);
}

static void lane_act(void *owner, uint64_t now_ns)
{
    struct intercept_lane *lane = owner;
    struct intercept_wire *wire = lane->wire;
    struct intercept_flight *first = &lane->flights[lane->first];

    if (wire->machine && lane == &wire->packets && !first->is_written) {
        first->is_written = true;
        first->moment.tail_ns = intercept_machine_write(wire->machine, memory_octets(first), now_ns);
        intercept_agenda_set(wire->agenda, &lane->entry, first->moment.tail_ns);
        return;
    }
    struct intercept_flight flight = *first;

    lane->first = (lane->first + 1) % ICPT_LANE_FRAMES;
    lane->count--;
    if (lane->count > 0) {
        intercept_agenda_set(wire->agenda, &lane->entry, arrival_ns(wire, &lane->flights[lane->first]));
    }
    if (!wire->is_cut_through) {
        flight.moment.head_ns = flight.moment.tail_ns;
    }
    if (wire->to) {
        intercept_link_receive(wire->to, flight.octets, flight.len, flight.moment);
    } else {
        wire->arrive(wire->owner, flight.octets, flight.len, flight.moment);
    }
}

static void timer_act(void *owner, uint64_t now_ns)
{
    struct intercept_wire *wire = owner;
    uint64_t deadline = intercept_link_deadline(wire->from);

    if (deadline > now_ns) {
        intercept_agenda_set(wire->agenda, &wire->timer, deadline); /* it has been set anew meanwhile */
    } else {
        intercept_link_expire(wire->from, now_ns);
    }
}

void intercept_wire_begin(struct intercept_wire *wire, struct intercept_agenda *agenda, struct intercept_link *from,
                          struct intercept_link *to)
{
    wire->agenda = agenda;
    wire->from = from;
    wire->to = to;
    wire->packets.wire = wire->answers.wire = wire;
    intercept_agenda_add(agenda, &wire->packets.entry, lane_act, &wire->packets);
    intercept_agenda_add(agenda, &wire->answers.entry, lane_act, &wire->answers);
    intercept_agenda_add(agenda, &wire->timer, timer_act, wire);
}

void intercept_wire_arm(struct intercept_wire *wire, uint64_t at_ns)
{
    if (wire->timer.place == 0) {
        intercept_agenda_set(wire->agenda, &wire->timer, at_ns);
    }
}

/* Puts a frame into its lane. False: there is no place. */
static bool lane_put(struct intercept_lane *lane, const unsigned char *octets, size_t len, uint64_t begin_ps)
{
    struct intercept_wire *wire = lane->wire;
    struct intercept_flight *flight = &lane->flights[(lane->first + lane->count) % ICPT_LANE_FRAMES];
    uint64_t header_ps = (uint64_t)WIRE_INTERCEPT_HEADER_OCTETS * wire->octet_ps;

    lane->free_ps = begin_ps + len * wire->octet_ps;
    if (lane->count == ICPT_LANE_FRAMES) {
        return false;
    }
    memcpy(flight->octets, octets, len);
    flight->len = (uint16_t)len;
    flight->is_written = false;
    flight->moment.head_ns = (begin_ps + header_ps + PS_A_NS - 1) / PS_A_NS + wire->delay_ns;
    flight->moment.tail_ns = (lane->free_ps + PS_A_NS - 1) / PS_A_NS + wire->delay_ns;
    if (!intercept_faults_pass(wire->faults, wire->plane, flight->octets, len)) {
        return false;
    }
    lane->count++;
    if (lane->count == 1) {
        intercept_agenda_set(wire->agenda, &lane->entry, arrival_ns(wire, flight));
    }
    return true;
}

void intercept_wire_transmit(struct intercept_wire *wire, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    bool is_answer = intercept_cable_kind(octets) > WIRE_INTERCEPT_COMMAND;
    struct intercept_lane *lane = is_answer ? &wire->answers : &wire->packets;
    uint64_t at_ps = at_ns * PS_A_NS;

    wire->frames++;
    wire->lost += !lane_put(lane, octets, len, at_ps > lane->free_ps ? at_ps : lane->free_ps);
    if (is_answer && wire->packets.free_ps > at_ps) {
        wire->packets.free_ps += len * wire->octet_ps; /* its octets take their time from the packets */
    }
}
