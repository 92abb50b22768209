/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The network in virtual time: how it is built, and how it runs; see simulation.h. All memory is taken when it is
 * built.
 *
 * Crossbars of a plane are numbered from the nodes up: those of level 0 have nodes below them, those of level 1 have
 * crossbars of level 0, and so on to the root. Port 31 of all but the root leads up.
 */
#include "ref-impl/intercept/simulation.h"

#include "ref-impl/intercept/wires.h"

#include <stdlib.h>
#include <string.h>

enum { BELOW = ICPT_PORTS - 1, UP = ICPT_PORTS - 1, LEVELS = 4, OCTET_PS = 4000, CABLE_NS = 50 };

struct node {
    struct intercept_simulation *simulation;
    uint32_t number;
    struct intercept_nic nic;
    struct intercept_host host;
    uint64_t slow_ns;
    bool is_dead;
    struct intercept_entry interrupt, reading;
    struct intercept_machine own, *machine;    /* NULL: it takes no time */
    struct intercept_wire *wires[ICPT_PLANES]; /* that it sends on */
};

struct crossbar {
    struct intercept_crossbar crossbar;
    uint8_t *routes;
};

struct intercept_simulation {
    struct intercept_setup setup;
    struct intercept_agenda agenda;
    struct node *nodes;
    struct crossbar *crossbars; /* plane after plane */
    size_t crossbar_count;
    unsigned levels;
    uint32_t on_level[LEVELS]; /* crossbars of a plane on each level */
    uint32_t before[LEVELS];   /* crossbars of a plane below that level */
    uint32_t on_plane;
    struct intercept_wire *wires;
    size_t wire_count, wires_used;
};

struct intercept_setup intercept_setup_default(uint32_t nodes)
{
    return (struct intercept_setup){.nodes = nodes,
                                    .planes = WIRE_INTERCEPT_PLANES_ALL,
                                    .faults = {.seed = 1},
                                    .octet_ps = OCTET_PS,
                                    .cable_ns = CABLE_NS};
}

/* ---- the cards' computers ---- */

static void node_transmit(void *host, unsigned plane, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    struct node *node = host;

    if (!node->is_dead) {
        intercept_wire_transmit(node->wires[plane], octets, len, at_ns);
    }
}

static void node_arm(void *host, unsigned plane, uint64_t at_ns)
{
    struct node *node = host;

    intercept_wire_arm(node->wires[plane], at_ns);
}

/* The node's software runs then, or before. */
static void node_due(struct node *node, uint64_t at_ns)
{
    if (node->interrupt.place == 0 || node->interrupt.due_ns > at_ns) {
        intercept_agenda_set(&node->simulation->agenda, &node->interrupt, at_ns);
    }
}

static void node_interrupt(void *host, uint64_t at_ns)
{
    struct node *node = host;

    node_due(node, node->slow_ns + (node->machine ? intercept_machine_notice(node->machine, at_ns) : at_ns));
}

static bool node_fetch(void *host, bool is_slice, size_t octets, uint64_t *at_ns)
{
    struct node *node = host;
    uint64_t ready_ns = node->machine ? intercept_machine_ready(node->machine, is_slice) : 0;
    bool can = ready_ns <= *at_ns;

    if (!node->machine || ready_ns == UINT64_MAX) {
        return can;
    }
    if (can) {
        *at_ns = intercept_machine_read(node->machine, is_slice, octets, *at_ns);
    }
    intercept_agenda_set(&node->simulation->agenda, &node->reading, can ? *at_ns : ready_ns);
    return can;
}

static void node_read(void *owner, uint64_t now_ns)
{
    struct node *node = owner;

    intercept_nic_pump(&node->nic, now_ns);
}

static void node_write(void *host, void *token, unsigned char *to, const unsigned char *octets, size_t len)
{
    const struct node *node = host;

    if (node->is_dead) {
        return;
    }
    if (node->host.write) {
        node->host.write(node->host.context, token, to, octets, len);
    } else {
        memcpy(to, octets, len);
    }
}

static void node_sent(void *host, void *cookie)
{
    const struct node *node = host;

    if (node->host.sent && !node->is_dead) {
        node->host.sent(node->host.context, cookie);
    }
}

static struct intercept_work node_work(const struct node *node)
{
    const struct intercept_nic_counts *counts = &node->nic.counts;

