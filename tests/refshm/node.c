/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Nodes for tests; see node.h.
 */
#include "tests/refshm/node.h"

#include "ref-impl/nal/shm/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void demand(bool good, const char *what)
{
    if (!good) {
        perror(what);
        exit(1);
    }
}

/* The test program, which the processes that it forks share. */
static uint32_t program;

__attribute__((constructor)) static void program_know(void)
{
    program = (uint32_t)getpid();
}

struct wire_portals_id node_id(uint32_t rank)
{
    /* A node for each program: no other one has the same names, and no job, whose node is an address. */
    return (struct wire_portals_id){0x80000000U | program, rank + 1, NODE_GROUP, rank};
}

void node_prepare(struct node *node, uint32_t rank)
{
    node->self = node_id(rank);
    node->nal = NULL;
    recorder_begin(&node->core);
    node->net = shm_net_prepare(node->self.nid, node->self.pid, "a secret of tests");
    demand(node->net != NULL, "shm_net_prepare");
}

void node_join(struct node *node, uint32_t size)
{
    struct wire_portals_id *members = calloc(size, sizeof *members);

    demand(members != NULL, "calloc");
    for (uint32_t rank = 0; rank < size; rank++) {
        members[rank] = node_id(rank);
    }
    demand(shm_net_join(node->net, &node->self, members, size), "shm_net_join");
    free(members);
}

void node_open(struct node *node, uint32_t number)
{
    struct nal_config config = {number, node->self, 2};

    demand(shm_net_open(node->net, &config, &recorder_upcalls, &node->core, &node->nal) == NAL_OK, "shm_net_open");
    node->core.nal = node->nal;
}

void node_end(struct node *node)
{
    if (node->nal) {
        nal_close(node->nal);
    }
    shm_net_stop(node->net);
}

void node_pair(struct node *a, struct node *b)
{
    node_prepare(a, 0);
    node_prepare(b, 1);
    node_join(a, 2);
    node_join(b, 2);
    node_open(a, 0);
    node_open(b, 0);
}

struct wire_portals_header node_put(const struct node *from, const struct node *to, uint64_t bits, uint64_t length)
{
    return (struct wire_portals_header){.operation = WIRE_PORTALS_PUT,
                                        .initiator = from->self,
                                        .target = to->self,
                                        .portal = 4,
                                        .match_bits = bits,
                                        .md = 1,
                                        .rlength = length};
}

enum nal_status node_send(const struct node *from, const struct node *to, uint64_t bits, const void *payload,
                          uint64_t length, void *cookie)
{
    struct wire_portals_header put = node_put(from, to, bits, length);

    return nal_send(from->nal, &put, payload, length, cookie);
}

void node_deny(struct node *node)
{
    node->net->segment.inbox->probe_value++;
}
