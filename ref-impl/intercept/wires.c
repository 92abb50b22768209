/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Wires; see wires.h. A frame for a crossbar that cuts through is handed over when its header has come, with the time
 * of its end, before which the crossbar gives no answer; all others when they have come to their end.
 */
#include "ref-impl/intercept/wires.h"

#include <string.h>

enum { PS_A_NS = 1000 };

static uint64_t arrival_ns(const struct intercept_wire *wire, const struct intercept_flight *flight)
{
    return wire->is_cut_through ? flight->moment.head_ns : flight->moment.tail_ns;
}

static void wire_act(void *owner, uint64_t now_ns)
{
    struct intercept_wire *wire = owner;
    struct intercept_flight flight = wire->flights[wire->first];

    (void)now_ns;
    wire->first = (wire->first + 1) % ICPT_WIRE_FRAMES;
    wire->count--;
    if (wire->count > 0) {
        intercept_agenda_set(wire->agenda, &wire->entry, arrival_ns(wire, &wire->flights[wire->first]));
    }
    if (!wire->is_cut_through) {
        flight.moment.head_ns = flight.moment.tail_ns;
    }
    intercept_link_receive(wire->to, flight.octets, flight.len, flight.moment);
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
    intercept_agenda_add(agenda, &wire->entry, wire_act, wire);
    intercept_agenda_add(agenda, &wire->timer, timer_act, wire);
}

void intercept_wire_arm(struct intercept_wire *wire, uint64_t at_ns)
{
    if (wire->timer.place == 0) {
        intercept_agenda_set(wire->agenda, &wire->timer, at_ns);
    }
}

void intercept_wire_transmit(struct intercept_wire *wire, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    uint64_t begin_ps = at_ns * PS_A_NS > wire->free_ps ? at_ns * PS_A_NS : wire->free_ps;
    uint64_t header_ps = (uint64_t)WIRE_INTERCEPT_HEADER_OCTETS * wire->octet_ps;
    struct intercept_flight *flight = &wire->flights[(wire->first + wire->count) % ICPT_WIRE_FRAMES];

    wire->frames++;
    wire->free_ps = begin_ps + len * wire->octet_ps;
    if (wire->count == ICPT_WIRE_FRAMES) {
        wire->lost++;
        return;
    }
    memcpy(flight->octets, octets, len);
    flight->len = (uint16_t)len;
    flight->moment.head_ns = (begin_ps + header_ps + PS_A_NS - 1) / PS_A_NS + wire->delay_ns;
    flight->moment.tail_ns = (wire->free_ps + PS_A_NS - 1) / PS_A_NS + wire->delay_ns;
    if (!intercept_faults_pass(wire->faults, wire->plane, flight->octets, len)) {
        wire->lost++;
        return;
    }
    wire->count++;
    if (wire->count == 1) {
        intercept_agenda_set(wire->agenda, &wire->entry, arrival_ns(wire, flight));
    }
}