    return (struct intercept_work){counts->posted, counts->posted_octets, counts->taken};
}

/* A turn on a processor that takes its time. */
static void node_turn(struct node *node, uint64_t now_ns)
{
    struct intercept_agenda *agenda = &node->simulation->agenda;
    struct intercept_work before = node_work(node), after;

    if (now_ns < node->machine->turn_end_ns) {
        intercept_agenda_set(agenda, &node->interrupt, node->machine->turn_end_ns);
        return;
    }
    intercept_machine_turn_begin(node->machine, now_ns, &before);
    node->host.run(node->host.context, node->number, now_ns);
    after = node_work(node);
    intercept_machine_turn_end(node->machine, &before, &after);
    intercept_nic_pump(&node->nic, now_ns);
}

static void node_run(void *owner, uint64_t now_ns)
{
    struct node *node = owner;

    if (node->is_dead) {
        return;
    }
    if (node->host.run && node->machine) {
        node_turn(node, now_ns);
    } else if (node->host.run) {
        node->host.run(node->host.context, node->number, now_ns);
    }
}

static const struct intercept_nic_ops nic_ops = {
    .transmit = node_transmit,
    .interrupt = node_interrupt,
    .write = node_write,
    .sent = node_sent,
    .fetch = node_fetch,
    .arm = node_arm,
};

static void port_transmit(void *cable, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    intercept_wire_transmit(cable, octets, len, at_ns);
}

static void port_arm(void *cable, uint64_t at_ns)
{
    intercept_wire_arm(cable, at_ns);
}

static const struct intercept_port_ops port_ops = {.transmit = port_transmit, .arm = port_arm};

/* ---- building ---- */

/* How many crossbars a plane has on each level. */
//= ICPT-039
static void levels_plan(struct intercept_simulation *simulation)
{
    uint32_t below = simulation->setup.nodes;

    while (!simulation->setup.is_direct && simulation->levels < LEVELS) {
        uint32_t needed = below <= ICPT_PORTS ? 1 : (below + BELOW - 1) / BELOW;

        simulation->before[simulation->levels] = simulation->on_plane;
        simulation->on_level[simulation->levels++] = needed;
        simulation->on_plane += needed;
        if (needed == 1) {
            break;
        }
        below = needed;
    }
}

/* How many nodes or crossbars one on this level may have below it. */
static uint32_t fan_of(const struct intercept_simulation *simulation, unsigned level)
{
    return level + 1 == simulation->levels ? ICPT_PORTS : BELOW;
}

static struct crossbar *crossbar_at(struct intercept_simulation *simulation, unsigned plane, unsigned level,
                                    uint32_t number)
{
    return &simulation->crossbars[plane * simulation->on_plane + simulation->before[level] + number];
}

/* A wire from one link to another; the other direction is another one. */
static struct intercept_wire *wire_lay(struct intercept_simulation *simulation, unsigned plane,
                                       struct intercept_link *from, struct intercept_link *to)
{
    const struct intercept_setup *setup = &simulation->setup;
    struct intercept_wire *wire = &simulation->wires[simulation->wires_used++];

    wire->faults = &simulation->setup.faults;
    wire->plane = plane;
    wire->octet_ps = setup->octet_ps;
    wire->delay_ns = setup->cable_ns + plane * setup->faults.skew_ns;
    intercept_wire_begin(wire, &simulation->agenda, from, to);
    if (setup->timer_ns) {
        struct intercept_timing timing = from->timing;

        timing.timer_ns = setup->timer_ns;
        intercept_link_timing(from, &timing);
    }
    return wire;
}

/* Which port of that crossbar leads to each node. */
static void routes_fill(struct intercept_simulation *simulation, struct crossbar *crossbar, unsigned level,
                        uint32_t number)
{
    uint64_t each = 1; /* nodes behind one port */

    for (unsigned below = 0; below < level; below++) {
        each *= BELOW;
    }
    uint64_t first = number * each * fan_of(simulation, level);

    memset(crossbar->routes, ICPT_NO_PORT, ICPT_ADDRESSES);
    for (uint64_t node = 0; node < simulation->setup.nodes; node++) {
        bool below = node >= first && (node - first) / each < fan_of(simulation, level);

        crossbar->routes[node] = (uint8_t)(below ? (node - first) / each : UP);
    }
}

