/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The nodes of the job: see nodes.h.
 */
#include "ref-impl/gasnet/base/nodes.h"

#include <p3rt/p3rt.h>
#include <stdio.h>
#include <stdlib.h>

#include "ref-impl/gasnet/base/bits.h"
#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/settings.h"

struct member {
    ptl_process_id_t process;
    uint32_t node;
};

static ptl_handle_ni_t interface;
static unsigned self, count;
static ptl_process_id_t *by_node;
static struct member *by_process; /* sorted */

static int compare(const void *one, const void *other)
{
    const struct member *a = one, *b = other;

    if (a->process.nid != b->process.nid) {
        return a->process.nid < b->process.nid ? -1 : 1;
    }
    return (a->process.pid > b->process.pid) - (a->process.pid < b->process.pid);
}

static bool learn(void)
{
    by_node = calloc(count, sizeof(*by_node));
    by_process = calloc(count, sizeof(*by_process));
    if (!by_node || !by_process) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        fatal_portals(PtlGetRankId(interface, i, &by_node[i]), "PtlGetRankId");
        by_process[i] = (struct member){by_node[i], i};
    }
    qsort(by_process, count, sizeof(*by_process), compare);
    return true;
}

bool nodes_open(void)
{
    const int wanted = (int)settings_get()->temporaries + 64;
    ptl_ni_limits_t desired = {.max_mes = 64, //= GASN-157
                               .max_mds = wanted,
                               .max_eqs = 8,
                               .max_ac_index = 1,
                               .max_pt_index = PORTAL_MESSAGES,
                               .max_me_list = 32};
    ptl_ni_limits_t actual;

    if (PtlInit(NULL) != PTL_OK || PtlNIInit(PTL_IFACE_DEFAULT, PTL_PID_ANY, &desired, &actual, &interface) != PTL_OK) {
        (void)fprintf(stderr, "gasnet: Portals cannot be initialised\n");
        return false;
    }
    if (actual.max_mds < wanted || actual.max_pt_index < PORTAL_MESSAGES) {
        (void)fprintf(stderr, "gasnet: Portals grants %d descriptors and portals up to %d; %d and %d are needed\n",
                      actual.max_mds, (int)actual.max_pt_index, wanted, PORTAL_MESSAGES);
        return false;
    }
    fatal_portals(PtlGetRank(interface, &self, &count), "PtlGetRank"); //= GASN-044
    fatal_node(self);
    return learn();
}

void nodes_close(void)
{
    PtlFini();
}

uint32_t nodes_count(void)
{
    return count;
}

uint32_t nodes_self(void)
{
    return self;
}

ptl_handle_ni_t nodes_interface(void)
{
    return interface;
}

ptl_process_id_t nodes_process(uint32_t node)
{
    return by_node[node];
}

bool nodes_find(ptl_process_id_t process, uint32_t *node)
{
    const struct member wanted = {process, 0};
    const struct member *found = bsearch(&wanted, by_process, count, sizeof(*by_process), compare);

    if (found) {
        *node = found->node;
    }
    return found != NULL;
}

void nodes_barrier(void)
{
    fatal_portals(PtlRTBarrier(interface), "PtlRTBarrier");
}

ptl_handle_md_t nodes_attach(ptl_pt_index_t portal, ptl_match_bits_t bits, const ptl_md_t *md)
{
    const ptl_process_id_t anybody = {PTL_NID_ANY, PTL_PID_ANY}; //= GASN-035
    ptl_handle_me_t me;
    ptl_handle_md_t handle;

    //= GASN-007 GASN-008 GASN-009 GASN-010
    fatal_portals(PtlMEAttach(interface, portal, anybody, bits, BITS_IGNORED, PTL_RETAIN, PTL_INS_AFTER, &me),
                  "PtlMEAttach");
    fatal_portals(PtlMDAttach(me, *md, PTL_RETAIN, &handle), "PtlMDAttach");
    return handle;
}
