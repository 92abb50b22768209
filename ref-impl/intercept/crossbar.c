/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The crossbar; see crossbar.h. It reads of a packet where it is to go, and gives it to the links of the ports;
 * sequence and CRC are theirs (IW-08).
 */
#include "ref-impl/intercept/crossbar.h"

static const struct intercept_module_form forms[ICPT_MODULES] = {
    [ICPT_MODULE_8X4] = {"8x4", 8, 4},
    [ICPT_MODULE_16X2] = {"16x2", 16, 2},
    [ICPT_MODULE_32X1] = {"32x1", 32, 1},
};

//= ICPT-030
//= ICPT-031
//= ICPT-032
//= ICPT-033
const struct intercept_module_form *intercept_module_form(enum intercept_module module)
{
    return &forms[module];
}

/* The ports to which a packet that came in at `from` goes, one bit each. */
//= IW-06
//= IW-07
//= ICPT-002
//= ICPT-003
//= ICPT-034
static uint32_t ports_towards(struct intercept_crossbar *crossbar, const unsigned char *octets, unsigned from)
{
    uint16_t destination = intercept_cable_destination(octets);
    uint32_t connected = 0;
    uint32_t members;

    if (intercept_cable_is_announcement(octets)) {
        return 0;
    }
    if (!(intercept_cable_flags(octets) & WIRE_INTERCEPT_FLAG_MULTICAST)) {
        unsigned port = crossbar->routes[destination];

        return port < ICPT_PORTS && crossbar->ports[port].ops ? UINT32_C(1) << port : 0;
    }
    for (unsigned port = 0; port < ICPT_PORTS; port++) {
        connected |= crossbar->ports[port].ops && port != from ? UINT32_C(1) << port : 0;
    }
    members = crossbar->groups ? crossbar->groups(crossbar->context, destination) : UINT32_MAX;
    return connected & members;
}

/* The first of these ports that has no room, or ICPT_NO_PORT. */
static unsigned full_port(const struct intercept_crossbar *crossbar, uint32_t ports)
{
    for (unsigned port = 0; port < ICPT_PORTS; port++) {
        if (ports >> port & 1 && !intercept_link_has_room(&crossbar->ports[port].link)) {
            return port;
        }
    }
    return ICPT_NO_PORT;
}

//= ICPT-035
//= ICPT-036
//= ICPT-037
static bool port_deliver(void *owner, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    struct intercept_port *from = owner;
    struct intercept_crossbar *crossbar = from->crossbar;
    uint32_t ports = ports_towards(crossbar, octets, from->number);
    unsigned full = full_port(crossbar, ports);

    if (full != ICPT_NO_PORT) {
        crossbar->ports[full].waiting |= UINT32_C(1) << from->number;
        return false;
    }
    if (ports == 0) {
        crossbar->counts.unknown++;
    } else {
        crossbar->counts.forwarded++;
    }
    for (unsigned port = 0; port < ICPT_PORTS; port++) {
        if (ports >> port & 1) {
            (void)intercept_link_send(&crossbar->ports[port].link, octets, len, at_ns);
            crossbar->counts.copies++;
        }
    }
    return true;
}

/* A corrupt packet is found out at its end only. A crossbar that cuts through has begun to forward it where its header
 * looked like that of the packet whose turn it was, and the way out was free. */
//= IW-26
static void port_damaged(void *owner, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    struct intercept_port *from = owner;
    struct intercept_crossbar *crossbar = from->crossbar;
    uint32_t ports;

    if (!crossbar->is_cut_through || len < ICPT_ANSWER_OCTETS || from->link.held > 0 ||
        intercept_cable_kind(octets) > WIRE_INTERCEPT_COMMAND ||
        intercept_cable_sequence(octets) != from->link.expected) {
        return;
    }
    ports = ports_towards(crossbar, octets, from->number);
    if (full_port(crossbar, ports) != ICPT_NO_PORT) {
        return;
    }
    for (unsigned port = 0; port < ICPT_PORTS; port++) {
        if (ports >> port & 1) {
            intercept_link_withdraw(&crossbar->ports[port].link, octets, len, at_ns);
        }
    }
}

/* One of those that wait for this port goes on, in turn. */
static void port_room(void *owner, uint64_t at_ns)
{
    struct intercept_port *port = owner;

    for (unsigned step = 1; step <= ICPT_PORTS && port->waiting; step++) {
        unsigned number = (port->turn + step) % ICPT_PORTS;

        if (port->waiting >> number & 1) {
            port->waiting &= ~(UINT32_C(1) << number);
            port->turn = number;
            intercept_link_resume(&port->crossbar->ports[number].link, at_ns);
            return;
        }
    }
}

/* Nobody answers behind this port: what waits for it goes nowhere. */
static void port_dead(void *owner, uint64_t at_ns)
{
    struct intercept_port *port = owner;

    while (port->waiting) {
        port_room(port, at_ns);
    }
}

static void port_transmit(void *owner, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    const struct intercept_port *port = owner;

    if (port->ops) {
        port->ops->transmit(port->cable, octets, len, at_ns);
    }
}

static void port_arm(void *owner, uint64_t at_ns)
{
    const struct intercept_port *port = owner;

    if (port->ops && port->ops->arm) {
        port->ops->arm(port->cable, at_ns);
    }
}

static const struct intercept_link_ops link_ops = {
    .transmit = port_transmit,
    .deliver = port_deliver,
    .damaged = port_damaged,
    .room = port_room,
    .dead = port_dead,
    .arm = port_arm,
};

void intercept_crossbar_begin(struct intercept_crossbar *crossbar, unsigned plane, const uint8_t *routes)
{
    *crossbar = (struct intercept_crossbar){.plane = plane, .routes = routes};
    for (unsigned number = 0; number < ICPT_PORTS; number++) {
        struct intercept_port *port = &crossbar->ports[number];

        port->crossbar = crossbar;
        port->number = number;
        intercept_link_begin(&port->link, &link_ops, port, plane);
    }
}

void intercept_crossbar_connect(struct intercept_crossbar *crossbar, unsigned port,
                                const struct intercept_port_ops *ops, void *cable)
{
    intercept_link_reset(&crossbar->ports[port].link);
    crossbar->ports[port].ops = ops;
    crossbar->ports[port].cable = cable;
}

void intercept_crossbar_disconnect(struct intercept_crossbar *crossbar, unsigned port)
{
    crossbar->ports[port].ops = NULL;
    intercept_link_reset(&crossbar->ports[port].link);
    port_dead(&crossbar->ports[port], 0);
}
