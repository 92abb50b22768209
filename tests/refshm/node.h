/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Nodes for tests of the shared memory network: presences on it, several of them in one process, or one in each of
 * several processes, whose core is a recorder.
 */
#ifndef TESTS_REFSHM_NODE_H
#define TESTS_REFSHM_NODE_H

#include "ref-impl/nal/shm/shm.h"
#include "tests/reftcp/recorder.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { NODE_GROUP = 7, NODE_SECRET_OCTETS = 16 };

struct node {
    struct wire_portals_id self;
    struct shm_net *net;
    struct nal *nal;
    struct recorder core;
};

/* node_id - what the process of that rank is called; test programs that run at the same time do not share names.
 * node_prepare - starts the presence of a rank.
 * node_join - lets it find the others, all of which are prepared.
 * node_open - opens an interface.
 * node_end - closes what is open. A failure ends the test program. */
struct wire_portals_id node_id(uint32_t rank);
void node_prepare(struct node *node, uint32_t rank);
void node_join(struct node *node, uint32_t size);
void node_open(struct node *node, uint32_t number);
void node_end(struct node *node);
/* node_pair - two nodes with interface 0, ready to talk. */
void node_pair(struct node *a, struct node *b);

/* node_put - the header of a put of `length` octets; its match bits are `bits`.
 * node_send - sends that from one node to another, with `cookie`. */
struct wire_portals_header node_put(const struct node *from, const struct node *to, uint64_t bits, uint64_t length);
enum nal_status node_send(const struct node *from, const struct node *to, uint64_t bits, const void *payload,
                          uint64_t length, void *cookie);

/* node_deny - makes the others believe that they may not read this node's memory. Before any traffic. */
void node_deny(struct node *node);

#endif
