/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The modules of a plane; see modules.h. Of a tree, the root is the last one.
 */
#include "ref-impl/nal/intercept/modules.h"

#include "ref-impl/nal/intercept/cables.h"

#include <stdlib.h>
#include <string.h>

enum { UP = ICPT_PORTS - 1, TRUNK_FRAMES = 4 * ICPT_WINDOW };

/* One direction of a cable between modules: the frames on it, and the port to which they go. */
struct trunk {
    struct intercept_port *end;
    unsigned first, count;
    struct {
        size_t len;
        unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    } frames[TRUNK_FRAMES];
};

struct module {
    struct intercept_crossbar crossbar;
    uint8_t routes[ICPT_ADDRESSES];
};

struct modules {
    unsigned leaves; /* modules with cards */
    struct module *module;
    struct trunk *trunks; /* two for each leaf, where there is a root */
};

static bool is_tree(const struct modules *modules)
{
    return modules->leaves > 1;
}

static unsigned count(const struct modules *modules)
{
    return modules->leaves + (is_tree(modules) ? 1 : 0);
}

static struct module *root(struct modules *modules)
{
    return &modules->module[modules->leaves];
}

static unsigned cards_each(const struct modules *modules)
{
    return is_tree(modules) ? UP : ICPT_PORTS;
}

static void trunk_transmit(void *owner, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    struct trunk *trunk = owner;

    (void)at_ns;
    if (trunk->count < TRUNK_FRAMES && len <= WIRE_INTERCEPT_FRAME_MAX) {
        unsigned last = (trunk->first + trunk->count++) % TRUNK_FRAMES;

        memcpy(trunk->frames[last].octets, octets, len);
        trunk->frames[last].len = len;
    }
}

static const struct intercept_port_ops trunk_ops = {.transmit = trunk_transmit};

static void port_connect(struct intercept_port *port, const struct intercept_port_ops *ops, void *cable)
{
    intercept_crossbar_connect(port->crossbar, port->number, ops, cable);
    intercept_link_timing(&port->link, &cables_timing);
}

static void trunks_lay(struct modules *modules)
{
    for (unsigned i = 0; i < modules->leaves; i++) {
        struct intercept_port *down = &root(modules)->crossbar.ports[i];
        struct intercept_port *up = &modules->module[i].crossbar.ports[UP];
        struct trunk *trunk = &modules->trunks[2 * i];

        trunk[0].end = up;
        trunk[1].end = down;
        port_connect(down, &trunk_ops, &trunk[0]);
        port_connect(up, &trunk_ops, &trunk[1]);
        memset(modules->module[i].routes, UP, ICPT_ADDRESSES);
    }
}

struct modules *modules_make(unsigned plane, uint32_t cards)
{
    struct modules *modules = calloc(1, sizeof *modules);

    if (!modules) {
        return NULL;
    }
    modules->leaves = cards <= ICPT_PORTS ? 1 : (cards + UP - 1) / UP;
    modules->module = calloc(count(modules), sizeof *modules->module);
    modules->trunks = is_tree(modules) ? calloc(2 * (size_t)modules->leaves, sizeof *modules->trunks) : NULL;
    if (!modules->module || (is_tree(modules) && !modules->trunks)) {
        modules_free(modules);
        return NULL;
    }
    for (unsigned i = 0; i < count(modules); i++) {
        memset(modules->module[i].routes, ICPT_NO_PORT, ICPT_ADDRESSES);
        intercept_crossbar_begin(&modules->module[i].crossbar, plane, modules->module[i].routes);
    }
    if (is_tree(modules)) {
        trunks_lay(modules);
    }
    return modules;
}

void modules_free(struct modules *modules)
{
    if (modules) {
        free(modules->trunks);
        free(modules->module);
        free(modules);
    }
}

unsigned modules_places(const struct modules *modules)
{
    return modules->leaves * cards_each(modules);
}

struct intercept_port *modules_port(struct modules *modules, unsigned place)
{
    unsigned each = cards_each(modules);

    return &modules->module[place / each].crossbar.ports[place % each];
}

/* Nobody is at that address, for all modules. */
static void address_forget(struct modules *modules, uint16_t iuca)
{
    for (unsigned i = 0; i < modules->leaves; i++) {
        modules->module[i].routes[iuca] = is_tree(modules) ? UP : ICPT_NO_PORT;
    }
    if (is_tree(modules)) {
        root(modules)->routes[iuca] = ICPT_NO_PORT;
    }
}

void modules_connect(struct modules *modules, unsigned place, uint16_t iuca, const struct intercept_port_ops *ops,
                     void *cable)
{
    struct intercept_port *port = modules_port(modules, place);
    unsigned leaf = place / cards_each(modules);

    port_connect(port, ops, cable);
    address_forget(modules, iuca);
    modules->module[leaf].routes[iuca] = (uint8_t)port->number;
    if (is_tree(modules)) {
        root(modules)->routes[iuca] = (uint8_t)leaf;
    }
}

void modules_disconnect(struct modules *modules, unsigned place, uint16_t iuca)
{
    struct intercept_port *port = modules_port(modules, place);

    intercept_crossbar_disconnect(port->crossbar, port->number);
    if (modules->module[place / cards_each(modules)].routes[iuca] == port->number) {
        address_forget(modules, iuca);
    }
}

/* The first frame on a trunk reaches its end; whether there was one. */
static bool trunk_carry(struct trunk *trunk, uint64_t now_ns)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    size_t len;

    if (trunk->count == 0) {
        return false;
    }
    len = trunk->frames[trunk->first].len;
    memcpy(octets, trunk->frames[trunk->first].octets, len);
    trunk->first = (trunk->first + 1) % TRUNK_FRAMES;
    trunk->count--;
    intercept_link_receive(&trunk->end->link, octets, len, (struct intercept_moment){now_ns, now_ns});
    return true;
}

void modules_carry(struct modules *modules, uint64_t now_ns)
{
    bool is_carried = is_tree(modules);

    while (is_carried) {
        is_carried = false;
        for (unsigned i = 0; i < 2 * modules->leaves; i++) {
            is_carried |= trunk_carry(&modules->trunks[i], now_ns);
        }
    }
}

static uint64_t module_deadline(const struct module *module)
{
    uint64_t next = UINT64_MAX;

    for (unsigned port = 0; port < ICPT_PORTS; port++) {
        uint64_t due = intercept_link_deadline(&module->crossbar.ports[port].link);

        next = module->crossbar.ports[port].ops && due != 0 && due < next ? due : next;
    }
    return next;
}

static void module_expire(struct module *module, uint64_t now_ns)
{
    for (unsigned port = 0; port < ICPT_PORTS; port++) {
        if (module->crossbar.ports[port].ops) {
            intercept_link_expire(&module->crossbar.ports[port].link, now_ns);
        }
    }
}

uint64_t modules_expire(struct modules *modules, uint64_t now_ns)
{
    uint64_t next = UINT64_MAX;

    for (unsigned i = 0; i < count(modules); i++) {
        module_expire(&modules->module[i], now_ns);
    }
    modules_carry(modules, now_ns);
    for (unsigned i = 0; i < count(modules); i++) {
        uint64_t due = module_deadline(&modules->module[i]);

        next = due < next ? due : next;
    }
    return next;
}
