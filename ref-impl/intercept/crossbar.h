/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A crossbar: what a switch is on one plane. Up to 32 ports, each with its link; a packet goes from the port at which
 * it comes to the one behind which its destination is, and packets between disjoint ports do not meet (2.1.4 of the
 * thesis). A module of 32 ports is one crossbar of 32 nodes, two of 16 or four of 8 (`enum intercept_module`): the
 * planes have nothing in common.
 *
 * A crossbar has no memory of its own but the windows of its links. A packet whose way out is full waits at its
 * entrance with those behind it, at most a window, and is not acknowledged before it goes on: so a full receiver is
 * felt back to the sender, and those who wait for one port take turns.
 */
#ifndef REF_IMPL_INTERCEPT_CROSSBAR_H
#define REF_IMPL_INTERCEPT_CROSSBAR_H

#include "ref-impl/intercept/link.h"

enum {
    ICPT_PORTS = 32,
    ICPT_ADDRESSES = 1 << 16,
    ICPT_GROUP_ALL = 0xffff, /* the group of all nodes (IW-07) */
    ICPT_NO_PORT = 0xff,
};

/* The forms of a switch module: nodes x planes. */
enum intercept_module { ICPT_MODULE_8X4, ICPT_MODULE_16X2, ICPT_MODULE_32X1, ICPT_MODULES };

struct intercept_module_form {
    const char *name;
    unsigned nodes, planes;
};

/* intercept_module_form - how many nodes and planes a module of that form serves; nodes x planes is ICPT_PORTS. */
const struct intercept_module_form *intercept_module_form(enum intercept_module module);

struct intercept_crossbar;

/* struct intercept_port_ops is how the frames of a port leave the crossbar; as in struct intercept_link_ops. `arm` may
 * be NULL. */
struct intercept_port_ops {
    void (*transmit)(void *cable, const unsigned char *octets, size_t len, uint64_t at_ns);
    void (*arm)(void *cable, uint64_t at_ns);
};

struct intercept_port {
    struct intercept_crossbar *crossbar;
    unsigned number;
    const struct intercept_port_ops *ops; /* NULL: nothing is connected */
    void *cable;
    struct intercept_link link;
    uint32_t waiting; /* ports whose packet waits because this one was full */
    unsigned turn;    /* the one that went on last */
};

struct intercept_crossbar_counts {
    uint64_t forwarded, copies, unknown; /* the second: of multicast packets; the third: nobody is behind any port */
};

/* struct intercept_crossbar - begin with intercept_crossbar_begin. `routes` says for each address behind which port it
 * is, or ICPT_NO_PORT; `groups` behind which ports the members of a group are, NULL: every group has everybody. Both
 * are the caller's and may change. */
struct intercept_crossbar {
    unsigned plane;
    bool is_cut_through;
    const uint8_t *routes;
    uint32_t (*groups)(void *context, uint16_t group);
    void *context;
    struct intercept_crossbar_counts counts;
    struct intercept_port ports[ICPT_PORTS];
};

/* intercept_crossbar_begin - a crossbar of that plane with nothing connected. */
void intercept_crossbar_begin(struct intercept_crossbar *crossbar, unsigned plane, const uint8_t *routes);

/* intercept_crossbar_connect - connects a cable to a port; its link is ports[port].link. */
void intercept_crossbar_connect(struct intercept_crossbar *crossbar, unsigned port,
                                const struct intercept_port_ops *ops, void *cable);

/* intercept_crossbar_disconnect - nothing is behind the port any more. */
void intercept_crossbar_disconnect(struct intercept_crossbar *crossbar, unsigned port);

#endif