static void crossbar_join(struct intercept_simulation *simulation, unsigned plane, struct intercept_port *port,
                          struct intercept_link *below, struct intercept_wire **upwards)
{
    struct intercept_wire *down = wire_lay(simulation, plane, &port->link, below);
    struct intercept_wire *up = wire_lay(simulation, plane, below, &port->link);

    up->is_cut_through = !simulation->setup.is_store_and_forward;
    intercept_crossbar_connect(port->crossbar, port->number, &port_ops, down);
    *upwards = up;
}

/* Joins crossbar `number` of a level to all that is below it. */
static void crossbar_build(struct intercept_simulation *simulation, unsigned plane, unsigned level, uint32_t number)
{
    struct crossbar *built = crossbar_at(simulation, plane, level, number);
    uint32_t fan = fan_of(simulation, level);
    uint32_t all = level == 0 ? simulation->setup.nodes : simulation->on_level[level - 1];

    intercept_crossbar_begin(&built->crossbar, plane, built->routes);
    built->crossbar.is_cut_through = !simulation->setup.is_store_and_forward;
    routes_fill(simulation, built, level, number);
    for (uint32_t port = 0; port < fan && number * fan + port < all; port++) {
        uint32_t below = number * fan + port;
        struct intercept_wire *up = NULL;

        if (level == 0) {
            struct node *node = &simulation->nodes[below];

            crossbar_join(simulation, plane, &built->crossbar.ports[port], &node->nic.planes[plane].link, &up);
            ((struct intercept_wire *)built->crossbar.ports[port].cable)->machine = node->machine;
            node->wires[plane] = up;
        } else {
            struct intercept_crossbar *child = &crossbar_at(simulation, plane, level - 1, below)->crossbar;

            crossbar_join(simulation, plane, &built->crossbar.ports[port], &child->ports[UP].link, &up);
            intercept_crossbar_connect(child, UP, &port_ops, up);
            ((struct intercept_wire *)built->crossbar.ports[port].cable)->is_cut_through = up->is_cut_through;
        }
    }
}

static void plane_build(struct intercept_simulation *simulation, unsigned plane)
{
    if (simulation->setup.is_direct) {
        struct intercept_link *one = &simulation->nodes[0].nic.planes[plane].link;
        struct intercept_link *other = &simulation->nodes[1].nic.planes[plane].link;

        simulation->nodes[0].wires[plane] = wire_lay(simulation, plane, one, other);
        simulation->nodes[1].wires[plane] = wire_lay(simulation, plane, other, one);
        simulation->nodes[0].wires[plane]->machine = simulation->nodes[1].machine;
        simulation->nodes[1].wires[plane]->machine = simulation->nodes[0].machine;
        return;
    }
    for (unsigned level = 0; level < simulation->levels; level++) {
        for (uint32_t number = 0; number < simulation->on_level[level]; number++) {
            crossbar_build(simulation, plane, level, number);
        }
    }
}

/* Takes the memory. Each node and each crossbar has at most one cable upwards on a plane. */
static bool memory_take(struct intercept_simulation *simulation)
{
    size_t nodes = simulation->setup.nodes;

    simulation->crossbar_count = (size_t)simulation->on_plane * ICPT_PLANES;
    simulation->wire_count = (nodes * ICPT_PLANES + simulation->crossbar_count) * 2;
    simulation->nodes = calloc(nodes, sizeof *simulation->nodes);
    simulation->crossbars = calloc(simulation->crossbar_count + 1, sizeof *simulation->crossbars);
    simulation->wires = calloc(simulation->wire_count, sizeof *simulation->wires);
    if (!simulation->nodes || !simulation->crossbars || !simulation->wires ||
        !intercept_agenda_begin(&simulation->agenda, simulation->wire_count * 3 + 2 * nodes)) {
        return false;
    }
    for (size_t i = 0; i < simulation->crossbar_count; i++) {
        simulation->crossbars[i].routes = malloc(ICPT_ADDRESSES);
        if (!simulation->crossbars[i].routes) {
            return false;
        }
    }
    return true;
}

static bool nodes_begin(struct intercept_simulation *simulation)
{
    const struct intercept_setup *setup = &simulation->setup;

    for (uint32_t number = 0; number < setup->nodes; number++) {
        struct node *node = &simulation->nodes[number];

        node->simulation = simulation;
        node->number = number;
        node->slow_ns = setup->faults.slow_ns;
        intercept_agenda_add(&simulation->agenda, &node->interrupt, node_run, node);
        intercept_agenda_add(&simulation->agenda, &node->reading, node_read, node);
        if (setup->machine) {
            node->machine = &node->own;
            intercept_machine_begin(node->machine, simulation->setup.machine,
                                    number > 0 && setup->is_one_bus ? &simulation->nodes[0].own : NULL);
        }
        if (!intercept_nic_begin(&node->nic, (uint16_t)number, setup->planes, &nic_ops, node)) {
            return false;
        }
    }
    return true;
}

struct intercept_simulation *intercept_simulation_new(const struct intercept_setup *setup)
{
    struct intercept_simulation *simulation = calloc(1, sizeof *simulation);

    if (!simulation) {
        return NULL;
    }
    simulation->setup = *setup;
    levels_plan(simulation);
    if (setup->nodes == 0 || setup->nodes > ICPT_ADDRESSES || setup->planes == 0 ||
        setup->planes > WIRE_INTERCEPT_PLANES_ALL || (setup->is_direct && setup->nodes != 2) ||
        !memory_take(simulation) || !nodes_begin(simulation)) {
        intercept_simulation_free(simulation);
        return NULL;
    }
    for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
        plane_build(simulation, plane);
    }
    return simulation;
}

void intercept_simulation_free(struct intercept_simulation *simulation)
{
    for (uint32_t number = 0; simulation->nodes && number < simulation->setup.nodes; number++) {
        intercept_nic_end(&simulation->nodes[number].nic);
    }
    for (size_t i = 0; simulation->crossbars && i < simulation->crossbar_count; i++) {
        free(simulation->crossbars[i].routes);
    }
    intercept_agenda_end(&simulation->agenda);
    free(simulation->nodes);
    free(simulation->crossbars);
    free(simulation->wires);
    free(simulation);
}

/* ---- running ---- */

void intercept_simulation_host(struct intercept_simulation *simulation, uint32_t node,
                               const struct intercept_host *host)
{
    simulation->nodes[node].host = *host;
}

struct intercept_nic *intercept_simulation_nic(struct intercept_simulation *simulation, uint32_t node)
{
    return &simulation->nodes[node].nic;
}

void intercept_simulation_pump(struct intercept_simulation *simulation, uint32_t node)
{
    intercept_nic_pump(&simulation->nodes[node].nic, simulation->agenda.now_ns);
}

void intercept_simulation_wake(struct intercept_simulation *simulation, uint32_t node)
{
    node_due(&simulation->nodes[node], simulation->agenda.now_ns);
}

bool intercept_simulation_run(struct intercept_simulation *simulation, uint64_t until_ns)
{
    while (intercept_agenda_step(&simulation->agenda, until_ns)) {
    }
    if (until_ns != UINT64_MAX && simulation->agenda.now_ns < until_ns) {
        simulation->agenda.now_ns = until_ns;
    }
    return simulation->agenda.count == 0;
}

uint64_t intercept_simulation_now(const struct intercept_simulation *simulation)
{
    return simulation->agenda.now_ns;
}

struct intercept_machine *intercept_simulation_machine(struct intercept_simulation *simulation, uint32_t node)
{
    return simulation->nodes[node].machine;
}

void intercept_simulation_cut(struct intercept_simulation *simulation, unsigned planes)
{
    simulation->setup.faults.cut |= planes;
}

void intercept_simulation_slow(struct intercept_simulation *simulation, uint32_t node, uint64_t slow_ns)
{
    simulation->nodes[node].slow_ns = slow_ns;
}

void intercept_simulation_kill(struct intercept_simulation *simulation, uint32_t node)
{
    simulation->nodes[node].is_dead = true;
}

void intercept_simulation_patience(struct intercept_simulation *simulation, unsigned expiries)
{
    for (size_t i = 0; i < simulation->wires_used; i++) {
        struct intercept_timing timing = simulation->wires[i].from->timing;

        timing.patience = expiries;
        intercept_link_timing(simulation->wires[i].from, &timing);
    }
}

size_t intercept_simulation_crossbars(const struct intercept_simulation *simulation)
{
    return simulation->crossbar_count;
}

const struct intercept_crossbar *intercept_simulation_crossbar(const struct intercept_simulation *simulation,
                                                               size_t index)
{
    return &simulation->crossbars[index].crossbar;
}
